"""Complexes labelled a second and core into the tables of a data set, and the memory that it takes.

    MISI_ORACLE_REFERENCE=… python benchmarks/bulk_rate.py [--complexes 5000]

The pockets of the reference data are moved rigidly, each copy differently and under a new id, so that nothing that is
remembered answers. Blocks are labelled in this process as a worker does it; its CPU time counts. Beside it, in the same
run, what gemmi takes to read the same pockets and to find their polar neighbours.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import gemmi
import numpy as np

from app.asking import sources
from app.datasets.build import BLOCK, Parameters, blocks_of, label_block
from app.worker_process import settle_memory

REFERENCE = Path(os.environ.get("MISI_ORACLE_REFERENCE", Path(__file__).parents[2] / "shared" / "data"))
PARAMETERS = Parameters(tables=("hydrogen_bonds", "pocket_residues"), test_share=0.0)

Move = Callable[[list[float]], list[float]]


def moved(rng: np.random.Generator) -> Move:
    """A random rotation and shift."""
    q = rng.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    shift = rng.uniform(-50, 50, size=3)
    return lambda place: (turn @ place + shift).tolist()


def moved_pdb(text: str, move: Move) -> str:
    def line(one: str) -> str:
        if not one.startswith(("ATOM", "HETATM")):
            return one
        x, y, z = move([float(one[start : start + 8]) for start in (30, 38, 46)])
        return f"{one[:30]}{x:8.3f}{y:8.3f}{z:8.3f}{one[54:]}"

    return "\n".join(map(line, text.splitlines())) + "\n"


def moved_mol2(text: str, move: Move) -> str:
    lines, inside = [], False
    for one in text.splitlines():
        if one.startswith("@"):
            inside = one.startswith("@<TRIPOS>ATOM")
        elif inside and one.strip():
            words = one.split()
            x, y, z = move([float(word) for word in words[2:5]])
            one = " ".join([*words[:2], f"{x:.4f}", f"{y:.4f}", f"{z:.4f}", *words[5:]])
        lines.append(one)
    return "\n".join(lines) + "\n"


def write_copies(folder: Path, number: int) -> None:
    known = sorted(path for path in (REFERENCE / "pdbbind").iterdir() if path.is_dir())
    texts = [
        ((path / f"{path.name}_pocket.pdb").read_text(), (path / f"{path.name}_ligand.mol2").read_text())
        for path in known
    ]
    for copy in range(number):
        pdb, mol2 = texts[copy % len(texts)]
        move, name = moved(np.random.default_rng(copy)), f"m{copy:05d}"
        (folder / name).mkdir()
        (folder / name / f"{name}_pocket.pdb").write_text(moved_pdb(pdb, move))
        (folder / name / f"{name}_ligand.mol2").write_text(moved_mol2(mol2, move))


def resident() -> float:
    """MB of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def by_gemmi(path: Path) -> int:
    """Reads a pocket and counts polar neighbours, which is less than labels need."""
    structure = gemmi.read_structure(str(path))
    search = gemmi.NeighborSearch(structure[0], structure.cell, 5).populate()
    polar = [cra.atom for cra in structure[0].all() if cra.atom.element.name in ("N", "O", "S")]
    return sum(len(search.find_neighbors(atom, 0.1, 3.6)) for atom in polar)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--complexes", type=int, default=5000)
    number = parser.parse_args().complexes
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        write_copies(folder / "in", number)
        found = sources([folder / "in"])
        blocks = blocks_of(found, PARAMETERS, dict.fromkeys((one.id for one in found), "train"))
        settle_memory()  # as the workers do
        rates, memory, peers = [], [], []
        (folder / "parts").mkdir()
        for block in blocks:
            start = time.process_time()
            label_block(block, folder / "parts" / str(block.number))
            used = time.process_time() - start
            rates.append(len(block.sources) / used)
            memory.append(resident())
            some = block.sources[:64]
            start = time.process_time()
            for source in some:
                by_gemmi(source.task.receptor)
            peers.append(len(some) / (time.process_time() - start))
    rate, peer = statistics.median(rates), statistics.median(peers)
    print(f"{number} complexes in blocks of {BLOCK}: {rate:.0f} a second and core (median of blocks)")
    print(f"  slowest block {min(rates):.0f}, fastest {max(rates):.0f}")
    print(
        f"  reading and polar neighbours by gemmi alone: {peer:.0f} a second; labels take {peer / rate:.1f} times that"
    )
    print(f"memory of the process: {memory[0]:.0f} MB after the first block, {max(memory):.0f} MB at most, ", end="")
    print(f"{memory[-1]:.0f} MB at the end")


if __name__ == "__main__":
    main()
