"""Hydrogen bonds along a trajectory: one perception, many frames; occupancies with confidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactions.chemistry.elements import atomic_number
from interactions.chemistry.idatm import idatm_types
from interactions.complex import Chemistry, Complex
from interactions.consensus import find_bonds
from interactions.contact import Atom
from interactions.criteria import Profile
from interactions.environment import Environment
from interactions.errors import InputError
from interactions.fast_frames import fast_rule
from interactions.frozen import Frozen
from interactions.records import atom_record
from interactions.structure import Floats, Ints, Structure

Mask = NDArray[np.bool_]
Pair = tuple[Atom, Atom]  # donor, acceptor

_BOTH = " | "  # between the two selections in the complex's selector
CHUNK = 64  # frames that are looked at together: what they need stays in the processor's cache
_WILSON = 1.959964  # two-sided 95 %


@dataclass(frozen=True, eq=False)
class Timeline(Frozen):
    """Which pairs are bonds in which frames: ``present`` has shape (frames, pairs)."""

    complex: Complex
    criteria: str
    frames: Ints
    pairs: tuple[Pair, ...]
    present: Mask


def complex_of(universe: Any, ligand: str, receptor: str = "all") -> Complex:
    """A complex from two MDAnalysis selections in the current frame, its chemistry perceived once.

    Atoms of both keep the order of the topology. Raises InputError: ``no_ligand`` or ``no_receptor`` for a selection
    without atoms, ``no_bonds`` where the topology has no bonds, ``no_elements`` where it does not tell elements.
    """
    chosen = universe.select_atoms(ligand)
    others = universe.select_atoms(f"({receptor}) and not ({ligand})")
    for what, atoms, text in (("ligand", chosen, ligand), ("receptor", others, receptor)):
        if not len(atoms):
            raise InputError(f"the selection {text!r} of the {what} has no atoms", code=f"no_{what}")
    both = universe.atoms[np.union1d(chosen.indices, others.indices)]
    structure = _structure(both)
    mask = np.isin(both.indices, chosen.indices)
    selector = f"{ligand}{_BOTH}{receptor}"
    return Complex((Chemistry(structure, idatm_types(structure)),), (mask,), selector, structure.digest)


def _structure(atoms: Any) -> Structure:
    if not hasattr(atoms, "bonds"):
        raise InputError("the topology has no bonds: guess them, or take one that does", code="no_bonds")
    if not hasattr(atoms, "elements") or not all(atoms.elements):
        raise InputError("the topology does not tell elements: guess them, or take one that does", code="no_elements")
    place = np.full(int(atoms.indices.max()) + 1, -1)
    place[atoms.indices] = np.arange(len(atoms))
    bonds = np.array([pair for pair in atoms.bonds.indices.tolist() if max(pair) < len(place)], dtype=np.int64)
    inside = place[bonds.reshape(-1, 2)]
    homes, residue_of = np.unique(atoms.resindices, return_inverse=True)
    residues = atoms.universe.residues[homes]
    n, m = len(atoms), len(homes)
    identity = "\n".join(f"{a} {r} {s}" for a, r, s in zip(atoms.names, atoms.resnames, atoms.elements, strict=True))
    return Structure(
        name="trajectory",
        format="mdanalysis",
        digest=sha256(identity.encode()).hexdigest(),
        coordinates=atoms.positions.astype(np.float64),
        elements=np.array([atomic_number(symbol) for symbol in atoms.elements], dtype=np.int64),
        atom_names=tuple(map(str, atoms.names)),
        alt_locs=("",) * n,
        occupancies=np.ones(n),
        serials=np.full(n, -1),
        formal_charges=np.zeros(n, dtype=np.int64),
        hetero=np.zeros(n, dtype=np.bool_),
        residue_of=residue_of.astype(np.int64),
        residue_names=tuple(map(str, residues.resnames)),
        chains=tuple(map(str, residues.segids)) if hasattr(residues, "segids") else ("",) * m,
        residue_numbers=residues.resids.astype(np.int64),
        insertion_codes=("",) * m,
        bonds=inside[(inside >= 0).all(axis=1)],
    )


def timeline(universe: Any, complex_: Complex, profile: Profile, frames: slice = slice(None)) -> Timeline:
    """Bonds of each frame, pairs in order of donor, then acceptor; the box is heeded where the trajectory has one.

    Hydrogens are those of the topology; none are placed. Criteria of ranges are tested for many frames at once, others
    frame by frame. Raises InputError: ``other_topology`` where the universe is not the complex's, ``no_hydrogens``
    where the criteria need hydrogens and the topology has none.
    """
    indices = _indices(universe, complex_)
    if profile.hydrogens == "needed" and not (complex_.models[0].structure.elements == 1).any():
        raise InputError(f"criteria {profile.name} need hydrogens; the topology has none", code="no_hydrogens")
    fast = fast_rule(complex_, profile)
    wanted = np.arange(len(indices)) if fast is None else fast.atoms
    numbers: list[int] = []
    found: list[Ints] = []
    for block, coordinates in _blocks(universe, complex_, indices, wanted, frames):
        bonds = np.array(fast.find(coordinates) if fast is not None else _by_frame(complex_, profile, coordinates))
        found.append(bonds + np.array([[len(numbers)], [0], [0]]))
        numbers += block
    rows, donors, acceptors = np.concatenate([np.empty((3, 0), dtype=np.int64), *found], axis=1)
    pairs, columns = np.unique(np.stack([donors, acceptors], axis=1), axis=0, return_inverse=True)
    present = np.zeros((len(numbers), len(pairs)), dtype=np.bool_)
    present[rows, columns.ravel()] = True
    named = tuple([((0, donor), (0, acceptor)) for donor, acceptor in pairs.tolist()])
    return Timeline(complex_, profile.name, np.array(numbers, dtype=np.int64), named, present)


def _indices(universe: Any, complex_: Complex) -> Ints:
    """The complex's atoms in the universe: those of its two selections, as ``complex_of`` took them."""
    structure = complex_.models[0].structure
    indices = _taken(universe, complex_.selector)
    names = tuple(map(str, universe.atoms[indices].names)) if len(indices) == len(structure) else ()
    if names != structure.atom_names:
        raise InputError("the atoms of the trajectory are not those of the complex", code="other_topology")
    return indices


def _taken(universe: Any, selector: str) -> Ints:
    ligand, _, receptor = selector.partition(_BOTH)
    chosen = universe.select_atoms(ligand).indices
    others = universe.select_atoms(f"({receptor}) and not ({ligand})").indices
    taken: Ints = np.union1d(chosen, others).astype(np.int64)
    return taken


@dataclass(frozen=True, eq=False)
class _Images(Frozen):
    """What is read of a frame: ``atoms`` of the complex; in them count the ``wanted``, the first atoms of their
    residues and of the ligand (``firsts``, ``middle``); ``home``: place in ``firsts`` for each of the wanted."""

    atoms: Ints
    wanted: Ints
    firsts: Ints
    home: Ints
    middle: int

    @classmethod
    def of(cls, complex_: Complex, wanted: Ints) -> _Images:
        structure = complex_.models[0].structure
        residues, home = np.unique(structure.residue_of[wanted], return_inverse=True)
        firsts = np.array([structure.residue_atoms[residue][0] for residue in residues], dtype=np.int64)
        middle = np.flatnonzero(complex_.ligand_masks[0])[:1]
        atoms = np.unique(np.concatenate([wanted, firsts, middle]))
        places = [np.searchsorted(atoms, one) for one in (wanted, firsts, middle)]
        return cls(atoms, places[0], places[1], home, int(places[2][0]))


def _blocks(
    universe: Any, complex_: Complex, indices: Ints, wanted: Ints, frames: slice
) -> Iterator[tuple[list[int], Floats]]:
    """Frames in blocks: their numbers and coordinates of the wanted atoms of the complex (f, k, 3), residues in the
    image nearest to the ligand."""
    images = _Images.of(complex_, wanted)
    read = indices[images.atoms]
    numbers: list[int] = []
    boxes: list[Floats] = []
    coordinates = np.empty((CHUNK, len(read), 3))
    for step in universe.trajectory[frames]:
        coordinates[len(numbers)] = step.positions[read]
        boxes.append(np.zeros(6) if step.dimensions is None else step.dimensions.astype(np.float64))
        numbers.append(int(step.frame))
        if len(numbers) == CHUNK:
            yield numbers, _near_ligand(coordinates, np.array(boxes), images)
            numbers, boxes = [], []
    if numbers:
        yield numbers, _near_ligand(coordinates[: len(numbers)], np.array(boxes), images)


def _near_ligand(coordinates: Floats, boxes: Floats, images: _Images) -> Floats:
    """Each residue whole, in its image nearest to the ligand's first atom; frames (f, n, 3), boxes (f, 6).

    A frame without a box stays as it is.
    """
    # Not by an index in brackets: that turns the axes around in memory, and all that follows is slower.
    wanted = coordinates.take(images.wanted, axis=1)
    if not boxes[:, :3].any():
        return wanted
    starts, centre = coordinates.take(images.firsts, axis=1), coordinates[:, images.middle, None]
    inside = _shortest(wanted - starts.take(images.home, axis=1), boxes)
    shifted = centre + _shortest(starts - centre, boxes)
    inside += shifted.take(images.home, axis=1)
    return inside


def _shortest(vectors: Floats, boxes: Floats) -> Floats:
    """Vectors (f, n, 3) to the nearest image; those of a box with slanted sides one frame at a time."""
    if (boxes[:, 3:] == 90.0).all() and boxes[:, :3].all():
        sides = boxes[:, None, :3]
        nearest: Floats = np.rint(vectors / sides)
        nearest *= sides
        return np.subtract(vectors, nearest, out=nearest)
    from MDAnalysis.lib.distances import minimize_vectors

    rows = [minimize_vectors(row, box) if box[:3].all() else row for row, box in zip(vectors, boxes, strict=True)]
    return np.array(rows)


def _by_frame(complex_: Complex, profile: Profile, coordinates: Floats) -> Ints:
    """Frame, donor and acceptor of each bond, shape (3, b)."""
    (chemistry,) = complex_.models
    found: list[tuple[int, int, int]] = []
    for frame, xyz in enumerate(coordinates):
        moved = Chemistry(replace(chemistry.structure, coordinates=xyz.copy()), chemistry.types)
        env = Environment(replace(complex_, models=(moved,)), place=False)
        found += [(frame, bond.donor[1], bond.acceptor[1]) for bond in find_bonds(env, profile)]
    return np.array(found, dtype=np.int64).reshape(-1, 3).T


def occupancies(line: Timeline) -> list[dict[str, Any]]:
    """Each pair with the share of frames it is a bond in, a 95 % interval, and its longest unbroken stretch (frames).

    The interval is Wilson's for the number of independent frames: all frames over the statistical inefficiency of the
    pair's series (Chodera et al. 2007, J. Chem. Theory Comput. 3, 26).
    """
    rows = []
    for column, (donor, acceptor) in enumerate(line.pairs):
        series = line.present[:, column]
        share, independent = float(series.mean()), len(series) / inefficiency(series)
        low, high = wilson(share, independent)
        rows.append(
            {
                "donor": atom_record(line.complex, *donor),
                "acceptor": atom_record(line.complex, *acceptor),
                "occupancy": round(share, 6),
                "low": round(low, 6),
                "high": round(high, 6),
                "independent_frames": round(independent, 1),
                "longest": longest(series),
            }
        )
    return rows


def wilson(share: float, n: float) -> tuple[float, float]:
    """Two-sided 95 % interval of a share of n independent draws."""
    z = _WILSON**2 / n
    middle, half = share + z / 2, _WILSON * sqrt(share * (1 - share) / n + _WILSON**2 / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z)), min(1.0, (middle + half) / (1 + z))


def inefficiency(series: Mask) -> float:
    """How many frames of a series count as one: 1 + 2 Σ (1 - t/n) C(t), summed until C falls to zero; at least 1."""
    n = len(series)
    values = series - series.mean()
    variance = float((values**2).mean())
    if variance == 0:
        return 1.0
    total = 1.0
    for lag in range(1, n):
        correlation = float((values[:-lag] * values[lag:]).mean()) / variance
        if correlation <= 0:
            break
        total += 2 * correlation * (1 - lag / n)
    return max(1.0, total)


def longest(series: Mask) -> int:
    """Length of the longest unbroken stretch."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], series, [False]]).astype(np.int8)))
    return int((edges[1::2] - edges[::2]).max(initial=0))
