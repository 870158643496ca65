"""Every acceptor and donor of the reference complexes: class, limits, reference atoms, hydrogen positions."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import REFERENCE
from interactions.criteria import load, with_slops
from interactions.detectors.mills_dean.acceptor_geometry import limits_for
from interactions.detectors.mills_dean.acceptors import classify_acceptor
from interactions.detectors.mills_dean.donors import classify_donor
from interactions.detectors.mills_dean.limits import Limits, limits_of
from interactions.detectors.mills_dean.positions import hydrogen_positions
from interactions.formats import read
from interactions.labelling import perceive
from interactions.surroundings import Surroundings

TYPES = sorted((REFERENCE / "types").glob("*/*.json.gz")) or [Path("absent.json.gz")]
STRICT = limits_of(with_slops(load("chimerax"), 0.0, 0.0))
KINDS = ("sp2_oxygen", "sp3_oxygen", "sp3_nitrogen")
TESTS = {
    "acc_syn_anti": "syn_anti",
    "acc_phi_psi": "phi_psi",
    "acc_theta_tau": "theta_tau",
    "acc_theta_tau+tau37.5": "theta_tau",
    "acc_generic": "generic",
}


def models(path: Path) -> list[Surroundings]:
    name = path.name.split(".")[0]
    if path.parent.name == "pdbbind":
        files = [f"pdbbind/{name}/{name}_pocket.pdb", f"pdbbind/{name}/{name}_ligand.mol2"]
    else:
        files = [f"wwpdb/{name}.pdb.gz"]
    return [Surroundings(perceive(read(REFERENCE / file))) for file in files]


def squared(numbers: Any) -> list[Any]:
    """The reference keeps distance limits squared."""
    return [round(x * x, 6) if x is not None and 0 < x < 7.5 else x for x in numbers]


def donor_row(limits: Limits, name: str) -> list[Any]:
    rule = limits.donors[name]
    row: list[Any] = []
    for kind in KINDS:
        numbers = list(rule.by_kind[kind])
        if rule.form == "water":
            numbers.insert(1, (numbers[0] or 0) + 0.91)
        elif rule.form == "upsilon_tau" and kind == "sp3_oxygen":
            numbers.append(None)  # a number that no test uses
        row += squared(numbers)
    return row


@pytest.mark.shared
@pytest.mark.parametrize("path", TYPES, ids=lambda path: path.name.split(".")[0])
def test_acceptors_equal_those_of_chimerax(path: Path) -> None:
    expected = {}
    for row in json.loads(gzip.decompress(path.read_bytes()))["acceptors"]:
        references = [int(x.split("/")[1]) for x in row[7] if isinstance(x, str) and x.startswith("atom:")]
        expected[row[0], row[1]] = (TESTS[row[6]], references, [x for x in row[7] if isinstance(x, float)])
    found = {}
    for number, at in enumerate(models(path), 1):
        for atom in range(len(at.elements)):
            acceptor = classify_acceptor(at, atom)
            if acceptor is not None:
                rule = limits_for(acceptor, STRICT)
                found[number, atom] = (rule.test, list(acceptor.references), squared(rule.limits))
    assert found.keys() == expected.keys()
    for key, (test, references, limits) in expected.items():
        assert found[key][0] == test
        assert found[key][2] == pytest.approx(limits)
        if references:
            # The two neighbours of a ring nitrogen are interchangeable in its test.
            order = sorted if test == "phi_psi" else list
            assert order(found[key][1]) == order(references)


@pytest.mark.shared
@pytest.mark.parametrize("path", TYPES, ids=lambda path: path.name.split(".")[0])
def test_donors_equal_those_of_chimerax(path: Path) -> None:
    expected = {(row[0], row[1]): row for row in json.loads(gzip.decompress(path.read_bytes()))["donors"]}
    found = set()
    for number, at in enumerate(models(path), 1):
        for atom in range(len(at.elements)):
            donor = classify_donor(at, atom)
            if donor is None or is_vetoed(at, atom):
                continue
            found.add((number, atom))
            row = expected[number, atom]
            assert donor.generic == (row[6] == "generic")
            if not donor.generic:
                assert STRICT.donors[donor.name].form == row[6]
                mine = donor_row(STRICT, donor.name)
                used = [(a, b) for a, b in zip(mine, row[8], strict=True) if a is not None]
                assert [a for a, _ in used] == pytest.approx([b for _, b in used])
            places = hydrogen_positions(at, atom)
            assert len(places) == len(row[10])
            if places:
                # Of the two places at an N3+ of two bonds, rounding noise in ChimeraX decides which is made
                # first; the other is 0.01 A off its mirror image.
                noise = 2e-2 if at.types[atom] == "N3+" and len(at.neighbours[atom]) == 2 else 2e-3
                np.testing.assert_allclose(sorted(places), sorted(map(tuple, row[10])), atol=noise)
    assert found == expected.keys()


def is_vetoed(at: Surroundings, atom: int) -> bool:
    """A planar nitrogen that accepts near a metal does not donate."""
    return (
        at.elements[atom] == 7
        and at.is_planar(atom)
        and bool(at.near_metals(atom, STRICT.metal_distance))
        and classify_acceptor(at, atom) is not None
    )
