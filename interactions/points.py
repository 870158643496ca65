"""Geometry of single points as plain tuples: for a handful of atoms faster than arrays. Å and degrees."""

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
    return sqrt(dot(p, p))


def unit(p: Point) -> Point:
    """Direction of a vector; the zero vector stays."""
    size = norm(p)
    return scale(p, 1 / size) if size else p


def squared_distance(p: Point, q: Point) -> float:
    d = sub(p, q)
    return dot(d, d)


def angle(p: Point, vertex: Point, q: Point) -> float:
    """Angle p-vertex-q; 0 where two points coincide."""
    u, v = sub(p, vertex), sub(q, vertex)
    size = norm(u) * norm(v)
    return degrees(acos(max(-1.0, min(1.0, dot(u, v) / size)))) if size else 0.0


def perpendicular(p: Point, axis: Point) -> Point:
    """Part of p perpendicular to the unit vector ``axis``."""
    return sub(p, scale(axis, dot(p, axis)))


def mean(points: list[Point]) -> Point:
    total = (0.0, 0.0, 0.0)
    for p in points:
        total = add(total, p)
    return scale(total, 1 / len(points))


def distance(p: Point, q: Point) -> float:
    return sqrt(squared_distance(p, q))
