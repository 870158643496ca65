"""CPU time of a pose on a parsed pocket, and of the same pose loaded alone: ``python benchmarks/poses.py [PDBBIND]``.

With a folder in PDBbind layout, its ligands of 45 to 55 atoms; else the example. Each pose is moved a little.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from scipy.spatial.transform import Rotation

from app.worker_process import settle_memory
from interactions.formats import read
from interactions.labelling import label, load_complex
from interactions.poses import Pocket, label_poses

EXAMPLES = Path(__file__).parent.parent / "examples"
POSES, ROUNDS = 100, 5


def cpu(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def moved(pose: bytes, name: str, number: int) -> bytes:
    """Many copies of a record, turned by some degrees about the ligand's centre and shifted by some tenths of an Å."""
    places = read(pose, name).coordinates
    centre, rng = places.mean(axis=0), np.random.default_rng(1)
    copies = []
    for _ in range(number):
        turn = Rotation.from_rotvec(rng.normal(scale=0.05, size=3))
        copies.append(with_places(pose, turn.apply(places - centre) + centre + rng.normal(scale=0.2, size=3)))
    return b"".join(copies)


def with_places(pose: bytes, places: np.ndarray) -> bytes:
    """A mol2 or SDF record with other coordinates."""
    lines, is_mol2 = pose.split(b"\n"), b"@<TRIPOS>" in pose
    first = lines.index(b"@<TRIPOS>ATOM") + 1 if is_mol2 else 4
    for number, (x, y, z) in enumerate(places.tolist(), first):
        if is_mol2:
            words = lines[number].split()
            lines[number] = b" ".join([*words[:2], b"%.4f %.4f %.4f" % (x, y, z), *words[5:]])
        else:
            lines[number] = b"%10.4f%10.4f%10.4f" % (x, y, z) + lines[number][30:]
    return b"\n".join(lines)


def seconds(receptor: Path, ligand: Path) -> tuple[int, float, float]:
    """Atoms of the ligand, and seconds of a pose on the parsed pocket and alone, medians."""
    data, pose = receptor.read_bytes(), ligand.read_bytes()
    pocket = Pocket(read(data, receptor.name))
    many = moved(pose.rstrip(b"\n") + b"\n", ligand.name, POSES)

    def alone() -> None:
        label(load_complex(data, receptor.name, pose, ligand.name))

    def together() -> None:
        failed = sum(record["status"] != "ok" for record in label_poses(pocket, many, ligand.name))
        if failed:
            raise SystemExit(f"{ligand}: {failed} poses failed")

    alone(), together()
    pairs = [(cpu(together) / POSES, sum(cpu(alone) for _ in range(10)) / 10) for _ in range(ROUNDS)]
    return len(read(pose, ligand.name)), median(a for a, _ in pairs), median(b for _, b in pairs)


def main(folder: Path | None) -> None:
    pairs = [(EXAMPLES / "2izf_receptor.pdb.gz", EXAMPLES / "2izf_ligand.sdf")]
    if folder is not None:
        names = sorted(path.name for path in folder.iterdir() if path.is_dir())
        pairs = [(folder / n / f"{n}_pocket.pdb", folder / n / f"{n}_ligand.mol2") for n in names]
        pairs = [pair for pair in pairs if 45 <= len(read(pair[1].read_bytes(), pair[1].name)) <= 55]
    settle_memory()  # as the workers do
    rates, ratios = [], []
    for receptor, ligand in pairs:
        atoms, pose, alone = seconds(receptor, ligand)
        rates.append(1 / pose)
        ratios.append(alone / pose)
        print(f"{receptor.name:24} {atoms} atoms  {1 / pose:6.0f} poses a second, {alone / pose:.1f} times alone")
    print(f"median {median(rates):.0f} poses a second, {median(ratios):.1f} times alone")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
