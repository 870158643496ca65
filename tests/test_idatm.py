"""IDATM types: those that ChimeraX gave to every atom of the reference complexes, and a few by hand."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from conftest import REFERENCE
from interactions.chemistry.idatm import idatm_types
from interactions.formats import read

TYPES = sorted((REFERENCE / "types").glob("*/*.json.gz")) or [Path("absent.json.gz")]


def test_biotin_of_the_example(examples: Path) -> None:
    structure = read(examples / "2izf.pdb.gz")
    types = idatm_types(structure)
    biotin = {
        structure.atom_names[a]: types[a]
        for a, residue in enumerate(structure.residue_of.tolist())
        if (structure.residue_names[residue], structure.chains[residue]) == ("BTN", "D")
    }
    assert biotin["C11"] == "Cac"
    assert biotin["O11"] == biotin["O12"] == "O2-"
    assert biotin["S1"] == "S3"
    assert biotin["C2"] == "C3"
    assert biotin["O3"] == "O2"


@pytest.mark.shared
@pytest.mark.parametrize("path", TYPES, ids=lambda path: path.name.split(".")[0])
def test_types_equal_those_of_chimerax(path: Path) -> None:
    name = path.name.split(".")[0]
    pocket = path.parent.name == "pdbbind"
    rows = json.loads(gzip.decompress(path.read_bytes()))["atoms"]
    receptor = read(REFERENCE / (f"pdbbind/{name}/{name}_pocket.pdb" if pocket else f"wwpdb/{name}.pdb.gz"))
    assert list(idatm_types(receptor)) == [row[7] for row in rows if row[0] == 1]
    if pocket:
        ligand = read(REFERENCE / f"pdbbind/{name}/{name}_ligand.mol2")
        found = zip(ligand.atom_names, idatm_types(ligand), strict=True)
        assert Counter(found) == Counter((row[5], row[7]) for row in rows if row[0] == 2)
