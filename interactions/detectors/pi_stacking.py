"""Stacked aromatic rings, parallel or T-shaped."""

from __future__ import annotations

from collections.abc import Iterator

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.pairing import Measures, contacts, group_pairs, reach_of
from interactions.environment import Environment
from interactions.features import Group, aromatic_rings
from interactions.points import Point, angle, distance, norm, perpendicular, sub

KIND = "pi_stacking"
LIMITS = {"distance": "Å", "angle_planes": "°", "offset": "Å", "angle_normal": "°"}
_ORIGIN = (0.0, 0.0, 0.0)


def find(env: Environment, section: Section) -> Iterator[Contact]:
    """``angle_planes`` 0 to 90; ``offset``: the smaller displacement of one centre from the other ring's axis;
    ``angle_normal``: the smaller angle (0 to 90) between a ring's normal and the line of centres."""
    pairs = group_pairs(env, aromatic_rings, aromatic_rings, reach_of(section))
    yield from contacts(KIND, section, pairs, _measure)


def _measure(receptor: Group, ligand: Group) -> Measures:
    first, second = normal_of(receptor), normal_of(ligand)
    line = sub(ligand.centre, receptor.centre)
    return {
        "distance": distance(receptor.centre, ligand.centre),
        "angle_planes": acute(first, second),
        "offset": min(offset(line, first), offset(line, second)),
        "angle_normal": min(acute(line, first), acute(line, second)),
    }


def normal_of(ring: Group) -> Point:
    if ring.normal is None:
        raise ValueError("a ring without a normal")
    return ring.normal


def acute(u: Point, v: Point) -> float:
    """Angle between two lines, 0 to 90°."""
    between = angle(u, _ORIGIN, v)
    return min(between, 180 - between)


def offset(line: Point, normal: Point) -> float:
    """Length (Å) of a line's part in the plane with this normal."""
    return norm(perpendicular(line, normal))


__all__ = ["KIND", "LIMITS", "acute", "find", "normal_of", "offset"]
