"""Every limit of every range profile, from both sides of both edges, on one hand-placed pair.

An amine N-H points at a carbonyl oxygen. D is the origin and the oxygen lies on the positive x axis, so all angles
and distances follow from four numbers by plane trigonometry, which this file does on its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import asin, cos, degrees, inf, radians, sin

import numpy as np
import pytest
from molecules import molecule, pair

from interactions.criteria import Limit, Profile, load, names
from interactions.detectors import hydrogen_bond
from interactions.environment import Environment

DH = 1.0  # Å
STEP = 1e-3
RANGES = [name for name in names() if load(name).detector == "range"]
VDW_H, VDW_O = 1.20, 1.52  # Å, Bondi


@dataclass(frozen=True)
class Geometry:
    """D-A (Å); the angle H-D-A; C-D-A at the donor; C-A-D at the acceptor; both out of plane by turns (degrees)."""

    da: float = 2.9
    hda: float = 0.0
    donor: float = 120.0
    acceptor: float = 120.0
    donor_tilt: float = 0.0
    acceptor_tilt: float = 0.0


def direction(angle: float, tilt: float = 0.0) -> np.ndarray:
    """A unit vector at an angle to x, its plane turned about x."""
    a, t = radians(angle), radians(tilt)
    return np.array([cos(a), sin(a) * cos(t), sin(a) * sin(t)])


def complex_of(g: Geometry, swap: bool = False) -> Environment:
    """The amine is the receptor, the carbonyl the ligand, or the other way round."""
    oxygen = np.array([g.da, 0.0, 0.0])
    mirrored = np.array([-1.0, 1.0, 1.0])
    carbon = oxygen + 1.23 * direction(g.acceptor) * mirrored
    # The plane of the carbonyl: its other neighbours, turned about C-O.
    axis = (carbon - oxygen) / np.linalg.norm(carbon - oxygen)
    flat = np.cross(axis, [0.0, 0.0, 1.0])
    up = np.cross(axis, flat)
    t = radians(g.acceptor_tilt)
    side = cos(t) * flat + sin(t) * up
    amine = molecule(
        [
            ("N", "Npl", (0.0, 0.0, 0.0)),
            ("H", "H", DH * direction(-g.hda)),
            ("C1", "C3", 1.46 * direction(g.donor, g.donor_tilt)),
            ("C2", "C3", 1.46 * direction(-g.donor, -g.donor_tilt)),
        ],
        [("N", "H"), ("N", "C1"), ("N", "C2")],
    )
    carbonyl = molecule(
        [
            ("O", "O2", oxygen),
            ("C", "C2", carbon),
            ("C3", "C3", carbon + 0.75 * axis + 1.30 * side),
            ("C4", "C3", carbon + 0.75 * axis - 1.30 * side),
        ],
        [("C", "O"), ("C", "C3"), ("C", "C4")],
    )
    return Environment(pair(carbonyl, amine) if swap else pair(amine, carbonyl))


def hda_of(dha: float, da: float) -> float:
    """The angle at D of the triangle D-H-A with that angle at H."""
    return 180 - dha - degrees(asin(DH * sin(radians(dha)) / da))


def at(quantity: str, value: float) -> Geometry | None:
    """A geometry with this value of one quantity and comfortable others."""
    g = Geometry()
    match quantity:
        case "distance_da":
            return replace(g, da=value)
        case "distance_ha":
            return replace(g, da=value + DH)
        case "overlap_ha":
            return replace(g, da=value + DH + VDW_H + VDW_O)
        case "cone":
            return replace(g, da=3.3 + value)
        case "angle_dha":
            return replace(g, da=2.6, hda=hda_of(value, 2.6))
        case "angle_hda":
            return replace(g, hda=value)
        case "angle_daa" | "angle_haa":
            return replace(g, acceptor=value)
        case "donor_deviation":
            return replace(g, donor=120.0 - value)
        case "acceptor_deviation":
            return replace(g, acceptor=120.0 - value)
        case "donor_out_of_plane":
            # Both carbons tilt the same way, so that the plane they make with N rises by this angle from x.
            return replace(g, donor=120.0, donor_tilt=value)
    return None


def found(profile: Profile, g: Geometry, *, swap: bool = False) -> bool:
    return bool(hydrogen_bond.find(complex_of(g, swap), profile))


def limits(name: str) -> list[Limit]:
    return list(load(name).sections["hydrogen_bond"].limits["limits"])


# Where another limit of the same profile lies tighter on the way to an edge, or the edge lies beyond what geometry
# allows: each with its reason.
HIDDEN = {
    ("hbat", "distance_da"): "its H-A limit of 2.5 Å is met only up to 3.5 Å, the same place",
    ("hbplus", "distance_da"): "its H-A limit of 2.5 Å ends at 3.5 Å before",
    ("wernet_nilsson", "angle_hda"): "the cone narrows to 2.41 Å at 45°",
    ("mdanalysis", "distance_dh"): "tested by a stretched hydrogen below",
    ("molstar", "donor_out_of_plane"): "tested by name below",
    ("molstar", "acceptor_out_of_plane"): "90° is the largest such angle",
}
# Å: an acceptor nearer to the donor than its hydrogen makes no wide angle there (PLIP's lower edge).
TOO_NEAR = 0.5
EDGES = [
    (name, limit.quantity, edge, closed, sign)
    for name in RANGES
    for limit in limits(name)
    for edge, closed, sign in (
        (limit.within.low, limit.within.low_closed, 1.0),
        (limit.within.high, limit.within.high_closed, -1.0),
    )
    if abs(edge) != inf and edge not in (0.0, 180.0, TOO_NEAR) and (name, limit.quantity) not in HIDDEN
]
# At the ends of what geometry allows nothing lies beyond: 0 Å, 0° and 180°. The cone's edge is 0 by definition.
EDGES += [("wernet_nilsson", "cone", 0.0, False, -1.0)]


@pytest.mark.parametrize(("name", "quantity", "edge", "closed", "sign"), EDGES)
def test_each_edge_from_both_sides(name: str, quantity: str, edge: float, closed: bool, sign: float) -> None:
    del closed
    inside, outside = at(quantity, edge + sign * STEP), at(quantity, edge - sign * STEP)
    assert inside is not None
    assert outside is not None
    for swap in (False, True):
        assert found(load(name), inside, swap=swap)
        assert not found(load(name), outside, swap=swap)


@pytest.mark.parametrize(
    ("name", "da", "bond"),
    [
        ("gromacs", 3.5, True),
        ("prolif", 3.5, True),
        ("textbook", 2.5, True),
        ("hbind", 3.5, True),
        ("mdanalysis", 3.0, True),
        ("baker_hubbard", 3.5, False),
        ("baker_hubbard_biotite", 3.5, True),
        ("plip", 0.5 + 3.6, False),
    ],
)
def test_the_edge_itself(name: str, da: float, bond: bool) -> None:
    assert found(load(name), Geometry(da=da)) is bond


def test_hydrogens_farther_than_the_limit_of_mdanalysis_are_none() -> None:
    profile = load("mdanalysis")
    for stretch, bond in ((1.199, True), (1.201, False)):
        amine = molecule(
            [("N", "Npl", (0, 0, 0)), ("H", "H", (stretch, 0, 0)), ("C1", "C3", (-0.73, 1.26, 0))],
            [("N", "H"), ("N", "C1")],
        )
        carbonyl = molecule([("O", "O2", (2.9, 0, 0)), ("C", "C2", (3.5, 1.07, 0))], [("C", "O")])
        assert bool(hydrogen_bond.find(Environment(pair(amine, carbonyl)), profile)) is bond


def test_a_donor_out_of_its_plane_is_none_for_molstar() -> None:
    profile = load("molstar")
    for rise, bond in ((44.0, True), (46.0, False)):
        r = radians(rise)
        # Two carbons in a plane that x leaves by this angle, both 120° from x as far as that goes.
        spread = np.array([[-cos(r) * 0.5, 0.87, sin(r) * 0.5], [-cos(r) * 0.5, -0.87, sin(r) * 0.5]])
        amine = molecule(
            [
                ("N", "Npl", (0, 0, 0)),
                ("H", "H", (1, 0, 0)),
                ("C1", "C3", 1.4 * spread[0]),
                ("C2", "C3", 1.4 * spread[1]),
            ],
            [("N", "H"), ("N", "C1"), ("N", "C2")],
        )
        carbonyl = molecule(
            [
                ("O", "O2", (2.9, 0, 0)),
                ("C", "C2", (3.5, 1.07, 0)),
                ("C3", "C3", (3.0, 2.4, 0)),
                ("C4", "C3", (5, 1, 0)),
            ],
            [("C", "O"), ("C", "C3"), ("C", "C4")],
        )
        assert bool(hydrogen_bond.find(Environment(pair(amine, carbonyl)), profile)) is bond


def test_a_bond_behind_the_carbonyl_is_none_where_angles_decide() -> None:
    behind = Geometry(hda=115.0)  # D-H-A below 50°
    for name in RANGES:
        if load(name).hydrogens == "needed":
            assert not found(load(name), behind), name


def test_a_pair_is_told_once() -> None:
    """Water and hydroxyl pass both ways."""
    alcohol = molecule([("O", "O3", (0, 0, 0)), ("C", "C3", (-0.5, 1.3, 0))], [("O", "C")])
    other = molecule([("O", "O3", (2.8, 0, 0)), ("C", "C3", (3.3, 1.3, 0))], [("O", "C")])
    (bond,) = hydrogen_bond.find(Environment(pair(alcohol, other)), load("textbook"))
    assert bond.both_ways
