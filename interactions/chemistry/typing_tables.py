"""Facts about IDATM types (Meng & Lewis 1991, as in ChimeraX) and the types of atoms of known residues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from interactions.chemistry.elements import SYMBOLS


def _rows(geometry: str, directions: int, text: str) -> dict[str, tuple[str, int, int]]:
    words = text.split()
    return {kind: (geometry, directions, int(count)) for kind, count in zip(words[::2], words[1::2], strict=True)}


# Type -> geometry, number of directions, expected number of bonded atoms.
TYPE_INFO: Final[dict[str, tuple[str, int, int]]] = {
    **_rows("planar", 3, "Car 3 C2 3 Cac 3 Npl 3 N2+ 3 N2 2 Ntr 3 Ng+ 3 Oar 2 Oar+ 2 O2 1 O2- 1 S2 1 Sar 2"),
    **_rows("tetrahedral", 4, "C3 4 N3+ 4 N3 3 O3 2 O3- 1 S3+ 3 S3 2 S3- 1 Sac 4 Son 4 Sxd 3 Pac 4 Pox 4 P3+ 4"),
    **_rows("linear", 2, "C1 2 C1- 1 N1+ 2 N1 1 O1 1 O1+ 1"),
    **_rows("single", 1, "H 1 HC 1 D 1 DC 1"),
}
PLANAR: Final = frozenset(kind for kind, info in TYPE_INFO.items() if info[0] == "planar")
TETRAHEDRAL: Final = frozenset(kind for kind, info in TYPE_INFO.items() if info[0] == "tetrahedral")
LINEAR: Final = frozenset(kind for kind, info in TYPE_INFO.items() if info[0] == "linear")

_BACKBONE: Final = {"CA": "C3"}


def _side(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_HIS: Final = "CB C3 CG Car CD2 Car CE1 Car"
_PHE: Final = "CB C3 CG Car CD1 Car CD2 Car CE1 Car CE2 Car CZ Car"
_SIDE_CHAINS: Final[dict[str, dict[str, str]]] = {
    name: _side(text)
    for name, text in {
        "ALA": "CB C3",
        "ARG": "CB C3 CG C3 CD C3 NE Ng+ CZ C2 NH1 Ng+ NH2 Ng+",
        "ASN": "CB C3 CG C2 OD1 O2 ND2 Npl",
        "ASP": "CB C3 CG Cac OD1 O2- OD2 O2-",
        "CYS": "CB C3 SG S3",
        "GLN": "CB C3 CG C3 CD C2 OE1 O2 NE2 Npl",
        "GLU": "CB C3 CG C3 CD Cac OE1 O2- OE2 O2-",
        "GLY": "",
        "HIS": f"{_HIS} ND1 Npl NE2 Npl",
        "HID": f"{_HIS} ND1 Npl NE2 N2",
        "HIE": f"{_HIS} ND1 N2 NE2 Npl",
        "HIP": "CB C3 CG C2 CD2 C2 CE1 C2 ND1 Npl NE2 Npl",
        "HYP": "CB C3 CG C3 CD C3 OD O3",
        "ILE": "CB C3 CG1 C3 CG2 C3 CD1 C3",
        "LEU": "CB C3 CG C3 CD1 C3 CD2 C3",
        "LYS": "CB C3 CG C3 CD C3 CE C3 NZ N3+",
        "MET": "CB C3 CG C3 SD S3 CE C3",
        "MSE": "CB C3 CG C3 SE Se CE C3",
        "PHE": _PHE,
        "PRO": "CB C3 CG C3 CD C3",
        "SER": "CB C3 OG O3",
        "THR": "CB C3 OG1 O3 CG2 C3",
        "TRP": "CB C3 CG Car CD1 Car CD2 Car NE1 Npl CE2 Car CE3 Car CZ2 Car CZ3 Car CH2 Car",
        "TYR": f"{_PHE} OH O3",
        "VAL": "CB C3 CG1 C3 CG2 C3",
    }.items()
}
_SUGAR: Final = _side("C1' C3 C2' C3 C3' C3 C4' C3 C5' C3 O3' O3 O4' O3 O5' O3 P Pac OP1 O3- OP2 O3- O1P O3- O2P O3-")
_ADENINE: Final = "C2 Car C4 Car C5 Car C6 Car C8 Car N1 N2 N3 N2 N7 N2 N6 Npl N9 Npl"
_GUANINE: Final = "C4 Car C5 Car C8 Car C2 C2 C6 C2 N3 N2 N7 N2 N1 Npl N2 Npl N9 Npl O6 O2"
_CYTOSINE: Final = "C2 C2 C4 C2 C5 C2 C6 C2 N3 N2 N1 Npl N4 Npl O2 O2"
_URACIL: Final = "C2 C2 C4 C2 C5 C2 C6 C2 N1 Npl N3 Npl O2 O2 O4 O2"
_METHYL: Final = "C5M C3 C7 C3"
_BASES: Final[dict[str, dict[str, str]]] = {
    name: _side(text)
    for name, text in {
        "A": f"{_ADENINE} O2' O3",
        "DA": _ADENINE,
        "G": f"{_GUANINE} O2' O3",
        "DG": f"{_GUANINE} O2' O3",
        "C": f"{_CYTOSINE} O2' O3",
        "DC": _CYTOSINE,
        "U": f"{_URACIL} O2' O3",
        "T": f"{_URACIL} {_METHYL}",
        "DT": f"{_URACIL} {_METHYL}",
    }.items()
}
_OTHERS: Final = {"ACE": _side("C C2 O O2 CH3 C3"), "HOH": _side("O O3")}
TEMPLATED: Final = frozenset({*_SIDE_CHAINS, *_BASES, *_OTHERS, "UNK"})
NUCLEOTIDES: Final = frozenset(_BASES)


@dataclass(frozen=True)
class TemplateTypes:
    """Type of each atom of a residue, its element symbol where none is said; places of heavy atoms that the template
    does not list."""

    types: tuple[str, ...]
    unlisted: tuple[int, ...]


@lru_cache(maxsize=65536)
def template_types(
    residue: str, names: tuple[str, ...], elements: tuple[int, ...], on_carbon: tuple[bool, ...], bonded_n: bool
) -> TemplateTypes | None:
    """What the template of a residue says of its atoms; None where it has none.

    ``on_carbon``: whether each atom is bonded to carbon, which decides for hydrogens. ``bonded_n``: the residue's N is
    bonded to another residue.
    """
    if residue == "UNK":
        if not {"N", "CA", "C"} <= set(names):
            return None
        residue = "GLY"
    if residue in _OTHERS:
        table = _OTHERS[residue]
    elif residue in _BASES:
        table = _SUGAR | _BASES[residue]
    else:
        table = _amino(residue, names, bonded_n)
    return TemplateTypes(
        types=tuple(
            ("HC" if carbon else "H") if element == 1 else table.get(name, SYMBOLS[element])
            for name, element, carbon in zip(names, elements, on_carbon, strict=True)
        ),
        unlisted=tuple(place for place, name in enumerate(names) if elements[place] > 1 and name not in table),
    )


def _amino(residue: str, names: Sequence[str], bonded_n: bool) -> dict[str, str]:
    acid = "OXT" in names
    table = {
        **_BACKBONE,
        **_SIDE_CHAINS[residue],
        "N": "Npl" if bonded_n else "N3+",
        "C": "Cac" if acid else "C2",
        "O": "O2-" if acid else "O2",
        "OXT": "O2-",
    }
    for name, carbon, letter in (("ASP", "CG", "D"), ("GLU", "CD", "E")):
        if residue != name:
            continue
        for hydrogen, other in (("1", "2"), ("2", "1")):
            if f"H{letter}{hydrogen}" in names:
                return table | {carbon: "C2", f"O{letter}{hydrogen}": "O3", f"O{letter}{other}": "O2"}
    return table
