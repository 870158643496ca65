"""Metal ions and the atoms that hold them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.pairing import Measures, contacts, group_pairs, reach_of
from interactions.environment import Environment
from interactions.features import HALOGENS, NITROGEN, OXYGEN, SULFUR, Group, metals, remembered
from interactions.points import distance

KIND = "metal_coordination"
LIMITS = {"distance": "Å"}
_LIGATING = frozenset({NITROGEN, OXYGEN, SULFUR, 9, 34}) | HALOGENS
# Types whose lone pair is shared or whose charge is positive: they do not hold metals.
_SPENT = frozenset({"N3+", "Ng+", "Ntr", "N1+", "N2+"})


def find(env: Environment, section: Section) -> Iterator[Contact]:
    reach = reach_of(section)
    yield from chain(
        contacts(KIND, section, group_pairs(env, metals, ligating, reach), _measure),
        contacts(KIND, section, group_pairs(env, ligating, metals, reach), _measure),
    )


def _measure(receptor: Group, ligand: Group) -> Measures:
    return {"distance": distance(receptor.centre, ligand.centre)}


@remembered
def ligating(env: Environment, ligand: bool) -> list[Group]:
    """Atoms that can hold a metal, water included."""
    return [
        Group("ligating", (atom,), env.place(atom))
        for atom in env.atoms[ligand]
        if env.element(atom) in _LIGATING and env.kind(atom) not in _SPENT
    ]
