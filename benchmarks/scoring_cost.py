"""CPU microseconds for one answer read and scored, median of several rounds: bare answers, tagged ones, lists of bonds.

``fresh`` lists were never seen before; ``rollouts`` are eight answers to one question, in turn.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable

from interactions.questions.scoring import verify

ROUNDS = 9
COUNT = 5000
RESIDUES = ("ARG", "ASP", "GLU", "HIS", "LYS", "SER", "THR", "TYR")
ATOMS = ("N", "O", "OG", "NE", "NZ", "NH1", "NH2", "OD1")

Case = tuple[str, str, str]


def bond(rng: random.Random) -> str:
    residue, atom = rng.choice(RESIDUES), rng.choice(ATOMS)
    return f"{residue} {rng.randint(1, 2500)} {atom} {rng.choice('ABCD')}, O{rng.randint(1, 40)}"


def fresh_lists(rng: random.Random) -> list[Case]:
    return [("pocket_ligand", "; ".join(bonds), "; ".join(bonds[2:] + bonds[:1])) for bonds in _sixes(rng, COUNT)]


def rollouts(rng: random.Random) -> list[Case]:
    cases = []
    for truth in _sixes(rng, COUNT // 8):
        pool = truth + [bond(rng) for _ in range(4)]
        cases += [("pocket_ligand", "; ".join(rng.sample(pool, 6)), "; ".join(truth)) for _ in range(8)]
    return cases


def _sixes(rng: random.Random, count: int) -> list[list[str]]:
    return [[bond(rng) for _ in range(6)] for _ in range(count)]


def moves(rng: random.Random) -> list[Case]:
    return [("translation", f"move {rng.choice('xy')} {rng.randint(-4, 4)}", "move x 3") for _ in range(COUNT)]


def letters(rng: random.Random) -> list[Case]:
    return [("rotation_rotation", rng.choice("ABCD"), "C") for _ in range(COUNT)]


def dockings(rng: random.Random) -> list[Case]:
    turns = [15 * rng.randint(-6, 6) for _ in range(COUNT)]
    return [("docking", f"roll x {turn}, move x {rng.randint(-20, 20)}", "roll x 75, move x -14") for turn in turns]


def tagged(rng: random.Random) -> list[Case]:
    return [("rotation", f"<answer>roll y {15 * rng.randint(-6, 6)}</answer>", "roll y 15") for _ in range(COUNT)]


CASES: dict[str, Callable[[random.Random], list[Case]]] = {
    "letter": letters,
    "move": moves,
    "roll and move": dockings,
    "tagged roll": tagged,
    "six bonds, fresh": fresh_lists,
    "six bonds, rollouts": rollouts,
}


def cost(make: Callable[[random.Random], list[Case]]) -> float:
    """CPU seconds for one answer: the median over rounds, each with answers of its own."""
    times = []
    for seed in range(ROUNDS):
        cases = make(random.Random(seed))
        gc.collect()
        start = time.process_time()
        for kind, response, truth in cases:
            verify(kind, response, truth)
        times.append((time.process_time() - start) / len(cases))
    return statistics.median(times)


if __name__ == "__main__":
    for name, make in CASES.items():
        seconds = cost(make)
        print(f"{name:20s} {seconds * 1e6:6.1f} µs  {1 / seconds:9,.0f} answers a second")
