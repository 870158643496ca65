"""Which donor class an atom belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from interactions.chemistry.typing_tables import TYPE_INFO
from interactions.detectors.mills_dean.class_patterns import DONORS
from interactions.detectors.mills_dean.patterns import admits, groups
from interactions.detectors.mills_dean.ring_helpers import is_aromatic, is_aromatic_amine, only_ring, ring_nh
from interactions.detectors.mills_dean.sight import look
from interactions.surroundings import Molecule, Surroundings


@dataclass(frozen=True)
class Donor:
    """Class name, and whether it is one of the generic ones."""

    name: str
    generic: bool


_ORDER = (
    "acid amidine guanidinium ammonium_primary hydroxyl amide_primary amine_aromatic phenol amine_primary enamine "
    "ammonium_secondary water amide_secondary ammonium_tertiary imine amine_secondary ring5_nh ring6_nh"
).split()
_OF_RINGS = frozenset({"amine_aromatic", "ring5_nh", "ring6_nh"})
# Classes whose pattern starts at the carbonyl carbon; the nitrogen stands third.
_FROM_CARBON = frozenset({"amide_primary", "amide_secondary"})


def classify_donor(at: Surroundings, atom: int) -> Donor | None:
    """First class that lists the atom, else a generic donor; None where it is no donor."""
    if at.elements[atom] not in (7, 8, 16) or at.is_truncated(atom):
        return None
    listed = look(at.molecule, atom)[0].ask(listed_donor)
    for name in _classes_of(at.types[atom], at.elements[atom]):
        if name == listed or (name in _OF_RINGS and _in_ring_class(at, atom, name)):
            return Donor(name, False)
    return _generic(at, atom)


def listed_donor(molecule: Molecule, atom: int) -> str | None:
    """The first class that lists an atom whatever its rings."""
    names = _classes_of(molecule.types[atom], molecule.elements[atom])
    return next((name for name in names if name not in _OF_RINGS and _in_class(molecule, atom, name)), None)


@cache
def _classes_of(kind: str, element: int) -> tuple[str, ...]:
    """Classes in which an atom of this type may be the donor."""
    return tuple(name for name in _ORDER if _may_be(name, kind, element))


def _may_be(name: str, kind: str, element: int) -> bool:
    if name == "amine_aromatic":
        return kind == "Npl"
    if name in ("ring5_nh", "ring6_nh"):
        return kind in ("Npl", "N2+", "N2")
    return admits(DONORS[name].bonded[1] if name in _FROM_CARBON else DONORS[name], kind, element)


def _in_class(molecule: Molecule, atom: int, name: str) -> bool:
    if name in _FROM_CARBON:
        return any(group[2] == atom for b in molecule.neighbours[atom] for group in groups(molecule, b, DONORS[name]))
    return bool(groups(molecule, atom, DONORS[name]))


def _in_ring_class(at: Surroundings, atom: int, name: str) -> bool:
    if name == "amine_aromatic":
        return is_aromatic_amine(at.molecule, atom) and not any(is_aromatic(at.molecule, r) for r in at.rings(atom))
    return _ring_class(at, atom, 5 if name == "ring5_nh" else 6)


def _ring_class(at: Surroundings, atom: int, size: int) -> bool:
    """A ring N-H, or an N2 that shares the ring of one."""
    molecule, aromatic = at.molecule, size == 6

    def is_center(a: int) -> bool:
        return ring_nh(molecule, a, only_ring(at.rings(a), size), aromatic=aromatic)

    if is_center(atom):
        return True
    return at.types[atom] == "N2" and any(
        is_center(a) for ring in at.rings(atom) if len(ring) == size for a in ring if a != atom
    )


def _generic(at: Surroundings, atom: int) -> Donor | None:
    kind, bonded = at.types[atom], at.neighbours[atom]
    info = TYPE_INFO.get(kind)
    hydrogens = sum(at.elements[b] == 1 for b in bonded)
    if not (len(bonded) < (info[2] if info else 0) or hydrogens):
        return None
    if kind == "Npl" and len(bonded) == 2 and hydrogens == 1:
        return None
    if kind in ("Npl", "N2+"):
        return Donor("planar_secondary" if len(at.heavy(atom)) > 1 else "planar_primary", True)
    return Donor({7: "nitrogen", 8: "oxygen", 16: "sulfur"}[at.elements[atom]], True)
