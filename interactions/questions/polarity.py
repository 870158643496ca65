"""How near a residue's donors come to the ligand's acceptors, and the other way round: what makes a negative hard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interactions.complex import Chemistry
from interactions.frozen import Frozen
from interactions.geometry import squared_distances
from interactions.structure import Floats, Ints

Mask = NDArray[np.bool_]

POLAR = (7, 8, 16)  # nitrogen, oxygen, sulfur
_NITROGEN, _OXYGEN = 7, 8
# IDATM types of atoms with fewer heavy neighbours than they bind: some of them must be hydrogens.
_MAY_BEAR = {"N3": 3, "N3+": 4, "Npl": 3, "Ng+": 3, "O3": 2, "S3": 2}


@dataclass(frozen=True, eq=False)
class Roles(Frozen):
    """Which atoms may give and which may accept a hydrogen bond, each of shape (n,)."""

    gives: Mask
    accepts: Mask


def roles_of(chemistry: Chemistry, atoms: Ints) -> Roles:
    """Roles by element and hydrogens, a first guess that no geometry enters.

    A polar atom gives where it has a hydrogen; in a structure without hydrogens, where its type leaves room for one.
    An oxygen accepts, and a nitrogen that does not give and has at most two neighbours.
    """
    structure = chemistry.structure
    elements, explicit = structure.elements, bool((structure.elements == 1).any())
    gives, accepts = [], []
    for atom in atoms.tolist():
        near, element = structure.neighbours[atom], int(elements[atom])
        bears = any(int(elements[b]) == 1 for b in near) if explicit else _has_room(chemistry.types[atom], len(near))
        gives.append(element in POLAR and bears)
        accepts.append(element == _OXYGEN or (element == _NITROGEN and not bears and len(near) <= 2))
    return Roles(np.array(gives, dtype=np.bool_), np.array(accepts, dtype=np.bool_))


def _has_room(kind: str, neighbours: int) -> bool:
    return neighbours < _MAY_BEAR.get(kind, 0)


def polar_distance(points: Floats, roles: Roles, others: Floats, other_roles: Roles) -> float:
    """Smallest distance (Å) from a donor on one side to an acceptor on the other; infinite where there is no pair."""
    gaps = squared_distances(points, others)
    complementary = np.logical_and.outer(roles.gives, other_roles.accepts)
    complementary |= np.logical_and.outer(roles.accepts, other_roles.gives)
    return float(np.sqrt(gaps[complementary].min())) if complementary.any() else float("inf")
