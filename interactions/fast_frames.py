"""Range criteria on given hydrogens, tested for many frames at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from interactions.complex import Complex
from interactions.criteria import Limit, Profile
from interactions.detectors.hydrogen_bond import KIND, Rules, is_acceptor, is_donor, rules_of
from interactions.environment import Environment
from interactions.frozen import Frozen
from interactions.structure import Floats, Ints

# What can be told from the three places of donor, hydrogen and acceptor.
_QUANTITIES = frozenset({"distance_da", "distance_ha", "distance_dh", "angle_dha", "angle_hda", "cone"})
_CONE_REACH, _CONE_SLOPE = 3.3, 0.00044
Found = tuple[Ints, Ints, Ints]  # frame, donor, acceptor
Extent = tuple[Floats, Floats]  # least and greatest coordinates of each atom over the frames, (k, 3)
_SLACK = 0.01  # Å: who is looked at is chosen with room for rounding, who counts is not
_MOST = 40_000_000  # entries of a block of distances


@dataclass(frozen=True, eq=False)
class Side(Frozen):
    """Atoms of ligand or receptor: donors and their hydrogens, one row a hydrogen, and acceptors."""

    donors: Ints
    hydrogens: Ints
    acceptors: Ints


@dataclass(frozen=True)
class FastRule:
    """Receptor and ligand of the one model, the limits, and the reach of the donor for an acceptor (Å).

    ``atoms``: those whose places are asked for, ascending, shape (k,); the sides count in them.
    """

    atoms: Ints
    sides: tuple[Side, Side]
    limits: tuple[Limit, ...]
    reach: float

    def find(self, coordinates: Floats) -> Found:
        """Frames, donors and acceptors that pass; ``coordinates`` of ``atoms`` (f, k, 3). A pair may come once a
        hydrogen."""
        extent = coordinates.min(axis=0), coordinates.max(axis=0)
        one, two = self.sides
        parts = [_across(self, coordinates, extent, *pair) for pair in ((one, two), (two, one))]
        frames, donors, acceptors = (np.concatenate(column) for column in zip(*parts, strict=True))
        return frames, self.atoms[donors], self.atoms[acceptors]


def _across(rule: FastRule, coordinates: Floats, extent: Extent, giving: Side, taking: Side) -> Found:
    frames, rows, columns = _near(coordinates, extent, giving.donors, taking.acceptors, rule.reach)
    donors, acceptors = giving.donors[rows], taking.acceptors[columns]
    d, h, a = (coordinates[frames, atoms] for atoms in (donors, giving.hydrogens[rows], acceptors))
    keep = np.ones(len(frames), dtype=np.bool_)
    for limit in rule.limits:
        keep &= _inside(limit, _measure(limit.quantity, h - d, a - h, a - d))
    return frames[keep], donors[keep], acceptors[keep]


def _near(coordinates: Floats, extent: Extent, donors: Ints, acceptors: Ints, reach: float) -> Found:
    """Frames, rows of donors and of acceptors within reach of each other."""
    if not len(donors) or not len(acceptors):
        return (np.empty(0, np.int64),) * 3
    reach += _SLACK
    givers, takers = _in_box(extent, donors, acceptors, reach), _in_box(extent, acceptors, donors, reach)
    size = max(1, _MOST // max(1, len(givers) * len(takers)))
    found = []
    for start in range(0, len(coordinates), size):
        block = coordinates[start : start + size]
        frames, rows, columns = _near_block(block, donors[givers], acceptors[takers], reach)
        found.append((frames + start, givers[rows], takers[columns]))
    first, second, third = (np.concatenate(column) for column in zip(*found, strict=True))
    return first, second, third


def _in_box(extent: Extent, atoms: Ints, others: Ints, reach: float) -> Ints:
    """Places in ``atoms`` of those that in some frame may be within reach of the others."""
    low, high = extent
    floor, ceiling = low[others].min(axis=0) - reach, high[others].max(axis=0) + reach
    meets = (high[atoms] >= floor) & (low[atoms] <= ceiling)
    found: Ints = np.flatnonzero(meets.all(axis=1))
    return found


def _near_block(coordinates: Floats, donors: Ints, acceptors: Ints, reach: float) -> Found:
    squared = np.zeros((len(coordinates), len(donors), len(acceptors)), dtype=np.float32)
    for axis in range(3):
        first, second = (coordinates[:, atoms, axis].astype(np.float32) for atoms in (donors, acceptors))
        gap = first[:, :, None] - second[:, None, :]
        squared += gap * gap
    # Single precision is for the preselection alone.
    frames, rows, columns = np.nonzero(squared <= np.float32(reach**2))
    return frames, rows, columns


def _norm(vectors: Floats) -> Floats:
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return lengths


def _angle(u: Floats, v: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = np.einsum("ij,ij->i", u, v) / (_norm(u) * _norm(v))
    degrees: Floats = np.degrees(np.arccos(np.clip(np.nan_to_num(cosine, nan=1.0), -1.0, 1.0)))
    return degrees


def _measure(quantity: str, dh: Floats, ha: Floats, da: Floats) -> Floats:
    match quantity:
        case "distance_da":
            return _norm(da)
        case "distance_ha":
            return _norm(ha)
        case "distance_dh":
            return _norm(dh)
        case "angle_dha":
            return _angle(-dh, ha)
        case "angle_hda":
            return _angle(dh, da)
    return _norm(da) - (_CONE_REACH - _CONE_SLOPE * _angle(dh, da) ** 2)


def _inside(limit: Limit, values: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    edges = limit.within
    above = values >= edges.low if edges.low_closed else values > edges.low
    below = values <= edges.high if edges.high_closed else values < edges.high
    inside: np.ndarray[tuple[int], np.dtype[np.bool_]] = above & below
    return inside


def fast_rule(complex_: Complex, profile: Profile) -> FastRule | None:
    """The profile as a fast rule on the topology's hydrogens; None where it asks for more than three places."""
    if profile.detector != "range" or len(complex_.models) != 1:
        return None
    rules = rules_of(profile)
    limits = (*rules.heavy, *rules.hydrogen)
    options = profile.sections[KIND].options
    plain = not any(options.get(name) for name in ("best_per_donor", "not_in_salt_bridge", "without_water"))
    if not plain or rules.sulfur is not None or not rules.hydrogen or not {q.quantity for q in limits} <= _QUANTITIES:
        return None
    return _collected(complex_, rules, limits)


def _collected(complex_: Complex, rules: Rules, limits: tuple[Limit, ...]) -> FastRule:
    env = Environment(complex_, place=False)
    structure, mask = complex_.models[0].structure, complex_.ligand_masks[0]
    donors: tuple[list[int], list[int]] = ([], [])
    hydrogens: tuple[list[int], list[int]] = ([], [])
    acceptors: tuple[list[int], list[int]] = ([], [])
    for atom in np.flatnonzero(np.isin(structure.elements, (7, 8, 9, 16))).tolist():
        side = int(mask[atom])
        if is_acceptor(env, (0, atom), rules):
            acceptors[side].append(atom)
        if is_donor(env, (0, atom), rules):
            given = env.hydrogens((0, atom)).given
            donors[side].extend([atom] * len(given))
            hydrogens[side].extend(given)
    lists = (donors, hydrogens, acceptors)
    atoms = np.array(sorted({atom for one in lists for side in one for atom in side}), dtype=np.int64)
    sides = [Side(*(np.searchsorted(atoms, np.array(one[side], dtype=np.int64)) for one in lists)) for side in (0, 1)]
    return FastRule(atoms, (sides[0], sides[1]), limits, rules.reach)
