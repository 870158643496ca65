"""Hydrogens: given, placed, rotors; against those of PDBbind; policies and odd ones."""

from __future__ import annotations

from math import cos, radians, sin
from pathlib import Path

import numpy as np
import pytest
from molecules import molecule, pair

from conftest import REFERENCE
from interactions.cautions import odd_hydrogens
from interactions.chemistry.hydrogens import Rotor, hydrogens_of
from interactions.chemistry.polar_hydrogens import with_polar_hydrogens
from interactions.complex import Chemistry
from interactions.criteria import load
from interactions.detectors import hydrogen_bond
from interactions.environment import Environment
from interactions.formats import read
from interactions.labelling import load_complex, perceive
from interactions.points import angle, distance
from interactions.surroundings import Surroundings

FOLDERS = sorted((REFERENCE / "pdbbind").glob("*")) or [Path("absent")]


def hydroxyl() -> Chemistry:
    return molecule([("O", "O3", (0, 0, 0)), ("C", "C3", (-1.43, 0, 0))], [("O", "C")], "MOH")


def test_a_hydroxyl_is_a_rotor_on_its_cone() -> None:
    found = hydrogens_of(Surroundings(hydroxyl()), 0)
    assert found.source == "rotor"
    (place,) = found.candidates((0, 0, 0), (1.0, 5.0, 0.0))
    assert distance(place, (0, 0, 0)) == pytest.approx(0.98)
    assert angle((-1.43, 0, 0), (0, 0, 0), place) == pytest.approx(109.5)
    assert place[2] == pytest.approx(0)
    assert place[1] > 0


@pytest.mark.parametrize("turn", [0, 77, 180, 251])
def test_no_turn_of_a_rotor_comes_nearer(turn: float) -> None:
    rotor = Rotor((0.3, 0.0, 0.0), 0.92, (1.0, 0.0, 0.0))
    target = (1.0, 2.0, -1.0)
    t = radians(turn)
    other = (0.3, 0.92 * cos(t), 0.92 * sin(t))
    assert distance(rotor.nearest(target), target) <= distance(other, target) + 1e-12


def test_a_rotor_crosses_a_plane_twice_or_never() -> None:
    rotor = Rotor((0.0, 0.0, 0.0), 1.0, (1.0, 0.0, 0.0))
    crossings = rotor.crossings((0.0, 0.5, 0.0), (0.0, 1.0, 0.0))
    assert sorted(round(p[2], 6) for p in crossings) == pytest.approx([-0.866025, 0.866025])
    assert rotor.crossings((0.0, 1.5, 0.0), (0.0, 1.0, 0.0)) == []


@pytest.mark.parametrize(("turn", "bond"), [(0, True), (90, True), (180, True)])
def test_a_rotor_bonds_wherever_it_can_turn_to(turn: float, bond: bool) -> None:
    """An acceptor 109.5° from C-O, anywhere around: the hydrogen turns to it."""
    a, t = radians(180 - 109.5), radians(turn)
    place = 2.8 * np.array([cos(a), sin(a) * cos(t), sin(a) * sin(t)])
    acceptor = molecule([("O", "O2", place), ("C", "C2", place * 1.44)], [("O", "C")], "CBN")
    found = hydrogen_bond.find(Environment(pair(hydroxyl(), acceptor)), load("baker_hubbard"))
    assert bool(found) is bond
    assert all(one.hydrogen is None and one.source == "rotor" for one in found)


def test_a_rotor_cannot_leave_its_cone() -> None:
    """Behind the carbon no turn helps."""
    place = np.array([-1.0, 2.6, 0.0])
    acceptor = molecule([("O", "O2", place), ("C", "C2", np.add(place, [0, 1.22, 0]))], [("O", "C")], "CBN")
    assert not hydrogen_bond.find(Environment(pair(hydroxyl(), acceptor)), load("mdanalysis"))


def test_given_hydrogens_are_not_turned() -> None:
    """The file's hydroxyl points away: there is no bond, though it could turn."""
    away = molecule(
        [("O", "O3", (0, 0, 0)), ("C", "C3", (-1.43, 0, 0)), ("H", "H", (0.33, -0.92, 0))],
        [("O", "C"), ("O", "H")],
        "MOH",
    )
    a = radians(180 - 109.5)
    place = 2.8 * np.array([cos(a), sin(a), 0])
    acceptor = molecule([("O", "O2", place), ("C", "C2", place * 1.44)], [("O", "C")], "CBN")
    assert not hydrogen_bond.find(Environment(pair(away, acceptor)), load("baker_hubbard"))


def test_without_placing_only_given_hydrogens_count() -> None:
    place = np.array([0.93, 2.64, 0.0])
    acceptor = molecule([("O", "O2", place), ("C", "C2", place * 1.44)], [("O", "C")], "CBN")
    assert hydrogen_bond.find(Environment(pair(hydroxyl(), acceptor)), load("baker_hubbard"))
    assert not hydrogen_bond.find(Environment(pair(hydroxyl(), acceptor), place=False), load("baker_hubbard"))


def test_an_open_histidine_donates_and_accepts_on_both_sides(examples: Path) -> None:
    ring = [("CG", "Car"), ("ND1", "Npl"), ("CE1", "Car"), ("NE2", "Npl"), ("CD2", "Car")]
    places = [(1.15 * cos(t), 1.15 * sin(t), 0.0) for t in np.radians([0, 72, 144, 216, 288])]
    atoms = [(name, kind, place) for (name, kind), place in zip(ring, places, strict=True)]
    names = [name for name, _ in ring]
    his = molecule(atoms, list(zip(names, [*names[1:], names[0]], strict=True)), "HIS")
    nd1 = np.array(places[1])
    outward = nd1 / np.linalg.norm(nd1)
    hydroxyl_o = nd1 + 2.8 * outward
    partner = molecule([("O", "O3", hydroxyl_o), ("C", "C3", np.add(hydroxyl_o, [0, 0.5, 1.34]))], [("O", "C")], "MOH")
    env = Environment(pair(his, partner))
    (bond,) = hydrogen_bond.find(env, load("textbook"))
    assert bond.both_ways
    del examples


def test_placing_is_idempotent_and_moves_nothing(examples: Path) -> None:
    structure = read((examples / "2izf_receptor.pdb.gz").read_bytes(), "2izf")
    heavy = perceive(structure.without(np.flatnonzero(structure.elements == 1).tolist()))
    once = with_polar_hydrogens(heavy)
    twice = with_polar_hydrogens(perceive(once))
    assert len(once) > len(heavy.structure)
    assert np.array_equal(once.coordinates[: len(heavy.structure)], heavy.structure.coordinates)
    assert twice.atom_names == once.atom_names
    assert np.array_equal(twice.coordinates, once.coordinates)


@pytest.mark.shared
def test_fixed_polar_hydrogens_lie_where_pdbbind_has_them() -> None:
    """N-H 1.04 Å; nitrogens after chain breaks left out: at least 95 % within 0.1 Å."""
    near = total = 0
    for folder in FOLDERS:
        full = read((folder / f"{folder.name}_pocket.pdb").read_bytes(), folder.name)
        hydrogens = np.flatnonzero(full.elements == 1).tolist()
        kept = [a for a in range(len(full)) if full.elements[a] != 1]
        at = Surroundings(perceive(full.without(hydrogens)))
        broken = {kept[a] for a in at.molecule.broken}
        for place, atom in enumerate(kept):
            given = [b for b in full.neighbours[atom] if full.elements[b] == 1]
            if full.elements[atom] != 7 or not given or atom in broken or bonded_heavy(full, atom) < 1:
                continue
            found = hydrogens_of(at, place, {7: 1.04})
            if found.source != "placed" or len(found.places) != len(given):
                continue
            for h in given:
                total += 1
                near += min(distance(tuple(full.coordinates[h]), p) for p in found.places) <= 0.1
    assert total > 3000
    assert near / total >= 0.95


def bonded_heavy(structure: object, atom: int) -> int:
    return sum(structure.elements[b] > 1 for b in structure.neighbours[atom])  # type: ignore[attr-defined]


def codes(chemistry: Chemistry) -> list[str]:
    return [code for code, _ in odd_hydrogens(chemistry.structure)]


def test_odd_hydrogens_are_named() -> None:
    far = molecule([("O", "O3", (0, 0, 0)), ("H", "H", (3, 0, 0))], [("O", "H")])
    twins = molecule(
        [("N", "N3+", (0, 0, 0)), ("H1", "H", (1, 0, 0)), ("H2", "H", (1, 0.1, 0))], [("N", "H1"), ("N", "H2")]
    )
    alone = molecule([("O", "O3", (0, 0, 0)), ("H", "H", (5, 0, 0))], [])
    good = molecule([("O", "O3", (0, 0, 0)), ("H", "H", (0.97, 0, 0))], [("O", "H")])
    assert [codes(one) for one in (far, twins, alone, good)] == [
        ["odd_hydrogens"],
        ["doubled_hydrogens"],
        ["lone_hydrogens"],
        [],
    ]
    ((_, message),) = odd_hydrogens(far.structure)
    assert "3.00 Å from O" in message


@pytest.mark.parametrize("keep", [0.0, 0.5, 1.0])
def test_no_file_gives_an_empty_success(keep: float, examples: Path) -> None:
    """With none, half and all of its hydrogens biotin's site has bonds by every set of criteria."""
    from interactions.criteria import names
    from interactions.labelling import label

    text = _without_hydrogens((examples / "2izf.pdb.gz").read_bytes(), keep)
    complex_ = load_complex(text, "2izf", selector="BTN:B:300")
    for name in names():
        assert len(label(complex_, criteria=name)["hydrogen_bonds"]) >= 4, name


def _without_hydrogens(data: bytes, keep: float) -> bytes:
    import gzip

    lines, kept, seen = [], 0, 0
    for line in gzip.decompress(data).splitlines(keepends=True):
        if line[:6] in (b"ATOM  ", b"HETATM") and line[76:78] == b" H":
            seen += 1
            if kept + 1 > keep * seen:
                continue
            kept += 1
        lines.append(line)
    return b"".join(lines)


@pytest.mark.parametrize(
    ("shift", "code"), [((3.0, 0.0, 0.0), "odd_hydrogens"), (None, "doubled_hydrogens")], ids=["3 Å away", "on another"]
)
def test_wrong_hydrogens_are_warned_of(shift: tuple[float, ...] | None, code: str, examples: Path) -> None:
    """The hydrogens of ASN 23's amide: one 3 Å off, or one put where the other is."""
    import gzip

    from interactions.labelling import label

    lines = gzip.decompress((examples / "2izf.pdb.gz").read_bytes()).decode().splitlines(keepends=True)
    places = {line[12:16].strip(): i for i, line in enumerate(lines) if line[17:26] == "ASN B  23"}
    first, second = lines[places["HD21"]], lines[places["HD22"]]
    xyz = [float(second[30 + 8 * k : 38 + 8 * k]) for k in range(3)]
    if shift is not None:
        xyz = [a + b for a, b in zip([float(first[30 + 8 * k : 38 + 8 * k]) for k in range(3)], shift, strict=True)]
    lines[places["HD21"]] = first[:30] + "".join(f"{value:8.3f}" for value in xyz) + first[54:]
    record = label(load_complex("".join(lines).encode(), "2izf", selector="BTN:B:300"), criteria="baker_hubbard")
    (warning,) = [w for w in record["warnings"] if w["code"] == code]
    assert "ASN 23" in warning["message"]
    assert record["hydrogen_bonds"]
