"""OpenMM's Modeller in a process of its own, which is killed when its time is up."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from interactions.chemistry.added_atoms import Added
from interactions.chemistry.openmm_view import KEPT, Shown
from interactions.errors import ChemistryError
from interactions.structure import Floats, Ints

_SEED = 1  # Modeller shakes each new hydrogen by random.random before it minimises
_NANOMETRE = 10.0  # Å


@dataclass(frozen=True)
class Job:
    """What the process is sent: residues, atomic numbers (n), places in Å (n, 3), bonds (b, 2), pH."""

    shown: tuple[Shown, ...]
    elements: Ints
    coordinates: Floats
    bonds: Ints
    ph: float


def run(job: Job, name: str, seconds: float) -> list[Added]:
    """The hydrogens that OpenMM adds, in order of their residues.

    The process is started anew (spawn), so a script that calls this needs its ``__main__`` guard.
    Raises ChemistryError: ``hydrogens_timed_out``, ``hydrogens_failed`` or ``worker_died``.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(job, there), daemon=True)
    try:
        process.start()
        there.close()
        if not here.poll(seconds):
            raise ChemistryError(f"{name}: no hydrogens after {seconds:g} s", code="hydrogens_timed_out")
        answer = here.recv()
    except (EOFError, ConnectionError) as error:
        raise ChemistryError(f"{name}: the process that adds hydrogens died", code="worker_died") from error
    finally:
        _end(process)
        here.close()
    if isinstance(answer, str):
        raise ChemistryError(f"{name}: OpenMM adds no hydrogens: {answer}", code="hydrogens_failed")
    placed: list[Added] = answer
    return placed


def _end(process: multiprocessing.context.SpawnProcess) -> None:
    if process.pid is not None:
        process.kill()
        process.join()
        process.close()


def _serve(job: Job, connection: Connection) -> None:
    try:
        connection.send(place(job))
    except Exception as error:  # the caller raises it with the structure's name
        connection.send(f"{type(error).__name__}: {error}")


def place(job: Job) -> list[Added]:
    """The hydrogens, worked out in this process.

    The Reference platform: one thread, double precision. The CPU platform repeats itself on one machine, but the
    minimisation stops before it converges, so that its single precision moves every tenth hydrogen by 0.1 Å and more.
    """
    from openmm import Platform
    from openmm.app import Modeller

    topology, positions = _topology(job)
    modeller = Modeller(topology, positions)
    random.seed(_SEED)
    modeller.addHydrogens(pH=job.ph, variants=_variants(job.shown), platform=Platform.getPlatformByName("Reference"))
    return _read_back(job, modeller)


def _padding(shown: Shown) -> tuple[int, int]:
    """Empty residues before and behind: beside one, a residue is no end of a chain for OpenMM."""
    return int(shown.opens and not shown.head), int(shown.closes and not shown.tail)


def _variants(residues: Sequence[Shown]) -> list[str | None]:
    variants: list[str | None] = []
    for shown in residues:
        before, behind = _padding(shown)
        variants += [*[None] * before, shown.variant, *[None] * behind]
    return variants


def _topology(job: Job) -> tuple[Any, Any]:
    """Topology and positions; atoms in the order of ``_order``. Each bond has an order, to be told from new ones."""
    from openmm.app import Topology
    from openmm.app.element import Element
    from openmm.unit import nanometer
    from openmm.vec3 import Vec3

    topology, atoms, chain = Topology(), {}, None
    for shown in job.shown:
        before, behind = _padding(shown)
        if chain is None or shown.opens:
            chain = topology.addChain()
        if before:
            topology.addResidue(KEPT, chain)
        residue = topology.addResidue(shown.name, chain)
        for atom, name in zip(shown.atoms, shown.names, strict=True):
            number = int(job.elements[atom])
            atoms[atom] = topology.addAtom(name, Element.getByAtomicNumber(number) if number else None, residue)
        if behind:
            topology.addResidue(KEPT, chain)
    for a, b in job.bonds.tolist():
        topology.addBond(atoms[a], atoms[b], order=1)
    places = (job.coordinates[_order(job)] / _NANOMETRE).tolist()
    return topology, [Vec3(*place) for place in places] * nanometer


def _order(job: Job) -> list[int]:
    return [atom for shown in job.shown for atom in shown.atoms]


def _read_back(job: Job, modeller: Any) -> list[Added]:
    """New hydrogens are those whose bond has no order; heavy atoms are still in their order."""
    from openmm.unit import angstrom

    heavy = [atom for atom in _order(job) if job.elements[atom] != 1]
    theirs = [a.index for a in modeller.topology.atoms() if a.element is None or a.element.atomic_number != 1]
    parents = dict(zip(theirs, heavy, strict=True))
    xyz = modeller.positions.value_in_unit(angstrom)
    return [
        (parents[bond[0].index], bond[1].name, (xyz[bond[1].index].x, xyz[bond[1].index].y, xyz[bond[1].index].z))
        for bond in modeller.topology.bonds()
        if bond.order is None
    ]
