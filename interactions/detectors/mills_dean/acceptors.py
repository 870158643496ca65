"""Which acceptor class an atom belongs to, and the atoms that its test refers to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from interactions.detectors.mills_dean.class_patterns import ACCEPTORS
from interactions.detectors.mills_dean.patterns import Node, admits, groups
from interactions.detectors.mills_dean.ring_helpers import (
    between_carbons,
    is_ring5_acceptor,
    is_symmetric,
    may_accept_in_ring,
    only_ring,
    ring_neighbours,
)
from interactions.detectors.mills_dean.sight import look
from interactions.surroundings import Molecule, Surroundings


@dataclass(frozen=True)
class Acceptor:
    """Class name, whether it is one of the generic ones, and up to two reference atoms."""

    name: str
    generic: bool
    references: tuple[int, ...]


SULFUR_CLASSES = frozenset({"thiocarbonyl", "s2", "sulfur"})
# Which place of a match accepts and which places its test refers to. Several rows: several acceptors.
ROLES: dict[str, tuple[tuple[int, tuple[int, ...]], ...]] = {
    "phosphate_terminal": ((1, (2, 0)),),
    "phosphate": ((1, (2, 0)), (2, (1, 0))),
    "carboxylate": ((1, (2, 0)), (2, (1, 0))),
    "thiocarbonyl": ((0, (1,)),),
    "carboxylic_acid": ((1, (2, 0)),),
    "amide": ((1, (2, 0)),),
    "ketone": ((1, (0,)),),
    "ester": ((1, (0,)),),
    "nitro": ((1, (2, 0)), (2, (1, 0))),
    "sulfone": ((1, (2, 0)), (2, (1, 0))),
    "phosphate_ester": ((1, (0,)),),
    "phosphine_oxide": ((0, (1,)),),
    "sulfoxide": ((0, (1,)),),
    "amine_primary": ((0, (1,)),),
    "hydroxyl": ((0, (1,)),),
    "sulfate_ester": ((3, (0,)),),
    "amine_tertiary": ((0, ()),),
    "nitrile": ((0, (1,)),),
    "amine_secondary": ((0, ()),),
    "phenol": ((0, (1,)),),
    "aniline": ((0, (1,)),),
    "water": ((0, ()),),
}


def classify_acceptor(at: Surroundings, atom: int) -> Acceptor | None:
    """First class that lists the atom, else the generic rule of its type; None where it is no acceptor."""
    if at.elements[atom] not in (7, 8, 16) or at.is_truncated(atom):
        return None
    sketch, atoms = look(at.molecule, atom)
    found = sketch.ask(listed_acceptor)
    if found is not None:
        return Acceptor(found.name, False, tuple([atoms[place] for place in found.references]))
    return _ring_class(at, atom) or _generic(at, atom)


def listed_acceptor(molecule: Molecule, atom: int) -> Acceptor | None:
    """As the first class that lists an atom has it."""
    names = _classes_of(molecule.types[atom], molecule.elements[atom])
    return next((found for name in names for found in _roles(molecule, atom, name, ACCEPTORS[name])), None)


@cache
def _classes_of(kind: str, element: int) -> tuple[str, ...]:
    """Classes in which an atom of this type may be the acceptor."""
    return tuple(
        name
        for name, pattern in ACCEPTORS.items()
        if any(admits(pattern.bonded[place - 1] if place else pattern, kind, element) for place, _ in ROLES[name])
    )


def _roles(molecule: Molecule, atom: int, name: str, pattern: Node) -> Iterator[Acceptor]:
    roles = ROLES[name]
    centers = [atom] if roles[0][0] == 0 else sorted(molecule.neighbours[atom])
    for center in centers:
        for group in groups(molecule, center, pattern):
            for place, references in roles:
                if group[place] == atom:
                    yield Acceptor(name, False, tuple(group[r] for r in references))


def _ring_class(at: Surroundings, atom: int) -> Acceptor | None:
    molecule = at.molecule
    if not may_accept_in_ring(molecule, atom):
        return None
    rings = at.rings(atom)
    if not rings:
        bonded = at.neighbours[atom]
        if between_carbons(molecule, atom, "O3"):
            return Acceptor("ether", False, bonded[:2])
        if between_carbons(molecule, atom, "N2"):
            return Acceptor("open_n2", False, bonded[:2])
        return None
    if atom in molecule.broken:
        return None
    for size in (6, 5):
        ring = only_ring(rings, size)
        if ring is None:
            continue
        accepts = at.types[atom] == "N2" if size == 6 else is_ring5_acceptor(molecule, atom, ring)
        if accepts:
            kind = "symmetric" if is_symmetric(molecule, ring, atom) else "asymmetric"
            return Acceptor(f"ring{size}_{kind}", False, ring_neighbours(ring, atom))
    if at.elements[atom] == 8 and any(len(ring) == 5 for ring in rings):
        return Acceptor("ring5_oxygen", False, at.neighbours[atom][:2])
    return None


def _generic(at: Surroundings, atom: int) -> Acceptor | None:
    kind, bonded = at.types[atom], at.neighbours[atom]
    if kind in ("O2", "O2-", "O3-") and not bonded:
        return None
    if kind in ("O2-", "O3-"):
        planar = at.is_planar(bonded[0])
        return Acceptor("oxide_planar", True, bonded[:2]) if planar else Acceptor("oxide", True, ())
    if kind == "O2":
        if at.is_planar(bonded[0]):
            return Acceptor("o2_planar", True, bonded[:2])
        return Acceptor("o2_tetrahedral", True, bonded[:1]) if at.is_tetrahedral(bonded[0]) else _plain("oxygen")
    if kind == "O3":
        return (_plain("oxygen"), Acceptor("o3_one", True, bonded), Acceptor("o3_two", True, bonded), None)[
            min(len(bonded), 3)
        ]
    if kind == "N2":
        return Acceptor("n2", True, bonded[:2])
    if kind == "N3":
        name = ("n3_bare", "n3_one", "n3_more", "n3_more", "n3_more")[len(at.heavy(atom))]
        return Acceptor(name, True, () if name == "n3_bare" or len(bonded) != 1 else bonded)
    if kind == "N1":
        return Acceptor("n1", True, bonded if len(bonded) == 1 else ())
    if kind == "S2":
        return Acceptor("s2", True, bonded[:2])
    if kind in ("Sar", "S3-"):
        return _plain("sulfur")
    return _plain("oxygen") if at.elements[atom] == 8 else None


def _plain(name: str) -> Acceptor:
    return Acceptor(name, True, ())
