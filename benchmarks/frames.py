"""Frames of a trajectory labelled a second and core: ``python benchmarks/frames.py``, with the extra ``test``.

The trajectory that comes with ProLIF (serotonin receptor and ligand, 5,067 atoms, a box), in memory and from its XTC
file; beside it, in the same run, MDAnalysis' own hydrogen bond analysis of the same pairs and the reading alone.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from interactions.criteria import load
from interactions.trajectory import complex_of, timeline

LIGAND, RECEPTOR, REPEATS, ROUNDS = "resname LIG", "protein", 8, 5


def universes() -> tuple[Any, Any]:
    """From the file, and its frames repeated in memory."""
    import MDAnalysis
    from prolif import datafiles

    top, frames = str(datafiles.TOP), str(datafiles.TRAJ)
    file, memory = MDAnalysis.Universe(top, frames), MDAnalysis.Universe(top)
    read = [(step.positions.copy(), step.dimensions.copy()) for step in file.trajectory]
    places, boxes = (np.array([one[column] for one in read] * REPEATS) for column in (0, 1))
    memory.load_new(places, dimensions=boxes)
    return file, memory


def by_mdanalysis(universe: Any, stop: int) -> None:
    from MDAnalysis.analysis.hydrogenbonds import HydrogenBondAnalysis

    polar, near = "(element N or element O)", f"({LIGAND} or around 6 {LIGAND})"
    HydrogenBondAnalysis(
        universe,
        between=[LIGAND, RECEPTOR],
        hydrogens_sel=f"element H and bonded {polar} and {near}",
        acceptors_sel=f"{polar} and {near}",
        update_selections=False,
    ).run(stop=stop)


def decoded(universe: Any) -> None:
    for step in universe.trajectory:
        _ = step.positions


def rate(call: Callable[[], object], frames: int) -> float:
    """Frames a second of CPU time, median."""
    call()
    found = []
    for _ in range(ROUNDS):
        start = time.process_time()
        call()
        found.append(frames / (time.process_time() - start))
    return median(found)


def main() -> None:
    warnings.simplefilter("ignore")
    file, memory = universes()
    complex_ = complex_of(file, LIGAND, RECEPTOR)
    frames, many = len(file.trajectory), len(memory.trajectory)
    print(f"reading the XTC file alone      {rate(lambda: decoded(file), frames):7.0f} frames a second")
    peer = rate(lambda: by_mdanalysis(memory, 50), 50)
    print(f"MDAnalysis, atoms near at first {peer:7.0f}")
    for name in ("baker_hubbard", "mdanalysis", "wernet_nilsson"):
        profile = load(name)
        fast = rate(lambda: timeline(memory, complex_, profile), many)  # noqa: B023
        xtc = rate(lambda: timeline(file, complex_, profile), frames)  # noqa: B023
        print(f"{name:31} {fast:7.0f}  {fast / peer:.0f} times MDAnalysis; from the file {xtc:.0f}")
    chimerax = rate(lambda: timeline(memory, complex_, load("chimerax"), slice(0, 100)), 100)
    print(f"chimerax, frame by frame        {chimerax:7.0f}")


if __name__ == "__main__":
    main()
