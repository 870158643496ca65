"""Bond orders, charges and missing hydrogens of a ligand, from what a source says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interactions.chemistry.bond_radii import METALS
from interactions.chemistry.bond_search import share_out
from interactions.chemistry.ligand_frame import Frame
from interactions.chemistry.valences import HALOGENS, PHOSPHORS, SULFURS, State, Table, closed
from interactions.errors import ChemistryError

Order = int | None  # None: to be found


@dataclass(frozen=True)
class Sketch:
    """What a source says: bonds, orders (0 coordination, None to be found), and per atom its charge if the source
    states one, hydrogens that the file lacks, and the table of its states where the source has its own.

    ``limits`` is the most that an unknown bond may have above 1; ``balanced`` says that the charges hold with
    covalent bonds to metals.
    """

    bonds: tuple[tuple[int, int], ...]
    orders: tuple[Order, ...]
    charges: tuple[int, ...]
    lacking: tuple[int, ...]
    tables: dict[int, Table | None]
    limits: tuple[int, ...]
    balanced: bool = False


@dataclass(frozen=True)
class Solved:
    """Orders per bond; charge and missing hydrogens per atom."""

    bonds: tuple[tuple[int, int], ...]
    orders: tuple[int, ...]
    charges: tuple[int, ...]
    missing: tuple[int, ...]


def solve(frame: Frame, sketch: Sketch) -> Solved:
    """Orders and charges that close every atom's valence.

    Raises ChemistryError (code ``valence``) naming the atom that no charge or order suits.
    """
    orders = _softened(frame, sketch)
    sums = _sums(frame, sketch, orders)
    tables = _tables(frame, sketch, orders, sums)
    unknown = [bond for bond, order in enumerate(orders) if order is None]
    costs = {a: _costs(tables[a], sums[a]) for bond in unknown for a in sketch.bonds[bond]}
    for atom, table in enumerate(tables):
        if not (costs[atom] if atom in costs else table is None or sums[atom] in table):
            raise _misfit(frame, atom, sums[atom])
    ends = [sketch.bonds[bond] for bond in unknown]
    extra = share_out(costs, ends, [sketch.limits[b] for b in unknown], [frame.length(end) for end in ends])
    if extra is None:
        raise _misfit(frame, _blamed(costs, ends, [sketch.limits[b] for b in unknown]), None)
    for bond, count in zip(unknown, extra, strict=True):
        orders[bond] = 1 + count
        for end in sketch.bonds[bond]:
            sums[end] += count
    states = [State(0, sketch.charges[a]) if (t := tables[a]) is None else t[sums[a]] for a in range(len(sums))]
    return Solved(
        bonds=sketch.bonds,
        orders=tuple(order or 0 for order in orders),
        charges=_with_metals(frame, sketch, [state.charge for state in states]),
        missing=tuple(state.missing + sketch.lacking[a] for a, state in enumerate(states)),
    )


def _with_metals(frame: Frame, sketch: Sketch, charges: list[int]) -> tuple[int, ...]:
    """Charges, those that atoms lose with their bonds to a metal given to the metal."""
    if sketch.balanced:
        seen = set()
        for a, b in sketch.bonds:
            for metal, other in ((a, b), (b, a)):
                if frame.metal(metal) and not frame.metal(other) and other not in seen:
                    seen.add(other)
                    charges[metal] += sketch.charges[other] - charges[other]
    return tuple(charges)


def _misfit(frame: Frame, atom: int, total: int | None) -> ChemistryError:
    what = f"bond orders that sum to {total}" if total is not None else "double bonds that cannot be shared out"
    bonds = [bond for bond in frame.bonds if atom in bond]
    partners = ", ".join(frame.names[b if a == atom else a] for a, b in bonds) or "nothing"
    return ChemistryError(
        f"{frame.who(atom)}, bonded to {partners}, has {what}; are hydrogens missing or bond orders wrong?",
        code="valence",
    )


def _blamed(costs: dict[int, dict[int, int]], ends: Sequence[tuple[int, int]], limits: Sequence[int]) -> int:
    """An atom of the group that has no answer."""
    for atom in costs:
        mine = [bond for bond, pair in enumerate(ends) if atom in pair]
        group = {end for bond in mine for end in ends[bond]}
        part = {a: costs[a] if a == atom else dict.fromkeys(range(5), 0) for a in group}
        if share_out(part, [ends[b] for b in mine], [limits[b] for b in mine], [0.0] * len(mine)) is None:
            return atom
    return min(costs)


def _degrees(sketch: Sketch, frame: Frame, orders: Sequence[Order]) -> list[int]:
    degrees = [lack + out for lack, out in zip(sketch.lacking, frame.outside, strict=True)]
    for bond, order in zip(sketch.bonds, orders, strict=True):
        if order != 0:
            for end in bond:
                degrees[end] += 1
    return degrees


def _sums(frame: Frame, sketch: Sketch, orders: Sequence[Order]) -> list[int]:
    sums = [lack + out for lack, out in zip(sketch.lacking, frame.outside, strict=True)]
    for bond, order in zip(sketch.bonds, orders, strict=True):
        for end in bond:
            sums[end] += 1 if order is None else order
    return sums


def _costs(table: Table | None, base: int) -> dict[int, int]:
    if table is None:
        return dict.fromkeys(range(4), 0)
    return {total - base: state.cost for total, state in table.items() if total >= base}


def _tables(frame: Frame, sketch: Sketch, orders: Sequence[Order], sums: Sequence[int]) -> list[Table | None]:
    degrees = _degrees(sketch, frame, orders)
    unsure = {end for bond, order in zip(sketch.bonds, orders, strict=True) if order is None for end in bond}
    nitro = _nitro(frame, sketch, degrees)
    tables: list[Table | None] = []
    for atom, element in enumerate(frame.elements):
        if element in METALS:
            table: Table | None = None
        elif atom in nitro:
            table = {4: State(0, 1)}
        elif atom in sketch.tables:
            table = sketch.tables[atom]
        else:
            table = closed(element, degrees[atom])
        charge = sketch.charges[atom]
        if charge and table is not None and atom not in unsure and sums[atom] not in table:
            table = {sums[atom]: State(0, charge)}  # a stated carbanion, carbocation or the like
        tables.append(table)
    return tables


def _softened(frame: Frame, sketch: Sketch) -> list[Order]:
    """Orders, those that files draw in several ways made unknown: oxides of N, P, S and halogens, azides, cations."""
    orders = list(sketch.orders)
    sums, degrees = _sums(frame, sketch, orders), _degrees(sketch, frame, orders)
    around: dict[int, list[int]] = {}
    for bond, pair in enumerate(sketch.bonds):
        if orders[bond] != 0:
            for end in pair:
                around.setdefault(end, []).append(bond)
    nitrogens = _nitro(frame, sketch, degrees) | {
        a for a, element in enumerate(frame.elements) if element == 7 and sums[a] > 4
    }
    carbons = {
        a for a, bonds in around.items() if frame.elements[a] == 6 and _wrongly_drawn(sketch, a, sums[a], orders, bonds)
    }
    for atom, bonds in around.items():
        for bond in bonds:
            a, b = sketch.bonds[bond]
            other = b if a == atom else a
            oxide = frame.elements[other] in (8, *SULFURS) and degrees[other] == 1
            multiple = (orders[bond] or 1) > 1
            if (
                (oxide and _hypervalent(frame.elements[atom], degrees[atom]))
                or (atom in nitrogens and (oxide or (frame.elements[other] == 7 and multiple)))
                or (atom in carbons and frame.elements[other] in (7, 8, *SULFURS))
            ):
                orders[bond] = None
    return orders


def _nitro(frame: Frame, sketch: Sketch, degrees: Sequence[int]) -> set[int]:
    """Nitrogens with two bare oxygens and a third neighbour."""
    bare = [0] * len(degrees)
    for a, b in sketch.bonds:
        for one, two in ((a, b), (b, a)):
            bare[one] += frame.elements[two] == 8 and degrees[two] == 1
    return {a for a, count in enumerate(bare) if count >= 2 and frame.elements[a] == 7 and degrees[a] == 3}


def _hypervalent(element: int, degree: int) -> bool:
    return degree >= 3 and (element in SULFURS | PHOSPHORS | HALOGENS)


def _wrongly_drawn(sketch: Sketch, atom: int, total: int, orders: Sequence[Order], bonds: Sequence[int]) -> bool:
    """Whether a carbon has three bonds or five, as in files that draw delocalised groups all single or all double."""
    if any(orders[bond] is None for bond in bonds):
        return False
    return total > 4 or (total == 3 and len(bonds) == 3 and atom not in sketch.tables)
