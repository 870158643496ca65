"""The REST service: statuses, problem documents and the example complex."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from bad_inputs import BAD, EMPTY_LIGAND
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from app.storage import Upload

LIMIT = 5_000_000


@pytest.fixture
def client() -> Iterator[TestClient]:
    settings = Settings(database=":memory:", workers=0, max_upload_bytes=LIMIT)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def example(examples: Path) -> dict[str, tuple[str, bytes]]:
    names = {"receptor": "2izf_receptor.pdb.gz", "ligand": "2izf_ligand.sdf"}
    return {field: (name, (examples / name).read_bytes()) for field, name in names.items()}


def test_health_and_docs(client: TestClient) -> None:
    assert client.get("/health").json()["status"] == "ok"
    assert "https://" not in client.get("/docs").text
    assert "chimerax" in client.get("/v1/criteria").json()["criteria"]


def test_a_structure_is_new_once(client: TestClient, example: dict[str, tuple[str, bytes]]) -> None:
    first, second = (client.post("/v1/structures", files=example) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.content == second.content


def test_stored_and_stateless_labels_agree(client: TestClient, example: dict[str, tuple[str, bytes]]) -> None:
    at = f"/v1/structures/{client.post('/v1/structures', files=example).json()['id']}"
    labels = client.get(f"{at}/labels")
    assert labels.content == client.post("/v1/labels", files=example).content
    assert labels.json()["hydrogen_bonds"]
    assert client.get(f"{at}/hydrogen-bonds").json()["hydrogen_bonds"] == labels.json()["hydrogen_bonds"]
    near, far = (client.get(f"{at}/pocket?cutoff={c}").json()["pocket_residues"] for c in (4, 8))
    assert 0 < len(near) < len(far)


def test_parts_of_a_label(client: TestClient, example: dict[str, tuple[str, bytes]]) -> None:
    at = f"/v1/structures/{client.post('/v1/structures', files=example).json()['id']}"
    whole = client.get(f"{at}/labels").json()
    assert client.get(f"{at}/contacts").json()["contacts"] == whole["contacts"] != []
    assert client.get(f"{at}/sites").json()["sites"] == whole["sites"] != []
    assert "near_misses" not in whole
    assert client.get(f"{at}/labels?near_misses=true").json()["near_misses"] is not None
    assert whole["ligand"]["chemistry"] == {"source": "file", "charge": -1}


def test_all_criteria_at_once(client: TestClient, example: dict[str, tuple[str, bytes]]) -> None:
    at = f"/v1/structures/{client.post('/v1/structures', files=example).json()['id']}"
    record = client.get(f"{at}/labels?criteria=all").json()
    names = client.get("/v1/criteria").json()["criteria"]
    assert [profile["name"] for profile in record["profiles"]] == names
    assert {len(pair["accepted_by"]) for pair in record["pairs"]} >= {len(names)}


def test_criteria_are_told_with_their_numbers(client: TestClient) -> None:
    profiles = {one["name"]: one for one in client.get("/v1/criteria").json()["profiles"]}
    limits = profiles["plip"]["tables"]["hydrogen_bond"]["limits"]
    assert (limits["distance_da"]["within"], limits["distance_da"]["unit"]) == ("(0.5, 4.1)", "Å")


def test_own_criteria_come_as_a_file(client: TestClient, example: dict[str, tuple[str, bytes]]) -> None:
    own = b"""
name = "mine"
detector = "range"
[hydrogen_bond]
donors = { scheme = "elements", of = ["N", "O"] }
acceptors = { scheme = "elements", of = ["N", "O"] }
[hydrogen_bond.limits]
distance_da = { within = "[0, 2.75]", unit = "\xc3\x85" }
"""
    record = client.post("/v1/labels", files={**example, "criteria_file": ("mine.toml", own)}).json()
    assert record["criteria"] == "mine"
    assert {bond["distance_da"] <= 2.75 for bond in record["hydrogen_bonds"]} == {True}
    wrong = client.post("/v1/labels", files={**example, "criteria_file": ("mine.toml", b"name = ")})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad_criteria")


def test_explanations(client: TestClient, example: dict[str, tuple[str, bytes]]) -> None:
    at = f"/v1/structures/{client.post('/v1/structures', files=example).json()['id']}/explanations"
    pair = client.get(at, params={"receptor_atom": "SER:B:27:OG", "ligand_atom": "O3"}).json()["explanations"]
    assert len(pair) == 2
    assert len(client.get(at, params={"within": 4}).json()["explanations"]) > 7
    half = client.get(at, params={"receptor_atom": "SER:B:27:OG"})
    assert (half.status_code, half.json()["code"]) == (422, "missing_atom")


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused(client: TestClient, name: str) -> None:
    data, code = BAD[name]
    answer = client.post("/v1/structures", files={"complex": ("bad.pdb", data)})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == code


def test_a_ligand_without_atoms_is_refused(client: TestClient, example: dict[str, tuple[str, bytes]]) -> None:
    answer = client.post("/v1/labels", files={**example, "ligand": ("none.sdf", EMPTY_LIGAND)})
    assert answer.status_code == 422
    assert answer.json()["code"] == "no_atoms"


def test_a_ligand_that_is_not_there(client: TestClient, examples: Path) -> None:
    file = ("2izf.pdb.gz", (examples / "2izf.pdb.gz").read_bytes())
    answer = client.post("/v1/labels", files={"complex": file}, data={"ligand_selector": "ZZZ"})
    assert answer.status_code == 422
    assert answer.json()["code"] == "unknown_ligand"


def test_one_structure_with_two_selectors(client: TestClient, examples: Path) -> None:
    file = ("2izf.pdb.gz", (examples / "2izf.pdb.gz").read_bytes())
    chosen = ("BTN:B:300", "BTN:D:301")
    answers = [client.post("/v1/structures", files={"complex": file}, data={"ligand_selector": s}) for s in chosen]
    assert [answer.status_code for answer in answers] == [201, 200]
    at = f"/v1/structures/{answers[0].json()['id']}/labels"
    assert client.get(at).json()["code"] == "ambiguous_ligand"
    for selector in chosen:
        assert client.get(at, params={"ligand": selector}).json()["ligand"]["selector"] == selector


def test_a_selector_that_answers_nothing_is_not_stored(client: TestClient, examples: Path) -> None:
    file = ("2izf.pdb.gz", (examples / "2izf.pdb.gz").read_bytes())
    answer = client.post("/v1/structures", files={"complex": file}, data={"ligand_selector": "ZZZ"})
    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_ligand")


@pytest.mark.parametrize(
    ("size", "packed"), [(LIMIT + 1, False), (3 * LIMIT, False), (LIMIT + 1, True)], ids=["file", "body", "gzip_bomb"]
)
def test_too_large(client: TestClient, size: int, packed: bool) -> None:
    data = gzip.compress(bytes(size)) if packed else bytes(size)
    answer = client.post("/v1/structures", files={"complex": ("big.pdb", data)})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_problems_of_the_request(client: TestClient) -> None:
    assert client.post("/v1/labels").json()["code"] == "missing_file"
    assert client.get("/v1/structures/0/labels").status_code == 404
    assert client.get("/nowhere").json()["status"] == 404


def test_a_wrong_cutoff_is_pointed_at(client: TestClient) -> None:
    upload = Upload(b"END", "end.pdb")
    client.app.state.store.add(upload)
    answer = client.get(f"/v1/structures/{upload.id}/pocket?cutoff=-1")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/query/cutoff"


def test_an_address_tells_all_its_methods(client: TestClient) -> None:
    refused = client.put("/v1/jobs/x")
    assert (refused.status_code, refused.headers["allow"]) == (405, "DELETE, GET")
