"""Coordinates as tuples, made when asked for."""

from __future__ import annotations

from interactions.structure import Floats

Point = tuple[float, float, float]


class Places(dict[int, Point]):
    """Points of an (n, 3) array by atom: what works on few atoms of a large structure pays for those alone."""

    def __init__(self, coordinates: Floats) -> None:
        super().__init__()
        self._coordinates = coordinates

    def __missing__(self, atom: int) -> Point:
        x, y, z = self._coordinates[atom].tolist()
        self[atom] = (x, y, z)
        return x, y, z

    def fetch(self, atoms: range) -> None:
        """Points of atoms that will all be asked for, at once."""
        rows = self._coordinates[atoms.start : atoms.stop].tolist()
        self.update(zip(atoms, map(tuple, rows), strict=True))
