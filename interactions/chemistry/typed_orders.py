"""Bond orders and charges of any residue from its IDATM types: one Kekulé form, aromatic rings as such."""

from __future__ import annotations

from collections.abc import Iterable

from interactions.chemistry.aromatic import is_aromatic
from interactions.points import squared_distance
from interactions.surroundings import Surroundings

Bond = tuple[int, int]

# Types with one double bond each, looked for among their neighbours of these types.
_DOUBLE = frozenset({"C2", "N2", "O2", "S2", "Car", "Npl", "N2+"})
_ALWAYS = frozenset({"C2", "N2"})
# Centre -> how many of its lone oxygens are doubly bonded; the others are negative.
_OXIDES = {"Cac": 1, "Pac": 1, "Sac": 2, "Son": 2, "Sxd": 1, "Pox": 1, "Ntr": 1}


def orders_and_charges(at: Surroundings, residue: int) -> tuple[dict[Bond, float], dict[int, int]]:
    """Order of each bond inside a residue, 1.5 in aromatic rings, and the charges that are not 0."""
    atoms = at.chemistry.structure.residue_atoms[residue]
    inside = set(atoms)
    orders = {(a, b): 1.0 for a in atoms for b in at.neighbours[a] if a < b and b in inside}
    charges: dict[int, int] = {}
    for ring in at.residue_rings(residue):
        if is_aromatic(at, ring):
            for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
                orders[min(a, b), max(a, b)] = 1.5
    _oxides(at, atoms, orders, charges)
    _cations(at, atoms, orders, charges)
    _triples(at, orders)
    _doubles(at, orders)
    return orders, charges


def _oxides(at: Surroundings, atoms: Iterable[int], orders: dict[Bond, float], charges: dict[int, int]) -> None:
    for a in atoms:
        if at.types[a] not in _OXIDES:
            continue
        if at.types[a] == "Ntr":
            charges[a] = 1
        lone = sorted(b for b in at.neighbours[a] if at.elements[b] == 8 and len(at.neighbours[b]) == 1)
        for count, oxygen in enumerate(lone):
            bond = min(a, oxygen), max(a, oxygen)
            if count < _OXIDES[at.types[a]] and bond in orders:
                orders[bond] = 2.0
            else:
                charges[oxygen] = -1


def _cations(at: Surroundings, atoms: Iterable[int], orders: dict[Bond, float], charges: dict[int, int]) -> None:
    for a in atoms:
        if at.types[a] in ("N3+", "N2+"):
            charges[a] = 1
        charged = sorted(
            (len(at.heavy(b)), b) for b in at.neighbours[a] if at.types[a] == "C2" and at.types[b] == "Ng+"
        )
        if charged and (min(a, charged[0][1]), max(a, charged[0][1])) in orders:
            nitrogen = charged[0][1]
            orders[min(a, nitrogen), max(a, nitrogen)] = 2.0
            charges[nitrogen] = 1


def _triples(at: Surroundings, orders: dict[Bond, float]) -> None:
    for a, b in orders:
        if {at.types[a], at.types[b]} <= {"C1", "N1", "N1+", "C1-"}:
            orders[a, b] = 3.0


def _doubles(at: Surroundings, orders: dict[Bond, float]) -> None:
    """Double bonds of atoms that still want one, the shortest first."""
    taken = {atom for bond, order in orders.items() if order > 1 for atom in bond}
    open_bonds = [
        (a, b)
        for (a, b), order in orders.items()
        if order == 1 and {at.types[a], at.types[b]} <= _DOUBLE and {at.types[a], at.types[b]} & _ALWAYS
    ]
    # An exocyclic C=O or C=S of an aromatic ring is a double bond all the same.
    for a, b in sorted(open_bonds, key=lambda bond: _length(at, bond)):
        ends = {at.types[a], at.types[b]}
        terminal = ends & {"O2", "S2"} and ends & {"C2", "Car"}
        if (terminal or not {a, b} & taken) and not (ends & {"Npl", "N2+"}) and "Car" not in ends:
            orders[a, b] = 2.0
            taken |= {a, b}


def _length(at: Surroundings, bond: Bond) -> tuple[float, Bond]:
    return round(squared_distance(at.places[bond[0]], at.places[bond[1]]), 6), bond
