"""Bond orders of a ring system: all valid assignments, and the best of them (chimerax rules 9.6 f to h)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal

import numpy as np

from interactions.chemistry.rings import Ring, ring_bonds
from interactions.chemistry.typing_questions import Shape
from interactions.chemistry.typing_state import Bond, Typing

Guess = Literal["single", "double", "ambiguous"]
Orders = tuple[int, ...]
# Least and greatest sum of an atom's orders, whether double is excluded, whether the atom has two bonds.
Range = tuple[int, int, bool, bool]
_VALENCE = {6: 4, 7: 3, 15: 3, 8: 2, 16: 2}


@dataclass(frozen=True)
class RingSystem:
    """Rings joined through shared bonds; ``bonds`` in the order of the molecule."""

    state: Typing
    rings: list[Ring]
    atoms: list[int]
    members: frozenset[int]
    bonds: list[Bond]
    order_of: dict[Bond, int]

    @classmethod
    def of(cls, state: Typing, rings: list[Ring], atoms: list[int]) -> RingSystem:
        inside = {bond for ring in rings for bond in ring_bonds(ring)}
        ordered = sorted(inside, key=state.bond_positions.__getitem__)
        return cls(state, rings, atoms, frozenset(atoms), ordered, {bond: n for n, bond in enumerate(ordered)})

    def sums(self, orders: Orders) -> dict[int, int]:
        """Sum of each atom's orders inside the system."""
        found = dict.fromkeys(self.atoms, 0)
        for (a, b), order in zip(self.bonds, orders, strict=True):
            found[a] += order
            found[b] += order
        return found

    def outside(self, a: int, guesses: dict[Bond, Guess]) -> list[Guess]:
        return [guesses[a, b] for b in self.state.neighbours[a] if (a, b) in guesses]

    def charged(self, a: int, total: int, guesses: dict[Bond, Guess]) -> bool:
        """N+ or O+."""
        element = self.state.elements[a]
        if element == 7:
            return total == 4 - len(self.outside(a, guesses))
        return element == 8 and total == 3 and not self.outside(a, guesses)

    def assignments(self, guesses: dict[Bond, Guess], *, charged: bool) -> list[Orders]:
        """All valid orders of the system's bonds, depth first, single before double (9.6f)."""
        place = {a: index for index, a in enumerate(self.atoms)}
        bonds = tuple([(place[a], place[b]) for a, b in self.bonds])
        return list(valid_orders(bonds, tuple([self._limits(a, guesses, charged) for a in self.atoms])))

    def _limits(self, a: int, guesses: dict[Bond, Guess], charged: bool) -> Range:
        """Range of the sum of orders inside the system."""
        element, count = self.state.elements[a], len(self.state.neighbours[a])
        outside = self.outside(a, guesses)
        valence = _VALENCE[element]
        low = high = valence
        if count == 2 or "ambiguous" in outside:
            low = valence - 1
        if charged and ((element == 7 and count == 3) or (element == 8 and count == 2)):
            low, high = valence - 1, valence + 1
        used = sum(2 if guess == "double" else 1 for guess in outside)
        return low - used, high - used, "double" in outside, count == 2


@lru_cache(maxsize=4096)
def valid_orders(bonds: tuple[Bond, ...], limits: tuple[Range, ...]) -> tuple[Orders, ...]:
    """Orders of bonds between numbered atoms that keep each atom's sum in its range."""
    left = [0] * len(limits)
    for a, b in bonds:
        left[a] += 1
        left[b] += 1
    total = [0] * len(limits)
    orders: list[int] = []
    found: list[Orders] = []

    def fits(a: int) -> bool:
        low, high, single_only, pair = limits[a]
        if pair and left[a] == 0 and total[a] == 4:
            return False
        highest = total[a] + left[a] * (1 if single_only else 2)
        return total[a] + left[a] <= high and highest >= low

    def extend(place: int) -> None:
        if place == len(bonds):
            found.append(tuple(orders))
            return
        a, b = bonds[place]
        for order in (1, 2):
            if order == 2 and (limits[a][2] or limits[b][2]):
                break
            for atom in (a, b):
                total[atom] += order
                left[atom] -= 1
            if fits(a) and fits(b):
                orders.append(order)
                extend(place + 1)
                orders.pop()
            for atom in (a, b):
                total[atom] -= order
                left[atom] += 1

    if all(map(fits, range(len(limits)))):
        extend(0)
    return tuple(found)


def candidate_assignments(system: RingSystem, guesses: dict[Bond, Guess], to_others: list[Bond]) -> list[Orders]:
    """Assignments without flips or toggles (9.6 g1 to g3)."""
    found: list[Orders] = []
    if to_others:
        found = system.assignments(guesses | dict.fromkeys(to_others, "single"), charged=False)
    if not found:
        found = system.assignments(guesses, charged=False)
    if not found or _some_ring_unsatisfied(system, found):
        found = system.assignments(guesses, charged=True) + found
    return found


def _some_ring_unsatisfied(system: RingSystem, listed: list[Orders]) -> bool:
    for ring in system.rings:
        if not any(system.state.elements[a] in (7, 8) for a in ring):
            continue
        places = [system.order_of[bond] for bond in ring_bonds(ring)]
        full = len(ring) + len(ring) // 2
        if not any(sum(orders[place] for place in places) == full for orders in listed):
            return True
    return False


def best_assignment(system: RingSystem, guesses: dict[Bond, Guess], listed: list[Orders]) -> Orders:
    """Most atoms in rings of 4n + 2 electrons, fewest charges, shortest double bonds; else the first (9.6h)."""

    if len(listed) == 1:
        return listed[0]
    rings = [_members(system, ring) for ring in system.rings]

    def rank(orders: Orders) -> tuple[int, int]:
        sums = system.sums(orders)
        aromatic = sum(len(ring) for ring in rings if _electrons(ring, sums) % 4 == 2)
        return -aromatic, sum(system.charged(a, sums[a], guesses) for a in system.atoms)

    ranks = [rank(orders) for orders in listed]
    least = min(ranks)
    tied = [orders for orders, found in zip(listed, ranks, strict=True) if found == least]
    if len(tied) == 1:
        return tied[0]
    return system.state.ask.choose(partial(_shortest_doubles, system.bonds, tied))


def _shortest_doubles(bonds: list[Bond], listed: list[Orders], shape: Shape) -> Orders:
    squared = [np.float32(shape.length(*bond)) ** 2 for bond in bonds]

    def mean_square(orders: Orders) -> float:
        weighted = np.float32(0)
        for order, square in zip(orders, squared, strict=True):
            weighted += np.float32(order) * square
        return float(np.float32(weighted / np.float32(sum(orders))))

    return min(listed, key=mean_square)


# An atom of a ring: its number, whether it is carbon, and whether a sum of 2 (carbon) or any other than 3 (nitrogen or
# phosphorus in a ring of five) leaves the ring without an aromatic count.
_Member = tuple[int, bool, bool]


def _members(system: RingSystem, ring: Ring) -> list[_Member]:
    found = []
    for a in ring:
        element = system.state.elements[a]
        if element == 6:
            inside = sum((min(a, b), max(a, b)) in system.order_of for b in system.state.neighbours[a])
            found.append((a, True, inside == 2))
        else:
            found.append((a, False, len(ring) == 5 and element in (7, 15)))
    return found


def _electrons(members: list[_Member], sums: dict[int, int]) -> int:
    total = 0
    for a, carbon, strict in members:
        if carbon:
            if strict and sums[a] == 2:
                return 0
            total += 1
        else:
            if strict and sums[a] != 3:
                return 0
            total += 2 if sums[a] == 2 else 1
    return total
