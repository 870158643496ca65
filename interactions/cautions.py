"""Warnings of a LabelSet: what makes a label less sure, each with a code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from interactions.complex import Complex
from interactions.criteria import Profile
from interactions.environment import Environment
from interactions.neighbours import Floats, Ints, nearest
from interactions.structure import Structure

Warning_ = tuple[str, str]  # code, message

_OVERLAP = 0.5  # Å: heavy atoms of receptor and ligand this close are the same atom twice
_SHORTEST, _LONGEST = 0.7, 1.5  # Å, of bonds to hydrogen
_TWINS = 0.5  # Å: two hydrogens of one atom this close are one
_SHOWN = 5


def warnings_of(complex_: Complex, profile: Profile, env: Environment) -> list[Warning_]:
    """Warnings of reading, then of what was read: order and text depend on the input alone."""
    found = [warning for chemistry in complex_.models for warning in chemistry.structure.warnings]
    receptor = complex_.models[0].structure
    found += _repeated_residues(receptor)
    if not (complex_.models[-1].structure.elements[complex_.ligand_masks[-1]] == 1).any():
        found.append(
            ("no_ligand_hydrogens", "the ligand has no explicit hydrogens: donors are known by atom type alone")
        )
    if len(complex_.models) == 2 and _overlaps(receptor, complex_.models[1].structure):
        found.append(
            ("ligand_in_receptor", f"{receptor.name} holds atoms at the places of ligand atoms: is it in both?")
        )
    for chemistry in complex_.models:
        found += odd_hydrogens(chemistry.structure)
    if profile.hydrogens == "needed":
        found += _unplaced(env)
    found += env.ligand_warnings
    return found


def odd_hydrogens(structure: Structure) -> Iterator[Warning_]:
    """Hydrogens too near their atom, too far from it, on top of each other, or without an atom."""
    hydrogens = structure.elements == 1
    if not hydrogens.any():
        return
    one, two = structure.bonds.T
    bonds = structure.bonds[hydrogens[one] != hydrogens[two]]
    light = np.where(hydrogens[bonds[:, 0]], bonds[:, 0], bonds[:, 1])
    heavy = bonds.sum(axis=1) - light
    lengths = _lengths(structure.coordinates, light, heavy)
    odd = np.flatnonzero((lengths < _SHORTEST) | (lengths > _LONGEST))
    if len(odd):
        shown = [
            f"{_name(structure, light[i])} {lengths[i]:.2f} Å from {structure.atom_names[heavy[i]]}"
            for i in odd.tolist()
        ]
        yield "odd_hydrogens", f"{structure.name}: {len(odd)} hydrogens at odd distances: {_listed(shown)}"
    twins = _twins(structure.coordinates, light, heavy)
    if twins:
        shown = [f"{_name(structure, a)} and {structure.atom_names[b]}" for a, b in twins]
        yield "doubled_hydrogens", f"{structure.name}: {len(twins)} pairs of hydrogens on one place: {_listed(shown)}"
    alone = np.flatnonzero(hydrogens & (np.bincount(structure.bonds.ravel(), minlength=len(structure)) == 0))
    if len(alone):
        shown = [_name(structure, a) for a in alone.tolist()]
        yield "lone_hydrogens", f"{structure.name}: {len(alone)} hydrogens are bonded to nothing: {_listed(shown)}"


def _twins(places: Floats, light: Ints, heavy: Ints) -> list[tuple[int, int]]:
    """Neighbours in the list of hydrogens of one heavy atom that lie together."""
    order = np.argsort(heavy * len(places) + light)
    light, heavy = light[order], heavy[order]
    same = np.flatnonzero(heavy[:-1] == heavy[1:])
    first, second = light[same], light[same + 1]
    near = _lengths(places, first, second) < _TWINS
    return list(zip(first[near].tolist(), second[near].tolist(), strict=True))


def _lengths(places: Floats, first: Ints, second: Ints) -> Floats:
    gaps = places[first] - places[second]
    lengths: Floats = np.sqrt(np.add.reduce(gaps * gaps, axis=1))
    return lengths


def _name(structure: Structure, atom: int) -> str:
    residue = int(structure.residue_of[atom])
    number = f"{structure.residue_numbers[residue]}{structure.insertion_codes[residue]}"
    place = (structure.chains[residue], structure.residue_names[residue], number, structure.atom_names[atom])
    return " ".join(filter(None, place))


def _listed(shown: list[str]) -> str:
    return ", ".join(shown[:_SHOWN]) + (f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else "")


def _unplaced(env: Environment) -> Iterator[Warning_]:
    """Donors near the ligand whose hydrogen nobody can place; criteria that need it pass them over."""
    atoms = [a for side in (False, True) for a in env.atoms[side] if env.element(a) in (7, 8, 16)]
    unknown = [a for a in atoms if env.hydrogens(a).source == "unknown"]
    if unknown:
        shown = [_name(env.complex.models[m].structure, a) for m, a in unknown]
        yield "hydrogens_unknown", f"hydrogens of {len(unknown)} donors at chain breaks are unknown: {_listed(shown)}"


def _repeated_residues(structure: Structure) -> list[tuple[str, str]]:
    places = list(zip(structure.chains, structure.residue_numbers.tolist(), structure.insertion_codes, strict=True))
    if len(set(places)) == len(places):
        return []
    repeated = [f"{chain}:{number}{code}" for (chain, number, code), count in Counter(places).items() if count > 1]
    return [
        (
            "repeated_residues",
            f"{structure.name}: {len(repeated)} residue numbers occur more than once, as {', '.join(repeated[:5])}: "
            "atoms are told apart by index",
        )
    ]


def _overlaps(receptor: Structure, ligand: Structure) -> bool:
    one, two = (structure.coordinates[structure.elements > 1] for structure in (receptor, ligand))
    return bool(np.isfinite(nearest(one, two, _OVERLAP)).any())
