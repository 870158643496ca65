"""What must not change a label: format, compression, line ends, chain names, far atoms, place in space.

Exceptions, each by a rule of ChimeraX itself: the first-listed oxygen of a PO3 gets a rule of its own,
hydrogens are assigned in file order, and lone pairs of a one-bond acceptor follow the global Y axis, so
rotation and atom order are not tested on complexes where these decide.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactions.labelling import label, load_complex

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


@pytest.mark.shared
@pytest.mark.parametrize("name", ["10gs", "1a30"])
def test_a_shift_in_space_changes_nothing(reference: Path, name: str) -> None:
    receptor, ligand = pair(reference, name)
    shift = np.array([8.0, -16.0, 4.0])

    def moved_pdb(line: str) -> str:
        if not line.startswith(("ATOM", "HETATM")):
            return line
        xyz = np.array([float(line[i : i + 8]) for i in (30, 38, 46)]) + shift
        return line[:30] + "".join(f"{value:8.3f}" for value in xyz) + line[54:]

    def moved_mol2(text: str) -> str:
        head, rest = text.split("@<TRIPOS>ATOM\n")
        atoms, tail = rest.split("@<TRIPOS>BOND")
        rows = [line.split() for line in atoms.splitlines()]
        for row in rows:
            row[2:5] = [f"{float(value) + delta:.4f}" for value, delta in zip(row[2:5], shift, strict=True)]
        return f"{head}@<TRIPOS>ATOM\n" + "\n".join(" ".join(row) for row in rows) + "\n@<TRIPOS>BOND" + tail

    receptor_moved = "\n".join(map(moved_pdb, receptor.decode().splitlines())).encode()
    assert bonds(receptor_moved, moved_mol2(ligand.decode()).encode()) == bonds(receptor, ligand) != []


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
