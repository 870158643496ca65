"""Residue names that polymers are made of, and the atoms that link them."""

from __future__ import annotations

from typing import Final

_AMINO: Final = frozenset(
    "ALA ARG ASN ASP ASX CYS GLN GLU GLX GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR UNK VAL".split()
)
_NUCLEIC: Final = frozenset("A C G T U N DA DC DG DT DN".split())
STANDARD: Final = _AMINO | _NUCLEIC | {"I", "DU"}
AMINO: Final = _AMINO | frozenset("ASH CYX GLH HID HIE HIP HYP MSE".split())
NUCLEIC: Final = _NUCLEIC | frozenset("ADE CYT GUA THY URA +A +C +G +T +U".split())
SOLVENT: Final = frozenset("HOH WAT DOD H2O D2O TIP3".split())
LINK_ATOMS: Final = {"amino": ("N", "CA", "C"), "nucleic": ("P", "O5'", "C5'", "C4'", "C3'", "O3'")}


def kind_of(name: str, parent: str = "") -> str:
    """``amino``, ``nucleic`` or ``""``; ``parent`` is the MODRES parent name."""
    name = parent or name
    return "amino" if name in AMINO else "nucleic" if name in NUCLEIC else ""
