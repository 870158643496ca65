"""How near a residue's donors come to the ligand's acceptors, and the other way round: what makes a negative hard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interactions.frozen import Frozen
from interactions.geometry import squared_distances
from interactions.structure import Floats, Ints, Structure

Mask = NDArray[np.bool_]

POLAR = (7, 8, 16)  # nitrogen, oxygen, sulfur
_NITROGEN, _OXYGEN = 7, 8


@dataclass(frozen=True, eq=False)
class Roles(Frozen):
    """Which atoms may give and which may accept a hydrogen bond, each of shape (n,)."""

    gives: Mask
    accepts: Mask


def roles_of(structure: Structure, atoms: Ints) -> Roles:
    """Roles by element and explicit hydrogens, a first guess that no geometry enters.

    A polar atom gives where it has a hydrogen, accepts where it is an oxygen, or a nitrogen without hydrogen and with
    at most two neighbours. Where the structure has no hydrogens every polar atom may give.
    """
    elements = structure.elements
    bonded = [structure.neighbours[a] for a in atoms.tolist()]
    hydrogens = np.array([sum(int(elements[b]) == 1 for b in near) for near in bonded], dtype=np.int64)
    few = np.array([len(near) <= 2 for near in bonded], dtype=np.bool_)
    own = elements[atoms]
    has_hydrogens = bool((elements == 1).any())
    return Roles(
        np.isin(own, POLAR) & ((hydrogens > 0) | (not has_hydrogens)),
        (own == _OXYGEN) | ((own == _NITROGEN) & (hydrogens == 0) & few),
    )


def polar_distance(points: Floats, roles: Roles, others: Floats, other_roles: Roles) -> float:
    """Smallest distance (Å) from a donor on one side to an acceptor on the other; infinite where there is no pair."""
    gaps = squared_distances(points, others)
    complementary = np.logical_and.outer(roles.gives, other_roles.accepts)
    complementary |= np.logical_and.outer(roles.accepts, other_roles.gives)
    return float(np.sqrt(gaps[complementary].min())) if complementary.any() else float("inf")
