"""Atoms of standard residues that are to get no hydrogen, since how many they have or where is not known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from interactions.chemistry.bond_radii import METALS
from interactions.chemistry.residue_templates import Template, template_of
from interactions.ligands import choice_of
from interactions.neighbours import within
from interactions.structure import Structure

AMINO = frozenset("ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL".split())
NUCLEIC = frozenset("A C G U DA DC DG DT".split())
# Names that say the protonation, as Amber writes them, and the residue meant.
SPOKEN = {"HID": "HIS", "HIE": "HIS", "HIP": "HIS", "ASH": "ASP", "GLH": "GLU", "LYN": "LYS", "CYX": "CYS"}

HAS_ITS_HYDROGEN = "the acid has its hydrogen"

_METAL_REACH = 2.8  # Å: a nitrogen or sulfur this near to a metal gives it its lone pair; a hydroxyl keeps its hydrogen
_CARBOXYLS = {"OD1": "OD2", "OD2": "OD1", "OE1": "OE2", "OE2": "OE1"}  # of ASP and GLU
_SOMETIMES = frozenset(("N", "OD1", "OD2", "OE1", "OE2", "O5'", "O3'"))  # have a hydrogen in some state or place
_LINKS = {frozenset(("C", "N")), frozenset(("O3'", "P"))}


@dataclass(frozen=True)
class Facts:
    """What residues and atoms have about them.

    ``followed``: residues linked to the next one in the file. ``firsts`` and ``lasts``: the polymer residues at the
    ends of each chain. ``on_metal``: nitrogens and sulfurs that coordinate a metal.
    """

    structure: Structure
    followed: frozenset[int]
    firsts: frozenset[int]
    lasts: frozenset[int]
    on_metal: frozenset[int]


def facts_of(structure: Structure) -> Facts:
    followed = frozenset(_followed(structure))
    members = _members(structure, followed)
    by_chain = {
        chain: [r for r in members if structure.chains[r] == chain] for chain in dict.fromkeys(structure.chains)
    }
    ends = [residues for residues in by_chain.values() if residues]
    return Facts(
        structure,
        followed,
        firsts=frozenset(residues[0] for residues in ends),
        lasts=frozenset(residues[-1] for residues in ends),
        on_metal=_on_metal(structure),
    )


def standard_name(structure: Structure, residue: int) -> str:
    """The name that OpenMM's hydrogen definitions have for a residue; "" for one that is left alone."""
    name = structure.residue_names[residue]
    name = SPOKEN.get(name, name)
    return name if (name in AMINO or name in NUCLEIC) and not repeats(structure, residue) else ""


def repeats(structure: Structure, residue: int) -> bool:
    """Whether heavy atoms of a residue share a name."""
    names = [structure.atom_names[a] for a in structure.residue_atoms[residue] if structure.elements[a] != 1]
    return len(set(names)) < len(names)


def selector(structure: Structure, residue: int) -> str:
    """``RES:CHAIN:NUM`` of a residue."""
    return choice_of(structure, residue).selector


def given(structure: Structure, atom: int) -> int:
    """How many hydrogens an atom has."""
    return sum(structure.elements[b] == 1 for b in structure.neighbours[atom])


def withheld(facts: Facts, residue: int) -> dict[int, str]:
    """Atoms of a standard residue that get no hydrogen, with the reason."""
    template = template_of(standard_name(facts.structure, residue), "mid") or {}
    found = {atom: _reason(facts, atom, template) for atom in _bearers(facts.structure, residue, template)}
    return {atom: reason for atom, reason in found.items() if reason}


def is_head(facts: Facts, residue: int) -> bool:
    """Whether a chain starts with this residue: its N is an ammonium, its O5' a hydroxyl.

    A nitrogen that has some hydrogens already, but not an ammonium's, is none.
    """
    structure = facts.structure
    name = standard_name(structure, residue)
    atom = _named(structure, residue, "N" if name in AMINO else "O5'")
    if residue not in facts.firsts or not name or atom is None or _leads_on(structure, atom):
        return False
    return name in NUCLEIC or given(structure, atom) in (0, 2 if name == "PRO" else 3)


def is_tail(facts: Facts, residue: int) -> bool:
    """Whether a chain ends with this residue: its O3' is a hydroxyl."""
    atom = _named(facts.structure, residue, "C" if standard_name(facts.structure, residue) in AMINO else "O3'")
    return residue in facts.lasts and atom is not None and not _leads_on(facts.structure, atom)


def _named(structure: Structure, residue: int, name: str) -> int | None:
    return next((a for a in structure.residue_atoms[residue] if structure.atom_names[a] == name), None)


def _followed(structure: Structure) -> Iterator[int]:
    homes, names = structure.residue_of.tolist(), structure.atom_names
    for a, b in structure.bonds.tolist():
        if abs(homes[a] - homes[b]) == 1 and frozenset((names[a], names[b])) in _LINKS:
            yield min(homes[a], homes[b])


def _members(structure: Structure, followed: frozenset[int]) -> list[int]:
    """Residues of chains. A HETATM residue is one only where linked, or where its chain has no other."""
    linked = followed | {residue + 1 for residue in followed}
    standard = [r for r in range(len(structure.residue_names)) if standard_name(structure, r) or r in linked]
    sure = {r for r in standard if r in linked or not structure.hetero[structure.residue_atoms[r][0]]}
    chains = {structure.chains[r] for r in sure}
    return [r for r in standard if r in sure or structure.chains[r] not in chains]


def _on_metal(structure: Structure) -> frozenset[int]:
    metals = structure.coordinates[np.isin(structure.elements, list(METALS))]
    donors = np.flatnonzero(np.isin(structure.elements, (7, 16)))
    near = donors[within(structure.coordinates[donors], metals, _METAL_REACH)[0]]
    return frozenset([*near.tolist(), *np.intersect1d(donors, structure.coordination).tolist()])


def _bearers(structure: Structure, residue: int, template: Template) -> Iterator[int]:
    """Atoms that can have hydrogens."""
    for atom in structure.residue_atoms[residue]:
        bonded = template.get(structure.atom_names[atom], ())
        if structure.atom_names[atom] == "N" and structure.residue_names[residue] == "PRO":
            continue  # none within a chain
        if bonded and (structure.atom_names[atom] in _SOMETIMES or any(name[0] == "H" for name in bonded)):
            yield atom


def _reason(facts: Facts, atom: int, template: Template) -> str:
    structure = facts.structure
    residue, name = int(structure.residue_of[atom]), structure.atom_names[atom]
    heavy = {a for a in structure.neighbours[atom] if structure.elements[a] != 1}
    wanted = {n for n in template[name] if n[0] != "H" and n != "P"}
    own = {structure.atom_names[a] for a in heavy if structure.residue_of[a] == residue}
    if missing := sorted(wanted - own):
        return f"lacks {', '.join(missing)}"
    if atom in facts.on_metal:
        return "on a metal"
    if foreign := [a for a in heavy if not _usual(structure, atom, a, template)]:
        return f"bonded to {_atom_text(structure, min(foreign))}"
    if name in ("N", "O5'", "O3'") and not _leads_on(structure, atom) and not _is_end(facts, residue, name):
        return "at a break of the chain"
    return HAS_ITS_HYDROGEN if _on_twin(structure, atom) else ""


def _is_end(facts: Facts, residue: int, name: str) -> bool:
    return is_tail(facts, residue) if name == "O3'" else is_head(facts, residue)


def _leads_on(structure: Structure, atom: int) -> bool:
    """Whether an atom is bonded to another residue, or an O5' to its phosphate."""
    home = structure.residue_of[atom]
    bonded = structure.neighbours[atom]
    return any(structure.residue_of[b] != home or structure.elements[b] == 15 for b in bonded)


def _usual(structure: Structure, atom: int, other: int, template: Template) -> bool:
    """A bond of the template, a link of the chain, or a disulfide."""
    names = structure.atom_names[atom], structure.atom_names[other]
    if structure.residue_of[atom] == structure.residue_of[other]:
        return names[1] in template[names[0]] or names == ("O5'", "P")
    return frozenset(names) in _LINKS or names == ("SG", "SG")


def _on_twin(structure: Structure, atom: int) -> bool:
    """Whether the other oxygen of a carboxyl group has the hydrogen."""
    residue = int(structure.residue_of[atom])
    other = _named(structure, residue, _CARBOXYLS.get(structure.atom_names[atom], ""))
    return other is not None and given(structure, other) > 0


def _atom_text(structure: Structure, atom: int) -> str:
    return f"{selector(structure, int(structure.residue_of[atom]))} {structure.atom_names[atom]}"
