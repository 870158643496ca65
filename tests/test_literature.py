"""Contacts that crystallographers describe in their papers, by residue number, as PLIP's public tests collect them.

Found by the criteria ``plip``, hydrogens placed. What the criteria leave out is named with its rule.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from interactions.labelling import label, load_complex

# Entry, ligand -> kind -> residues whose side or main chain takes part; a donor of the protein for hydrogen bonds.
DESCRIBED: dict[tuple[str, str], dict[str, set[int]]] = {
    ("1h2t", "7MG:Z:1152"): {"pi_stacking": {20, 43}, "hydrogen_bond": {112}, "salt_bridge": {116}},
    ("1vsn", "NFT:A:283"): {"hydrogen_bond": {66}},
    ("1xdn", "ATP:A:501"): {
        "hydrogen_bond": {111, 61, 92, 88, 87},
        "water_bridge": {307, 309, 111},
        "pi_stacking": {209},
    },
    ("4qnb", "1B0:A:301"): {"hydrogen_bond": {57, 70}, "cation_pi": {70}},
    ("4kya", "1UG:E:702"): {
        "hydrogen_bond": {609},
        "salt_bridge": {513},
        "hydrophobic": {402, 516, 520, 608},
        "pi_stacking": {403, 520},
    },
    ("4alw", "HY7:A:1308"): {"hydrogen_bond": {186}, "salt_bridge": {186, 171}},
    ("3tah", "BGO:A:300"): {
        "hydrogen_bond": {11, 13, 14, 15, 16, 113, 114, 143},
        "water_bridge": {11},
        "salt_bridge": {116},
    },
    ("1aku", "FMN:A:150"): {
        "hydrogen_bond": {59, 60},
        "water_bridge": {63, 100},
        "hydrophobic": {60},
        "pi_stacking": {98},
    },
    ("1bju", "GP6:A:910"): {
        "hydrogen_bond": {190, 195},
        "water_bridge": {190, 227},
        "hydrophobic": {99},
        "pi_stacking": {57},
    },
    ("2efj", "37T:A:502"): {"hydrogen_bond": {161, 237}, "pi_stacking": {157}},
}
# Residues that the criteria do not give. In 1bju Open Babel reads the benzamidine with one bare =NH nitrogen, which
# accepts from SER 190 and from a water; here it is an amidinium, whose nitrogens donate alone.
LEFT_OUT: dict[tuple[str, str], set[int]] = {
    ("1bju", "hydrogen_bond"): {190},
    ("1bju", "water_bridge"): {190, 227},
}
CASES = [(entry, ligand, kind) for (entry, ligand), kinds in DESCRIBED.items() for kind in kinds]


def residues(record: dict[str, Any], kind: str) -> set[int]:
    if kind == "hydrogen_bond":
        ends = [end for bond in record["hydrogen_bonds"] for end in (bond["donor"], bond["acceptor"])]
    else:
        ends = [atom for contact in record["contacts"] if contact["kind"] == kind for atom in contact["receptor"]]
    return {end["residue_number"] for end in ends if end["side"] == "receptor"}


@pytest.mark.shared
@pytest.mark.parametrize(("entry", "ligand", "kind"), CASES)
def test_described_contacts_are_found(reference: Path, entry: str, ligand: str, kind: str) -> None:
    data = gzip.decompress((reference / "wwpdb" / f"{entry}.pdb.gz").read_bytes())
    record = label(load_complex(data, entry, selector=ligand), criteria="plip", parts=["contacts"])
    missing = DESCRIBED[entry, ligand][kind] - residues(record, kind)
    assert missing == LEFT_OUT.get((entry, kind), set())
