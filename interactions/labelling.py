"""From bytes to a LabelSet: read, perceive, choose the ligand, find bonds and pocket, with provenance."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactions import __version__
from interactions.alternatives import alternatives
from interactions.ambiguity import context, flags_of, summary
from interactions.atom_choice import choose_atom
from interactions.cautions import warnings_of
from interactions.chemistry.idatm import idatm_types
from interactions.complex import Chemistry, Complex
from interactions.consensus import consensus, find_bonds, touches_solvent
from interactions.contact import HydrogenBond
from interactions.contacts import find_contacts
from interactions.criteria import Profile, load, section_of, with_slops
from interactions.detectors import DETECTORS
from interactions.environment import Environment
from interactions.errors import LigandError, OracleError, UnknownName
from interactions.explain import explain, explain_all
from interactions.explain import record as explanation_record
from interactions.formats import plain, read
from interactions.ligands import candidates, choice_of, choose
from interactions.pocket import PocketRule, pocket_members, pocket_residues
from interactions.records import atom_record, bond_record, bond_texts, contact_record
from interactions.sites import find_sites
from interactions.structure import Structure

Record = dict[str, Any]

ALT_LOC_POLICY = "chimerax"
MODEL_POLICY = "first"


def load_complex(
    receptor: bytes,
    receptor_name: str,
    ligand: bytes | None = None,
    ligand_name: str | None = None,
    selector: str | None = None,
    smiles: str | None = None,
) -> Complex:
    """Complex of one file, or of a receptor and a ligand file; with two files ``selector`` looks into the second.
    ``smiles`` tells the ligand's bond orders where its file does not.

    Raises InputError for bytes that are no structure and LigandError where no one ligand is chosen.
    """
    receptor = plain(receptor, receptor_name)
    digest = sha256(receptor)
    first = read(receptor, receptor_name)
    if ligand is None:
        mask = choose(first, selector)
        if mask.all():
            raise LigandError(f"{first.name}: nothing but the ligand: a receptor is missing", code="no_receptor")
        return Complex((perceive(first),), (mask,), selector or _selector(first, mask), digest.hexdigest(), smiles)
    ligand_name = ligand_name or "ligand"
    ligand = plain(ligand, ligand_name)
    digest.update(ligand)
    second = read(ligand, ligand_name)
    if selector is not None:
        second = _part(second, choose(second, selector))
    whole = np.ones(len(second), dtype=np.bool_)
    none = np.zeros(len(first), dtype=np.bool_)
    chosen = selector or _selector(second, whole)
    return Complex((perceive(first), perceive(second)), (none, whole), chosen, digest.hexdigest(), smiles)


def perceive(structure: Structure) -> Chemistry:
    """A structure with its IDATM types."""
    return Chemistry(structure, idatm_types(structure))


def _selector(structure: Structure, mask: np.ndarray[Any, np.dtype[np.bool_]]) -> str:
    residues = dict.fromkeys(structure.residue_of[mask].tolist())
    return ",".join(choice_of(structure, residue).selector for residue in residues)


def _part(structure: Structure, mask: np.ndarray[Any, np.dtype[np.bool_]]) -> Structure:
    if mask.all():
        return structure
    raise LigandError(
        f"{structure.name}: a ligand file holds just the ligand; the selector leaves {int((~mask).sum())} of its "
        "atoms out",
        code="ambiguous_ligand",
    )


HYDROGENS = ("placed", "given", "openmm")
PARTS = ("contacts", "sites", "ambiguities", "near_misses", "ligand_chemistry")


def label(
    complex_: Complex,
    *,
    criteria: str | Profile = "chimerax",
    relaxed: bool = True,
    distance_slop: float | None = None,
    angle_slop: float | None = None,
    pocket: PocketRule | None = None,
    solvent: bool = False,
    parts: Collection[str] = (),
    hydrogens: str = "placed",
    id: str = "",
) -> Record:
    """The LabelSet of a complex: hydrogen bonds, pocket residues, warnings and provenance.

    ``distance_slop`` (Å) and ``angle_slop`` (degrees) replace the profile's tolerances; ``relaxed=False``
    sets both to zero. ``solvent`` adds the bonds to water, apart from the others. ``parts`` names what else to look
    for, of ``PARTS``; what was not looked for is None. Raises UnknownName for another part.
    """
    _check_names("part", parts, PARTS)
    _check_names("hydrogens", [hydrogens], HYDROGENS)
    profile = load(criteria) if isinstance(criteria, str) else criteria
    profile = with_slops(profile, distance_slop, angle_slop) if relaxed else with_slops(profile, 0.0, 0.0)
    rule = pocket or PocketRule()
    complex_, protonation = _with_hydrogens(complex_, hydrogens)
    env = Environment(complex_, place=hydrogens != "given")
    bonds = find_bonds(env, profile)
    dry = [bond for bond in bonds if not touches_solvent(env, bond)]
    record: Record = {
        "id": id,
        "status": "ok",
        "criteria": profile.name,
        "ligand": _ligand(complex_),
        "hydrogen_bonds": [bond_record(complex_, bond) for bond in dry],
    }
    if solvent:
        record["hydrogen_bonds_with_solvent"] = [bond_record(complex_, b) for b in bonds if touches_solvent(env, b)]
    residues = pocket_residues(complex_, rule)
    record |= {"pocket_residues": residues} | _further(env, profile, rule, bonds, dry, record, parts)
    if "ligand_chemistry" in parts:
        record["ligand"] |= {"chemistry": _chemistry(env)}
    return record | {
        "warnings": [{"code": code, "message": message} for code, message in warnings_of(complex_, profile, env)],
        "provenance": _provenance(complex_, profile, rule) | _sources(complex_, profile, hydrogens) | protonation,
    }


def _with_hydrogens(complex_: Complex, hydrogens: str) -> tuple[Complex, Record]:
    """The complex to label, and what its provenance says of added hydrogens."""
    if hydrogens != "openmm":
        return complex_, {}
    from interactions.protonation import protonated

    complex_, report = protonated(complex_)
    variants = [f"{residue} {variant}" for residue, variant in report.variants]
    return complex_, {"protonation": {"ph": 7.0, "added": report.added, "variants": variants}}


def _chemistry(env: Environment) -> Record | None:
    """Where the ligand's bond orders and charges come from, and its net charge; None where nothing fits."""
    found = env.ligand_chemistry
    return None if found is None else {"source": found.source, "charge": found.charge}


def _further(
    env: Environment,
    profile: Profile,
    rule: PocketRule,
    bonds: list[HydrogenBond],
    dry: list[HydrogenBond],
    record: Record,
    parts: Collection[str],
) -> Record:
    """Contacts, sites, ambiguities and near misses; flags are written to the records of the bonds."""
    found = find_contacts(env, profile) if {"contacts", "sites", "ambiguities"} & set(parts) else []
    further: Record = {
        "contacts": [contact_record(env.complex, contact) for contact in found] if "contacts" in parts else None,
        "sites": None,
        "ambiguities": None,
    }
    if "sites" in parts:
        further["sites"] = find_sites(env, set(pocket_members(env.complex, rule)), bonds, found)
    if "ambiguities" in parts:
        explained = [explain(env, profile, bond.donor, bond.acceptor) for bond in dry]
        near = (e for e in explained if any(check.is_near for check in e.checks))
        known = context(found, (frozenset((e.donor, e.acceptor)) for e in near))
        flags = [flags_of(env, bond, known) for bond in dry]
        for bond, flag in zip(record["hydrogen_bonds"], flags, strict=True):
            bond["flags"] = flag
        further["ambiguities"] = summary(flags, found) + alternatives(env, profile)
    if "near_misses" in parts:
        misses = (e for e in explain_all(env, profile) if e.is_near_miss)
        further["near_misses"] = [explanation_record(env.complex, miss) for miss in misses]
    return further


def failure(id: str, error: OracleError) -> Record:
    """The record of a complex that cannot be labelled."""
    return {
        "id": id,
        "status": "failed",
        "error": {"code": error.code, "stage": error.stage, "message": error.message},
    }


def _ligand(complex_: Complex) -> Record:
    structure, mask = complex_.models[-1].structure, complex_.ligand_masks[-1]
    residues = list(dict.fromkeys(structure.residue_of[mask].tolist()))
    choices = [choice_of(structure, residue).as_dict() for residue in residues]
    first = {name: choices[0][name] for name in ("residue_name", "chain", "residue_number", "insertion_code")}
    return first | {"selector": complex_.selector, "atoms": int(mask.sum()), "residues": choices}


def _provenance(complex_: Complex, profile: Profile, rule: PocketRule) -> Record:
    structures = [chemistry.structure for chemistry in complex_.models]
    return {
        "digest": complex_.digest,
        "formats": [structure.format for structure in structures],
        "ligand": complex_.selector,
        "criteria": profile.name,
        "criteria_digest": profile.digest,
        "distance_slop": profile.distance_slop,
        "angle_slop": profile.angle_slop,
        "alt_loc_policy": ALT_LOC_POLICY,
        "model_policy": MODEL_POLICY,
        "pocket": rule.as_dict(),
        "version": __version__,
    }


def _sources(complex_: Complex, profile: Profile, hydrogens: str) -> Record:
    """Where hydrogens come from, and which profiles the contacts."""
    given = [
        "given" if (chemistry.structure.elements[mask] == 1).any() else "none"
        for chemistry, mask in ((complex_.models[0], ~complex_.ligand_masks[0]), _ligand_part(complex_))
    ]
    others = {owner.name: owner.digest for kind in DETECTORS if (owner := _owner(profile, kind)) is not None}
    return {
        "hydrogens": {"receptor": given[0], "ligand": given[1], "policy": hydrogens},
        "contact_criteria": [{"name": name, "digest": others[name]} for name in sorted(others)],
    }


def _ligand_part(complex_: Complex) -> tuple[Chemistry, NDArray[np.bool_]]:
    return complex_.models[-1], complex_.ligand_masks[-1]


def _owner(profile: Profile, kind: str) -> Profile | None:
    rules = section_of(profile, kind)
    return None if rules is None else rules[1]


def _check_names(what: str, given: Collection[str], known: Collection[str]) -> None:
    for name in given:
        if name not in known:
            raise UnknownName(what, name, known)


def label_by_all(complex_: Complex, *, hydrogens: str = "placed", id: str = "") -> Record:
    """What every profile that comes with the library says of each pair: who accepts it, and how robust it is."""
    _check_names("hydrogens", [hydrogens], HYDROGENS)
    complex_, protonation = _with_hydrogens(complex_, hydrogens)
    env = Environment(complex_, place=hydrogens != "given")
    profile = load("chimerax")
    return {
        "id": id,
        "status": "ok",
        "criteria": "all",
        "ligand": _ligand(complex_),
        **consensus(env),
        "warnings": [{"code": code, "message": message} for code, message in warnings_of(complex_, profile, env)],
        "provenance": _provenance(complex_, profile, PocketRule())
        | _sources(complex_, profile, hydrogens)
        | {"criteria": "all"}
        | protonation,
    }


def explain_label(
    complex_: Complex,
    *,
    criteria: str | Profile = "chimerax",
    atoms: tuple[str, str] | None = None,
    within: float = 5.0,
    hydrogens: str = "placed",
) -> list[Record]:
    """Why pairs are or are not hydrogen bonds, each direction on its own.

    ``atoms`` names a receptor and a ligand atom (``LYS:A:47:NZ``, ``O2A``) and both directions are told, roles
    included; else all donor-acceptor pairs across the border of the ligand within some Å.
    Raises UnknownName for unknown criteria, InputError for atoms that are not there.
    """
    _check_names("hydrogens", [hydrogens], HYDROGENS)
    profile = load(criteria) if isinstance(criteria, str) else criteria
    complex_, _ = _with_hydrogens(complex_, hydrogens)
    env = Environment(complex_, place=hydrogens != "given")
    if atoms is None:
        found = list(explain_all(env, profile, within))
    else:
        here, there = (choose_atom(complex_, text, ligand=bool(side)) for side, text in enumerate(atoms))
        found = [explain(env, profile, *pair) for pair in ((here, there), (there, here))]
    return [explanation_record(complex_, one) for one in found]


__all__ = ["atom_record", "bond_record", "bond_texts", "candidates", "failure", "label", "load_complex"]
