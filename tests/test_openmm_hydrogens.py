"""Hydrogens by OpenMM: kept, repeated, bounded in time; a label that rests on them says so."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from interactions.chemistry.openmm_hydrogens import add_hydrogens
from interactions.errors import ChemistryError
from interactions.formats import read
from interactions.labelling import label, load_complex
from interactions.structure import Structure


@pytest.fixture(scope="module")
def stretch() -> Structure:
    """Residues 20 to 30 and 43 to 49 of streptavidin without hydrogens: two stretches with a break between."""
    structure = read((Path(__file__).parent.parent / "examples" / "2izf_receptor.pdb.gz").read_bytes(), "2izf")
    numbers, chains = structure.residue_numbers, np.array(structure.chains)
    wanted = (chains == "B") & (((numbers >= 20) & (numbers <= 30)) | ((numbers >= 43) & (numbers <= 49)))
    drop = ~wanted[structure.residue_of] | (structure.elements == 1)
    return structure.without(np.flatnonzero(drop).tolist())


def test_own_atoms_stay_and_hydrogens_come_behind(stretch: Structure) -> None:
    full, report = add_hydrogens(stretch)
    n = len(stretch)
    assert report.added == len(full) - n > 100
    assert full.atom_names[:n] == stretch.atom_names
    assert np.array_equal(full.coordinates[:n], stretch.coordinates)
    assert set(full.elements[n:].tolist()) == {1}
    lengths = [np.linalg.norm(full.coordinates[a] - full.coordinates[b]) for a, b in full.bonds if b >= n]
    assert len(lengths) == report.added
    assert {round(float(length), 2) for length in lengths} <= {0.98, 1.01, 1.09, 1.34}


def test_twice_adds_nothing_and_two_runs_agree(stretch: Structure) -> None:
    first, _ = add_hydrogens(stretch)
    second, _ = add_hydrogens(stretch)
    assert np.array_equal(first.coordinates, second.coordinates)
    again, report = add_hydrogens(first)
    assert report.added == 0
    assert again is first


def test_the_nitrogen_after_a_break_gets_none(stretch: Structure) -> None:
    full, _ = add_hydrogens(stretch)
    first = next(r for r, n in enumerate(stretch.residue_numbers.tolist()) if n == 43)
    nitrogen = next(a for a in stretch.residue_atoms[first] if stretch.atom_names[a] == "N")
    inner = next(a for a in stretch.residue_atoms[first + 1] if stretch.atom_names[a] == "N")
    assert not [b for b in full.neighbours[nitrogen] if full.elements[b] == 1]
    assert len([b for b in full.neighbours[inner] if full.elements[b] == 1]) == 1


def test_a_low_ph_protonates_histidine_and_acids(examples: Path) -> None:
    structure = read((examples / "2izf_receptor.pdb.gz").read_bytes(), "2izf")
    keep = (structure.residue_numbers >= 126) & (structure.residue_numbers <= 129) & (np.array(structure.chains) == "B")
    part = structure.without(np.flatnonzero(~keep[structure.residue_of] | (structure.elements == 1)).tolist())
    assert {"HIS", "ASP"} <= set(part.residue_names)
    _, acid = add_hydrogens(part, ph=3.0)
    _, neutral = add_hydrogens(part, ph=8.0)
    assert acid.added > neutral.added
    assert any(variant == "HIP" for _, variant in acid.variants)


def test_time_is_limited_and_nothing_stays_behind(stretch: Structure) -> None:
    before = len(multiprocessing.active_children())
    with pytest.raises(ChemistryError) as caught:
        add_hydrogens(stretch, seconds=0.01)
    assert caught.value.code == "hydrogens_timed_out"
    assert len(multiprocessing.active_children()) == before


def test_a_label_by_openmm_says_so(examples: Path) -> None:
    receptor, ligand = ((examples / f"2izf_{end}").read_bytes() for end in ("receptor.pdb.gz", "ligand.sdf"))
    record = label(load_complex(receptor, "r", ligand, "l"), criteria="baker_hubbard", hydrogens="openmm")
    assert record["provenance"]["hydrogens"]["policy"] == "openmm"
    assert record["provenance"]["protonation"]["ph"] == 7.0
    assert record["hydrogen_bonds"]
