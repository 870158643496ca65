"""Geometry of single points as plain tuples: for a handful of atoms faster than arrays. Å and degrees.

What is called most is written out, since a call costs more than its arithmetic.
"""

from __future__ import annotations

from math import acos, degrees, sqrt

Point = tuple[float, float, float]


def add(p: Point, q: Point) -> Point:
    return p[0] + q[0], p[1] + q[1], p[2] + q[2]


def sub(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def scale(p: Point, factor: float) -> Point:
    return p[0] * factor, p[1] * factor, p[2] * factor


def dot(p: Point, q: Point) -> float:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def cross(p: Point, q: Point) -> Point:
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


def norm(p: Point) -> float:
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])


def unit(p: Point) -> Point:
    """Direction of a vector; the zero vector stays."""
    size = norm(p)
    return scale(p, 1 / size) if size else p


def squared_distance(p: Point, q: Point) -> float:
    x, y, z = p[0] - q[0], p[1] - q[1], p[2] - q[2]
    return x * x + y * y + z * z


def angle(p: Point, vertex: Point, q: Point) -> float:
    """Angle p-vertex-q; 0 where two points coincide."""
    x, y, z = vertex
    ux, uy, uz = p[0] - x, p[1] - y, p[2] - z
    vx, vy, vz = q[0] - x, q[1] - y, q[2] - z
    size = sqrt(ux * ux + uy * uy + uz * uz) * sqrt(vx * vx + vy * vy + vz * vz)
    if not size:
        return 0.0
    cosine = (ux * vx + uy * vy + uz * vz) / size
    return degrees(acos(cosine if -1.0 <= cosine <= 1.0 else 1.0 if cosine > 0 else -1.0))


def perpendicular(p: Point, axis: Point) -> Point:
    """Part of p perpendicular to the unit vector ``axis``."""
    x, y, z = axis
    along = p[0] * x + p[1] * y + p[2] * z
    return p[0] - x * along, p[1] - y * along, p[2] - z * along


def mean(points: list[Point]) -> Point:
    total = (0.0, 0.0, 0.0)
    for p in points:
        total = add(total, p)
    return scale(total, 1 / len(points))


def distance(p: Point, q: Point) -> float:
    return sqrt(squared_distance(p, q))
