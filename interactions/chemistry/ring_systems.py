"""Pass 4.5 of IDATM typing: bond orders of fused ring systems decide what is aromatic (chimerax rule 9.6)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from interactions.chemistry.ring_orders import Guess, RingSystem, best_assignment, candidate_assignments
from interactions.chemistry.rings import Ring, residue_rings, ring_bonds
from interactions.chemistry.typing_questions import Shape
from interactions.chemistry.typing_state import Bond, Typing

_CANDIDATES = frozenset("C2 Car Npl N2 N2+ N3 O3 Oar Oar+ S3 Sar P".split())
_SINGLE_LOOKING = frozenset(("O3", "S3", "N3", "C3"))
_AROMATIC_LENGTHS = {frozenset((6,)): 1.38586, frozenset((6, 7)): 1.34148, frozenset((6, 8)): 1.265}
_MAX_SYSTEM = 50


def type_ring_systems(state: Typing) -> tuple[set[int], list[Ring]]:
    """Types the atoms of rings in untemplated residues; the frozen nitrogens, and all rings."""
    found: list[Ring] = state.noted("rings", _all_rings)
    qualifying = [ring for ring in found if _candidate(state, ring) and _qualifies(state, ring)]
    frozen: set[int] = set()
    systems = list(_systems(state, qualifying))
    member = {a: number for number, system in enumerate(systems) for ring in system for a in ring}
    for number, system in enumerate(systems):
        atoms = sorted({a for ring in system for a in ring})
        if len(atoms) > _MAX_SYSTEM:
            for a in atoms:
                state.types[a] = {6: "Car", 8: "Oar"}.get(state.elements[a], state.types[a])
            continue
        _solve(state, RingSystem.of(state, system, atoms), member, number, frozen)
    return frozen, found


def aromatic(state: Typing, ring: Ring) -> bool:
    """Whether all carbons of a ring are Car now; a ring without carbon is aromatic."""
    return all(state.types[a] == "Car" for a in ring if state.elements[a] == 6)


def _all_rings(state: Typing) -> list[Ring]:
    position = state.bond_positions
    found: list[tuple[int, Ring]] = []
    for residue in state.untemplated:
        found += [(residue, ring) for ring in residue_rings(state.structure, residue, state.neighbours)]
    for limit in (3, 6):
        small = [entry for entry in found if len(entry[1]) <= limit]
        if small and len(small) >= 20 * len(state.untemplated):
            found = small
            break
    found.sort(key=lambda entry: (entry[0], len(entry[1]), sorted(position[bond] for bond in ring_bonds(entry[1]))))
    return [ring for _, ring in found]


def _candidate(state: Typing, ring: Ring) -> bool:
    for a in ring:
        count = len(state.neighbours[a])
        if count > 3 or not (state.types[a] in _CANDIDATES or (state.types[a] == "C3" and count == 2)):
            return False
    return not (len(ring) == 5 and 2 <= sum(state.elements[a] == 8 for a in ring) <= 4)


def _qualifies(state: Typing, ring: Ring) -> bool:
    if not any(state.types[a] in _SINGLE_LOOKING for a in ring):
        return True
    pairs = [(bond, frozenset(state.elements[a] for a in bond)) for bond in ring_bonds(ring)]
    usual = {bond: _AROMATIC_LENGTHS[pair] for bond, pair in pairs if pair in _AROMATIC_LENGTHS}
    return bool(usual) and state.ask.choose(partial(_is_even, usual))


def _is_even(usual: dict[Bond, float], shape: Shape) -> bool:
    """Whether bonds are as long as aromatic ones (HOMA)."""
    total = 0.0
    for bond, reference in usual.items():
        total += (shape.length(*bond) - reference) ** 2
    harmony = 1 - 792 * total / len(usual)
    return harmony >= 0.5 or len(usual) * harmony >= -35


def _systems(state: Typing, found: list[Ring]) -> Iterator[list[Ring]]:
    position = state.bond_positions
    by_bond: dict[Bond, list[Ring]] = {}
    for ring in found:
        for bond in ring_bonds(ring):
            by_bond.setdefault(bond, []).append(ring)
    seen: set[Ring] = set()
    for first in found:
        if first in seen:
            continue
        seen.add(first)
        stack, system = [first], []
        while stack:
            ring = stack.pop()
            system.append(ring)
            for bond in sorted(ring_bonds(ring), key=lambda bond: position[bond]):
                for other in by_bond[bond]:
                    if other not in seen:
                        seen.add(other)
                        stack.append(other)
        yield system


def _guess(state: Typing, system: RingSystem) -> tuple[dict[Bond, Guess], list[Bond]]:
    """Orders of the bonds that leave the system, and which of them may be flipped (9.6e)."""
    guesses: dict[Bond, Guess] = {}
    flippable: list[Bond] = []
    for a in system.atoms:
        for b in state.neighbours[a]:
            if (a, b) in system.order_of or (b, a) in system.order_of:
                continue
            if b in system.members:
                guesses[a, b] = "ambiguous"
                continue
            guesses[a, b], flip = _guess_one(state, a, b)
            if flip:
                flippable.append((a, b))
    return guesses, flippable


def _guess_one(state: Typing, a: int, b: int) -> tuple[Guess, bool]:
    if b in state.ambiguous:
        return "ambiguous", False
    if not state.known(b):
        return "single", False
    if not state.planar(b):
        return "single", state.tetrahedral(b) and state.terminal(b)
    if state.types[b] == "Npl":
        return "single", False
    if state.terminal(b):
        if state.elements[a] == 7 and state.elements[b] == 8:
            return "single", False
        return "double", True
    flag = state.redo[b] == -1
    for c in state.neighbours[b]:
        if c == a or not state.planar(c):
            continue
        onward = [x for x in state.neighbours[c] if x != b and state.planar(x)]
        if not onward:
            return "single", False
        for x in onward:
            if state.terminal(x):
                flag = False
                break
            flag = True
    return ("ambiguous" if flag else "double"), False


_OTHER: dict[Guess, Guess] = {"single": "double", "double": "single"}


def _flipped(guesses: dict[Bond, Guess], bonds: tuple[Bond, ...]) -> dict[Bond, Guess]:
    return guesses | {bond: _OTHER[guesses[bond]] for bond in bonds}


def _solve(state: Typing, system: RingSystem, member: dict[int, int], number: int, frozen: set[int]) -> None:
    guesses, flippable = _guess(state, system)
    to_others = [
        bond for bond, guess in guesses.items() if guess == "ambiguous" and member.get(bond[1], number) != number
    ]
    listed = candidate_assignments(system, guesses, to_others)
    toggled: list[tuple[tuple[int, ...], dict[Bond, Guess], tuple[int, ...]]] = []
    if not listed:
        listed, guesses = _try_flips(state, system, guesses, flippable)
    if not listed:
        toggled = _try_toggles(state, system, guesses)
        listed = [entry[0] for entry in toggled]
    if not listed:
        return
    best = best_assignment(system, guesses, listed)
    for orders, changed, atoms in toggled:
        if orders == best:
            guesses = changed
            for b in atoms:
                state.types[b] = {"C3": "C2", "C2": "C3", "Npl": "N2", "N2": "Npl"}.get(state.types[b], state.types[b])
            break
    _assign(state, system, guesses, best, listed, frozen)
    _settle_ambiguous(state, system, guesses)


def _try_flips(
    state: Typing, system: RingSystem, guesses: dict[Bond, Guess], flippable: list[Bond]
) -> tuple[list[tuple[int, ...]], dict[Bond, Guess]]:
    usual = {bond: {8: 1.30, 16: 1.76}.get(state.elements[bond[1]]) for bond in flippable}
    ranked = state.ask.choose(partial(_by_strain, usual))
    for charged in (False, True):
        for size in range(1, len(ranked) + 1):
            for subset in combinations(ranked, size):
                changed = _flipped(guesses, subset)
                found = system.assignments(changed, charged=charged)
                if not found:
                    continue
                for bond in subset:
                    element = state.elements[bond[1]]
                    if element in (8, 16):
                        letter = "O" if element == 8 else "S"
                        state.types[bond[1]] = letter + ("3" if changed[bond] == "single" else "2")
                return found, changed
    return [], guesses


def _by_strain(usual: dict[Bond, float | None], shape: Shape) -> tuple[Bond, ...]:
    """Bonds from the one of most usual length on; those without one first."""

    def strain(bond: Bond) -> float:
        length = usual[bond]
        return 0.0 if length is None else abs(shape.length(*bond) ** 2 - length**2)

    return tuple(sorted(usual, key=strain))


def _try_toggles(
    state: Typing, system: RingSystem, guesses: dict[Bond, Guess]
) -> list[tuple[tuple[int, ...], dict[Bond, Guess], tuple[int, ...]]]:
    bonds: dict[int, list[Bond]] = {}
    for bond, guess in guesses.items():
        if guess != "ambiguous" and state.redo[bond[1]] != 0 and bond[1] not in system.members:
            bonds.setdefault(bond[1], []).append(bond)
    atoms = sorted(bonds)
    for charged in (False, True):
        for size in range(1, len(atoms) + 1):
            pooled = []
            for subset in combinations(atoms, size):
                changed = _flipped(guesses, tuple(bond for b in subset for bond in bonds[b]))
                pooled += [(orders, changed, subset) for orders in system.assignments(changed, charged=charged)]
            if pooled:
                return pooled
    return []


def _assign(
    state: Typing,
    system: RingSystem,
    guesses: dict[Bond, Guess],
    best: tuple[int, ...],
    listed: list[tuple[int, ...]],
    frozen: set[int],
) -> None:
    """Types ring by ring (9.6i)."""
    sums = system.sums(best)
    charged = {a for a in system.atoms if system.charged(a, sums[a], guesses)}
    always_double = {bond for place, bond in enumerate(system.bonds) if all(orders[place] == 2 for orders in listed)}
    for ring in system.rings:
        if _is_aromatic(state, system, ring, guesses, sums, charged, always_double):
            for a in ring:
                _aromatic_type(state, a, a in charged)
        for a in ring:
            if state.elements[a] == 7 and len(state.neighbours[a]) == 2:
                frozen.add(a)
                state.types[a] = _ring_nitrogen(state, system, a, best, sums[a])


def _is_aromatic(
    state: Typing,
    system: RingSystem,
    ring: Ring,
    guesses: dict[Bond, Guess],
    sums: dict[int, int],
    charged: set[int],
    always_double: set[Bond],
) -> bool:
    electrons = 0
    inside = set(ring_bonds(ring))
    for a in ring:
        element, count = state.elements[a], len(state.neighbours[a])
        outside = [b for b in state.neighbours[a] if (a, b) not in inside and (b, a) not in inside]
        if element == 6:
            electrons += 1
            for b in outside:
                open_ended = not state.terminal(b) and sum(a in other for other in system.rings) > 1
                if guesses.get((a, b)) == "double" and not open_ended:
                    return False
        elif count == 2:
            electrons += (2 if sums[a] == 2 else 1) if element in (7, 15) else (1 if a in charged else 2)
        else:
            doubled = any(guesses.get((a, b)) == "double" or (min(a, b), max(a, b)) in always_double for b in outside)
            electrons += 1 if doubled or a in charged else 2
    return electrons % 4 == 2


def _aromatic_type(state: Typing, a: int, charged: bool) -> None:
    element = state.elements[a]
    if element == 6:
        state.types[a] = "Car"
    elif element == 16:
        state.types[a] = "Sar"
    elif element == 8:
        state.types[a] = "Oar+" if charged else "Oar"
    elif element == 7 and charged and len(state.neighbours[a]) == 3:
        state.types[a] = "N2+"
        for b in state.neighbours[a]:
            if state.elements[b] == 8 and state.terminal(b):
                state.types[b] = "O3-"


def _ring_nitrogen(state: Typing, system: RingSystem, a: int, best: tuple[int, ...], total: int) -> str:
    if total == 2:
        return "Npl"
    by_order = {best[system.order_of[min(a, b), max(a, b)]]: b for b in state.neighbours[a]}
    double, single = by_order.get(2), by_order.get(1)
    odd = double is not None and single is not None and state.types[double] == "Car" and state.types[single] == "C2"
    return "Npl" if odd else "N2"


def _settle_ambiguous(state: Typing, system: RingSystem, guesses: dict[Bond, Guess]) -> None:
    """Ambiguous two-bonded carbons beside the system (9.6j)."""
    for a, b in guesses:
        if b in system.members or b not in state.ambiguous or state.types[a] not in ("Npl", "Car"):
            continue
        for g in state.neighbours[b]:
            if g == a:
                continue
            if state.tetrahedral(g) or (state.known(g) and any(state.types[x] == "O2" for x in state.neighbours[g])):
                state.types[b] = "C3"
