"""Every bond that ChimeraX recorded, and no other: 64 pockets and all deposited entries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import REFERENCE
from interactions.labelling import label, load_complex

POCKETS = sorted((REFERENCE / "labels" / "pdbbind").glob("*.json"))
ENTRIES = sorted((REFERENCE / "labels" / "wwpdb").glob("*.json"))

# One placeholder keeps the test visible, as a skip, where the reference data are absent.
LABELS = [*POCKETS, *ENTRIES] or [Path("absent.json")]


def identity(atom: dict[str, Any]) -> tuple[Any, ...]:
    names = ("side", "chain", "residue_name", "residue_number", "insertion_code", "atom_name", "alt_loc", "index")
    return tuple(atom[name] for name in names)


def rows(bonds: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return sorted((identity(b["donor"]), identity(b["acceptor"]), str(b["hydrogen"])) for b in bonds)


def load(path: Path, expected: dict[str, Any]) -> Any:
    if path.parent.name == "pdbbind":
        folder = REFERENCE / "pdbbind" / path.stem
        receptor, ligand = folder / expected["receptor"], folder / expected["ligand"]
        return load_complex(receptor.read_bytes(), receptor.name, ligand.read_bytes(), ligand.name, None)
    receptor = REFERENCE / "wwpdb" / expected["receptor"]
    return load_complex(receptor.read_bytes(), receptor.name, None, None, expected["ligand"])


@pytest.mark.shared
@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
def test_bonds_equal_those_of_chimerax(path: Path) -> None:
    expected = json.loads(path.read_text())
    complex_ = load(path, expected)
    relaxed = label(complex_, solvent=True)
    unrelaxed = label(complex_, relaxed=False)
    assert rows(relaxed["hydrogen_bonds"]) == rows(expected["hydrogen_bonds"])
    assert rows(relaxed["hydrogen_bonds_with_solvent"]) == rows(expected["hydrogen_bonds_with_solvent"])
    assert rows(unrelaxed["hydrogen_bonds"]) == rows(expected["hydrogen_bonds_unrelaxed"])


@pytest.mark.shared
@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
def test_geometry_equals_that_of_chimerax(path: Path) -> None:
    expected = json.loads(path.read_text())
    found = {(identity(b["donor"]), identity(b["acceptor"])): b for b in label(load(path, expected))["hydrogen_bonds"]}
    for bond in expected["hydrogen_bonds"]:
        mine = found[identity(bond["donor"]), identity(bond["acceptor"])]
        assert mine["strict"] == bond["strict"]
        assert mine["distance_da"] == pytest.approx(bond["distance_da"], abs=2e-4)
        for name, tolerance in (("distance_ha", 2e-4), ("angle_dha", 2e-2)):
            assert mine[name] == (None if bond[name] is None else pytest.approx(bond[name], abs=tolerance))
