"""Pocket residues: the cutoff from both sides, and every part of the rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from interactions.errors import InputError
from interactions.labelling import load_complex
from interactions.pocket import PocketRule, pocket_residues

# ALA: heavy atoms from x = 8.0, a hydrogen at 7.5; GLY at 8.001; water at 3; zinc at 2; ligand at 0 and -2.
LINES = """\
ATOM      1  CA  ALA A   1       9.000   0.000   0.000  1.00  0.00           C
ATOM      2  CB  ALA A   1       8.000   0.000   0.000  1.00  0.00           C
ATOM      3  HB1 ALA A   1       7.500   0.000   0.000  1.00  0.00           H
ATOM      4  CA  GLY A   5       0.000   8.001   0.000  1.00  0.00           C
TER
HETATM    5  C1  LIG A  10       0.000   0.000   0.000  1.00  0.00           C
HETATM    6  C2  LIG A  10      -2.000   0.000   0.000  1.00  0.00           C
HETATM    7  H1  LIG A  10       1.000   0.000   0.000  1.00  0.00           H
HETATM    8  O   HOH A  20       0.000   0.000   3.000  1.00  0.00           O
HETATM    9 ZN    ZN A  21       0.000   0.000  -2.000  1.00  0.00          ZN
"""
COMPLEX = load_complex(LINES.encode(), "hand.pdb", selector="LIG")
DEFAULT = PocketRule(atoms="heavy")


def found(rule: PocketRule) -> dict[str, float]:
    return {row["residue_name"]: row["distance"] for row in pocket_residues(COMPLEX, rule)}


def test_the_cutoff_itself_is_in_and_what_lies_beyond_is_not() -> None:
    assert found(DEFAULT) == {"ALA": 8.0, "ZN": 2.0}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"inclusive": False}, {"ZN": 2.0}),
        ({"cutoff": 8.001}, {"ALA": 8.0, "GLY": 8.001, "ZN": 2.0}),
        ({"atoms": "all"}, {"ALA": 6.5, "ZN": 2.0}),
        ({"ligand": "centroid", "cutoff": 9.0}, {"ALA": 9.0, "GLY": 8.0633, "ZN": 2.2361}),
        ({"residue": "cb"}, {"ALA": 8.0}),
        ({"residue": "ca"}, {}),
        ({"residue": "ca", "cutoff": 9.0}, {"ALA": 9.0, "GLY": 8.001}),
        ({"include": ("water",)}, {"HOH": 3.0}),
        ({"include": ("metal",)}, {"ZN": 2.0}),
        ({"cutoff": 1.0}, {}),
    ],
)
def test_each_part_of_the_rule(change: dict[str, Any], expected: dict[str, float]) -> None:
    assert found(replace(DEFAULT, **change)) == expected


@pytest.mark.parametrize("change", [{"cutoff": 0.0}, {"cutoff": float("nan")}, {"atoms": "some"}, {"include": ("x",)}])
def test_a_rule_that_is_none_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        PocketRule(**change)
    assert caught.value.code == "bad_pocket"
