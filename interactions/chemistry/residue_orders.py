"""Double bonds of standard residues in one Kekulé form, by atom names (wwPDB component dictionary)."""

from __future__ import annotations

from typing import Final


def _pairs(text: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split("=")) for pair in text.split())


_BACKBONE: Final = _pairs("C=O")
_PHENYL: Final = "CG=CD1 CD2=CE2 CE1=CZ"
_IMIDAZOLE: Final = "CG=CD2 ND1=CE1"
_ADENINE: Final = "N1=C6 C2=N3 C4=C5 N7=C8"
_GUANINE: Final = "C6=O6 C2=N3 C4=C5 N7=C8"
_CYTOSINE: Final = "C2=O2 N3=C4 C5=C6"
_URACIL: Final = "C2=O2 C4=O4 C5=C6"
_PHOSPHATE: Final = "P=OP1 P=O1P"
DOUBLE_BONDS: Final[dict[str, frozenset[frozenset[str]]]] = {
    **dict.fromkeys("ALA CYS CYX GLY HYP ILE LEU LYS MET MSE PRO SER THR VAL".split(), _BACKBONE),
    **{name: _BACKBONE | _pairs("CG=OD1") for name in ("ASN", "ASP", "ASH")},
    **{name: _BACKBONE | _pairs("CD=OE1") for name in ("GLN", "GLU", "GLH")},
    **{name: _BACKBONE | _pairs(_IMIDAZOLE) for name in ("HIS", "HIP", "HIE", "HSE", "HSP")},
    "HID": _BACKBONE | _pairs("CG=CD2 NE2=CE1"),
    "ARG": _BACKBONE | _pairs("CZ=NH2"),
    **{name: _BACKBONE | _pairs(_PHENYL) for name in ("PHE", "TYR")},
    "TRP": _BACKBONE | _pairs("CG=CD1 CD2=CE2 CE3=CZ3 CZ2=CH2"),
    **{name: _pairs(f"{_PHOSPHATE} {_ADENINE}") for name in ("A", "DA")},
    **{name: _pairs(f"{_PHOSPHATE} {_GUANINE}") for name in ("G", "DG")},
    **{name: _pairs(f"{_PHOSPHATE} {_CYTOSINE}") for name in ("C", "DC")},
    **{name: _pairs(f"{_PHOSPHATE} {_URACIL}") for name in ("U", "DU", "DT", "T")},
}
