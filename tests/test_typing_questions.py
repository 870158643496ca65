"""Types of a molecule at other places: never kept where typing anew would give others."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path

import numpy as np
import pytest

from conftest import REFERENCE
from interactions.chemistry.idatm import idatm_types
from interactions.chemistry.typing_questions import Questions
from interactions.formats import read
from interactions.structure import Structure

LIGANDS = sorted((REFERENCE / "pdbbind").glob("*/*_ligand.mol2")) or [Path("absent.mol2")]


def shaken(structure: Structure, rng: np.random.Generator, by: float) -> Structure:
    """The same molecule, each atom moved by about so many Å."""
    places = structure.coordinates + rng.normal(scale=by, size=structure.coordinates.shape)
    return structure.at(places, name=structure.name, digest="")


def changes(structure: Structure, rounds: int) -> int:
    """How often shaking changes types; each time they are what a molecule that was never typed before would get."""
    rng, first, changed = np.random.default_rng(1), idatm_types(structure), 0
    for by in np.geomspace(0.001, 0.3, rounds):
        other = shaken(structure, rng, float(by))
        alone = replace(structure, coordinates=other.coordinates)
        assert not alone.notes
        expected = idatm_types(alone)
        assert idatm_types(other) == expected
        changed += expected != first
    return changed


def test_biotin_shaken(examples: Path) -> None:
    assert changes(read(examples / "2izf_ligand.sdf"), 200) > 20


@pytest.mark.shared
@pytest.mark.parametrize("path", LIGANDS, ids=lambda path: path.parent.name)
def test_ligands_shaken(path: Path) -> None:
    changes(read(path), 40)


def bent(degrees: float) -> np.ndarray:
    """Three atoms 1.4 and 1.5 Å apart with this angle at the first."""
    angle = radians(degrees)
    return np.array([(0.0, 0.0, 0.0), (1.4, 0.0, 0.0), (1.5 * cos(angle), 1.5 * sin(angle), 0.0)])


@pytest.mark.parametrize(
    ("places", "same"),
    [
        (bent(114.9), True),
        (bent(115.1), False),
        (bent(115.0), False),  # hard to say
        (bent(112) * 1.06, True),
        (bent(112) * 1.08, False),  # the first bond is longer than its limit
        (bent(112) + 7.5, True),
        (bent(112)[[0, 2, 1]], False),  # now the other bond is the longer one
        (bent(112) * 0.0, False),
    ],
)
def test_answers_and_limits(places: np.ndarray, same: bool) -> None:
    ask = Questions(bent(110))
    assert ask.is_within(0, 1, 1.5)
    assert not ask.is_shorter(0, 2, 1.39)
    assert ask.is_narrower(0, (1, 2), 115)
    assert not ask.is_at_most(0, (1, 2), 30)
    assert ask.choose(lambda shape: shape.length(0, 1) < shape.length(0, 2))
    assert ask.have_same_answers(places) == same
