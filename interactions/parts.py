"""What a LabelSet holds besides hydrogen bonds and pocket, on request."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from interactions.alternatives import alternatives
from interactions.ambiguity import context, flags_of, summary
from interactions.contact import Contact, HydrogenBond
from interactions.contacts import find_contacts
from interactions.criteria import Profile
from interactions.environment import Environment
from interactions.explain import explain, explain_all
from interactions.explain import record as explanation_record
from interactions.pocket import PocketRule, pocket_members
from interactions.records import contact_record
from interactions.sites import find_sites

Record = dict[str, Any]

PARTS = ("contacts", "sites", "ambiguities", "near_misses", "ligand_chemistry")
_ON_CONTACTS = frozenset({"contacts", "sites", "ambiguities"})


def contacts_for(env: Environment, profile: Profile, parts: Collection[str]) -> list[Contact]:
    """Contacts, where a part rests on them."""
    return find_contacts(env, profile) if _ON_CONTACTS & set(parts) else []


def find_parts(
    env: Environment, rule: PocketRule, bonds: list[HydrogenBond], found: list[Contact], parts: Collection[str]
) -> Record:
    """Contacts and sites as records, None where they were not asked for."""
    record: Record = {"contacts": None, "sites": None}
    if "contacts" in parts:
        record["contacts"] = [contact_record(env.complex, contact) for contact in found]
    if "sites" in parts:
        record["sites"] = find_sites(env, set(pocket_members(env.complex, rule)), bonds, found)
    return record


def near_misses(env: Environment, profile: Profile) -> list[Record]:
    """Pairs that narrowly fail, each explained."""
    return [explanation_record(env.complex, e) for e in explain_all(env, profile) if e.is_near_miss]


def flag(
    env: Environment, profile: Profile, bonds: list[HydrogenBond], records: list[Record], found: list[Contact]
) -> list[Record]:
    """Write each bond's flags to its record; the flags of the whole, and what other states would change."""
    explained = [explain(env, profile, bond.donor, bond.acceptor) for bond in bonds]
    near = (e for e in explained if any(check.is_near for check in e.checks))
    known = context(found, (frozenset((e.donor, e.acceptor)) for e in near))
    flags = [flags_of(env, bond, known) for bond in bonds]
    for record, codes in zip(records, flags, strict=True):
        record["flags"] = codes
    return summary(flags, found) + alternatives(env, profile)


def chemistry_record(env: Environment) -> Record | None:
    """Where the ligand's bond orders and charges come from, and its net charge; None where nothing fits."""
    found = env.ligand_chemistry
    return None if found is None else {"source": found.source, "charge": found.charge}
