"""Hydrogens of proteins and nucleic acids at a pH, by OpenMM's Modeller in a process with a time limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from interactions.chemistry.added_atoms import Added, with_hydrogen_atoms
from interactions.chemistry.hydrogen_geometry import idealised
from interactions.chemistry.openmm_process import Job, run
from interactions.chemistry.openmm_view import view_of
from interactions.chemistry.openmm_withheld import given, selector, standard_name
from interactions.errors import ChemistryError, InputError
from interactions.neighbours import within
from interactions.structure import Structure

_SAME_PLACE = 0.01  # Å: nearer atoms push each other to no finite energy
_HISTIDINES = {(True, True): "HIP", (True, False): "HID", (False, True): "HIE", (False, False): "HIN"}


@dataclass(frozen=True)
class Report:
    """What was done.

    ``variants``: (residue, variant) of every histidine (HID, HIE, HIP, HIN) and of ASH, GLH, LYN and CYX, as the
    result has them. ``left_alone``: atoms and residues that got no hydrogen, each with the reason. ``chain_ends``:
    residues taken as true ends of their chain, with ammonium or terminal hydroxyl. Residues are ``RES:CHAIN:NUM``.
    """

    added: int
    variants: tuple[tuple[str, str], ...]
    left_alone: tuple[str, ...]
    chain_ends: tuple[str, ...]


def add_hydrogens(structure: Structure, *, ph: float = 7.0, seconds: float = 60.0) -> tuple[Structure, Report]:
    """The structure with the hydrogens that OpenMM gives standard amino acids and nucleotides at a pH.

    Atoms of the structure, hydrogens too, keep places and indices; new hydrogens stand behind all of them, each
    bonded to its heavy atom. Without new ones the structure itself is returned, so adding twice changes nothing.
    Which hydrogens there are and how hydroxyls and thiols turn is OpenMM's choice (a histidine's proton by its better
    hydrogen bond, rotors away from their surroundings); lengths, angles and planes are ideal, methyl and ammonium
    groups staggered: see ``hydrogen_geometry``. The same input gives the same places in every process, but a hydroxyl
    may turn otherwise when the whole structure is turned.
    Left alone: waters, ligands, metals, other residues; atoms that lack a neighbour of their template, are bonded to
    something it does not have, nitrogen or sulfur within 2.8 Å of a metal; N, O5' and O3' at breaks of the chain.
    Raises InputError (``bad_ph``) outside 0 to 14 and ChemistryError: ``hydrogens_timed_out`` after ``seconds``,
    ``hydrogens_failed``, ``worker_died``.
    """
    if not 0 <= ph <= 14:
        raise InputError(f"a pH of {ph:g}, expected 0 to 14", code="bad_ph")
    refuse_same_places(structure)
    view = view_of(structure)
    job = Job(view.shown, structure.elements, structure.coordinates, structure.bonds, ph)
    added = idealised(structure, run(job, structure.name, seconds))
    _refuse_nowhere(structure, added)
    full = with_hydrogen_atoms(structure, added)
    return full, Report(len(added), tuple(_variants(full)), view.left_alone, view.chain_ends)


def refuse_same_places(structure: Structure) -> None:
    """Raise ChemistryError (``hydrogens_failed``) where two atoms are at one place, naming them."""
    rows, columns, _ = within(structure.coordinates, structure.coordinates, _SAME_PLACE)
    for a, b in zip(rows.tolist(), columns.tolist(), strict=True):
        if a < b:
            one, two = _atom_text(structure, a), _atom_text(structure, b)
            raise ChemistryError(f"{structure.name}: {one} and {two} are at one place", code="hydrogens_failed")


def _refuse_nowhere(structure: Structure, added: list[Added]) -> None:
    for parent, name, place in added:
        if not all(map(isfinite, place)):
            where = _atom_text(structure, parent)
            raise ChemistryError(f"{structure.name}: there is no place for {name} at {where}", code="hydrogens_failed")


def _variants(structure: Structure) -> Iterator[tuple[str, str]]:
    for residue in range(len(structure.residue_names)):
        hydrogens = {structure.atom_names[a]: given(structure, a) for a in structure.residue_atoms[residue]}
        if variant := variant_of(standard_name(structure, residue), hydrogens):
            yield selector(structure, residue), variant


def variant_of(name: str, hydrogens: dict[str, int]) -> str:
    """Variant of a residue by the hydrogens of its atoms; "" for the usual one and where an atom is missing."""
    try:
        if name == "HIS":
            return _HISTIDINES[hydrogens["ND1"] > 0, hydrogens["NE2"] > 0]
        if name in ("ASP", "GLU"):
            oxygens = ("OD1", "OD2") if name == "ASP" else ("OE1", "OE2")
            return {"ASP": "ASH", "GLU": "GLH"}[name] if any(hydrogens[o] for o in oxygens) else ""
        if name == "CYS":
            return "" if hydrogens["SG"] else "CYX"
        return "LYN" if name == "LYS" and hydrogens["NZ"] == 2 else ""
    except KeyError:
        return ""


def _atom_text(structure: Structure, atom: int) -> str:
    return f"{selector(structure, int(structure.residue_of[atom]))} {structure.atom_names[atom]}"
