"""From bytes to a LabelSet: read, perceive, choose the ligand, find bonds and pocket, with provenance."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256
from typing import Any

import numpy as np

from interactions.atom_choice import choose_atom
from interactions.cautions import warnings_of
from interactions.chemistry.idatm import idatm_types
from interactions.complex import Chemistry, Complex
from interactions.consensus import consensus, find_bonds, touches_solvent
from interactions.criteria import Profile, load, with_slops
from interactions.environment import Environment
from interactions.errors import LigandError, OracleError, UnknownName
from interactions.explain import explain, explain_all
from interactions.explain import record as explanation_record
from interactions.formats import plain, read
from interactions.formats.selection import ALL, Selection, read_selected
from interactions.ligands import candidates, choice_of, choose
from interactions.parts import PARTS, chemistry_record, contacts_for, find_parts, flag, near_misses
from interactions.pocket import PocketRule, pocket_residues
from interactions.protonation import prepared
from interactions.provenance import provenance_of
from interactions.records import atom_record, bond_record, bond_texts
from interactions.structure import Structure

Record = dict[str, Any]


def load_complex(
    receptor: bytes,
    receptor_name: str,
    ligand: bytes | None = None,
    ligand_name: str | None = None,
    selector: str | None = None,
    smiles: str | None = None,
    selection: Selection = ALL,
) -> Complex:
    """Complex of one file, or of a receptor and a ligand file; with two files ``selector`` looks into the second.
    ``smiles`` tells the ligand's bond orders where its file does not; ``selection``: what of the receptor's file.

    Raises InputError for bytes that are no structure and LigandError where no one ligand is chosen.
    """
    receptor = plain(receptor, receptor_name)
    first = perceive(read_selected(receptor, receptor_name, selection))
    if ligand is not None:
        return with_ligand(first, receptor, ligand, ligand_name or "ligand", selector, smiles)
    return complex_of(first, None, sha256(receptor).hexdigest(), selector, smiles)


def complex_of(
    receptor: Chemistry, ligand: Structure | None, digest: str, selector: str | None = None, smiles: str | None = None
) -> Complex:
    """Complex of what was read before; ``digest``: sha256 of the decompressed bytes of the one or two files.

    Raises LigandError where no one ligand is chosen.
    """
    first = receptor.structure
    if ligand is None:
        mask = choose(first, selector)
        if mask.all():
            raise LigandError(f"{first.name}: nothing but the ligand: a receptor is missing", code="no_receptor")
        return Complex((receptor,), (mask,), selector or _selector(first, mask), digest, smiles)
    if selector is not None:
        ligand = _part(ligand, choose(ligand, selector))
    none, whole = np.zeros(len(first), dtype=np.bool_), np.ones(len(ligand), dtype=np.bool_)
    chosen = selector or _selector(ligand, whole)
    return Complex((receptor, perceive(ligand)), (none, whole), chosen, digest, smiles)


def with_ligand(
    receptor: Chemistry,
    receptor_bytes: bytes,
    ligand: bytes,
    ligand_name: str,
    selector: str | None = None,
    smiles: str | None = None,
) -> Complex:
    """Complex of a receptor that was perceived before, from these decompressed bytes, and a ligand file.

    Raises as ``load_complex``.
    """
    ligand = plain(ligand, ligand_name)
    digest = sha256(receptor_bytes)
    digest.update(ligand)
    return complex_of(receptor, read(ligand, ligand_name), digest.hexdigest(), selector, smiles)


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
    for, of ``PARTS``; what was not looked for is None. ``hydrogens`` is a policy of ``protonation.prepared``;
    ``mills_dean`` has a rule of its own for hydrogens that the file lacks.
    Raises UnknownName for unknown criteria, parts or policies.
    """
    for part in parts:
        if part not in PARTS:
            raise UnknownName("part", part, PARTS)
    profile = load(criteria) if isinstance(criteria, str) else criteria
    profile = with_slops(profile, distance_slop, angle_slop) if relaxed else with_slops(profile, 0.0, 0.0)
    rule, ready = pocket or PocketRule(), prepared(complex_, hydrogens)
    env = ready.environment()
    bonds = find_bonds(env, profile, solvent=solvent or bool(parts))
    dry = [bond for bond in bonds if not touches_solvent(env, bond)]
    written = [bond_record(env.complex, bond) for bond in dry]
    record: Record = {"id": id, "status": "ok", "criteria": profile.name, "ligand": _ligand(complex_)}
    record["hydrogen_bonds"] = written
    if solvent:
        record["hydrogen_bonds_with_solvent"] = [bond_record(env.complex, b) for b in bonds if touches_solvent(env, b)]
    record["pocket_residues"] = pocket_residues(env.complex, rule)
    contacts = contacts_for(env, profile, parts)
    record |= find_parts(env, rule, bonds, contacts, parts)
    record["ambiguities"] = flag(env, profile, dry, written, contacts) if "ambiguities" in parts else None
    if "near_misses" in parts:
        record["near_misses"] = near_misses(env, profile)
    if "ligand_chemistry" in parts:
        record["ligand"]["chemistry"] = chemistry_record(env)
    record["warnings"] = _warnings(env, profile)
    record["provenance"] = provenance_of(complex_, profile, rule, ready)
    return record


def _warnings(env: Environment, profile: Profile) -> list[Record]:
    return [{"code": code, "message": message} for code, message in warnings_of(env.complex, profile, env)]


def _ligand(complex_: Complex) -> Record:
    structure, mask = complex_.models[-1].structure, complex_.ligand_masks[-1]
    residues = list(dict.fromkeys(structure.residue_of[mask].tolist()))
    choices = [choice_of(structure, residue).as_dict() for residue in residues]
    first = {name: choices[0][name] for name in ("residue_name", "chain", "residue_number", "insertion_code")}
    return first | {"selector": complex_.selector, "atoms": int(mask.sum()), "residues": choices}


def failure(id: str, error: OracleError) -> Record:
    """The record of a complex that cannot be labelled."""
    return {
        "id": id,
        "status": "failed",
        "error": {"code": error.code, "stage": error.stage, "message": error.message},
    }


def label_by_all(complex_: Complex, *, hydrogens: str = "placed", id: str = "") -> Record:
    """What every profile that comes with the library says of each pair: who accepts it, and how robust it is."""
    ready, profile = prepared(complex_, hydrogens), load("chimerax")
    env = ready.environment()
    return {
        "id": id,
        "status": "ok",
        "criteria": "all",
        "ligand": _ligand(complex_),
        **consensus(env),
        "warnings": _warnings(env, profile),
        "provenance": provenance_of(complex_, profile, PocketRule(), ready) | {"criteria": "all"},
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
    profile = load(criteria) if isinstance(criteria, str) else criteria
    env = prepared(complex_, hydrogens).environment()
    if atoms is None:
        found = list(explain_all(env, profile, within))
    else:
        here, there = (choose_atom(env.complex, text, ligand=bool(side)) for side, text in enumerate(atoms))
        found = [explain(env, profile, *pair) for pair in ((here, there), (there, here))]
    return [explanation_record(env.complex, one) for one in found]


__all__ = ["atom_record", "bond_record", "bond_texts", "candidates", "failure", "label", "load_complex"]
