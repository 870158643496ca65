"""Each contact on hand-placed atoms: true, role swap, and false just beyond each limit (criteria ``chimerax``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import cos, radians, sin

import numpy as np
import pytest
from molecules import molecule, pair

from interactions.complex import Chemistry, Complex
from interactions.contact import Contact
from interactions.contacts import find_contacts
from interactions.criteria import load
from interactions.environment import Environment

STEP = 0.001


def ring(centre: Sequence[float], tilt: float = 0.0, residue: str = "RNG") -> Chemistry:
    """Benzene; its plane is z = 0 turned about x by ``tilt`` degrees."""
    t = radians(tilt)
    turn = np.array([[1, 0, 0], [0, cos(t), -sin(t)], [0, sin(t), cos(t)]])
    places = [1.39 * (turn @ [cos(a), sin(a), 0]) + centre for a in np.radians(np.arange(0, 360, 60))]
    names = [f"C{i}" for i in range(6)]
    return molecule(
        [(name, "Car", place) for name, place in zip(names, places, strict=True)],
        [(names[i], names[(i + 1) % 6]) for i in range(6)],
        residue,
    )


def ammonium(place: Sequence[float]) -> Chemistry:
    return molecule([("NZ", "N3+", place), ("CE", "C3", np.add(place, [0, 0, 1.49]))], [("NZ", "CE")], "AMM")


def carboxylate(middle: Sequence[float]) -> Chemistry:
    """Oxygens 2.2 Å apart along y about their centroid, the carbon above."""
    return molecule(
        [
            ("C", "Cac", np.add(middle, [0, 0, 0.6])),
            ("O1", "O2-", np.add(middle, [0, 1.1, 0])),
            ("O2", "O2-", np.add(middle, [0, -1.1, 0])),
            ("CA", "C3", np.add(middle, [0, 0, 2.1])),
        ],
        [("C", "O1"), ("C", "O2"), ("C", "CA")],
        "ACT",
    )


def methyl(place: Sequence[float]) -> Chemistry:
    return molecule([("C", "C3", place), ("C2", "C3", np.add(place, [0, 0, 5.0]))], [("C", "C2")], "ALK")


def single(name: str, kind: str, place: Sequence[float], residue: str) -> Chemistry:
    return molecule([(name, kind, place)], [], residue)


def carbonyl(oxygen: Sequence[float], direction: Sequence[float]) -> Chemistry:
    """C=O, the carbon from the oxygen in a direction."""
    carbon = np.add(oxygen, 1.22 * np.array(direction) / np.linalg.norm(direction))
    return molecule([("O", "O2", oxygen), ("C", "C2", carbon)], [("C", "O")], "CBN")


def kinds(receptor: Chemistry, ligand: Chemistry, kind: str) -> list[Contact]:
    return [c for c in find_contacts(Environment(pair(receptor, ligand)), load("chimerax")) if c.kind == kind]


def both_ways(first: Chemistry, second: Chemistry, kind: str) -> set[bool]:
    return {bool(kinds(first, second, kind)), bool(kinds(second, first, kind))}


@pytest.mark.parametrize(("distance", "there"), [(5.5 - STEP, True), (5.5 + STEP, False)])
def test_salt_bridge(distance: float, there: bool) -> None:
    assert both_ways(ammonium((0, 0, 0)), carboxylate((distance, 0, 0)), "salt_bridge") == {there}


def test_equal_charges_make_no_salt_bridge() -> None:
    assert both_ways(ammonium((0, 0, 0)), ammonium((4, 0, 0)), "salt_bridge") == {False}
    assert both_ways(carboxylate((0, 0, 0)), carboxylate((4, 0, 0)), "salt_bridge") == {False}


@pytest.mark.parametrize(("distance", "there"), [(4.0 - STEP, True), (4.0 + STEP, False)])
def test_hydrophobic(distance: float, there: bool) -> None:
    assert both_ways(methyl((0, 0, 0)), methyl((distance, 0, 0)), "hydrophobic") == {there}


def test_a_carbon_on_oxygen_is_not_hydrophobic() -> None:
    assert both_ways(methyl((0, 0, 0)), carbonyl((5.0, 0, 0), (-1, 0, 0)), "hydrophobic") == {False}


@pytest.mark.parametrize(
    ("centre", "tilt", "form"),
    [
        ((0, 0, 3.6), 0, "parallel"),
        ((0, 0, 5.5 - STEP), 0, "parallel"),
        ((0, 0, 5.5 + STEP), 0, None),
        ((0, 0, 3.6), 29.9, "parallel"),
        ((0, 0, 3.6), 30.1, None),
        ((2.0 - STEP, 0, 3.6), 0, "parallel"),
        ((2.0 + STEP, 0, 3.6), 0, None),
        ((0, 0, 5.0), 90, "t_shaped"),
        ((0, 0, 5.0), 60.1, "t_shaped"),
        ((0, 0, 5.0), 59.9, None),
        ((0, 0, 5.5 + STEP), 90, None),
        ((2.0 - STEP, 0, 4.5), 90, "t_shaped"),
        ((2.0 + STEP, 0, 4.5), 90, None),
    ],
)
def test_pi_stacking(centre: tuple[float, ...], tilt: float, form: str | None) -> None:
    for first, second in ((ring((0, 0, 0)), ring(centre, tilt)), (ring(centre, tilt), ring((0, 0, 0)))):
        assert [c.form for c in kinds(first, second, "pi_stacking")] == ([form] if form else [])


@pytest.mark.parametrize(
    ("place", "there"),
    [
        ((0, 0, 4.0), True),
        ((0, 0, 6.0 - STEP), True),
        ((0, 0, 6.0 + STEP), False),
        ((2.0 - STEP, 0, 4.0), True),
        ((2.0 + STEP, 0, 4.0), False),
    ],
)
def test_cation_pi(place: tuple[float, ...], there: bool) -> None:
    assert both_ways(ring((0, 0, 0)), ammonium(place), "cation_pi") == {there}


def chloride_on_carbon(x: Sequence[float], carbon: Sequence[float]) -> Chemistry:
    return molecule([("CL", "Cl", x), ("C", "C3", carbon)], [("CL", "C")], "CLC")


@pytest.mark.parametrize(
    ("distance", "donor", "acceptor", "there"),
    [
        (3.3, 170, 120, True),
        (4.0 - STEP, 170, 120, True),
        (4.0 + STEP, 170, 120, False),
        (3.3, 135.1, 120, True),
        (3.3, 134.9, 120, False),
        (3.3, 170, 90.1, True),
        (3.3, 170, 89.9, False),
        (3.3, 170, 149.9, True),
        (3.3, 170, 150.1, False),
    ],
)
def test_halogen_bond(distance: float, donor: float, acceptor: float, there: bool) -> None:
    """X at the origin, the oxygen on x; C-X-O and X-O-C by their angles."""
    d, a = radians(donor), radians(acceptor)
    halogen = chloride_on_carbon((0, 0, 0), (1.74 * cos(d), 1.74 * sin(d), 0))
    oxygen = carbonyl((distance, 0, 0), (-cos(a), sin(a), 0))
    assert both_ways(halogen, oxygen, "halogen_bond") == {there}


def test_fluorine_makes_no_halogen_bond() -> None:
    halogen = molecule([("F", "F", (0, 0, 0)), ("C", "C3", (-1.35, 0, 0))], [("F", "C")], "CFC")
    assert both_ways(halogen, carbonyl((3.0, 0, 0), (0.5, 0.87, 0)), "halogen_bond") == {False}


@pytest.mark.parametrize(("distance", "there"), [(3.0 - STEP, True), (3.0 + STEP, False)])
def test_metal_coordination(distance: float, there: bool) -> None:
    zinc = single("ZN", "Zn", (0, 0, 0), "ZN")
    assert both_ways(zinc, carbonyl((distance, 0, 0), (1, 0, 0)), "metal_coordination") == {there}


def test_an_ammonium_holds_no_metal() -> None:
    assert both_ways(single("ZN", "Zn", (0, 0, 0), "ZN"), ammonium((2.1, 0, 0)), "metal_coordination") == {False}


def bridge(to_donor: float, to_acceptor: float, omega: float, theta: float = 180.0) -> tuple[Chemistry, Chemistry]:
    """Water at the origin with the receptor's N-H (in the file) on x, the ligand's carbonyl at an angle to it."""
    t = radians(theta)
    hydrogen = np.array([to_donor - 1.0, 0.0, 0.0]) if theta == 180 else None
    if hydrogen is None:
        # D-H-O is theta with D-H of 1 Å: the hydrogen beside the line.
        across = np.arcsin(np.sin(t) / to_donor)
        at_donor = np.pi - t - across
        hydrogen = np.array([to_donor - cos(at_donor), sin(at_donor), 0.0])
    w = radians(omega) + np.arctan2(hydrogen[1], hydrogen[0])
    receptor = molecule(
        [
            ("N", "Npl", (to_donor, 0, 0)),
            ("H", "H", hydrogen),
            ("C1", "C3", (to_donor + 0.7, 1.2, 0)),
            ("C2", "C3", (to_donor + 0.7, -1.2, 0)),
        ],
        [("N", "H"), ("N", "C1"), ("N", "C2")],
    )
    oxygen = to_acceptor * np.array([cos(w), sin(w), 0.0])
    ligand = carbonyl(oxygen, oxygen)
    return receptor, ligand


@pytest.mark.parametrize(
    ("to_donor", "to_acceptor", "omega", "theta", "there"),
    [
        (2.9, 2.8, 110, 180, True),
        (4.1 - STEP, 2.8, 110, 180, True),
        (4.1 + STEP, 2.8, 110, 180, False),
        (2.9, 2.5 + STEP, 110, 180, True),
        (2.9, 2.5 - STEP, 110, 180, False),
        (2.9, 2.8, 71.1, 180, True),
        (2.9, 2.8, 70.9, 180, False),
        (2.9, 2.8, 139.9, 180, True),
        (2.9, 2.8, 140.1, 180, False),
        (2.9, 2.8, 110, 100.1, True),
        (2.9, 2.8, 110, 99.9, False),
    ],
)
def test_water_bridge(to_donor: float, to_acceptor: float, omega: float, theta: float, there: bool) -> None:
    receptor, ligand = bridge(to_donor, to_acceptor, omega, theta)
    for first, second in ((receptor, ligand), (ligand, receptor)):
        found = [
            c for c in find_contacts(Environment(joined(first, second)), load("chimerax")) if c.kind == "water_bridge"
        ]
        assert bool(found) is there
        assert all(len(c.via) == 1 for c in found)


def joined(receptor: Chemistry, ligand: Chemistry) -> Complex:
    """Receptor and a water as one model, the ligand as the other."""
    s, n = receptor.structure, len(receptor.structure)
    wet = replace(
        s,
        coordinates=np.vstack([s.coordinates, [[0.0, 0.0, 0.0]]]),
        elements=np.append(s.elements, 8),
        atom_names=(*s.atom_names, "O"),
        alt_locs=(*s.alt_locs, ""),
        occupancies=np.append(s.occupancies, 1.0),
        serials=np.append(s.serials, n + 1),
        formal_charges=np.append(s.formal_charges, 0),
        hetero=np.append(s.hetero, True),
        residue_of=np.append(s.residue_of, 1),
        residue_names=(*s.residue_names, "HOH"),
        chains=("A", "A"),
        residue_numbers=np.array([1, 2]),
        insertion_codes=("", ""),
    )
    return pair(Chemistry(wet, (*receptor.types, "O3")), ligand)


@pytest.mark.parametrize(
    ("distance", "angle", "there"),
    [
        (2.5, 170, True),
        (3.6 - STEP, 170, True),
        (3.6 + STEP, 170, False),
        (2.6, 130.1, True),
        (2.6, 129.9, False),
    ],
)
def test_weak_hydrogen_bond(distance: float, angle: float, there: bool) -> None:
    """C-H of chloroform: H at the origin, the oxygen on x, C-H-O by its angle."""
    a = radians(angle)
    carbon = 1.09 * np.array([cos(a), sin(a), 0.0])
    away = carbon / np.linalg.norm(carbon)
    side = np.array([0.0, 0.0, 1.0])
    other = np.cross(away, side)
    atoms = [("C", "C3", carbon), ("H", "HC", (0, 0, 0))]
    atoms += [
        (f"CL{i}", "Cl", carbon + 0.6 * away + 1.66 * (cos(w) * side + sin(w) * other))
        for i, w in enumerate(np.radians([0, 120, 240]))
    ]
    donor = molecule(atoms, [("C", "H"), ("C", "CL0"), ("C", "CL1"), ("C", "CL2")], "CLF")
    acceptor = carbonyl((distance, 0, 0), (1, 0, 0))
    assert both_ways(donor, acceptor, "weak_hydrogen_bond") == {there}


@pytest.mark.parametrize(("distance", "there"), [(1.76 - STEP + 0.34, True), (1.76 + STEP + 0.34, False)])
def test_covalent_link_of_two_files(distance: float, there: bool) -> None:
    """S 1.02 + C 0.68 + 0.4 Å."""
    thiol = molecule([("SG", "S3", (0, 0, 0)), ("CB", "C3", (-1.8, 0, 0))], [("SG", "CB")], "CYS")
    assert both_ways(thiol, methyl((distance, 0, 0)), "covalent_link") == {there}


@pytest.mark.parametrize(("distance", "there"), [(0.75 * 3.4 - STEP, True), (0.75 * 3.4 + STEP, False)])
def test_clash_of_two_carbons(distance: float, there: bool) -> None:
    assert both_ways(methyl((0, 0, 0)), methyl((distance, 0, 0)), "clash") == {there}


def test_a_covalent_link_is_no_clash() -> None:
    assert both_ways(methyl((0, 0, 0)), methyl((1.5, 0, 0)), "covalent_link") == {True}
    assert both_ways(methyl((0, 0, 0)), methyl((1.5, 0, 0)), "clash") == {False}
