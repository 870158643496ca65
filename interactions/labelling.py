"""From bytes to a LabelSet: read, perceive, choose the ligand, find bonds and pocket, with provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from interactions import __version__
from interactions.chemistry.elements import SYMBOLS
from interactions.chemistry.idatm import idatm_types
from interactions.complex import Chemistry, Complex
from interactions.criteria import Profile, load, with_slops
from interactions.detectors.mills_dean import HydrogenBond, find
from interactions.errors import LigandError, OracleError
from interactions.formats import plain, read
from interactions.ligands import candidates, choice_of, choose, is_solvent
from interactions.neighbours import within
from interactions.pocket import PocketRule, pocket_residues
from interactions.structure import Structure

Record = dict[str, Any]

ALT_LOC_POLICY = "chimerax"
MODEL_POLICY = "first"
_OVERLAP = 0.5  # Å: heavy atoms of receptor and ligand this close are the same atom twice


def load_complex(
    receptor: bytes,
    receptor_name: str,
    ligand: bytes | None = None,
    ligand_name: str | None = None,
    selector: str | None = None,
) -> Complex:
    """Complex of one file, or of a receptor and a ligand file; with two files ``selector`` looks into the second.

    Raises InputError for bytes that are no structure and LigandError where no one ligand is chosen.
    """
    receptor = plain(receptor, receptor_name)
    digest = sha256(receptor)
    first = read(receptor, receptor_name)
    if ligand is None:
        mask = choose(first, selector)
        if mask.all():
            raise LigandError(f"{first.name}: nothing but the ligand: a receptor is missing", code="no_receptor")
        return Complex((perceive(first),), (mask,), selector or _selector(first, mask), digest.hexdigest())
    ligand_name = ligand_name or "ligand"
    ligand = plain(ligand, ligand_name)
    digest.update(ligand)
    second = read(ligand, ligand_name)
    if selector is not None:
        second = _part(second, choose(second, selector))
    whole = np.ones(len(second), dtype=np.bool_)
    none = np.zeros(len(first), dtype=np.bool_)
    chosen = selector or _selector(second, whole)
    return Complex((perceive(first), perceive(second)), (none, whole), chosen, digest.hexdigest())


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
    id: str = "",
) -> Record:
    """The LabelSet of a complex: hydrogen bonds, pocket residues, warnings and provenance.

    ``distance_slop`` (Å) and ``angle_slop`` (degrees) replace the profile's tolerances; ``relaxed=False``
    sets both to zero. ``solvent`` adds the bonds to water, apart from the others.
    ``contacts`` and ``sites`` are None: they were not looked for.
    """
    profile = load(criteria) if isinstance(criteria, str) else criteria
    profile = with_slops(profile, distance_slop, angle_slop) if relaxed else with_slops(profile, 0.0, 0.0)
    rule = pocket or PocketRule()
    bonds = find(complex_, profile)
    wet = [_touches_solvent(complex_, bond) for bond in bonds]
    record: Record = {
        "id": id,
        "status": "ok",
        "criteria": profile.name,
        "ligand": _ligand(complex_),
        "hydrogen_bonds": [bond_record(complex_, b) for b, is_wet in zip(bonds, wet, strict=True) if not is_wet],
    }
    if solvent:
        record["hydrogen_bonds_with_solvent"] = [
            bond_record(complex_, b) for b, is_wet in zip(bonds, wet, strict=True) if is_wet
        ]
    return record | {
        "pocket_residues": pocket_residues(complex_, rule),
        "contacts": None,
        "sites": None,
        "warnings": [{"code": code, "message": message} for code, message in _warnings(complex_)],
        "ambiguities": [],
        "provenance": _provenance(complex_, profile, rule),
    }


def failure(id: str, error: OracleError) -> Record:
    """The record of a complex that cannot be labelled."""
    return {
        "id": id,
        "status": "failed",
        "error": {"code": error.code, "stage": error.stage, "message": error.message},
    }


def atom_record(complex_: Complex, model: int, atom: int) -> Record:
    """AtomRef: who an atom is in its own file."""
    structure = complex_.models[model].structure
    residue = int(structure.residue_of[atom])
    serial = int(structure.serials[atom])
    return {
        "side": "ligand" if complex_.ligand_masks[model][atom] else "receptor",
        "chain": structure.chains[residue],
        "residue_name": structure.residue_names[residue],
        "residue_number": int(structure.residue_numbers[residue]),
        "insertion_code": structure.insertion_codes[residue],
        "atom_name": structure.atom_names[atom],
        "alt_loc": structure.alt_locs[atom],
        "element": SYMBOLS[int(structure.elements[atom])],
        "serial": None if serial < 0 else serial,
        "index": atom,
    }


def bond_record(complex_: Complex, bond: HydrogenBond) -> Record:
    names = complex_.models[bond.donor[0]].structure.atom_names
    return {
        "kind": "hydrogen_bond",
        "donor": atom_record(complex_, *bond.donor),
        "acceptor": atom_record(complex_, *bond.acceptor),
        "hydrogen": None if bond.hydrogen is None else names[bond.hydrogen],
        "distance_da": round(bond.distance_da, 4),
        "distance_ha": None if bond.distance_ha is None else round(bond.distance_ha, 4),
        "angle_dha": None if bond.angle_dha is None else round(bond.angle_dha, 3),
        "strict": bond.strict,
    }


def bond_texts(bonds: Sequence[Record]) -> list[str]:
    """The benchmark's form, ``ARG 45 NH2 A, O1B``: each unordered pair once, in the order of the bonds."""
    texts = []
    for bond in bonds:
        ends = {bond[end]["side"]: bond[end] for end in ("donor", "acceptor")}
        at = ends["receptor"]
        place = [at["residue_name"], f"{at['residue_number']}{at['insertion_code']}", at["atom_name"], at["chain"]]
        texts.append(f"{' '.join(filter(None, place))}, {ends['ligand']['atom_name']}")
    return list(dict.fromkeys(texts))


def _touches_solvent(complex_: Complex, bond: HydrogenBond) -> bool:
    for model, atom in (bond.donor, bond.acceptor):
        structure = complex_.models[model].structure
        if not complex_.ligand_masks[model][atom] and is_solvent(structure.residue_names[structure.residue_of[atom]]):
            return True
    return False


def _ligand(complex_: Complex) -> Record:
    structure, mask = complex_.models[-1].structure, complex_.ligand_masks[-1]
    residues = list(dict.fromkeys(structure.residue_of[mask].tolist()))
    choices = [choice_of(structure, residue).as_dict() for residue in residues]
    first = {name: choices[0][name] for name in ("residue_name", "chain", "residue_number", "insertion_code")}
    return first | {"selector": complex_.selector, "atoms": int(mask.sum()), "residues": choices}


def _warnings(complex_: Complex) -> list[tuple[str, str]]:
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
    return found


def _repeated_residues(structure: Structure) -> list[tuple[str, str]]:
    places = Counter(zip(structure.chains, structure.residue_numbers.tolist(), structure.insertion_codes, strict=True))
    repeated = [f"{chain}:{number}{code}" for (chain, number, code), count in places.items() if count > 1]
    if not repeated:
        return []
    return [
        (
            "repeated_residues",
            f"{structure.name}: {len(repeated)} residue numbers occur more than once, as {', '.join(repeated[:5])}: "
            "atoms are told apart by index",
        )
    ]


def _overlaps(receptor: Structure, ligand: Structure) -> bool:
    heavy = ligand.coordinates[ligand.elements > 1]
    if not len(heavy):
        return False
    rows, _, _ = within(heavy, receptor.coordinates[receptor.elements > 1], _OVERLAP)
    return bool(len(rows))


def _provenance(complex_: Complex, profile: Profile, rule: PocketRule) -> Record:
    structures = [chemistry.structure for chemistry in complex_.models]
    given = ["given" if (structure.elements == 1).any() else "none" for structure in structures]
    return {
        "digest": complex_.digest,
        "formats": [structure.format for structure in structures],
        "ligand": complex_.selector,
        "criteria": profile.name,
        "criteria_digest": profile.digest,
        "distance_slop": profile.distance_slop,
        "angle_slop": profile.angle_slop,
        "hydrogens": {"receptor": given[0], "ligand": given[-1]},
        "alt_loc_policy": ALT_LOC_POLICY,
        "model_policy": MODEL_POLICY,
        "pocket": rule.as_dict(),
        "version": __version__,
    }


__all__ = ["atom_record", "bond_record", "bond_texts", "candidates", "failure", "label", "load_complex"]
