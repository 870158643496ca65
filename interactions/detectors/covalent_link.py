"""Covalent bonds between ligand and receptor: those of the structure, or by distance between two files."""

from __future__ import annotations

from collections.abc import Iterator

from interactions.chemistry.bond_radii import BOND_RADII, METALS
from interactions.contact import Contact
from interactions.criteria import Section
from interactions.environment import Atom, Environment
from interactions.neighbours import within
from interactions.points import distance

KIND = "covalent_link"
LIMITS = {"stretch": "Å"}
_LONGEST = 2 * 1.4  # Å, of a bond between elements that are no metal, before stretch


def find(env: Environment, section: Section) -> Iterator[Contact]:
    """``stretch``: how much longer a bond is than the sum of bond radii; tested between two files only."""
    limit = section.of("stretch")
    found = set(_written(env))
    if len(env.models) == 2 and limit is not None:
        found |= {pair for pair in _close(env, limit.high) if _stretch(env, *pair) in limit}
    for receptor, ligand in sorted(found):
        gap = distance(env.place(receptor), env.place(ligand))
        measures = (("distance", gap), ("stretch", _stretch(env, receptor, ligand)))
        yield Contact(KIND, (receptor,), (ligand,), measures)


def is_bonded(env: Environment, a: Atom, b: Atom) -> bool:
    return a[0] == b[0] and b[1] in env.models[a[0]].neighbours[a[1]]


def _written(env: Environment) -> Iterator[tuple[Atom, Atom]]:
    """Bonds of the structure that cross the border of the ligand; bonds to metals are coordination."""
    for ligand in env.atoms[True]:
        for other in env.heavy(ligand):
            if not env.is_ligand(other) and not {env.element(ligand), env.element(other)} & METALS:
                yield other, ligand


def _close(env: Environment, stretch: float) -> Iterator[tuple[Atom, Atom]]:
    here, there = ([atom for atom in env.atoms[side] if env.element(atom) not in METALS] for side in (False, True))
    rows, columns, _ = within(env.places(here), env.places(there), _LONGEST + stretch)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        yield here[row], there[column]


def _stretch(env: Environment, a: Atom, b: Atom) -> float:
    gap = distance(env.place(a), env.place(b))
    return gap - BOND_RADII[env.element(a)] - BOND_RADII[env.element(b)]
