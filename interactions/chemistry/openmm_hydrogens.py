"""Hydrogens of proteins and nucleic acids at a pH, by OpenMM's Modeller in a process of its own with a time limit."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from interactions.chemistry.added_atoms import Added, with_hydrogen_atoms
from interactions.chemistry.elements import SYMBOLS
from interactions.chemistry.hydrogens import LENGTHS
from interactions.chemistry.residue_kinds import kind_of
from interactions.errors import ChemistryError
from interactions.points import Point, add, scale, sub, unit
from interactions.structure import Structure

_KEPT = "KEEP"  # a residue name that OpenMM adds nothing to
_NANOMETRE = 0.1  # of an Å
_SEED = 2004


@dataclass(frozen=True)
class Site:
    """One residue as OpenMM sees it: its name there, atoms (index, name, symbol) and whether a chain starts anew.

    ``broken``: its first atom lost its neighbour; what hydrogen it has there nobody knows.
    """

    index: int
    name: str
    atoms: tuple[tuple[int, str, str], ...]
    starts: bool
    broken: bool


@dataclass(frozen=True)
class Report:
    """How many hydrogens were added, which variant each titratable residue has, and which residues were left alone."""

    added: int
    variants: tuple[tuple[str, str], ...]
    left_alone: tuple[str, ...]


def with_openmm_hydrogens(structure: Structure, *, ph: float = 7.0, seconds: float = 60.0) -> tuple[Structure, Report]:
    """The structure with the hydrogens that OpenMM gives its standard residues at a pH, behind its own atoms.

    Given hydrogens stay where they are; adding twice changes nothing. Waters, ligands, metals and residues of other
    names are left alone but stand in the way. A chain starts anew at each break; the nitrogen there gets none. Places
    are the same in every run: one thread, a fixed seed.
    Raises ChemistryError: ``hydrogens_timed_out``, ``hydrogens_failed`` or ``worker_died``.
    """
    sites = list(_sites(structure))
    places = [tuple(place) for place in structure.coordinates.tolist()]
    bonds = [tuple(bond) for bond in structure.bonds.tolist()]
    found, variants = _in_process((sites, places, bonds, ph), structure.name, seconds)
    added = [(parent, name, _at_length(structure, parent, place)) for parent, name, place in found]
    named = tuple((_label(structure, residue), variant) for residue, variant in variants)
    left = tuple(_label(structure, site.index) for site in sites if site.name == _KEPT)
    return with_hydrogen_atoms(structure, added), Report(len(added), named, left)


def _at_length(structure: Structure, parent: int, place: Point) -> Point:
    """The place moved to the usual bond length: without a force field OpenMM leaves hydrogens 0.2 Å too far out."""
    x, y, z = structure.coordinates[parent].tolist()
    length = LENGTHS.get(int(structure.elements[parent]), LENGTHS[6])
    return add((x, y, z), scale(unit(sub(place, (x, y, z))), length))


def _sites(structure: Structure) -> Iterator[Site]:
    homes = structure.residue_of
    linked = {(int(homes[a]), int(homes[b])) for a, b in structure.bonds.tolist() if homes[a] != homes[b]}
    broken = {int(homes[a]) for a in structure.missing_links.ravel().tolist()}
    before: int | None = None
    for residue, name in enumerate(structure.residue_names):
        atoms = structure.residue_atoms[residue]
        standard = bool(kind_of(name)) and len({structure.atom_names[a] for a in atoms}) == len(atoms)
        follows = before is not None and ((before, residue) in linked or (residue, before) in linked)
        first = residue not in {b for a, b in linked if a < b}
        yield Site(
            index=residue,
            name=name if standard else _KEPT,
            atoms=tuple((a, structure.atom_names[a], SYMBOLS[int(structure.elements[a])]) for a in atoms),
            starts=not follows,
            broken=standard and first and (residue in broken or _lacks_terminus(structure, residue, linked)),
        )
        before = residue


def _lacks_terminus(structure: Structure, residue: int, linked: set[tuple[int, int]]) -> bool:
    """A chain that starts in the middle, as in a pocket: the residue before it in the file is a polymer's too."""
    if residue == 0 or not kind_of(structure.residue_names[residue - 1]):
        return False
    same = structure.chains[residue] == structure.chains[residue - 1]
    return same and (residue - 1, residue) not in linked


def _label(structure: Structure, residue: int) -> str:
    number = f"{structure.residue_numbers[residue]}{structure.insertion_codes[residue]}"
    return f"{structure.residue_names[residue]}:{structure.chains[residue]}:{number}"


Job = tuple[list[Site], list[Any], list[Any], float]
Result = tuple[list[Added], list[tuple[int, str]]]


def _in_process(job: Job, name: str, seconds: float) -> Result:
    """Run the job in a spawned process that is killed when its time is up."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(job, there), daemon=True)
    process.start()
    there.close()
    try:
        if not here.poll(seconds):
            raise ChemistryError(f"{name}: no hydrogens after {seconds:g} s", code="hydrogens_timed_out")
        answer = here.recv()
    except EOFError as error:
        raise ChemistryError(f"{name}: the process that adds hydrogens died", code="worker_died") from error
    finally:
        process.kill()
        process.join()
        here.close()
    if isinstance(answer, str):
        raise ChemistryError(f"{name}: OpenMM adds no hydrogens: {answer}", code="hydrogens_failed")
    found: Result = answer
    return found


def _serve(job: Job, connection: Connection) -> None:
    try:
        connection.send(_add(*job))
    except Exception as error:  # told to the caller, who raises it with the structure's name
        connection.send(f"{type(error).__name__}: {error}")


def _add(sites: list[Site], places: list[Any], bonds: list[Any], ph: float) -> Result:
    """Hydrogens as (parent, name, place in Å), and the variant of each residue that has variants."""
    from openmm import Platform, Vec3
    from openmm.app import Element, Modeller, Topology
    from openmm.unit import nanometer

    topology, atoms, positions = Topology(), {}, []
    chain = None
    for site in sites:
        if chain is None or site.starts:
            chain = topology.addChain()
            if site.broken:
                topology.addResidue(_KEPT, chain)  # so that what follows is no terminus
        residue = topology.addResidue(site.name, chain)
        for index, name, symbol in site.atoms:
            atoms[index] = topology.addAtom(name, Element.getBySymbol(symbol), residue)
            positions.append(Vec3(*places[index]) * _NANOMETRE)
    for a, b in bonds:
        topology.addBond(atoms[a], atoms[b])
    platform = Platform.getPlatformByName("CPU")
    for key, value in (("Threads", "1"), ("DeterministicForces", "true")):
        platform.setPropertyDefaultValue(key, value)
    random.seed(_SEED)
    modeller = Modeller(topology, positions * nanometer)
    variants = modeller.addHydrogens(pH=ph, platform=platform)
    return _read_back(sites, modeller, variants)


def _read_back(sites: list[Site], modeller: Any, variants: list[str | None]) -> Result:
    """New atoms stand behind their parents; residues come in the old order."""
    from openmm.unit import angstrom

    xyz = modeller.positions.value_in_unit(angstrom)
    added: list[Added] = []
    told: list[tuple[int, str]] = []
    residues = [(r, v) for r, v in zip(modeller.topology.residues(), variants, strict=True) if len(list(r.atoms()))]
    for site, (residue, variant) in zip(sites, residues, strict=True):
        if variant is not None:
            told.append((site.index, variant))
        old = iter(site.atoms)
        expected = next(old, None)
        parent = ("", -1)
        for atom in residue.atoms():
            if expected is not None and atom.name == expected[1] and atom.element.symbol == expected[2]:
                if expected[2] != "H":
                    parent = expected[1], expected[0]
                expected = next(old, None)
            elif not (site.broken and parent[0] in ("N", "P")):
                place = xyz[atom.index]
                added.append((parent[1], atom.name, (float(place.x), float(place.y), float(place.z))))
    return added, told
