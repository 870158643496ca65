"""What typing asks of coordinates, kept with the answers: where they are the same elsewhere, so are the types."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from itertools import combinations
from math import dist
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from interactions.places import Places
from interactions.points import angle
from interactions.structure import Floats, Ints

Answer = TypeVar("Answer", bound=Hashable)
_TOO_CLOSE = 1e-7  # Å or degrees: so near to a limit arrays may round to the other side


class Shape:
    """Lengths (Å) and angles (degrees) between atoms at some coordinates, shape (n, 3)."""

    def __init__(self, coordinates: Floats) -> None:
        self._places = Places(coordinates)

    def length(self, a: int, b: int) -> float:
        return dist(self._places[a], self._places[b])

    def angle(self, a: int, center: int, b: int) -> float:
        """0 where two points coincide."""
        return angle(self._places[a], self._places[center], self._places[b])

    def mean_angle(self, center: int, around: Sequence[int]) -> float:
        """Mean of the angles between two or more atoms around another."""
        angles = [self.angle(a, center, b) for a, b in combinations(around, 2)]
        return sum(angles) / len(angles)


class Questions:
    """Answers for one place of a molecule, each noted with what it depends on."""

    def __init__(self, coordinates: Floats) -> None:
        self._shape = Shape(coordinates)
        self._lengths: list[tuple[int, int, float, bool]] = []  # atoms, limit, whether it is below
        self._angles: list[tuple[int, float, bool]] = []  # place among the angles, limit, whether it is below
        self._around: dict[int, tuple[int, float, Sequence[int]]] = {}  # place, mean angle, atoms by centre
        self._chosen: list[tuple[Callable[[Shape], Hashable], Hashable]] = []

    def is_within(self, a: int, b: int, limit: float) -> bool:
        """Whether two atoms are at most so far apart."""
        return self._length(a, b, limit, self._shape.length(a, b) <= limit)

    def is_shorter(self, a: int, b: int, limit: float) -> bool:
        return self._length(a, b, limit, self._shape.length(a, b) < limit)

    def _length(self, a: int, b: int, limit: float, answer: bool) -> bool:
        self._lengths.append((a, b, limit, answer))
        return answer

    def is_narrower(self, center: int, around: Sequence[int], limit: float) -> bool:
        """Whether the mean angle between all of the bonded atoms is below a limit."""
        return self._angle(center, limit, self._mean_angle(center, around) < limit)

    def is_at_most(self, center: int, around: Sequence[int], limit: float) -> bool:
        return self._angle(center, limit, self._mean_angle(center, around) <= limit)

    def _mean_angle(self, center: int, around: Sequence[int]) -> float:
        if center not in self._around:
            self._around[center] = len(self._around), self._shape.mean_angle(center, around), around
        return self._around[center][1]

    def _angle(self, center: int, limit: float, answer: bool) -> bool:
        self._angles.append((self._around[center][0], limit, answer))
        return answer

    def choose(self, find: Callable[[Shape], Answer]) -> Answer:
        """What a function finds that looks at nothing but the shape and what never changes."""
        answer = find(self._shape)
        self._chosen.append((find, answer))
        return answer

    def have_same_answers(self, coordinates: Floats) -> bool:
        """Whether all would be answered the same at other coordinates; False also where that is hard to say."""
        if not (self._same_lengths(coordinates) and self._same_angles(coordinates)):
            return False
        shape = Shape(coordinates)
        return all(find(shape) == answer for find, answer in self._chosen)

    def _same_lengths(self, coordinates: Floats) -> bool:
        first, second, limits, below = self._length_columns
        gaps = coordinates[first] - coordinates[second]
        return _all_same(np.sqrt(np.einsum("ij,ij->i", gaps, gaps)) - limits, below)

    def _same_angles(self, coordinates: Floats) -> bool:
        triples, means, limits, below = self._angle_columns
        if not len(limits):
            return True
        arms = coordinates[triples[:, ::2]] - coordinates[triples[:, 1:2]]  # (k, 2, 3)
        sizes = np.einsum("ijk,ijk->ij", arms, arms).prod(axis=1)
        if not sizes.all():
            return False
        cosines = np.einsum("ij,ij->i", arms[:, 0], arms[:, 1]) / np.sqrt(sizes)
        angles = np.degrees(np.arccos(cosines.clip(-1.0, 1.0)))
        starts, places = means
        counts = np.diff(np.append(starts, len(triples)))
        return _all_same((np.add.reduceat(angles, starts) / counts)[places] - limits, below)

    @cached_property
    def _length_columns(self) -> tuple[Ints, Ints, Floats, NDArray[np.bool_]]:
        atoms = np.array([entry[:2] for entry in self._lengths], dtype=np.int64).reshape(-1, 2)
        limits = np.array([entry[2] for entry in self._lengths], dtype=np.float64)
        return atoms[:, 0], atoms[:, 1], limits, np.array([entry[3] for entry in self._lengths], dtype=np.bool_)

    @cached_property
    def _angle_columns(self) -> tuple[Ints, tuple[Ints, Ints], Floats, NDArray[np.bool_]]:
        """Atoms of each angle, the first angle of each mean and the mean of each question, limits, answers."""
        triples: list[tuple[int, int, int]] = []
        starts = []
        for center, (_, _, around) in self._around.items():
            starts.append(len(triples))
            triples += [(a, center, b) for a, b in combinations(around, 2)]
        places = [entry[0] for entry in self._angles]
        return (
            np.array(triples, dtype=np.int64).reshape(-1, 3),
            (np.array(starts, dtype=np.int64), np.array(places, dtype=np.int64)),
            np.array([entry[1] for entry in self._angles], dtype=np.float64),
            np.array([entry[2] for entry in self._angles], dtype=np.bool_),
        )


def _all_same(excess: Floats, below: NDArray[np.bool_]) -> bool:
    """Whether all values are on their side of the limit, and clearly so."""
    return bool(((excess < 0) == below).all() and (np.abs(excess) > _TOO_CLOSE).all())
