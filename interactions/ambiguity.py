"""Flags of what another reading of the same file, or another tool, could see otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from interactions.contact import Contact, HydrogenBond
from interactions.detectors.hydrogen_bond import on_metal
from interactions.environment import Atom, Environment

CLASH_DISTANCE = 2.4  # Å, donor to acceptor: nearer than hydrogen bonds are
LOW_OCCUPANCY = 0.5
NEAR_DISTANCE, NEAR_ANGLE = 0.1, 5.0  # Å, degrees: how near a limit is near

_AMIDES = {("ASN", "OD1"), ("ASN", "ND2"), ("GLN", "OE1"), ("GLN", "NE2")}
_ROTORS = {("SER", "OG"), ("THR", "OG1"), ("TYR", "OH"), ("CYS", "SG"), ("LYS", "NZ")}


@dataclass(frozen=True)
class Flags:
    """What flags need to know of a complex: salt-bridged pairs of atoms and the pairs near a limit."""

    bridged: frozenset[frozenset[Atom]]
    near: frozenset[frozenset[Atom]]


def context(contacts: Iterable[Contact], near: Iterable[frozenset[Atom]]) -> Flags:
    bridged = {frozenset((a, b)) for c in contacts if c.kind == "salt_bridge" for a in c.receptor for b in c.ligand}
    return Flags(frozenset(bridged), frozenset(near))


def flags_of(env: Environment, bond: HydrogenBond, known: Flags) -> list[str]:
    """Flags of one bond, in alphabetical order."""
    found: set[str] = set()
    for atom in (bond.donor, bond.acceptor):
        found |= _atom_flags(env, atom)
    if bond.source != "given":
        found.add("hydrogen_inferred")
    if bond.source in ("rotor", "free") or _is_rotor(env, bond.donor):
        found.add("rotor")
    pair = frozenset((bond.donor, bond.acceptor))
    if pair in known.near:
        found.add("near_cutoff")
    if pair in known.bridged:
        found.add("salt_bridge_and_hbond")
    if bond.distance_da < CLASH_DISTANCE:
        found.add("clash")
    return sorted(found)


def _atom_flags(env: Environment, atom: Atom) -> set[str]:
    structure = env.complex.models[atom[0]].structure
    name, atom_name = env.residue_name(atom), env.atom_name(atom)
    found: set[str] = set()
    if env.is_open_histidine(atom):
        found.add("his_tautomer")
    if (name, atom_name) in _AMIDES:
        found.add("nqh_flip")
    if structure.alt_locs[atom[1]]:
        found.add("altloc")
    if structure.occupancies[atom[1]] < LOW_OCCUPANCY:
        found.add("low_occupancy")
    if env.element(atom) in (7, 8, 16) and on_metal(env, atom):
        found.add("metal_bound")
    if env.kind(atom) in ("Cac", "O2-", "O3-", "N3+") and not _has_hydrogens(env, atom):
        found.add("protonation")
    return found


def _has_hydrogens(env: Environment, atom: Atom) -> bool:
    """Whether the atom's own model has hydrogens that could tell its protonation."""
    structure = env.complex.models[atom[0]].structure
    return bool((structure.elements[list(structure.residue_atoms[int(structure.residue_of[atom[1]])])] == 1).any())


def _is_rotor(env: Environment, atom: Atom) -> bool:
    if env.is_solvent(atom):
        return True
    at = env.models[atom[0]]
    hydroxyl = at.types[atom[1]] in ("O3", "S3") and len(at.heavy(atom[1])) == 1
    return hydroxyl or (env.residue_name(atom), env.atom_name(atom)) in _ROTORS


def summary(bonds: Sequence[list[str]], contacts: Iterable[Contact]) -> list[dict[str, Any]]:
    """Flags of a LabelSet with how many bonds have each, and those of the complex as a whole."""
    counts: dict[str, int] = {}
    for flags in bonds:
        for flag in flags:
            counts[flag] = counts.get(flag, 0) + 1
    kinds = [contact.kind for contact in contacts]
    for kind, flag in (("water_bridge", "water_mediated"), ("covalent_link", "covalent_ligand"), ("clash", "clash")):
        if kind in kinds:
            counts[flag] = counts.get(flag, 0) + kinds.count(kind)
    return [{"code": code, "count": counts[code], "message": MESSAGES[code]} for code in sorted(counts)]


MESSAGES = {
    "altloc": "an atom has alternate locations; one was chosen",
    "clash": "atoms lie nearer than such contacts are",
    "covalent_ligand": "the ligand is bonded to the receptor",
    "his_tautomer": "the file does not tell the histidine's tautomer: either nitrogen may donate or accept",
    "hydrogen_inferred": "the donor's hydrogen is not in the file",
    "low_occupancy": f"an atom has an occupancy below {LOW_OCCUPANCY}",
    "metal_bound": "an atom also holds a metal",
    "near_cutoff": f"a limit is less than {NEAR_DISTANCE} Å or {NEAR_ANGLE:g}° away",
    "nqh_flip": "an amide of Asn or Gln: flipped by 180° its O and N change places",
    "protonation": "the protonation was told by bond lengths alone, not by hydrogens",
    "rotor": "the donor's hydrogen can turn",
    "salt_bridge_and_hbond": "the same atoms also form a salt bridge",
    "water_mediated": "a water joins ligand and receptor",
}
