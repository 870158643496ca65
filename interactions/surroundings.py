"""What detectors ask of one structure, looked up where a pair needs it and remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from interactions.chemistry.bond_radii import METALS
from interactions.chemistry.residue_templates import template_of
from interactions.chemistry.rings import Ring, residue_rings
from interactions.chemistry.typing_tables import PLANAR, TETRAHEDRAL
from interactions.complex import Chemistry
from interactions.places import Places
from interactions.points import squared_distance

_IS_METAL = np.isin(np.arange(119), list(METALS))


@dataclass
class Molecule:
    """What matching needs to know of a structure."""

    types: tuple[str, ...]
    elements: tuple[int, ...]
    neighbours: Sequence[tuple[int, ...]]
    broken: frozenset[int] = field(default_factory=frozenset)  # atoms with a missing-structure pseudobond
    looks: Any = None  # what matching has seen of it


@dataclass(eq=False)
class Surroundings:
    """One structure, its types, and caches."""

    chemistry: Chemistry
    _rings: dict[int, dict[int, list[Ring]]] = field(default_factory=dict)
    graphs: dict[int, Any] = field(default_factory=dict)
    _residue_rings: dict[int, tuple[Ring, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        structure = self.chemistry.structure
        self.types = self.chemistry.types
        self.elements = structure.atomic_numbers
        self.neighbours = structure.neighbours
        self.home = structure.homes
        broken = frozenset(structure.missing_links.ravel().tolist())
        self.places = Places(structure.coordinates)
        self.molecule = Molecule(self.types, self.elements, self.neighbours, broken)

    def moved(self, chemistry: Chemistry) -> Surroundings:
        """The same atoms, bonds and types at other places: what was found out about rings stays."""
        return Surroundings(chemistry, self._rings, self.graphs, self._residue_rings)

    @cached_property
    def metals(self) -> list[int]:
        return np.flatnonzero(_IS_METAL[self.chemistry.structure.elements]).tolist()

    def is_planar(self, atom: int) -> bool:
        return self.types[atom] in PLANAR

    def is_tetrahedral(self, atom: int) -> bool:
        return self.types[atom] in TETRAHEDRAL

    def heavy(self, atom: int) -> list[int]:
        return [b for b in self.neighbours[atom] if self.elements[b] > 1]

    def residue_rings(self, residue: int) -> tuple[Ring, ...]:
        """Rings inside a residue, smaller ones first."""
        if residue not in self._residue_rings:
            self._residue_rings[residue] = residue_rings(self.chemistry.structure, residue)
        return self._residue_rings[residue]

    def rings(self, atom: int) -> list[Ring]:
        """Rings through an atom."""
        residue = self.home[atom]
        if residue not in self._rings:
            found: dict[int, list[Ring]] = {}
            for ring in self.residue_rings(residue):
                for a in ring:
                    found.setdefault(a, []).append(ring)
            self._rings[residue] = found
        return self._rings[residue].get(atom, [])

    def near_metals(self, atom: int, distance: float) -> list[int]:
        """Metals within a distance (Å, inclusive)."""
        place, reach = self.places[atom], distance**2
        return [metal for metal in self.metals if squared_distance(place, self.places[metal]) <= reach]

    def is_truncated(self, atom: int) -> bool:
        """Whether the atom has lost neighbours that its residue's template gives it."""
        structure, residue = self.chemistry.structure, self.home[atom]
        expected = _heavy_neighbours(structure.residue_names[residue], structure.atom_names[atom])
        if not expected:
            return False
        return len([b for b in self.heavy(atom) if self.home[b] == residue]) < expected


@lru_cache(maxsize=65536)
def _heavy_neighbours(residue: str, name: str) -> int:
    """How many heavy neighbours an atom has inside its residue by template; 0 where no template says."""
    template = template_of(residue, "mid")
    if residue in ("ACE", "NME") or template is None or name not in template:
        return 0
    return sum(not n.startswith("H") and (not n.startswith("P") or name in ("OP1", "OP2")) for n in template[name])
