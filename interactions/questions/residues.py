"""Which names mean the same residue, and which atoms chemistry cannot tell apart."""

from __future__ import annotations

from interactions.questions.answers import Bond

# names of force fields for a protonation state or a disulfide
ALIASES = {
    **dict.fromkeys(("HID", "HIE", "HIP", "HSD", "HSE", "HSP"), "HIS"),
    **dict.fromkeys(("CYX", "CYM"), "CYS"),
    "ASH": "ASP",
    "GLH": "GLU",
    "LYN": "LYS",
}

_TWINS = {
    ("ASP", "OD1"): "OD2",
    ("ASP", "OD2"): "OD1",
    ("GLU", "OE1"): "OE2",
    ("GLU", "OE2"): "OE1",
    ("ARG", "NH1"): "NH2",
    ("ARG", "NH2"): "NH1",
}
_TERMINAL = {"O": "OXT", "OXT": "O"}


def canonical(bond: Bond) -> Bond:
    """The bond with the residue's common name and upper-case names; the chain keeps its case."""
    residue = bond.residue.upper()
    return Bond(
        ALIASES.get(residue, residue), bond.number.upper(), bond.atom.upper(), bond.chain, bond.ligand_atom.upper()
    )


def twin(bond: Bond) -> Bond | None:
    """The same bond by the atom that resonance makes equivalent (ASP OD1 and OD2), if there is one."""
    other = _TWINS.get((bond.residue, bond.atom)) or _TERMINAL.get(bond.atom)
    return Bond(bond.residue, bond.number, other, bond.chain, bond.ligand_atom) if other else None
