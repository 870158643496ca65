"""Quantities of a donor-acceptor pair that range criteria set limits to. Å and degrees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from interactions.chemistry.typing_tables import TYPE_INFO
from interactions.chemistry.vdw_radii import VDW_RADII
from interactions.criteria import Limit
from interactions.environment import Atom, Environment
from interactions.points import Point, angle, cross, distance, norm, sub, unit

_IDEAL = {"tetrahedral": 109.5, "planar": 120.0, "linear": 180.0}
_ORIGIN = (0.0, 0.0, 0.0)
# Excess of the donor-acceptor distance over the cone of Wernet et al. 2004, J. Chem. Phys. 121: r < 3.3 - 0.00044 δ².
_CONE_REACH, _CONE_SLOPE = 3.3, 0.00044


@dataclass(frozen=True, eq=False)
class Pair:
    """A donor and an acceptor (heavy atoms) and the places around them, each looked up once."""

    env: Environment
    donor: Atom
    acceptor: Atom

    @cached_property
    def d(self) -> Point:
        return self.env.place(self.donor)

    @cached_property
    def a(self) -> Point:
        return self.env.place(self.acceptor)

    @cached_property
    def distance_da(self) -> float:
        return distance(self.d, self.a)

    @cached_property
    def around_donor(self) -> list[Point]:
        """Places of the heavy atoms bonded to the donor."""
        return [self.env.place(b) for b in self.env.heavy(self.donor)]

    @cached_property
    def around_acceptor(self) -> list[Point]:
        return [self.env.place(b) for b in self.env.heavy(self.acceptor)]

    def ideal_angle(self, atom: Atom) -> float | None:
        info = TYPE_INFO.get(self.env.kind(atom))
        return _IDEAL.get(info[0]) if info else None


Quantity = Callable[[Pair, Point], float | None]
HeavyQuantity = Callable[[Pair], float | None]


def _least(angles: list[float]) -> float | None:
    return min(angles, default=None)


def _angle_daa(pair: Pair) -> float | None:
    return _least([angle(pair.d, pair.a, b) for b in pair.around_acceptor])


def _donor_deviation(pair: Pair) -> float | None:
    ideal = pair.ideal_angle(pair.donor)
    if ideal is None:
        return None
    return max((abs(ideal - angle(b, pair.d, pair.a)) for b in pair.around_donor), default=None)


def _acceptor_deviation(pair: Pair) -> float | None:
    ideal = pair.ideal_angle(pair.acceptor)
    if ideal is None:
        return None
    return max((ideal - angle(b, pair.a, pair.d) for b in pair.around_acceptor), default=None)


def _out_of_plane(pair: Pair, atom: Atom, other: Point) -> float | None:
    """Angle of the partner with the plane of a trigonal atom; None for other atoms or without a plane."""
    if pair.ideal_angle(atom) != _IDEAL["planar"]:
        return None
    normal = _normal(pair.env, atom)
    return None if normal is None else abs(90 - angle(normal, _ORIGIN, sub(other, pair.env.place(atom))))


def _normal(env: Environment, atom: Atom) -> Point | None:
    """Unit normal of the plane of an atom's bonds, or of those of its one neighbour; told by no order of atoms."""
    corners = env.heavy(atom)
    if len(corners) == 1:
        atom = corners[0]
        corners = env.heavy(atom)
    if len(corners) < 2:
        return None
    points = [env.place(a) for a in corners[:3]]
    origin = points.pop() if len(points) == 3 else env.place(atom)
    normal = cross(sub(points[0], origin), sub(points[1], origin))
    return unit(normal) if norm(normal) else None


HEAVY: dict[str, tuple[str, HeavyQuantity]] = {
    "distance_da": ("Å", lambda pair: pair.distance_da),
    "angle_daa": ("°", _angle_daa),
    "donor_deviation": ("°", _donor_deviation),
    "acceptor_deviation": ("°", _acceptor_deviation),
    "donor_out_of_plane": ("°", lambda p: _out_of_plane(p, p.donor, p.a)),
    "acceptor_out_of_plane": ("°", lambda p: _out_of_plane(p, p.acceptor, p.d)),
}


def _overlap(pair: Pair, h: Point) -> float:
    return distance(h, pair.a) - VDW_RADII[1] - VDW_RADII[pair.env.element(pair.acceptor)]


def _cone(pair: Pair, h: Point) -> float:
    return pair.distance_da - (_CONE_REACH - _CONE_SLOPE * angle(h, pair.d, pair.a) ** 2)


WITH_HYDROGEN: dict[str, tuple[str, Quantity]] = {
    "distance_ha": ("Å", lambda pair, h: distance(h, pair.a)),
    "distance_dh": ("Å", lambda pair, h: distance(pair.d, h)),
    "angle_dha": ("°", lambda pair, h: angle(pair.d, h, pair.a)),
    "angle_hda": ("°", lambda pair, h: angle(h, pair.d, pair.a)),
    "angle_haa": ("°", lambda pair, h: _least([angle(h, pair.a, b) for b in pair.around_acceptor])),
    "overlap_ha": ("Å", _overlap),
    "cone": ("Å", _cone),
}
UNITS: dict[str, str] = {name: unit for name, (unit, _) in (HEAVY | WITH_HYDROGEN).items()}


def value_of(limit: Limit, pair: Pair, h: Point | None) -> float | None:
    """What a limit tests; None where the pair does not have it (no hydrogen, no plane, no neighbour)."""
    if limit.quantity in HEAVY:
        return HEAVY[limit.quantity][1](pair)
    return None if h is None else WITH_HYDROGEN[limit.quantity][1](pair, h)
