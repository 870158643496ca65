"""All contacts of a complex by one profile."""

from __future__ import annotations

from interactions.contact import Contact
from interactions.criteria import Profile, section_of
from interactions.detectors import DETECTORS, clash, covalent_link
from interactions.environment import Environment


def find_contacts(env: Environment, profile: Profile) -> list[Contact]:
    """Contacts of every kind that the profile, or the one it names for contacts, has limits for.

    Sorted by kind in the order of ``DETECTORS``, then receptor and ligand atoms. A covalent link is no clash.
    """
    found: list[Contact] = []
    for kind, find in DETECTORS.items():
        rules = section_of(profile, kind)
        if rules is not None:
            found += sorted(find(env, rules[0]), key=lambda contact: _order(env, contact))
    linked = {(c.receptor, c.ligand) for c in found if c.kind == covalent_link.KIND}
    return [c for c in found if c.kind != clash.KIND or (c.receptor, c.ligand) not in linked]


def _order(env: Environment, contact: Contact) -> tuple[object, ...]:
    sides = ([env.rank(atom) for atom in atoms] for atoms in (contact.receptor, contact.ligand, contact.via))
    return (*sides, contact.form)
