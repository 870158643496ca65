"""Double and triple bonds shared out over bonds of unknown order, so that the atoms' states cost least."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interactions.errors import ChemistryError

Costs = Mapping[int, int]  # cost by number of extra bonds
_MOST_STEPS = 50_000
_MOST_ANSWERS = 200
_SLACK = 24  # costs above the least imaginable that are tried


@dataclass
class _Search:
    """Depth-first over the atoms of one connected group; an atom is settled when its bonds are."""

    costs: Mapping[int, Costs]
    ends: Sequence[tuple[int, int]]
    limits: Sequence[int]
    around: Mapping[int, list[int]]
    budget: int = 0
    steps: int = 0
    taken: dict[int, int] = field(default_factory=dict)
    extra: dict[int, int] = field(default_factory=dict)

    def answers(self, budget: int) -> Iterator[dict[int, int]]:
        self.budget, self.taken, self.extra = budget, dict.fromkeys(self.costs, 0), {}
        return self._settle(set(self.costs))

    def _open(self, atom: int) -> list[int]:
        return [bond for bond in self.around[atom] if bond not in self.extra]

    def _least(self, atom: int) -> int | None:
        low = self.taken[atom]
        high = low + sum(self.limits[bond] for bond in self._open(atom))
        return min((cost for count, cost in self.costs[atom].items() if low <= count <= high), default=None)

    def least(self) -> int | None:
        self.taken, self.extra = dict.fromkeys(self.costs, 0), {}
        return self._sum(self.costs)

    def _sum(self, atoms: Mapping[int, Costs] | Sequence[int]) -> int | None:
        total = 0
        for atom in atoms:
            cost = self._least(atom)
            if cost is None:
                return None
            total += cost
        return total

    def _settle(self, left: set[int]) -> Iterator[dict[int, int]]:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            return
        total = self._sum(sorted(self.costs))
        if total is None or total > self.budget:
            return
        if not left:
            yield dict(self.extra)
            return
        atom = min(left, key=lambda a: (len(self._open(a)), a))
        rest = left - {atom}
        yield from self._spread(atom, self._open(atom), rest)

    def _spread(self, atom: int, bonds: list[int], rest: set[int]) -> Iterator[dict[int, int]]:
        if not bonds:
            yield from self._settle(rest)
            return
        bond = bonds[0]
        for count in range(self.limits[bond] + 1):
            self._take(bond, count)
            yield from self._spread(atom, bonds[1:], rest)
            self._take(bond, -count)
            del self.extra[bond]

    def _take(self, bond: int, count: int) -> None:
        for end in self.ends[bond]:
            self.taken[end] += count
        self.extra[bond] = count


def share_out(
    costs: Mapping[int, Costs], ends: Sequence[tuple[int, int]], limits: Sequence[int], lengths: Sequence[float]
) -> list[int] | None:
    """Extra bonds (0 to ``limits``) of each bond at the least cost; of equal answers the one whose are shortest.

    ``costs`` says for each atom what it costs to have a number of extra bonds; other numbers are not allowed.
    None where no sharing out is allowed. Raises ChemistryError (code ``bond_orders``) where the search grows too long.
    """
    extra = [0] * len(ends)
    for atoms, bonds in _groups(costs, ends):
        found = _share_group({atom: costs[atom] for atom in atoms}, bonds, (ends, limits, lengths))
        if found is None:
            return None
        for bond, count in found.items():
            extra[bond] = count
    return extra


def _share_group(
    costs: Mapping[int, Costs],
    bonds: Sequence[int],
    every: tuple[Sequence[tuple[int, int]], Sequence[int], Sequence[float]],
) -> dict[int, int] | None:
    ends, limits, lengths = every
    around: dict[int, list[int]] = {atom: [] for atom in costs}
    for bond in sorted(bonds, key=lambda bond: (lengths[bond], bond)):
        for end in ends[bond]:
            around[end].append(bond)
    search = _Search(costs, ends, limits, around)
    least = search.least()
    if least is None:
        return None
    for budget in range(least, least + _SLACK):
        answers = [answer for answer, _ in zip(search.answers(budget), range(_MOST_ANSWERS), strict=False)]
        if answers:
            return min(answers, key=lambda answer: round(sum(count * lengths[b] for b, count in answer.items()), 6))
        if search.steps > _MOST_STEPS:
            raise ChemistryError("bond orders: too many ways to share out double bonds", code="bond_orders")
    return None


def _groups(costs: Mapping[int, Costs], ends: Sequence[tuple[int, int]]) -> Iterator[tuple[list[int], list[int]]]:
    """Atoms and bonds of each connected group."""
    around: dict[int, list[int]] = {atom: [] for atom in costs}
    for bond, pair in enumerate(ends):
        for end in pair:
            around[end].append(bond)
    seen: set[int] = set()
    for start in around:
        if start in seen:
            continue
        seen.add(start)
        atoms, bonds = [start], dict[int, None]()
        for atom in atoms:
            for bond in around[atom]:
                bonds[bond] = None
                new = [end for end in ends[bond] if end not in seen]
                seen.update(new)
                atoms.extend(new)
        yield atoms, list(bonds)
