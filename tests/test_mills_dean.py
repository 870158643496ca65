"""The detector on hand-placed atoms: each limit from both sides.

A ketone oxygen stands at the origin, its carbon on the negative x axis, its plane is z = 0. Donors stand in
that plane at a distance and an angle C-O-D; their numbers are those of the criteria, relaxed by 0.4 Å and 20°.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain
from math import asin, cos, degrees, radians, sin
from pathlib import Path

import numpy as np
import pytest
from molecules import molecule, pair

from interactions.complex import Chemistry
from interactions.criteria import load, parse, with_slops
from interactions.detectors.mills_dean import HydrogenBond, find
from interactions.detectors.mills_dean.acceptors import ROLES, classify_acceptor, listed_acceptor
from interactions.detectors.mills_dean.class_patterns import ACCEPTORS, DONORS
from interactions.detectors.mills_dean.donors import listed_donor
from interactions.detectors.mills_dean.limits import relax
from interactions.detectors.mills_dean.patterns import Entry, Node, groups, may_be_hydrogen
from interactions.detectors.mills_dean.positions import hydrogen_positions
from interactions.detectors.mills_dean.sight import SIGHT, look
from interactions.errors import InputError, UnknownName
from interactions.formats import read
from interactions.labelling import perceive
from interactions.surroundings import Surroundings

PROFILE = load("chimerax")
OH = 0.97  # Å


def at(distance: float, angle: float) -> np.ndarray:
    """A place in the plane of the ketone, ``angle`` between it, the oxygen and the carbon."""
    turn = radians(180 - angle)
    return distance * np.array([cos(turn), sin(turn), 0.0])


def ketone() -> Chemistry:
    return molecule(
        [
            ("O", "O2", (0, 0, 0)),
            ("C", "C2", (-1.22, 0, 0)),
            ("CA", "C3", (-1.98, 1.3, 0)),
            ("CB", "C3", (-1.98, -1.3, 0)),
        ],
        [("C", "O"), ("C", "CA"), ("C", "CB")],
    )


def turned(direction: np.ndarray, angle: float) -> np.ndarray:
    """A unit direction turned in the plane."""
    a = radians(angle)
    return np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]]) @ direction


def hydroxyl(distance: float = 2.8, angle: float = 120, upsilon: float = 110, theta: float | None = 165) -> Chemistry:
    """A methanol: ``upsilon`` is C-O-acceptor, ``theta`` O-H-acceptor; without hydrogen where theta is None."""
    place = at(distance, angle)
    towards = -place / distance
    atoms = [("O", "O3", place), ("C", "C3", place + 1.43 * turned(towards, upsilon))]
    bonds = [("C", "O")]
    if theta is not None:
        at_acceptor = degrees(asin(OH * sin(radians(theta)) / distance))
        atoms.append(("HO", "H", place + OH * turned(towards, -(180 - theta - at_acceptor))))
        bonds.append(("O", "HO"))
    return molecule(atoms, bonds, "MOH")


def water(distance: float, angle: float = 120) -> Chemistry:
    return molecule([("O", "O3", at(distance, angle))], [], "HOH")


def thiol(distance: float) -> Chemistry:
    place = at(distance, 120)
    return molecule(
        [("SG", "S3", place), ("CB", "C3", place + 1.8 * turned(-place / distance, 105))], [("CB", "SG")], "XCY"
    )


def bonds(receptor: Chemistry, ligand: Chemistry, *, relaxed: bool = True) -> list[HydrogenBond]:
    return find(pair(receptor, ligand), PROFILE if relaxed else with_slops(PROFILE, 0.0, 0.0))


@pytest.mark.parametrize(
    ("donor", "bonded", "strict"),
    [
        # water without hydrogens: D-A at most 2.36 + 0.91, that is 3.27, relaxed 3.67
        (water(3.269), True, True),
        (water(3.271), True, False),
        (water(3.669), True, False),
        (water(3.671), False, False),
        # phi of the ketone: at least 110, relaxed 90
        (water(2.9, 110.1), True, True),
        (water(2.9, 109.9), True, False),
        (water(2.9, 90.1), True, False),
        (water(2.9, 89.9), False, False),
        # hydroxyl donor: D-A at most 3.17, relaxed 3.57
        (hydroxyl(3.169), True, True),
        (hydroxyl(3.171), True, False),
        (hydroxyl(3.569), True, False),
        (hydroxyl(3.571), False, False),
        # theta: at least 130, relaxed 110
        (hydroxyl(theta=130.1), True, True),
        (hydroxyl(theta=129.9), True, False),
        (hydroxyl(theta=110.1), True, False),
        (hydroxyl(theta=109.9), False, False),
        # upsilon: 90 to 141, relaxed 70 to 161
        (hydroxyl(upsilon=90.1), True, True),
        (hydroxyl(upsilon=89.9), True, False),
        (hydroxyl(upsilon=70.1), True, False),
        (hydroxyl(upsilon=69.9), False, False),
        (hydroxyl(upsilon=140.9), True, True),
        (hydroxyl(upsilon=141.1), True, False),
        (hydroxyl(upsilon=160.9), True, False),
        (hydroxyl(upsilon=161.1), False, False),
        # a donor without hydrogen passes every theta test
        (hydroxyl(theta=None), True, True),
        # thiol: 3.65 for the donor, 3.30 + 0.35 for the ketone, both relaxed by 0.4
        (thiol(3.649), True, True),
        (thiol(3.651), True, False),
        (thiol(4.049), True, False),
        (thiol(4.051), False, False),
    ],
)
def test_each_limit_from_both_sides(donor: Chemistry, bonded: bool, strict: bool) -> None:
    found = bonds(donor, ketone())
    assert bool(found) == bonded
    assert bool(bonds(donor, ketone(), relaxed=False)) == strict
    assert [bond.strict for bond in found] == ([strict] if bonded else [])


def test_a_bond_carries_its_geometry() -> None:
    (bond,) = bonds(hydroxyl(2.8, theta=165), ketone())
    assert (bond.donor, bond.acceptor, bond.hydrogen) == ((0, 0), (1, 0), 2)
    assert bond.distance_da == pytest.approx(2.8)
    assert bond.angle_dha == pytest.approx(165)
    assert bond.distance_ha == pytest.approx(np.linalg.norm(hydroxyl().structure.coordinates[2]))


def test_the_ligand_may_be_the_donor() -> None:
    (bond,) = bonds(ketone(), hydroxyl())
    assert (bond.donor, bond.acceptor) == ((1, 0), (0, 0))


def test_both_directions_of_a_pair_are_kept() -> None:
    two = [hydroxyl(theta=None), molecule([("O", "O3", (0, 0, 0)), ("C", "C3", (-1.43, 0, 0))], [("C", "O")], "X")]
    assert [(bond.donor, bond.acceptor) for bond in bonds(*two)] == [((0, 0), (1, 0)), ((1, 0), (0, 0))]


def test_atoms_of_one_side_are_not_paired() -> None:
    far = molecule([("O", "O3", (50, 0, 0))], [], "HOH")
    assert bonds(far, ketone()) == []


@pytest.mark.parametrize(("angle", "bonded"), [(44.9, False), (45.1, True)])
def test_a_metal_between_donor_and_acceptor_drops_the_pair(angle: float, bonded: bool) -> None:
    chelate = ketone().structure
    names = [*chelate.atom_names, "ZN"]
    places = [*chelate.coordinates, 3.9 * turned(at(1, 120), angle)]
    types = [*ketone().types, "Zn"]
    atoms = list(zip(names, types, places, strict=True))
    ligand = molecule(atoms, [("C", "O"), ("C", "CA"), ("C", "CB")])
    assert bool(bonds(water(2.8), ligand)) == bonded


@pytest.mark.parametrize(("distance", "bonded"), [(4.001, True), (3.999, False)])
def test_a_planar_nitrogen_that_accepts_on_a_metal_does_not_donate(distance: float, bonded: bool) -> None:
    place = at(2.9, 120)
    out = turned(-place / 2.9, 115)
    atoms = [
        ("N", "Npl", place),
        ("CZ", "Car", place + 1.4 * out),
        ("C1", "Car", place + 1.4 * out + 1.39 * turned(out, 60)),
        ("C2", "Car", place + 1.4 * out + 1.39 * turned(out, -60)),
        ("ZN", "Zn", place + distance * np.array([0, 0, 1.0])),
    ]
    aniline = molecule(atoms, [("N", "CZ"), ("CZ", "C1"), ("CZ", "C2")], "ANL")
    assert any(bond.donor == (0, 0) for bond in bonds(aniline, ketone())) == bonded


def phosphate() -> Surroundings:
    atoms = [
        ("P", "Pac", (0, 0, 0)),
        ("C", "C3", (0, 0, 1.8)),
        ("O1", "O3-", (1.4, 0, -0.5)),
        ("O2", "O3-", (-0.7, 1.21, -0.5)),
        ("O3", "O3-", (-0.7, -1.21, -0.5)),
    ]
    return Surroundings(molecule(atoms, [("P", "C"), ("P", "O1"), ("P", "O2"), ("P", "O3")]))


def test_of_a_terminal_phosphate_only_the_first_oxygen_has_the_phosphate_rule() -> None:
    at_phosphate = phosphate()
    assert len(list(groups(at_phosphate.molecule, 0, ACCEPTORS["phosphate_terminal"]))) == 1
    names = [found.name for atom in (2, 3, 4) if (found := classify_acceptor(at_phosphate, atom))]
    assert names == ["phosphate_terminal", "oxide", "oxide"]


def test_ideal_hydrogens_of_an_amide_nitrogen() -> None:
    atoms = [
        ("N", "Npl", (0, 0, 0)),
        ("CA", "C3", (1.45, 0, 0)),
        ("C", "C2", (-0.67, 1.16, 0)),
        ("O", "O2", (0, 2.2, 0)),
    ]
    amide = Surroundings(molecule(atoms, [("N", "CA"), ("N", "C"), ("C", "O")]))
    (place,) = hydrogen_positions(amide, 0)
    assert np.linalg.norm(place) == pytest.approx(0.91)
    assert place == pytest.approx((-0.455, -0.788, 0), abs=2e-2)


def test_explicit_hydrogens_win() -> None:
    donor = hydroxyl()
    assert hydrogen_positions(Surroundings(donor), 0) == [tuple(donor.structure.coordinates[2].tolist())]


@pytest.mark.parametrize(
    ("number", "relaxed"), [(3.3, 3.7), (130, 110), (7.5, 0.0), (10, 0.0), (-141, -161), (-170, -180), ("none", None)]
)
def test_relaxation_of_one_number(number: float | str, relaxed: float | None) -> None:
    assert relax(number, 0.4, 20.0) == (None if relaxed is None else pytest.approx(relaxed))


def test_unknown_criteria_list_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"known: .*chimerax"):
        load("nonsense")


def test_incomplete_criteria_say_what_is_missing() -> None:
    with pytest.raises(InputError, match="detector"):
        parse({"name": "mine"})
    with pytest.raises(InputError, match="relaxation"):
        parse({"name": "mine", "detector": "mills_dean"})


def test_own_tolerances_give_another_result_than_those_of_the_profile() -> None:
    assert find(pair(water(3.5), ketone()), with_slops(PROFILE, 0.1, None)) == []
    assert len(find(pair(water(3.5), ketone()), PROFILE)) == 1


def depth(entry: Entry) -> int:
    """Bonds from the first atom of a pattern to the farthest."""
    return 1 + max(map(depth, entry.bonded), default=0) if isinstance(entry, Node) else 0


def entries(pattern: Entry) -> list[Entry]:
    """In the order of a match."""
    return [pattern, *chain.from_iterable(map(entries, pattern.bonded))] if isinstance(pattern, Node) else [pattern]


def test_no_pattern_looks_further_than_what_is_seen() -> None:
    assert max(map(depth, (*ACCEPTORS.values(), *DONORS.values()))) == SIGHT - 1


def test_no_class_refers_to_an_atom_that_may_be_left_out() -> None:
    referred = [
        entries(ACCEPTORS[name])[place] for name, roles in ROLES.items() for _, places in roles for place in places
    ]
    assert referred
    assert not any(map(may_be_hydrogen, referred))


def test_the_order_of_bonds_is_seen_too() -> None:
    here = phosphate().molecule
    for atom in (2, 3, 4):
        sketch, atoms = look(here, atom)
        seen = sketch.ask(listed_acceptor)
        assert seen is None or tuple(atoms[place] for place in seen.references) == (3, 0)
        assert (seen is None) == (atom != 2)


def test_what_is_seen_from_an_atom_has_the_classes_that_the_molecule_has(examples: Path) -> None:
    here = Surroundings(perceive(read(examples / "2izf.pdb.gz")))
    found: Counter[str] = Counter()
    for atom, element in enumerate(here.elements):
        if element not in (7, 8, 16):
            continue
        sketch, atoms = look(here.molecule, atom)
        assert [here.types[a] for a in atoms] == list(sketch.molecule.types)
        assert atoms[0] == atom
        assert set(here.neighbours[atom]) <= set(atoms)
        donor, acceptor = listed_donor(here.molecule, atom), listed_acceptor(here.molecule, atom)
        assert sketch.ask(listed_donor) == donor
        seen = sketch.ask(listed_acceptor)
        assert (seen is None) == (acceptor is None)
        if seen is not None and acceptor is not None:
            assert replace(seen, references=tuple(atoms[place] for place in seen.references)) == acceptor
            found[acceptor.name] += 1
        found[donor or ""] += 1
    assert min(found["amide"], found["carboxylate"], found["guanidinium"]) > 10
