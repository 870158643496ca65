"""Hydrogens by OpenMM: which, where, kept, repeated, bounded in time; and what is left alone, by name."""

from __future__ import annotations

import multiprocessing
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactions.chemistry import openmm_process
from interactions.chemistry.openmm_hydrogens import Report, add_hydrogens, variant_of
from interactions.chemistry.openmm_process import Job, run
from interactions.chemistry.openmm_view import Shown, view_of
from interactions.errors import ChemistryError, InputError
from interactions.formats import read
from interactions.labelling import label, load_complex
from interactions.structure import Structure

PEPTIDE = """\
ATOM      1  N   ALA A   1       5.628   1.693  -0.111  1.00  0.00           N
ATOM      2  CA  ALA A   1       5.867   0.748   0.996  1.00  0.00           C
ATOM      3  C   ALA A   1       4.715  -0.277   1.054  1.00  0.00           C
ATOM      4  O   ALA A   1       4.826  -1.417   0.610  1.00  0.00           O
ATOM      5  CB  ALA A   1       6.054   1.502   2.307  1.00  0.00           C
ATOM      6  N   SER A   2       3.526   0.211   1.565  1.00  0.00           N
ATOM      7  CA  SER A   2       2.290  -0.541   1.330  1.00  0.00           C
ATOM      8  C   SER A   2       1.737  -0.120  -0.040  1.00  0.00           C
ATOM      9  O   SER A   2       1.982   0.981  -0.533  1.00  0.00           O
ATOM     10  CB  SER A   2       1.256  -0.240   2.415  1.00  0.00           C
ATOM     11  OG  SER A   2       1.671  -0.797   3.663  1.00  0.00           O
ATOM     12  N   HIS A   3       0.909  -1.049  -0.645  1.00  0.00           N
ATOM     13  CA  HIS A   3       0.448  -0.813  -2.033  1.00  0.00           C
ATOM     14  C   HIS A   3      -0.658   0.266  -2.014  1.00  0.00           C
ATOM     15  O   HIS A   3      -0.786   1.105  -2.901  1.00  0.00           O
ATOM     16  CB  HIS A   3      -0.090  -2.112  -2.641  1.00  0.00           C
ATOM     17  CG  HIS A   3      -0.492  -2.035  -4.073  1.00  0.00           C
ATOM     18  ND1 HIS A   3      -1.472  -2.879  -4.548  1.00  0.00           N
ATOM     19  CD2 HIS A   3      -0.024  -1.237  -5.095  1.00  0.00           C
ATOM     20  CE1 HIS A   3      -1.616  -2.576  -5.817  1.00  0.00           C
ATOM     21  NE2 HIS A   3      -0.764  -1.579  -6.192  1.00  0.00           N
ATOM     22  N   LYS A   4      -1.564   0.120  -0.978  1.00  0.00           N
ATOM     23  CA  LYS A   4      -2.530   1.172  -0.674  1.00  0.00           C
ATOM     24  C   LYS A   4      -1.953   2.069   0.422  1.00  0.00           C
ATOM     25  O   LYS A   4      -1.033   1.789   1.178  1.00  0.00           O
ATOM     26  CB  LYS A   4      -3.914   0.609  -0.318  1.00  0.00           C
ATOM     27  CG  LYS A   4      -3.966  -0.613   0.609  1.00  0.00           C
ATOM     28  CD  LYS A   4      -3.487  -0.414   2.050  1.00  0.00           C
ATOM     29  CE  LYS A   4      -4.214   0.668   2.851  1.00  0.00           C
ATOM     30  NZ  LYS A   4      -5.635   0.382   2.997  1.00  0.00           N
ATOM     31  OXT LYS A   4      -2.584   3.256   0.525  1.00  0.00           O
"""
HYDROGENS = {
    "ALA": "N:H N:H2 N:H3 CA:HA CB:HB1 CB:HB2 CB:HB3",
    "SER": "N:H CA:HA CB:HB2 CB:HB3 OG:HG",
    "HIS": "N:H CA:HA CB:HB2 CB:HB3 ND1:HD1 CD2:HD2 CE1:HE1",
    "LYS": "N:H CA:HA CB:HB2 CB:HB3 CG:HG2 CG:HG3 CD:HD2 CD:HD3 CE:HE2 CE:HE3 NZ:HZ1 NZ:HZ2 NZ:HZ3",
}
ZINC_AT_NE2 = "HETATM   90 ZN    ZN A  90      -0.590  -1.110  -8.190  1.00  0.00          ZN\n"
ZINC_AT_ND1 = "HETATM   91 ZN    ZN A  91      -2.560  -4.150  -3.400  1.00  0.00          ZN\n"
WATER = "HETATM   92  O   HOH A  92      20.000  20.000  20.000  1.00  0.00           O\n"


def peptide(extra: str = "", drop: tuple[str, ...] = ()) -> Structure:
    lines = [line for line in PEPTIDE.splitlines(keepends=True) if line[12:20].split()[0] + line[17:20] not in drop]
    return read(("".join(lines) + extra).encode(), "peptide")


def hydrogens(structure: Structure) -> dict[str, set[str]]:
    """``parent:hydrogen`` of each residue name."""
    found: dict[str, set[str]] = {}
    for atom in np.flatnonzero(structure.elements == 1).tolist():
        (parent,) = structure.neighbours[atom]
        name = structure.residue_names[structure.residue_of[atom]]
        assert structure.residue_of[atom] == structure.residue_of[parent]
        found.setdefault(name, set()).add(f"{structure.atom_names[parent]}:{structure.atom_names[atom]}")
    return found


def at(structure: Structure, residue: str, name: str) -> np.ndarray[Any, Any]:
    for atom, atom_name in enumerate(structure.atom_names):
        if atom_name == name and structure.residue_names[structure.residue_of[atom]] == residue:
            return structure.coordinates[atom]
    raise AssertionError(f"{residue} has no {name}")


def angle(p: Any, vertex: Any, q: Any) -> float:
    u, v = p - vertex, q - vertex
    return float(np.degrees(np.arccos(u @ v / np.linalg.norm(u) / np.linalg.norm(v))))


def torsion(p: Any, a: Any, b: Any, q: Any) -> float:
    axis = (b - a) / np.linalg.norm(b - a)
    u, v = (p - a) - ((p - a) @ axis) * axis, (q - b) - ((q - b) @ axis) * axis
    return float(np.degrees(np.arctan2(np.cross(axis, u) @ v, u @ v)))


@pytest.fixture(scope="module")
def full() -> tuple[Structure, Report]:
    return add_hydrogens(peptide(WATER))


def test_each_residue_gets_its_hydrogens(full: tuple[Structure, Report]) -> None:
    structure, report = full
    assert hydrogens(structure) == {name: set(text.split()) for name, text in HYDROGENS.items()}
    assert report == Report(32, (("HIS:A:3", "HID"),), ("1 waters",), ("ALA:A:1",))


def test_own_atoms_keep_place_and_index_and_new_ones_come_last(full: tuple[Structure, Report]) -> None:
    own, structure = peptide(WATER), full[0]
    n = len(own)
    assert structure.atom_names[:n] == own.atom_names
    assert np.array_equal(structure.coordinates[:n], own.coordinates)
    assert np.array_equal(structure.bonds[: len(own.bonds)], own.bonds)
    assert set(structure.elements[n:].tolist()) == {1}
    assert structure.residue_names == own.residue_names


def test_lengths_angles_and_planes_are_ideal(full: tuple[Structure, Report]) -> None:
    structure = full[0]
    ideal = {6: 1.09, 7: 1.01, 8: 0.98}
    for a, b in structure.bonds.tolist():
        if structure.elements[b] == 1:
            length = np.linalg.norm(structure.coordinates[a] - structure.coordinates[b])
            assert length == pytest.approx(ideal[int(structure.elements[a])])
    nitrogen, hydrogen = at(structure, "SER", "N"), at(structure, "SER", "H")
    before, behind = at(structure, "ALA", "C"), at(structure, "SER", "CA")
    assert angle(before, nitrogen, hydrogen) == pytest.approx(angle(behind, nitrogen, hydrogen))
    around = angle(before, nitrogen, hydrogen) + angle(behind, nitrogen, hydrogen) + angle(before, nitrogen, behind)
    assert around == pytest.approx(360)
    hydroxyl = angle(at(structure, "SER", "CB"), at(structure, "SER", "OG"), at(structure, "SER", "HG"))
    assert hydroxyl == pytest.approx(109.5)


def test_ammonium_is_staggered(full: tuple[Structure, Report]) -> None:
    ends = [at(full[0], "LYS", name) for name in ("CD", "CE", "NZ")]
    turns = [torsion(*ends, at(full[0], "LYS", f"HZ{i}")) % 360 for i in (1, 2, 3)]
    assert sorted(turns) == pytest.approx([60, 180, 300])


def test_beta_hydrogens_are_named_by_handedness(full: tuple[Structure, Report]) -> None:
    """Seen from CA, the heavy substituent of CB, HB2 and HB3 follow clockwise (IUPAC 1970)."""
    for residue, heavy in (("SER", "OG"), ("HIS", "CG"), ("LYS", "CG")):
        centre = at(full[0], residue, "CB")
        arms = [at(full[0], residue, name) - centre for name in (heavy, "HB2", "HB3")]
        towards = centre - at(full[0], residue, "CA")
        assert np.cross(arms[0], arms[1]) @ towards > 0
        assert np.cross(arms[1], arms[2]) @ towards > 0


def test_two_processes_agree(full: tuple[Structure, Report]) -> None:
    again, report = add_hydrogens(peptide(WATER))
    assert np.abs(again.coordinates - full[0].coordinates).max() < 0.001
    assert report == full[1]


def test_adding_twice_changes_nothing(full: tuple[Structure, Report]) -> None:
    again, report = add_hydrogens(full[0])
    assert again is full[0]
    assert report == replace(full[1], added=0)


def test_given_hydrogens_are_neither_moved_nor_doubled(full: tuple[Structure, Report]) -> None:
    """A hydroxyl's at a place of its own, one of two at a CB, one of a histidine's ring."""
    given = {"SER": "HG", "LYS": "HB3", "HIS": "HD1"}
    structure = full[0]
    homes = [structure.residue_names[r] for r in structure.residue_of.tolist()]
    pairs = list(zip(homes, structure.atom_names, structure.elements.tolist(), strict=True))
    some = structure.without([i for i, (r, name, z) in enumerate(pairs) if z == 1 and given.get(r) != name])
    places = some.coordinates.copy()
    turned = some.atom_names.index("HG")
    places[turned] = 2 * some.coordinates[some.atom_names.index("OG")] - places[turned]
    some = replace(some, coordinates=places)
    again, report = add_hydrogens(some)
    assert hydrogens(again) == hydrogens(structure)
    assert np.array_equal(again.coordinates[: len(some)], places)
    assert report.added == 32 - 3
    assert dict(report.variants)["HIS:A:3"] == "HID"


@pytest.mark.parametrize(("ph", "added", "variants"), [(3.0, 33, {"HIP"}), (12.0, 31, {"HID", "LYN"})])
def test_ph_sets_the_variants(ph: float, added: int, variants: set[str]) -> None:
    _, report = add_hydrogens(peptide(), ph=ph)
    assert report.added == added
    assert {variant for _, variant in report.variants} == variants


@pytest.mark.parametrize("ph", [-0.1, 14.1, float("nan")])
def test_a_ph_out_of_range_is_refused(ph: float) -> None:
    with pytest.raises(InputError) as caught:
        add_hydrogens(peptide(), ph=ph)
    assert caught.value.code == "bad_ph"


def shown_histidine(extra: str, drop: tuple[str, ...] = ()) -> tuple[Shown, tuple[str, ...]]:
    view = view_of(peptide(extra, drop))
    return view.shown[2], view.left_alone


@pytest.mark.parametrize(
    ("extra", "variant", "reasons"),
    [
        ("", None, set()),
        (ZINC_AT_NE2, "HID", {"HIS:A:3 NE2: on a metal"}),
        (ZINC_AT_ND1, "HIE", {"HIS:A:3 ND1: on a metal"}),
        (ZINC_AT_NE2 + ZINC_AT_ND1, "HIN", {"HIS:A:3 NE2: on a metal", "HIS:A:3 ND1: on a metal"}),
        (ZINC_AT_NE2.replace("-8.190", "-9.190"), None, set()),
    ],
)
def test_a_nitrogen_on_a_metal_gets_none(extra: str, variant: str | None, reasons: set[str]) -> None:
    shown, left = shown_histidine(extra)
    assert shown.variant == variant
    assert {text for text in left if text.startswith("HIS")} == reasons
    assert sum(text.endswith("no standard residue") for text in left) == extra.count("ZN A")


def test_what_lacks_atoms_is_left_alone_by_name() -> None:
    cut, report = add_hydrogens(peptide(drop=("NZLYS", "CELYS", "NE2HIS", "OXTLYS")))
    found = hydrogens(cut)
    assert set(report.left_alone) == {
        "LYS:A:4 CD: lacks CE",
        "HIS:A:3 CD2: lacks NE2",
        "HIS:A:3 CE1: lacks NE2",
        "LYS:A:4: the last of its chain, without OXT",
    }
    assert found["LYS"] == {"N:H", "CA:HA", "CB:HB2", "CB:HB3", "CG:HG2", "CG:HG3"}
    assert found["HIS"] == {"N:H", "CA:HA", "CB:HB2", "CB:HB3"}
    assert report.variants == ()


def test_an_atom_bonded_to_another_molecule_is_left_alone() -> None:
    structure = peptide("HETATM   90  C1  NAG A  90       1.900   0.000   4.800  1.00  0.00           C\n")
    bond = [structure.atom_names.index("OG"), len(structure) - 1]
    structure = replace(structure, bonds=np.vstack([structure.bonds, [bond]]))
    assert "SER:A:2 OG: bonded to NAG:A:90 C1" in view_of(structure).left_alone


@pytest.fixture(scope="module")
def stretch() -> Structure:
    """Residues 20 to 30 and 43 to 49 of streptavidin without hydrogens: two stretches with a break between."""
    structure = read((Path(__file__).parent.parent / "examples" / "2izf_receptor.pdb.gz").read_bytes(), "2izf")
    numbers, chains = structure.residue_numbers, np.array(structure.chains)
    wanted = (chains == "B") & (((numbers >= 20) & (numbers <= 30)) | ((numbers >= 43) & (numbers <= 49)))
    return structure.without(np.flatnonzero(~wanted[structure.residue_of] | (structure.elements == 1)).tolist())


def test_a_break_is_no_end_of_the_chain(stretch: Structure) -> None:
    structure, report = add_hydrogens(stretch)
    amides = {
        int(number): sum(structure.elements[b] == 1 for a in atoms if structure.atom_names[a] == "N"
                         for b in structure.neighbours[a])
        for number, atoms in zip(structure.residue_numbers, structure.residue_atoms, strict=True)
    }  # fmt: skip
    assert amides == {20: 3, **dict.fromkeys(range(21, 31), 1), 43: 0, **dict.fromkeys(range(44, 50), 1)}
    assert report.chain_ends == (f"{structure.residue_names[0]}:B:20",)
    first = structure.residue_numbers.tolist().index(43)
    assert f"{structure.residue_names[first]}:B:43 N: at a break of the chain" in report.left_alone
    again, _ = add_hydrogens(structure)
    assert again is structure


def test_time_is_limited_and_no_process_stays_behind(stretch: Structure) -> None:
    started = time.monotonic()
    with pytest.raises(ChemistryError) as caught:
        add_hydrogens(stretch, seconds=0.01)
    assert caught.value.code == "hydrogens_timed_out"
    assert multiprocessing.active_children() == []
    assert time.monotonic() - started < 5


def hang(*_: object) -> None:
    time.sleep(60)


def test_a_worker_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openmm_process, "_serve", hang)
    started = time.monotonic()
    with pytest.raises(ChemistryError, match="no hydrogens after 1 s"):
        add_hydrogens(peptide(), seconds=1.0)
    assert time.monotonic() - started < 10
    assert multiprocessing.active_children() == []


def die(*_: object) -> None:
    os._exit(3)


def test_a_dead_worker_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openmm_process, "_serve", die)
    with pytest.raises(ChemistryError) as caught:
        add_hydrogens(peptide())
    assert caught.value.code == "worker_died"
    assert multiprocessing.active_children() == []


def test_openmm_s_own_error_is_told() -> None:
    structure = peptide()
    shown = (replace(view_of(structure).shown[0], variant="CYX"), *view_of(structure).shown[1:])
    job = Job(shown, structure.elements, structure.coordinates, structure.bonds, 7.0)
    with pytest.raises(ChemistryError, match=r"peptide: .*ALA") as caught:
        run(job, "peptide", 60.0)
    assert caught.value.code == "hydrogens_failed"


def test_atoms_at_one_place_are_named() -> None:
    structure = peptide()
    places = structure.coordinates.copy()
    places[10] = places[29]
    with pytest.raises(ChemistryError, match=r"SER:A:2 OG and LYS:A:4 NZ are at one place") as caught:
        add_hydrogens(replace(structure, coordinates=places))
    assert caught.value.code == "hydrogens_failed"


@pytest.mark.parametrize(
    ("name", "counts", "variant"),
    [
        ("HIS", {"ND1": 1, "NE2": 0}, "HID"),
        ("HIS", {"ND1": 0, "NE2": 1}, "HIE"),
        ("HIS", {"ND1": 1, "NE2": 1}, "HIP"),
        ("HIS", {"ND1": 1}, ""),
        ("ASP", {"OD1": 0, "OD2": 1}, "ASH"),
        ("GLU", {"OE1": 0, "OE2": 0}, ""),
        ("GLU", {"OE1": 1, "OE2": 0}, "GLH"),
        ("LYS", {"NZ": 2}, "LYN"),
        ("LYS", {"NZ": 3}, ""),
        ("CYS", {"SG": 0}, "CYX"),
        ("CYS", {"SG": 1}, ""),
    ],
)
def test_variants_by_hydrogens(name: str, counts: dict[str, int], variant: str) -> None:
    assert variant_of(name, counts) == variant


@pytest.mark.shared
@pytest.mark.parametrize("name", ["1a30", "5ey0"])
def test_amide_and_guanidinium_hydrogens_are_where_pdbbind_has_them(reference: Path, name: str) -> None:
    """At least 95 % within 0.1 Å, measured at PDBbind's own N–H length."""
    given = read(reference / "pdbbind" / name / f"{name}_pocket.pdb")
    drop = np.flatnonzero(given.elements == 1).tolist()
    kept = [a for a in range(len(given)) if given.elements[a] != 1]
    added, _ = add_hydrogens(given.without(drop))
    apart = []
    for new, old in enumerate(kept):
        theirs = [given.coordinates[b] for b in given.neighbours[old] if given.elements[b] == 1]
        ours = [added.coordinates[b] for b in added.neighbours[new] if added.elements[b] == 1]
        if given.elements[old] == 7 and given.atom_names[old] != "NZ" and len(ours) == len(theirs):
            origin = given.coordinates[old]
            arms = [(place - origin) / np.linalg.norm(place - origin) for place in ours]
            apart += [min(np.linalg.norm(origin + 1.04 * arm - place) for arm in arms) for place in theirs]
    assert len(apart) > 20
    assert np.mean(np.array(apart) <= 0.1) >= 0.95


@pytest.mark.shared
def test_nucleotides_get_theirs(reference: Path) -> None:
    structure = read(reference / "wwpdb" / "4yb0.pdb.gz")
    first = structure.chains[0]
    part = structure.without([a for a, r in enumerate(structure.residue_of) if structure.chains[r] != first])
    full, report = add_hydrogens(part.without(np.flatnonzero(part.elements == 1).tolist()))
    found = hydrogens(full)
    assert {"C1':H1'", "C8:H8", "N1:H1", "N2:H21", "N2:H22", "O2':HO2'"} <= found["G"]
    assert sum(name == "HO3'" for name in full.atom_names) == 1
    assert report.chain_ends


def test_a_label_by_openmm_says_so(examples: Path) -> None:
    receptor, ligand = ((examples / f"2izf_{end}").read_bytes() for end in ("receptor.pdb.gz", "ligand.sdf"))
    record = label(load_complex(receptor, "r", ligand, "l"), criteria="baker_hubbard", hydrogens="openmm")
    assert record["provenance"]["hydrogens"]["policy"] == "openmm"
    assert record["provenance"]["protonation"]["ph"] == 7.0
    assert record["hydrogen_bonds"]
