"""Rigid motion, atom order, format and repetition change no contact, site, flag, explanation or consensus.

But for the twist tau of ``chimerax``, which rests on ideal hydrogens: which of two is placed first, 0.2° apart, is
decided by rounding there. Its verdict is compared, its value is not.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_invariants import POCKETS, SHIFT, TURNS, atom_section, moved_mol2, moved_pdb, pair

from interactions.criteria import names
from interactions.labelling import PARTS, explain_label, label, label_by_all, load_complex
from interactions.serialise import dumps

PROFILES = ("chimerax", "plip", "prolif", "molstar")


def everything(receptor: bytes, ligand: bytes | None, selector: str | None = None) -> dict[str, Any]:
    """What labels say, without places and file-bound numbers."""
    complex_ = load_complex(receptor, "r", ligand, "l" if ligand else None, selector)
    found: dict[str, Any] = {"consensus": stripped(label_by_all(complex_)["pairs"])}
    for criteria in PROFILES:
        record = label(complex_, criteria=criteria, parts=PARTS)
        kept = ("hydrogen_bonds", "contacts", "sites", "ambiguities", "near_misses")
        found[criteria] = {part: stripped(record[part]) for part in kept}
    found["explanations"] = stripped(explain_label(complex_, within=4.0))
    return found


def stripped(value: Any) -> Any:
    """Records as sorted, comparable values; numbers to 1 decimal, no coordinates, indices and serials."""
    if isinstance(value, dict) and value.get("quantity") == "tau":
        return ("tau", value["holds"])
    if isinstance(value, dict):
        skipped = ("index", "serial", "centroid", "position", "direction", "normal", "digest", "provenance", "sentence")
        return tuple((key, stripped(inner)) for key, inner in value.items() if key not in skipped)
    if isinstance(value, list):
        return tuple(sorted((stripped(inner) for inner in value), key=repr))
    # A little off the ties, so that the last digit of a float does not decide.
    return round(value + 0.0123, 1) + 0.0 if isinstance(value, float) else value


@pytest.mark.shared
@pytest.mark.parametrize("turn", ["shift", "about y", "about x"])
@pytest.mark.parametrize("name", POCKETS)
def test_a_rigid_motion_changes_nothing(reference: Path, name: str, turn: str) -> None:
    receptor, ligand = pair(reference, name)
    moved = (
        moved_pdb(receptor.decode(), TURNS[turn], SHIFT).encode(),
        moved_mol2(ligand.decode(), TURNS[turn], SHIFT).encode(),
    )
    assert everything(*moved) == everything(receptor, ligand)


@pytest.mark.shared
@pytest.mark.parametrize("name", [name for name in POCKETS if name != "5ey0"])  # GTP ends in a PO3
def test_the_order_of_ligand_atoms_changes_nothing(reference: Path, name: str) -> None:
    receptor, ligand = pair(reference, name)
    head, rows, tail = atom_section(ligand.decode())
    order = np.random.default_rng(7).permutation(len(rows))
    shuffled = head + "\n".join(" ".join(rows[place]) for place in order) + tail
    assert everything(receptor, shuffled.encode()) == everything(receptor, ligand)


@pytest.mark.shared
@pytest.mark.parametrize("selector", ["BEN:A:1", "GTP:A:1173"])
def test_pdb_equals_mmcif(reference: Path, selector: str) -> None:
    entry = {"BEN": "3ptb", "GTP": "2w83"}[selector[:3]]
    pdb, cif = (gzip.decompress((reference / "wwpdb" / f"{entry}.{end}.gz").read_bytes()) for end in ("pdb", "cif"))
    assert everything(pdb, None, selector) == everything(cif, None, selector)


def test_two_runs_give_the_same_bytes(examples: Path) -> None:
    data = (examples / "2izf.pdb.gz").read_bytes()
    first, second = (
        [dumps(label(load_complex(data, "2izf", selector="BTN:B:300"), criteria=c, parts=PARTS)) for c in names()]
        for _ in range(2)
    )
    assert first == second
