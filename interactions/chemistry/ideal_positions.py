"""Ideal places that complete the geometry of an atom (ChimeraX's bond geometry). Å and degrees."""

from __future__ import annotations

from math import cos, radians, sin, sqrt

from interactions.points import Point, add, cross, dot, mean, norm, perpendicular, scale, sub, unit

_HALF_TETRAHEDRAL, _TETRAHEDRAL = 54.75, 109.5


def ideal_positions(
    center: Point, shape: str, length: float, bonded: list[Point], coplanar: list[Point]
) -> list[Point]:
    """Places at ``length`` that complete the geometry; none where nothing is free."""
    limit = {"single": 0, "linear": 1, "planar": 2, "tetrahedral": 3}[shape]
    if len(bonded) > limit:
        return []
    if not bonded:
        first = add(center, (length, 0.0, 0.0))
        return [first, *ideal_positions(center, shape, length, [first], coplanar)] if limit else [first]
    if shape == "linear":
        return [sub(center, scale(unit(sub(bonded[0], center)), length))]
    if shape == "planar":
        return _planar(center, length, bonded, coplanar)
    return _tetrahedral(center, length, bonded)


def _planar(center: Point, length: float, bonded: list[Point], coplanar: list[Point]) -> list[Point]:
    if len(bonded) == 2:
        outward = add(unit(sub(bonded[0], center)), unit(sub(bonded[1], center)))
        return [sub(center, scale(unit(outward), length))]
    axis = unit(sub(bonded[0], center))
    if coplanar:
        found = []
        for sign, reference in zip((1.0, -1.0), coplanar, strict=False):
            side = scale(unit(perpendicular(sub(reference, center), axis)), sign)
            found.append(scale(add(scale(axis, -0.5), scale(side, sqrt(3) / 2)), length))
        first = add(center, scale(unit(mean(found)), length))
    else:
        first = _free(center, length, axis, 120.0)
    return [first, *_planar(center, length, [bonded[0], first], [])]


def _free(center: Point, length: float, axis: Point, degrees: float) -> Point:
    """A place at an angle from the one bond, turned towards the global Y axis."""
    side = perpendicular((0.0, 1.0, 0.0), axis)
    towards = unit(side) if norm(side) > 1e-12 else (0.0, 0.0, -1.0 if axis[1] > 0 else 1.0)
    turn = radians(degrees)
    return add(center, scale(add(scale(towards, sin(turn)), scale(axis, cos(turn))), length))


def _tetrahedral(center: Point, length: float, bonded: list[Point]) -> list[Point]:
    if len(bonded) == 1:
        first = _free(center, length, unit(sub(bonded[0], center)), _TETRAHEDRAL)
        return [first, *_tetrahedral(center, length, [bonded[0], first])]
    u = [unit(sub(p, center)) for p in bonded]
    if len(bonded) == 2:
        bisector = scale(unit(add(u[0], u[1])), -1.0)
        normal = unit(cross(u[0], u[1]) if dot(u[0], u[0]) > dot(u[1], u[1]) else cross(u[1], u[0]))
        half = radians(_HALF_TETRAHEDRAL)
        first = add(center, scale(add(scale(bisector, cos(half)), scale(normal, sin(half))), length))
        return [first, *_tetrahedral(center, length, [*bonded, first])]
    normal = unit(cross(sub(u[1], u[0]), sub(u[2], u[0])))
    return [sub(center, scale(normal, length if dot(normal, u[0]) > 0 else -length))]
