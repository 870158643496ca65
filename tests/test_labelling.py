"""LabelSets of the example: bonds that a chemist knows, the record's form, provenance."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any

import pytest

from interactions import __version__
from interactions.criteria import load
from interactions.errors import InputError, LigandError
from interactions.labelling import bond_texts, failure, label, load_complex
from interactions.serialise import dumps

BIOTIN_SITE = {("ASN", 23), ("SER", 27), ("TYR", 43), ("SER", 45), ("ASN", 49), ("SER", 88), ("ASP", 128)}


def deposited(examples: Path, selector: str = "BTN:B:300", **options: Any) -> dict[str, Any]:
    return label(load_complex((examples / "2izf.pdb.gz").read_bytes(), "2izf", selector=selector), **options)


def pair(examples: Path, **options: Any) -> dict[str, Any]:
    receptor, ligand = ((examples / name).read_bytes() for name in ("2izf_receptor.pdb.gz", "2izf_ligand.sdf"))
    return label(load_complex(receptor, "receptor", ligand, "ligand"), **options)


def partners(record: dict[str, Any]) -> list[tuple[str, int]]:
    ends = [bond[end] for bond in record["hydrogen_bonds"] for end in ("donor", "acceptor")]
    return sorted((end["residue_name"], end["residue_number"]) for end in ends if end["side"] == "receptor")


@pytest.mark.parametrize("selector", ["BTN:B:300", "BTN:D:301"])
def test_biotin_has_its_seven_bonds_in_each_copy(examples: Path, selector: str) -> None:
    assert partners(deposited(examples, selector)) == sorted(BIOTIN_SITE)


def test_a_receptor_and_ligand_pair_gives_the_same_bonds_as_the_deposited_file(examples: Path) -> None:
    def ends(record: dict[str, Any]) -> list[Any]:
        return [(b["distance_da"], b["distance_ha"], b["angle_dha"], b["strict"]) for b in record["hydrogen_bonds"]]

    assert ends(pair(examples)) == ends(deposited(examples))
    assert pair(examples)["pocket_residues"] == deposited(examples)["pocket_residues"]


def test_the_record_has_the_promised_form(examples: Path) -> None:
    record = deposited(examples, id="2izf")
    assert list(record) == [
        "id", "status", "criteria", "ligand", "hydrogen_bonds", "pocket_residues", "contacts", "sites", "ambiguities",
        "warnings", "provenance",
    ]  # fmt: skip
    assert (record["id"], record["status"], record["criteria"]) == ("2izf", "ok", "chimerax")
    bond = record["hydrogen_bonds"][0]
    assert list(bond) == [
        "kind", "donor", "acceptor", "hydrogen", "distance_da", "distance_ha", "angle_dha", "strict", "hydrogens",
    ]  # fmt: skip
    assert bond["donor"] == {
        "side": "receptor", "chain": "B", "residue_name": "ASN", "residue_number": 23, "insertion_code": "",
        "atom_name": "ND2", "alt_loc": "", "element": "N", "serial": bond["donor"]["serial"],
        "index": bond["donor"]["index"],
    }  # fmt: skip
    assert bond["distance_da"] == round(bond["distance_da"], 4)
    assert bond["angle_dha"] == round(bond["angle_dha"], 3)
    assert list(record["pocket_residues"][0]) == [
        "chain", "residue_name", "residue_number", "insertion_code", "distance",
    ]  # fmt: skip


def test_what_was_not_looked_for_is_not_empty(examples: Path) -> None:
    record = deposited(examples)
    assert record["contacts"] is None
    assert record["sites"] is None
    assert "hydrogen_bonds_with_solvent" not in record


def test_bonds_to_water_stand_apart_when_asked_for(examples: Path) -> None:
    record = deposited(examples, solvent=True)
    assert partners(record) == sorted(BIOTIN_SITE)
    wet = record["hydrogen_bonds_with_solvent"]
    assert wet
    assert all("HOH" in (bond["donor"]["residue_name"], bond["acceptor"]["residue_name"]) for bond in wet)


@pytest.mark.parametrize("criteria", ["chimerax", "baker_hubbard"])
def test_bonds_are_the_same_whether_or_not_those_to_water_are_looked_for(examples: Path, criteria: str) -> None:
    without = deposited(examples, criteria=criteria)["hydrogen_bonds"]
    assert without
    for asked in ({"solvent": True}, {"parts": ("sites",)}):
        assert deposited(examples, criteria=criteria, **asked)["hydrogen_bonds"] == without


def test_unrelaxed_bonds_are_the_strict_ones(examples: Path) -> None:
    relaxed, unrelaxed = deposited(examples), deposited(examples, relaxed=False)
    assert [b for b in relaxed["hydrogen_bonds"] if b["strict"]] == unrelaxed["hydrogen_bonds"]
    assert unrelaxed["provenance"]["distance_slop"] == unrelaxed["provenance"]["angle_slop"] == 0.0


def test_provenance(examples: Path) -> None:
    receptor = gzip.decompress((examples / "2izf_receptor.pdb.gz").read_bytes())
    ligand = (examples / "2izf_ligand.sdf").read_bytes()
    found = pair(examples)["provenance"]
    assert found["digest"] == hashlib.sha256(receptor + ligand).hexdigest()
    assert found["criteria_digest"] == load("chimerax").digest
    assert found["version"] == __version__
    assert (found["alt_loc_policy"], found["model_policy"]) == ("chimerax", "first")
    assert found["hydrogens"] == {"receptor": "given", "ligand": "given", "policy": "placed"}
    assert found["pocket"]["cutoff"] == 8.0


def test_the_same_input_gives_the_same_bytes(examples: Path) -> None:
    assert dumps(deposited(examples)) == dumps(deposited(examples))


def test_bond_texts_name_each_pair_once(examples: Path) -> None:
    bonds = deposited(examples)["hydrogen_bonds"]
    texts = bond_texts([*bonds, {**bonds[0], "donor": bonds[0]["acceptor"], "acceptor": bonds[0]["donor"]}])
    assert len(texts) == len(bonds)
    assert texts[0] == "ASN 23 ND2 B, O3"


def test_a_ligand_alone_is_no_complex(examples: Path) -> None:
    with pytest.raises(LigandError) as caught:
        load_complex((examples / "2izf_ligand.sdf").read_bytes(), "ligand")
    assert caught.value.code == "no_receptor"


def test_a_ligand_that_is_also_in_the_receptor_is_warned_of(examples: Path) -> None:
    receptor, ligand = ((examples / name).read_bytes() for name in ("2izf.pdb.gz", "2izf_ligand.sdf"))
    record = label(load_complex(receptor, "receptor", ligand, "ligand"))
    assert [warning["code"] for warning in record["warnings"]] == ["ligand_in_receptor"]
    assert pair(examples)["warnings"] == []


def test_residues_of_one_number_are_warned_of() -> None:
    line = "ATOM  {:5}  CA  {} A   1       {:.3f}   0.000   0.000  1.00  0.00           C\n"
    ligand = "HETATM    3  C1  LIG A   9       1.000   1.000   1.000\n"
    text = line.format(1, "ALA", 5.0) + line.format(2, "GLY", 9.0) + ligand
    record = label(load_complex(text.encode(), "x", selector="LIG"))
    assert "repeated_residues" in [warning["code"] for warning in record["warnings"]]


def test_a_failure_keeps_code_stage_and_message() -> None:
    assert failure("x", InputError("line 3: no", code="bad_record")) == {
        "id": "x",
        "status": "failed",
        "error": {"code": "bad_record", "stage": "read", "message": "line 3: no"},
    }
