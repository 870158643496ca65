"""Explanations, near misses, consensus, sites and flags on biotin's site and on hand-placed atoms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from molecules import molecule, pair

from interactions.alternatives import alternatives
from interactions.complex import Complex
from interactions.criteria import load, names, parse
from interactions.environment import Environment
from interactions.errors import InputError, UnknownName
from interactions.explain import explain, sentence
from interactions.labelling import PARTS, explain_label, label, label_by_all, load_complex


@pytest.fixture(scope="module")
def biotin() -> Complex:
    data = (Path(__file__).parent.parent / "examples" / "2izf.pdb.gz").read_bytes()
    return load_complex(data, "2izf", selector="BTN:B:300")


def keys(bonds: list[dict[str, Any]]) -> set[tuple[int, int]]:
    return {(bond["donor"]["index"], bond["acceptor"]["index"]) for bond in bonds}


@pytest.mark.parametrize("criteria", names())
def test_what_is_explained_as_a_bond_is_one(biotin: Complex, criteria: str) -> None:
    bonds = label(biotin, criteria=criteria, solvent=True)
    found = {
        frozenset((e["donor"]["index"], e["acceptor"]["index"]))
        for e in explain_label(biotin, criteria=criteria)
        if e["bond"]
    }
    both = bonds["hydrogen_bonds"] + bonds["hydrogen_bonds_with_solvent"]
    assert found == {frozenset(key) for key in keys(both)}


def test_a_sentence_names_limit_value_and_margin() -> None:
    """An amine 4.21 Å from a carbonyl oxygen: the textbook's limit is 3.5 Å."""
    amine = molecule(
        [("NZ", "N3+", (0, 0, 0)), ("CE", "C3", (-1.49, 0, 0)), ("H", "H", (1, 0, 0))],
        [("NZ", "CE"), ("NZ", "H")],
        "LYS",
    )
    carbonyl = molecule([("O2A", "O2", (4.21, 0, 0)), ("C", "C2", (5.4, 0.3, 0))], [("O2A", "C")])
    env = Environment(pair(amine, carbonyl))
    found = explain(env, load("textbook"), (0, 0), (1, 0))
    assert not found.bond
    assert not found.is_near_miss
    text = sentence(env.complex, found)
    assert text == "LYS 1 NZ A … O2A: no bond, D–A 4.21 Å exceeds 3.50 Å by 0.71 Å"


def test_a_near_miss_fails_by_little() -> None:
    amine = molecule(
        [("N", "Npl", (0, 0, 0)), ("H", "H", (1, 0, 0)), ("C", "C3", (-0.7, 1.2, 0))], [("N", "H"), ("N", "C")]
    )
    for da, near in ((3.6, True), (4.1, False)):
        carbonyl = molecule([("O", "O2", (da, 0, 0)), ("C", "C2", (da + 0.6, 1.05, 0))], [("O", "C")])
        found = explain(Environment(pair(amine, carbonyl)), load("textbook"), (0, 0), (1, 0))
        assert found.is_near_miss is near


def test_roles_are_told(biotin: Complex) -> None:
    forward, back = explain_label(biotin, atoms=("SER:B:45:OG", "O3"), criteria="textbook")
    assert back["why_not"] is not None
    assert "not a donor" in back["sentence"]
    assert forward["why_not"] is None


@pytest.mark.parametrize(
    ("atoms", "code"),
    [
        (("SER:B:45:XX", "O3"), "unknown_atom"),
        (("SER:B:45:OG", "O99"), "unknown_atom"),
        (("OG", "O3"), "ambiguous_atom"),
    ],
)
def test_atoms_that_are_not_there(biotin: Complex, atoms: tuple[str, str], code: str) -> None:
    with pytest.raises(InputError) as caught:
        explain_label(biotin, atoms=atoms)
    assert caught.value.code == code


def test_consensus_counts_those_who_accept(biotin: Complex) -> None:
    record = label_by_all(biotin)
    assert [p["name"] for p in record["profiles"]] == list(names())
    for one in record["pairs"]:
        assert one["robustness"] == round(len(one["accepted_by"]) / len(names()), 4)
    by_name = {name: sum(name in pair_["accepted_by"] for pair_ in record["pairs"]) for name in names()}
    assert by_name == {p["name"]: p["bonds"] for p in record["profiles"]}
    assert by_name["chimerax"] == 7
    asp = next(p for p in record["pairs"] if p["receptor"]["residue_number"] == 128)
    assert asp["robustness"] == 1.0


def test_sites_of_biotin(biotin: Complex) -> None:
    sites = label(biotin, parts=["sites"])["sites"]
    ligand = {(s["kind"], s["atoms"][0]["atom_name"]): s for s in sites if s["side"] == "ligand"}
    assert ligand["acceptor", "O3"]["used"]
    assert ligand["donor", "N1"]["used"]
    assert ("negative", "O11") in ligand
    assert ("donor", "O3") not in ligand
    trp = [s for s in sites if s["kind"] == "ring" and s["atoms"][0]["residue_name"] == "TRP"]
    assert trp
    for site in sites:
        for name in ("direction", "normal"):
            if site[name] is not None:
                assert np.linalg.norm(site[name]) == pytest.approx(1, abs=1e-3)
    centre = np.mean([s["position"] for s in sites if s["side"] == "ligand"], axis=0)
    for site in trp:  # normals point to the ligand
        assert np.dot(site["normal"], centre - np.array(site["position"])) > 0


def test_parts_not_asked_for_are_none_and_unknown_ones_refused(biotin: Complex) -> None:
    record = label(biotin, parts=["contacts"])
    assert (record["sites"], record["ambiguities"]) == (None, None)
    assert record["contacts"]
    with pytest.raises(UnknownName, match="sites"):
        label(biotin, parts=["everything"])
    with pytest.raises(UnknownName, match="placed"):
        label(biotin, hydrogens="guessed")


def test_flags(biotin: Complex) -> None:
    record = label(biotin, parts=PARTS)
    flags = {b["donor"]["atom_name"] + b["acceptor"]["atom_name"]: b["flags"] for b in record["hydrogen_bonds"]}
    assert "rotor" in flags["OGO3"]
    assert "nqh_flip" in flags["ND2O3"]
    assert "his_tautomer" not in str(flags)
    assert {a["code"] for a in record["ambiguities"]} >= {"nqh_flip", "rotor"}


def test_a_flipped_amide_loses_its_bond(biotin: Complex) -> None:
    """ND2 of ASN 23 gives to biotin's O3; turned, an oxygen faces it."""
    found = alternatives(Environment(biotin), load("chimerax"))
    flip = next(a for a in found if a["residue_number"] == 23)
    assert flip["code"] == "nqh_flip"
    assert "ASN 23 ND2 B, O3" in flip["lost"]
    assert not flip["gained"]


def test_tautomers_of_an_open_histidine() -> None:
    """A hydroxyl-free acceptor at NE2: bound where NE2 has the hydrogen, lost in HID."""
    from math import cos, sin

    names_ = ["CG", "ND1", "CE1", "NE2", "CD2"]
    kinds = ["Car", "Npl", "Car", "Npl", "Car"]
    places = [(1.15 * cos(t), 1.15 * sin(t), 0.0) for t in np.radians([0, 72, 144, 216, 288])]
    his = molecule(
        list(zip(names_, kinds, places, strict=True)), list(zip(names_, [*names_[1:], names_[0]], strict=True)), "HIS"
    )
    ne2 = np.array(places[3])
    outward = ne2 / np.linalg.norm(ne2)
    oxygen = ne2 + 2.8 * outward
    ketone = molecule([("O", "O2", oxygen), ("C", "C2", oxygen + 1.22 * outward)], [("O", "C")])
    found = {a["state"]: a for a in alternatives(Environment(pair(his, ketone)), load("textbook"))}
    assert set(found) == {"HID"}
    assert found["HID"]["lost"] == ["HIS 1 NE2 A, O"]


CUSTOM = {
    "name": "mine",
    "detector": "range",
    "hydrogens": "needed",
    "hydrogen_bond": {
        "donors": {"scheme": "elements", "of": ["N", "O"]},
        "acceptors": {"scheme": "elements", "of": ["N", "O"]},
        "limits": {"distance_da": {"within": "[0, 2.9]", "unit": "Å"}},
    },
}


def test_own_criteria(biotin: Complex) -> None:
    profile = parse(CUSTOM)
    record = label(biotin, criteria=profile)
    assert record["provenance"]["criteria_digest"] == profile.digest
    assert {b["distance_da"] <= 2.9 for b in record["hydrogen_bonds"]} == {True}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"detector": "magic"}, "detector"),
        ({"hydrogens": "maybe"}, "hydrogens"),
        ({"hydrogen_bond": {}}, "limits"),
        ({"unknown_kind": {"limits": {}}}, "unknown_kind"),
        ({"salt_bridge": {"limits": {"angle": {"within": "[0, 1]", "unit": "°"}}}}, "angle"),
        ({"salt_bridge": {"limits": {"distance": {"within": "[0, 1]", "unit": "nm"}}}}, "Å"),
        ({"salt_bridge": {"limits": {"distance": {"within": "1", "unit": "Å"}}}}, "interval"),
    ],
)
def test_wrong_criteria_name_the_wrong_part(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(CUSTOM | change)


def test_an_unknown_scheme_lists_the_known(biotin: Complex) -> None:
    wrong = CUSTOM | {"hydrogen_bond": {**CUSTOM["hydrogen_bond"], "donors": {"scheme": "x"}}}  # type: ignore[dict-item]
    with pytest.raises(UnknownName, match="elements"):
        label(biotin, criteria=parse(wrong))


def test_every_number_has_a_unit_and_a_source() -> None:
    for name in names():
        profile = load(name)
        assert profile.source
        for section in profile.sections.values():
            for limits in section.limits.values():
                for limit in limits:
                    assert limit.source, f"{name} {limit.quantity}"


def test_the_criteria_page_is_up_to_date() -> None:
    from app.document import criteria_markdown

    assert (Path(__file__).parent.parent / "docs" / "criteria.md").read_text("utf-8") == criteria_markdown()
