"""Many poses of ligands in one receptor, which is read and perceived once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from interactions.complex import Complex
from interactions.criteria import Profile, load
from interactions.detectors.mills_dean.find import Search
from interactions.errors import InputError, OracleError
from interactions.formats import mol2, plain, sdf, sniff
from interactions.formats.pose_reader import PoseReader
from interactions.labelling import failure, perceive
from interactions.pocket import PocketAtoms, PocketRule, pocket_residues
from interactions.records import bond_record
from interactions.structure import Structure

Record = dict[str, Any]

_SPLITTERS = {"mol2": mol2.records, "sdf": sdf.records}


class Pocket:
    """A perceived receptor; what is found out about its atoms is kept for the next pose.

    ``criteria``: a profile of the detector ``mills_dean``. Raises InputError (``bad_criteria``) for another one.
    """

    def __init__(
        self, receptor: Structure, criteria: str | Profile = "chimerax", rule: PocketRule | None = None
    ) -> None:
        self._profile = load(criteria) if isinstance(criteria, str) else criteria
        if self._profile.detector != "mills_dean":
            raise InputError(f"poses are labelled by mills_dean, not by {self._profile.name}", code="bad_criteria")
        self._receptor = perceive(receptor)
        self._none = np.zeros(len(receptor), dtype=np.bool_)
        self._rule = rule or PocketRule()
        self._atoms = PocketAtoms.of(receptor, ~self._none, self._rule)
        self._search: Search | None = None

    def label(self, pose: Structure) -> Record:
        """``hydrogen_bonds`` (water apart) and ``pocket_residues``, as ``labelling.label`` gives them for the pose."""
        ligand = perceive(pose)
        whole = np.ones(len(pose), dtype=np.bool_)
        complex_ = Complex((self._receptor, ligand), (self._none, whole), "", pose.digest)
        if self._search is None:
            self._search = Search(complex_, self._profile)
        else:
            self._search.move_to(complex_)
        return {
            "hydrogen_bonds": [bond_record(complex_, bond) for bond in self._search.bonds(solvent=False)],
            "pocket_residues": pocket_residues(complex_, self._rule, self._atoms),
        }


def records_of(data: bytes, name: str) -> Iterator[tuple[bytes, str]]:
    """The records of a mol2 or SDF file, each with a name that tells its number. Raises InputError (``not_poses``)."""
    data = plain(data, name)
    for number, record in enumerate(_SPLITTERS[_kind_of(data, name)](data), 1):
        yield record, f"{name}: record {number}"


def _kind_of(data: bytes, name: str) -> str:
    kind = sniff(data, name)
    if kind not in _SPLITTERS:
        raise InputError(f"{name}: poses are records of an sdf or mol2 file, not of {kind}", code="not_poses")
    return kind


def label_poses(pocket: Pocket, data: bytes, name: str) -> Iterator[Record]:
    """A record for each record of a mol2 or SDF file, in file order, with ids ``pose_00001``, ``pose_00002`` …

    A broken one is a failure whose message names its number. Raises InputError where the file is neither.
    """
    data = plain(data, name)
    reader = PoseReader(_kind_of(data, name))
    for number, (record, title) in enumerate(records_of(data, name), 1):
        identifier = f"pose_{number:05d}"
        try:
            pose = reader.read(record, title)
            yield {"id": identifier, "status": "ok"} | pocket.label(pose)
        except OracleError as error:
            yield failure(identifier, error)
