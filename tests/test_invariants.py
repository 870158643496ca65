"""What must not change a label: format, compression, line ends, chain names, far atoms, place in space.

Exceptions, each by a rule of ChimeraX itself: the first-listed oxygen of a PO3 gets a rule of its own,
hydrogens are assigned in file order, lone pairs of a one-bond acceptor follow the global Y axis, and the order
of atoms and bonds decides between equal assignments of a ring system. Where one of these decides, a complex is
left out of a test, and the test says so.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactions.formats import read
from interactions.geometry import squared_distances
from interactions.labelling import label, load_complex
from interactions.ligands import choose

POCKETS = ("5ey0", "10gs", "1a30", "2wer", "3kr8")


def bonds(receptor: bytes, ligand: bytes | None, selector: str | None = None, name: str = "r") -> list[Any]:
    record = label(load_complex(receptor, name, ligand, "l" if ligand else None, selector))
    return [
        (*(tuple(bond[end][k] for k in KEY) for end in ("donor", "acceptor")), bond["strict"])
        for bond in record["hydrogen_bonds"]
    ]


KEY = ("side", "residue_name", "residue_number", "insertion_code", "atom_name")


def pair(reference: Path, name: str) -> tuple[bytes, bytes]:
    folder = reference / "pdbbind" / name
    return (folder / f"{name}_pocket.pdb").read_bytes(), (folder / f"{name}_ligand.mol2").read_bytes()


@pytest.mark.shared
@pytest.mark.parametrize("name", POCKETS)
def test_compression_and_line_ends_change_nothing(reference: Path, name: str) -> None:
    receptor, ligand = pair(reference, name)
    plain = bonds(receptor, ligand)
    assert plain
    assert bonds(gzip.compress(receptor), gzip.compress(ligand)) == plain
    assert bonds(receptor.replace(b"\n", b"\r\n"), ligand.replace(b"\n", b"\r\n")) == plain


@pytest.mark.shared
@pytest.mark.parametrize("name", POCKETS)
def test_a_renamed_chain_changes_nothing(reference: Path, name: str) -> None:
    receptor, ligand = pair(reference, name)
    lines = receptor.decode().splitlines(keepends=True)
    chains = {line[21] for line in lines if line.startswith(("ATOM", "HETATM"))}
    new = dict(zip(sorted(chains), "QRSTUVWX", strict=False))
    renamed = "".join(
        line[:21] + new[line[21]] + line[22:] if line.startswith(("ATOM", "HETATM")) else line for line in lines
    )
    assert bonds(renamed.encode(), ligand) == bonds(receptor, ligand)


@pytest.mark.shared
@pytest.mark.parametrize("selector", ["BEN:A:1", "GTP:A:1173", "UVC:A:125"])
def test_pdb_equals_mmcif(reference: Path, selector: str) -> None:
    entry = {"BEN": "3ptb", "GTP": "2w83", "UVC": "6rsa"}[selector[:3]]
    pdb = (reference / "wwpdb" / f"{entry}.pdb.gz").read_bytes()
    cif = (reference / "wwpdb" / f"{entry}.cif.gz").read_bytes()
    assert bonds(pdb, None, selector) == bonds(cif, None, selector) != []


def moved_pdb(text: str, turn: np.ndarray, shift: np.ndarray) -> str:
    """Atoms rigidly moved; the turns used are exact in three decimals."""
    lines = []
    for line in text.splitlines():
        if line.startswith(("ATOM", "HETATM")):
            xyz = turn @ np.array([float(line[start : start + 8]) for start in (30, 38, 46)]) + shift
            line = line[:30] + "".join(f"{value:8.3f}" for value in xyz) + line[54:]
        lines.append(line)
    return "\n".join(lines)


def atom_section(mol2: str) -> tuple[str, list[list[str]], str]:
    head, rest = mol2.split("@<TRIPOS>ATOM\n")
    atoms, tail = rest.split("@<TRIPOS>BOND")
    return f"{head}@<TRIPOS>ATOM\n", [line.split() for line in atoms.splitlines()], f"\n@<TRIPOS>BOND{tail}"


def moved_mol2(text: str, turn: np.ndarray, shift: np.ndarray) -> str:
    head, rows, tail = atom_section(text)
    for row in rows:
        row[2:5] = [f"{value:.4f}" for value in turn @ np.array(row[2:5], dtype=float) + shift]
    return head + "\n".join(" ".join(row) for row in rows) + tail


SHIFT = np.array([8.0, -16.0, 4.0])
# Quarter and half turns are exact. Turns about Y keep the axis that a one-bond acceptor's lone pairs follow.
TURNS = {
    "shift": np.eye(3),
    "about y": np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
    "half about y": np.diag([-1.0, 1, -1]),
    "about x": np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]),
    "about z": np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
}


@pytest.mark.shared
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("name", POCKETS)
def test_a_rigid_motion_changes_nothing(reference: Path, name: str, turn: str) -> None:
    receptor, ligand = pair(reference, name)
    moved = (
        moved_pdb(receptor.decode(), TURNS[turn], SHIFT).encode(),
        moved_mol2(ligand.decode(), TURNS[turn], SHIFT).encode(),
    )
    assert bonds(*moved) == bonds(receptor, ligand) != []


@pytest.mark.shared
@pytest.mark.parametrize("name", [name for name in POCKETS if name != "5ey0"])  # GTP ends in a PO3
def test_the_order_of_ligand_atoms_changes_nothing(reference: Path, name: str) -> None:
    receptor, ligand = pair(reference, name)
    head, rows, tail = atom_section(ligand.decode())
    order = np.random.default_rng(7).permutation(len(rows))
    shuffled = head + "\n".join(" ".join(rows[place]) for place in order) + tail
    assert sorted(bonds(receptor, shuffled.encode())) == sorted(bonds(receptor, ligand)) != []


@pytest.mark.shared
@pytest.mark.parametrize("selector", ["BEN:A:1", "ATP:A:501", "GTP:A:1173", "BTN:B:300"])
def test_residues_far_from_the_ligand_change_nothing(reference: Path, selector: str) -> None:
    entry = {"BEN": "3ptb", "ATP": "1xdn", "GTP": "2w83", "BTN": "2izf"}[selector[:3]]
    text = gzip.decompress((reference / "wwpdb" / f"{entry}.pdb.gz").read_bytes()).decode()
    structure = read(text.encode(), "x")
    ligand = structure.coordinates[choose(structure, selector)]
    near = squared_distances(structure.coordinates, ligand).min(axis=1) <= 20.0**2
    residues = {
        (structure.chains[residue], int(structure.residue_numbers[residue]), structure.insertion_codes[residue])
        for residue in structure.residue_of[near].tolist()
    }
    kept = [
        line
        for line in text.splitlines()
        if not line.startswith(("ATOM", "HETATM", "ANISOU"))
        or (line[21].strip(), int(line[22:26]), line[26].strip()) in residues
    ]
    assert len(kept) < len(text.splitlines())
    assert bonds("\n".join(kept).encode(), None, selector) == bonds(text.encode(), None, selector) != []


@pytest.mark.shared
def test_a_pocket_gives_the_bonds_of_its_whole_protein(reference: Path) -> None:
    """But for chain breaks: there a nitrogen loses its neighbour and is typed anew."""
    text = gzip.decompress((reference / "wwpdb" / "1xdn.pdb.gz").read_bytes()).decode()
    record = label(load_complex(text.encode(), "x", None, None, "ATP:A:501"))
    pocket = {(row["chain"], row["residue_number"], row["insertion_code"]) for row in record["pocket_residues"]}
    kept = [
        line
        for line in text.splitlines()
        if line[17:20] == "ATP"
        or not line.startswith(("ATOM", "HETATM", "ANISOU"))
        or (line[21].strip(), int(line[22:26]), line[26].strip()) in pocket
    ]
    assert bonds("\n".join(kept).encode(), None, "ATP:A:501") == bonds(text.encode(), None, "ATP:A:501")


@pytest.mark.shared
def test_labels_are_the_same_bytes_every_time(reference: Path) -> None:
    receptor, ligand = pair(reference, "5ey0")
    first, second = (json.dumps(label(load_complex(receptor, "r", ligand, "l", None))) for _ in range(2))
    assert first == second


@pytest.mark.shared
def test_5ey0_gives_the_nine_bonds_that_the_paper_prints(reference: Path) -> None:
    printed = (
        "ARG 45 NH2, O1B; ARG 45 NE, O2G; LYS 47 NZ, O1A; LYS 158 NZ, O1G; SER 43 OG, O2B; "
        "PHE 24 N, O6; ARG 44 N, O3G; VAL 22 O, N1; VAL 22 O, N2"
    )
    found = set()
    for donor, acceptor, _ in bonds(*pair(reference, "5ey0")):
        protein, ligand = (donor, acceptor) if donor[0] == "receptor" else (acceptor, donor)
        found.add(f"{protein[1]} {protein[2]} {protein[4]}, {ligand[4]}")
    assert found == set(printed.split("; "))
