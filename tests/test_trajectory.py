"""Bonds along a trajectory: equal MDAnalysis' own analysis pair by pair, in and out of a box; the figures by hand."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactions.chemistry.elements import SYMBOLS
from interactions.criteria import load
from interactions.errors import InputError
from interactions.formats import read
from interactions.trajectory import complex_of, inefficiency, longest, occupancies, timeline, wilson

FRAMES = 60


@pytest.fixture(scope="module")
def universe() -> Any:
    """Biotin's site of 2IZF in memory, shaken by 0.25 Å a frame; each molecule goes its own way."""
    import MDAnalysis

    structure = read((Path(__file__).parent.parent / "examples" / "2izf.pdb.gz").read_bytes(), "2izf")
    near = np.array([c == "B" for c in structure.chains])[structure.residue_of]
    near &= np.array([name != "HOH" for name in structure.residue_names])[structure.residue_of]
    part = structure.without(np.flatnonzero(~near).tolist())
    made = MDAnalysis.Universe.empty(
        len(part), n_residues=len(part.residue_names), atom_resindex=part.residue_of, trajectory=True
    )
    for name, values in (
        ("names", list(part.atom_names)),
        ("elements", [SYMBOLS[e] for e in part.elements.tolist()]),
        ("resnames", list(part.residue_names)),
        ("resids", part.residue_numbers),
        ("bonds", part.bonds.tolist()),
    ):
        made.add_TopologyAttr(name, values)
    rng = np.random.default_rng(5)
    shake = rng.normal(scale=0.25, size=(FRAMES, len(part.residue_names), 3))
    made.load_new((part.coordinates + shake[:, part.residue_of]).astype(np.float32))
    return made


def own(universe: Any, criteria: str, ligand: str = "BTN") -> dict[tuple[str, str, str, str], float]:
    complex_ = complex_of(universe, f"resname {ligand}", "all")
    rows = occupancies(timeline(universe, complex_, load(criteria)))
    ends = [(row["donor"], row["acceptor"], row["occupancy"]) for row in rows]
    return {(*(key(a)), *(key(b))): share for a, b, share in ends}


def key(atom: dict[str, Any]) -> tuple[str, str]:
    return f"{atom['residue_name']}{atom['residue_number']}", atom["atom_name"]


def theirs(universe: Any, ligand: str = "BTN") -> dict[tuple[str, str, str, str], float]:
    from MDAnalysis.analysis.hydrogenbonds import HydrogenBondAnalysis

    polar = "element N or element O"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        analysis = HydrogenBondAnalysis(
            universe, hydrogens_sel=f"element H and bonded ({polar})", acceptors_sel=polar, update_selections=False
        ).run()
    frames: dict[tuple[str, str, str, str], set[int]] = {}
    for frame, donor, _, acceptor, _, _ in analysis.results.hbonds:
        d, a = universe.atoms[int(donor)], universe.atoms[int(acceptor)]
        if (d.resname == ligand) != (a.resname == ligand):
            name = (f"{d.resname}{d.resid}", str(d.name), f"{a.resname}{a.resid}", str(a.name))
            frames.setdefault(name, set()).add(int(frame))
    return {name: round(len(seen) / len(universe.trajectory), 6) for name, seen in frames.items()}


def test_occupancies_equal_those_of_mdanalysis(universe: Any) -> None:
    found = own(universe, "mdanalysis")
    assert found == theirs(universe)
    assert len(found) > 4


def test_a_real_trajectory() -> None:
    """A ligand in the serotonin receptor, 250 frames in a box: the trajectory that comes with ProLIF."""
    import MDAnalysis

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from prolif import datafiles

        real = MDAnalysis.Universe(str(datafiles.TOP), str(datafiles.TRAJ))
    found = own(real, "mdanalysis", "LIG")
    assert found == theirs(real, "LIG")
    assert len(found) > 4


@pytest.mark.parametrize("box", [(60.0, 70.0, 65.0, 90.0, 90.0, 90.0), (70.0, 70.0, 70.0, 60.0, 60.0, 90.0)])
def test_a_box_is_heeded(universe: Any, box: tuple[float, ...]) -> None:
    """Residues thrown into other images are brought back to the ligand."""
    from MDAnalysis.lib.mdamath import triclinic_vectors

    boxed = universe.copy()
    frames = boxed.trajectory.coordinate_array.copy()
    cell = triclinic_vectors(np.array(box, dtype=np.float32))
    throws = np.random.default_rng(9).integers(-1, 2, size=(len(boxed.residues), 3)) @ cell
    boxed.load_new(frames + throws[boxed.atoms.resindices].astype(np.float32), dimensions=np.array(box))
    assert own(boxed, "mdanalysis") == pytest.approx(own(universe, "mdanalysis"))


@pytest.mark.parametrize("criteria", ["baker_hubbard", "wernet_nilsson", "gromacs", "textbook"])
def test_many_frames_at_once_give_what_each_gives_alone(
    universe: Any, criteria: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    complex_ = complex_of(universe, "resname BTN")
    at_once = timeline(universe, complex_, load(criteria), slice(0, 12))
    monkeypatch.setattr("interactions.trajectory.fast_rule", lambda *_: None)
    alone = timeline(universe, complex_, load(criteria), slice(0, 12))
    unordered = [[frozenset(pair) for pair in line.pairs] for line in (at_once, alone)]
    assert set(unordered[0]) == set(unordered[1])
    columns = [unordered[1].index(pair) for pair in unordered[0]]
    assert np.array_equal(at_once.present, alone.present[:, columns])


def test_chimerax_frame_by_frame(universe: Any) -> None:
    line = timeline(universe, complex_of(universe, "resname BTN"), load("chimerax"), slice(0, 4))
    assert line.present.shape == (4, len(line.pairs))
    assert line.present.any(axis=1).all()


@pytest.mark.parametrize(
    ("ligand", "receptor", "code"), [("resname XYZ", "all", "no_ligand"), ("all", "all", "no_receptor")]
)
def test_empty_selections(universe: Any, ligand: str, receptor: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        complex_of(universe, ligand, receptor)
    assert caught.value.code == code


def test_longest_stretch() -> None:
    assert longest(np.array([1, 1, 0, 1, 1, 1, 0], dtype=bool)) == 3
    assert longest(np.zeros(4, dtype=bool)) == 0


def test_wilson_by_hand() -> None:
    """10 of 20: 0.299 to 0.701 (Wilson 1927)."""
    assert wilson(0.5, 20) == pytest.approx((0.2993, 0.7007), abs=1e-4)
    assert wilson(0.0, 20)[0] == 0.0


def test_slow_series_count_less() -> None:
    """Independent draws count one each; blocks of ten count about a tenth."""
    rng = np.random.default_rng(3)
    draws = rng.random(2000) < 0.5
    assert inefficiency(draws) == pytest.approx(1, abs=0.2)
    assert inefficiency(np.repeat(draws[:200], 10)) == pytest.approx(10, rel=0.35)
    assert inefficiency(np.ones(50, dtype=bool)) == 1.0
