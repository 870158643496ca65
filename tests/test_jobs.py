"""Jobs over REST: taken in once, worked off, watched, cancelled, resumed; results as the routes give them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient
from verify_service import ANSWERS, RECORDS, record, rows, service

from app.jobs import KINDS
from app.jobs.base import Tools
from app.jobs.runner import TRIES, Place, Runner
from app.sealing import Sealer
from app.storage import Job, Store, open_store
from app.workers import Threads
from interactions.errors import OracleError
from interactions.questions import QUESTIONS

KEYS = "id kind state done total error attempts events result".split()


@pytest.fixture
def client() -> Iterator[TestClient]:
    with service() as client:
        yield client


@pytest.fixture
def structure(client: TestClient, examples: Path) -> str:
    names = {"receptor": "2izf_receptor.pdb.gz", "ligand": "2izf_ligand.sdf"}
    files = {field: (name, (examples / name).read_bytes()) for field, name in names.items()}
    return str(client.post("/v1/structures", files=files).json()["id"])


def finished(client: TestClient, **job: Any) -> dict[str, Any]:
    """The job at its end, told by its stream of events."""
    taken = client.post("/v1/jobs", content=json.dumps(job))
    assert (taken.status_code, list(taken.json())) == (202, KEYS)
    assert taken.headers["location"] == f"/v1/jobs/{taken.json()['id']}"
    last = client.get(taken.json()["events"]).text.strip().split("\n\n")[-1]
    event, data = last.removeprefix("event: ").split("\ndata: ")
    told: dict[str, Any] = json.loads(data)
    assert event == told["state"]
    assert client.get(taken.headers["location"]).json() == told
    return told


def result(client: TestClient, job: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
    reply = client.get(job["result"], params=query)
    assert reply.status_code == 200, reply.text
    return [orjson.loads(line) for line in reply.content.splitlines()]


def test_labels_are_those_of_the_structure(client: TestClient, structure: str) -> None:
    wanted = [structure, {"structure": structure, "id": "mine"}, {"structure": "0" * 64, "id": "nowhere"}]
    job = finished(client, kind="label", structures=wanted, criteria="plip")
    assert (job["state"], job["done"], job["total"], job["error"]) == ("done", 3, 3, None)
    alone = client.get(f"/v1/structures/{structure}/labels?criteria=plip").json()
    first, second, third = result(client, job)
    assert first == alone
    assert second == alone | {"id": "mine"}
    assert (third["id"], third["status"], third["error"]["code"]) == ("nowhere", "failed", "not_found")


def test_labels_as_parquet(client: TestClient, structure: str, tmp_path: Path) -> None:
    job = finished(client, kind="label", structures=[structure, {"structure": "0" * 64}])
    path = tmp_path / "labels.parquet"
    path.write_bytes(client.get(job["result"], params={"format": "parquet"}).content)
    one, other = pq.read_table(path).to_pylist()
    bonds = client.get(f"/v1/structures/{structure}/hydrogen-bonds").json()["hydrogen_bonds"]
    assert [bond["donor"]["atom_name"] for bond in one["hydrogen_bonds"]] == [b["donor"]["atom_name"] for b in bonds]
    assert (len(one["hydrogen_bonds"]) > 0, other["status"]) == (True, "failed")
    everything = finished(client, kind="label", structures=[structure], criteria="all")
    assert client.get(everything["result"], params={"format": "parquet"}).json()["code"] == "no_table"


def test_questions_are_kept_and_shown_without_their_truth(client: TestClient, structure: str) -> None:
    job = finished(
        client,
        kind="questions",
        structures=[structure],
        tasks=["interaction_location", "residue_ligand"],
        count=1,
        seed=5,
    )
    shown = result(client, job)
    assert [one["kind"] for one in shown] == ["interaction_location", "residue_ligand"]
    assert all("answer" not in one and "transforms" not in one["metadata"] for one in shown)
    right = client.post("/v1/verify", json={"sealed": shown[0]["sealed"], "response": "A"}).json()["score"]
    assert client.post("/v1/verify", json={"id": shown[0]["id"], "response": "A"}).json()["score"] == right
    letters = [{"id": shown[0]["id"], "response": letter} for letter in "ABCD"]
    assert sorted(one["score"] for one in client.post("/v1/verify/batch", json=letters).json()) == [0, 0, 0, 1]
    assert client.get(job["result"], params={"detail": True}).status_code == 403


def test_all_kinds_leave_out_what_needs_a_second_complex(client: TestClient, structure: str) -> None:
    job = finished(client, kind="questions", structures=[structure], count=1)
    assert {one["kind"] for one in result(client, job)} == set(QUESTIONS) - {"translation_rotation"}
    job = finished(client, kind="questions", structures=[structure], tasks=["translation_rotation"], count=1)
    (refused,) = result(client, job)
    assert (refused["status"], refused["error"]["code"]) == ("failed", "no_target")


def test_scores_are_those_of_verify(client: TestClient) -> None:
    client.post("/v1/questions", json=[record(**one) for one in RECORDS])
    answers = [*rows(), {"id": "nowhere", "response": "A"}, 7, {"id": "shift", "response": "\ud800 move x 3"}]
    job = finished(client, kind="score", model="mine", answers=answers)
    found = result(client, job)
    alone = client.post("/v1/verify/batch", content=json.dumps(answers)).json()
    assert [one["score"] for one in found[: len(ANSWERS)]] == [score for _, _, score in ANSWERS]
    assert [{name: one[name] for name in alone[0]} for one in found] == alone
    assert not any("truth_sizes" in one for one in found)
    run = client.get(f"/v1/runs/{job['id']}").json()
    assert (run["answers"], run["model"], run["metric"]) == (len(answers), "mine", "misi")
    assert run["kinds"]["rotation"] == {"scored": 1, "score": 1.0, "exact": 1.0, "format_ok": 1.0}
    shifts = run["kinds"]["translation"]
    assert (shifts["scored"], shifts["exact"]) == (4, 0.25)
    assert shifts["score"] == pytest.approx((1.0 + 1 - 1 / 7 + 0.0 + alone[-1]["score"]) / 4)


def test_a_job_of_ones_own_id_is_taken_in_once(client: TestClient, structure: str) -> None:
    asked = {"kind": "label", "id": "mine", "structures": [structure]}
    done = finished(client, **asked)
    again = client.post("/v1/jobs", json=asked)
    assert (again.status_code, again.json()) == (200, done)
    other = client.post("/v1/jobs", json=asked | {"criteria": "plip"})
    assert (other.status_code, other.json()["code"]) == (409, "job_conflict")


@pytest.mark.parametrize(
    ("job", "code"),
    [
        ({}, "bad_job"),
        ({"kind": "riddle"}, "unknown_name"),
        ({"kind": "label"}, "bad_job"),
        ({"kind": "label", "structures": []}, "bad_job"),
        ({"kind": "label", "structures": [7]}, "bad_instance"),
        ({"kind": "label", "structures": ["x"], "criteria": "none"}, "bad_job"),
        ({"kind": "label", "structures": ["x"], "near_misses": 1}, "bad_job"),
        ({"kind": "label", "structures": ["x"], "seed": 1}, "bad_job"),
        ({"kind": "label", "structures": ["x"], "id": "a/b"}, "bad_job"),
        ({"kind": "questions", "structures": ["x"], "tasks": ["riddle"]}, "unknown_name"),
        ({"kind": "questions", "structures": ["x"], "seed": True}, "bad_instance"),
        ({"kind": "questions", "structures": ["x"], "test_share": "half"}, "bad_job"),
        ({"kind": "score", "answers": "A"}, "bad_job"),
        ({"kind": "score", "answers": [{}], "metric": "best"}, "bad_job"),
    ],
)
def test_bad_jobs_are_refused(client: TestClient, job: dict[str, Any], code: str) -> None:
    reply = client.post("/v1/jobs", json=job)
    assert (reply.status_code, reply.json()["code"]) == (422, code)


def test_a_cancelled_job_ends_without_a_result(client: TestClient) -> None:
    store: Store = client.app.state.store  # type: ignore[attr-defined]
    store.add_job(Job("held", "score", {}, state="running"), [b"{}"])
    assert client.get("/v1/jobs/held/result").json()["code"] == "not_ready"
    assert client.delete("/v1/jobs/held").json()["state"] == "cancelled"
    assert client.get("/v1/jobs/held/events").text.startswith("event: cancelled\n")
    assert client.get("/v1/jobs/held/result").status_code == 409
    for path in ("", "/events", "/result"):
        assert client.get(f"/v1/jobs/nowhere{path}").status_code == 404
    assert client.delete("/v1/jobs/nowhere").status_code == 404


# The runner alone


class Pool(Threads):
    """Calls in threads; ``meet`` sees each call's items before they are worked."""

    def __init__(self, meet: Callable[[Any], None]) -> None:
        self.meet = meet

    async def run(self, call: Callable[..., Any], *arguments: Any, key: str = "") -> Any:
        self.meet(arguments[-1])
        return await super().run(call, *arguments, key=key)


@pytest.fixture
def store() -> Iterator[Store]:
    opened = open_store(":memory:")
    yield opened
    opened.close()


def work(store: Store, meet: Callable[[Any], None] = lambda _: None, until: str = "done") -> None:
    """Run until the job ``j`` is in a state, then stop."""

    async def run() -> None:
        runner = Runner(Tools(store, Sealer(None)), Place(Pool(meet), 1, lease=60))
        runner.start()
        while (job := store.job("j")) is None or job.state != until:
            await asyncio.sleep(0.01)
        await runner.stop()

    asyncio.run(asyncio.wait_for(run(), 60))


def scored(store: Store, number: int) -> None:
    parameters, bodies = KINDS["score"].read(
        {"answers": [{"id": f"{i}", "response": "A"} for i in range(number)]}, 10**6
    )
    store.add_job(Job("j", "score", parameters, total=number), bodies)


def test_what_was_done_before_a_stop_is_not_done_again(store: Store) -> None:
    scored(store, 1200)  # three calls of 500
    calls: list[int] = []

    def stop_in_the_second(found: Any) -> None:
        calls.append(len(found))
        if len(calls) == 2:
            raise asyncio.CancelledError

    async def first() -> None:
        runner = Runner(Tools(store, Sealer(None)), Place(Pool(stop_in_the_second), 1, lease=60))
        runner.start()
        while len(calls) < 2:
            await asyncio.sleep(0.01)
        await runner.stop()

    asyncio.run(asyncio.wait_for(first(), 60))
    job = store.job("j")
    assert job is not None
    assert (job.state, job.done, job.attempts) == ("queued", 500, 0)
    work(store, lambda found: calls.append(len(found)))
    assert calls == [500, 500, 500, 200]
    assert [item.position for item in store.records("j", limit=2000)] == list(range(1200))


def test_an_item_that_kills_its_worker_fails_alone(store: Store) -> None:
    scored(store, 3)

    def kill(found: Any) -> None:
        if any(row.id == "1" for row, _ in found):
            raise OracleError("the worker process died", code="worker_died")

    work(store, kill)
    states = [orjson.loads(item.body)["status"] for item in store.records("j")]
    assert states == ["not_found", "worker_died", "not_found"]


def test_a_job_that_takes_the_service_down_is_given_up(store: Store) -> None:
    scored(store, 1)
    for _ in range(TRIES):
        store.claim_job("killed", lease=-1)
    work(store, until="failed")
    job = store.job("j")
    assert job is not None
    assert (job.error or {})["code"] == "gave_up"


def test_an_error_of_the_program_fails_the_job_without_a_trace(store: Store) -> None:
    scored(store, 1)

    def broken(_: Any) -> None:
        raise RuntimeError("a secret detail")

    work(store, broken, until="failed")
    job = store.job("j")
    assert job is not None
    assert job.error == {"code": "internal_error", "message": "unexpected RuntimeError"}
