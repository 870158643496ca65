"""Structure: atoms, residues and bonds of one input file, as read-only arrays."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from interactions.errors import InputError
from interactions.frozen import Frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Value = TypeVar("Value")

_ARRAYS = ("coordinates", "elements", "occupancies", "serials", "formal_charges", "hetero", "residue_numbers")
_TEXTS = (
    "atom_names", "alt_locs", "residue_names", "chains", "insertion_codes", "bond_orders", "label_chains",
    "label_numbers",
)  # fmt: skip
# Cached properties that do not depend on coordinates.
_TOPOLOGY = ("atomic_numbers", "homes", "neighbours", "residue_atoms", "notes")
_DIGITS = 1 << 16
NO_BONDS: Ints = np.empty((0, 2), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Structure(Frozen):
    """One model of one file, one position per atom, in file order.

    Lengths are in Å. Per-atom fields have length n, per-residue fields length m. ``indices`` is the
    0-based position of each atom after alternate locations were merged. ``bonds`` has shape (b, 2)
    in order of creation, which is also the order of each atom's neighbours; ``bond_orders`` has length b or is
    empty; ``missing_links`` and
    ``coordination`` (both (k, 2)) are pseudobonds: they are never neighbours.
    Raises InputError when lengths disagree or a coordinate is not finite.
    """

    name: str
    format: str
    digest: str
    coordinates: Floats
    elements: Ints  # atomic numbers, 0 = unknown
    atom_names: tuple[str, ...]
    alt_locs: tuple[str, ...]
    occupancies: Floats
    serials: Ints  # -1 = none
    formal_charges: Ints
    hetero: NDArray[np.bool_]
    residue_of: Ints
    residue_names: tuple[str, ...]
    chains: tuple[str, ...]  # author chain, per residue, "" = blank
    residue_numbers: Ints
    insertion_codes: tuple[str, ...]
    bonds: Ints = field(default_factory=lambda: NO_BONDS.copy())
    missing_links: Ints = field(default_factory=lambda: NO_BONDS.copy())
    coordination: Ints = field(default_factory=lambda: NO_BONDS.copy())
    bond_orders: tuple[str, ...] = ()  # per bond as the file says, mol2 and SDF only: "1", "2", "3", "ar", "am", ...
    label_chains: tuple[str, ...] = ()  # per residue, mmCIF only
    label_numbers: tuple[str, ...] = ()  # per residue, mmCIF only, "." = none
    warnings: tuple[tuple[str, str], ...] = ()  # (code, message)

    def __post_init__(self) -> None:
        super().__post_init__()
        n, m = len(self.atom_names), len(self.residue_names)
        for what, expected in (
            ("coordinates", n), ("elements", n), ("alt_locs", n), ("occupancies", n), ("serials", n),
            ("formal_charges", n), ("hetero", n), ("residue_of", n),
            ("chains", m), ("residue_numbers", m), ("insertion_codes", m),
        ):  # fmt: skip
            got = len(getattr(self, what))
            if got != expected:
                raise InputError(f"{self.name}: {what} has {got} entries, expected {expected}")
        if self.bond_orders and len(self.bond_orders) != len(self.bonds):
            raise InputError(
                f"{self.name}: bond_orders has {len(self.bond_orders)} entries, expected {len(self.bonds)}"
            )
        finite = np.isfinite(self.coordinates)
        if not finite.all():
            atom = int(np.flatnonzero(~finite.all(axis=1))[0])
            raise InputError(
                f"{self.name}: atom {atom + 1} ({self.atom_names[atom]}) has a coordinate that is not a finite number",
                code="bad_coordinates",
            )

    def __len__(self) -> int:
        return len(self.atom_names)

    @cached_property
    def atomic_numbers(self) -> tuple[int, ...]:
        """``elements`` for what looks at one atom after the other."""
        return tuple(self.elements.tolist())

    @cached_property
    def homes(self) -> tuple[int, ...]:
        """``residue_of`` for what looks at one atom after the other."""
        return tuple(self.residue_of.tolist())

    @cached_property
    def neighbours(self) -> Adjacency:
        """Bonded atoms of each atom, in order of bond creation."""
        return Adjacency(len(self), self.bonds)

    @cached_property
    def residue_atoms(self) -> tuple[Sequence[int], ...]:
        """Atom indices of each residue, ascending."""
        ends = _ends(self.residue_of, len(self.residue_names))
        if (self.residue_of[1:] >= self.residue_of[:-1]).all():
            return tuple(map(range, ends, ends[1:]))
        atoms = tuple(np.argsort(self.residue_of, kind="stable").tolist())
        return tuple(atoms[start:end] for start, end in itertools.pairwise(ends))

    def at(self, coordinates: Floats, *, name: str, digest: str) -> Structure:
        """The same atoms and bonds at other places, as another file says."""
        moved = replace(self, coordinates=coordinates, name=name, digest=digest)
        moved.__dict__.update({known: getattr(self, known) for known in _TOPOLOGY})
        return moved

    @cached_property
    def notes(self) -> dict[str, Any]:
        """What was found out from atoms and bonds alone, by who found it; shared with structures made by ``at``."""
        return {}

    def has_topology_of(self, other: Structure) -> bool:
        """Whether one was made from the other by ``at``."""
        return self.bonds is other.bonds and self.atom_names is other.atom_names

    def without(self, atoms: Sequence[int] | Ints) -> Structure:
        """The structure less some atoms; residues left empty go too."""
        keep = np.ones(len(self), dtype=np.bool_)
        keep[np.asarray(atoms, dtype=np.int64)] = False
        place = np.cumsum(keep) - 1
        used = np.unique(self.residue_of[keep])
        residues = used.tolist()

        def kept(bonds: Ints) -> Ints:
            return place[bonds[keep[bonds].all(axis=1)]]

        def of_atoms(texts: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(itertools.compress(texts, keep))

        def of_residues(texts: tuple[str, ...]) -> tuple[str, ...]:
            return tuple([texts[residue] for residue in residues]) if texts else ()

        return replace(
            self,
            coordinates=self.coordinates[keep],
            elements=self.elements[keep],
            atom_names=of_atoms(self.atom_names),
            alt_locs=of_atoms(self.alt_locs),
            occupancies=self.occupancies[keep],
            serials=self.serials[keep],
            formal_charges=self.formal_charges[keep],
            hetero=self.hetero[keep],
            residue_of=np.searchsorted(used, self.residue_of[keep]),
            residue_names=of_residues(self.residue_names),
            chains=of_residues(self.chains),
            residue_numbers=self.residue_numbers[used],
            insertion_codes=of_residues(self.insertion_codes),
            bonds=kept(self.bonds),
            bond_orders=tuple(itertools.compress(self.bond_orders, np.all(keep[self.bonds], axis=1).tolist())),
            missing_links=kept(self.missing_links),
            coordination=kept(self.coordination),
            label_chains=of_residues(self.label_chains),
            label_numbers=of_residues(self.label_numbers),
        )


def joined(structures: Sequence[Structure]) -> Structure:
    """Structures one after the other as one, named as the first; none is bonded to another."""
    first = structures[0]
    atoms = np.cumsum([0, *map(len, structures[:-1])])
    residues = np.cumsum([0, *(len(one.residue_names) for one in structures[:-1])])

    def arrays(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(one, name) for one in structures])

    def indices(name: str, offsets: Ints) -> Ints:
        return np.concatenate([getattr(one, name) + offset for one, offset in zip(structures, offsets, strict=True)])

    def texts(name: str) -> tuple[str, ...]:
        return tuple(itertools.chain.from_iterable(getattr(one, name) for one in structures))

    fields: dict[str, Any] = {name: arrays(name) for name in _ARRAYS}
    fields |= {name: texts(name) for name in _TEXTS}
    fields |= {name: indices(name, atoms) for name in ("bonds", "missing_links", "coordination")}
    return replace(first, **fields, residue_of=indices("residue_of", residues))


def of(values: tuple[Value, ...], atoms: Sequence[int]) -> tuple[Value, ...]:
    """Values of some atoms; cheap where these are a range."""
    if isinstance(atoms, range):
        return values[atoms.start : atoms.stop]
    return tuple([values[a] for a in atoms])


def _ends(groups: Ints, count: int) -> list[int]:
    """Where each of some groups ends when their members are sorted by group, a zero first."""
    return [0, *np.cumsum(np.bincount(groups, minlength=count)).tolist()]


class Adjacency(Sequence[tuple[int, ...]]):
    """Bonded atoms of each of n atoms, in the order of the bonds, shape (b, 2).

    Tuples are cut when asked for: of a large structure most atoms never are.
    """

    def __init__(self, n: int, bonds: Ints) -> None:
        source, target = bonds.ravel(), bonds[:, ::-1].ravel()
        # Small integers are sorted by their digits, several times faster.
        order = np.argsort(source.astype(np.uint16) if n <= _DIGITS else source, kind="stable")
        self._ends = _ends(source, n)
        self._bonded: tuple[int, ...] = tuple(target[order].tolist())

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, atom: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, atom: slice) -> list[tuple[int, ...]]: ...
    def __getitem__(self, atom: int | slice) -> tuple[int, ...] | list[tuple[int, ...]]:
        if isinstance(atom, slice):
            return [self[a] for a in range(*atom.indices(len(self)))]
        if atom < 0:
            raise IndexError(f"atom {atom}")
        ends = self._ends
        return self._bonded[ends[atom] : ends[atom + 1]]
