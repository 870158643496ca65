"""Hydrophobic contacts: two carbons among carbons."""

from __future__ import annotations

from collections.abc import Iterator

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.pairing import Measures, contacts, group_pairs, reach_of
from interactions.environment import Environment
from interactions.features import Group, hydrophobic_atoms
from interactions.points import distance

KIND = "hydrophobic"
LIMITS = {"distance": "Å"}


def find(env: Environment, section: Section) -> Iterator[Contact]:
    """Option ``one_per``: ``pair`` gives each pair, ``residue`` the closest of a ligand atom and a residue."""
    pairs = group_pairs(env, hydrophobic_atoms, hydrophobic_atoms, reach_of(section))
    found = contacts(KIND, section, pairs, _measure)
    yield from _closest(env, found) if section.options.get("one_per", "pair") == "residue" else found


def _measure(receptor: Group, ligand: Group) -> Measures:
    return {"distance": distance(receptor.centre, ligand.centre)}


def _closest(env: Environment, found: Iterator[Contact]) -> Iterator[Contact]:
    """Of the contacts of one ligand atom with one residue the shortest, then of one residue atom the shortest."""
    best: dict[tuple[object, object], Contact] = {}
    for contact in sorted(found, key=lambda c: (dict(c.measures)["distance"], c.receptor, c.ligand)):
        best.setdefault((contact.ligand, env.residue(contact.receptor[0])), contact)
    taken: set[object] = set()
    for contact in best.values():
        if contact.receptor not in taken:
            taken.add(contact.receptor)
            yield contact
