"""Double and triple bonds shared out over bonds of unknown order, so that the atoms' states cost least."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interactions.errors import ChemistryError

Costs = Mapping[int, int]  # cost by number of extra bonds
_MOST_STEPS = 50_000
_MOST_ANSWERS = 200
_SLACK = 24  # costs above the least imaginable that are tried


_NEVER = 10**6  # cost of what is not allowed


@dataclass
class _Search:
    """Depth-first over the atoms of one connected group; an atom is settled when its bonds are."""

    costs: Mapping[int, Costs]
    ends: Sequence[tuple[int, int]]
    limits: Sequence[int]
    around: Mapping[int, list[int]]
    steps: int = 0
    extra: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.taken = dict.fromkeys(self.costs, 0)
        self.room = {atom: sum(self.limits[bond] for bond in bonds) for atom, bonds in self.around.items()}
        self.unsettled = {atom: len(bonds) for atom, bonds in self.around.items()}
        self.best = {atom: self._best(atom) for atom in self.costs}
        self.least = sum(self.best.values())

    def _best(self, atom: int) -> int:
        """Least cost that the atom can still have."""
        low = self.taken[atom]
        high = low + self.room[atom]
        return min((cost for count, cost in self.costs[atom].items() if low <= count <= high), default=_NEVER)

    def answers(self, budget: int) -> Iterator[dict[int, int]]:
        """Every sharing out whose cost is within the budget."""
        self.steps += 1
        if self.least > budget or self.steps > _MOST_STEPS:
            return
        left = [atom for atom, count in self.unsettled.items() if count]
        if not left:
            yield dict(self.extra)
            return
        atom = min(left, key=lambda a: (self.unsettled[a], a))
        bond = next(bond for bond in self.around[atom] if bond not in self.extra)
        for count in range(self.limits[bond] + 1):
            self._take(bond, count)
            yield from self.answers(budget)
            self._give_back(bond)

    def _take(self, bond: int, count: int) -> None:
        self.extra[bond] = count
        self._change(bond, count, -1)

    def _give_back(self, bond: int) -> None:
        self._change(bond, -self.extra.pop(bond), 1)

    def _change(self, bond: int, count: int, opened: int) -> None:
        for end in self.ends[bond]:
            self.taken[end] += count
            self.room[end] += opened * self.limits[bond]
            self.unsettled[end] += opened
            self.least -= self.best[end]
            self.best[end] = self._best(end)
            self.least += self.best[end]


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
    least = search.least
    if least >= _NEVER:
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
