"""The client and its adapters: the same numbers here and from a URL, by the signatures that trainers call."""

from __future__ import annotations

import ast
import asyncio
import base64
import csv
import inspect
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

import misi_oracle_client as client
from app.main import create_app
from app.settings import Settings
from misi_oracle_client import http, local, retry

URL = "http://oracle"
SECRET = "a secret of the tests, long enough"
QUESTIONS: list[dict[str, Any]] = [
    {"id": "shift", "kind": "translation", "answer": "move x 3", "images": [{"name": "before"}, {"name": "after"}]},
    {"id": "choice", "kind": "rotation_rotation", "answer": "C", "images": [{"name": name} for name in "ABCD"]},
    {"id": "bonds", "kind": "pocket_ligand", "answer": "ARG 45 NH2 A, O1B; ASP 25 OD1 A, N2", "images": []},
    {"id": "unusable", "kind": "rotation", "answer": None, "images": []},
]
for question in QUESTIONS:
    question |= {"complex": "5ey0", "text": f"How?\tOr {question['id']}?", "options": None, "metadata": {}}
RESPONSES = ["<answer>move x 4</answer>", "C", "No", "roll x 90"]
SCORES = [1 - 1 / 7, 1.0, 0.0, None]  # 7 Å is the scale of a shift
FLOATS = [score or 0.0 for score in SCORES]


@pytest.fixture(scope="module")
def app() -> Any:
    app = create_app(Settings(database=":memory:", secret=SECRET))
    TestClient(app).post("/v1/questions", json=QUESTIONS)
    return app


def bridged(app: Any) -> httpx.Client:
    """An httpx client whose requests the application answers in this process."""
    inner = TestClient(app)

    def answer(request: httpx.Request) -> httpx.Response:
        got = inner.request(
            request.method, request.url.raw_path.decode(), content=request.content, headers=dict(request.headers)
        )
        return httpx.Response(got.status_code, content=got.content, headers=dict(got.headers))

    return httpx.Client(transport=httpx.MockTransport(answer))


@pytest.fixture(params=["in process", "URL"])
def oracle(request: pytest.FixtureRequest, app: Any) -> Iterator[Any]:
    if request.param == "in process":
        yield client.LocalOracle()
        return
    with client.Oracle(URL, client=bridged(app)) as oracle:
        yield oracle


@pytest.fixture
def questions(oracle: Any) -> list[dict[str, Any]]:
    """What this caller has: the records with answers, or, of a service, those without, sealed."""
    if isinstance(oracle, client.LocalOracle):
        return QUESTIONS
    return [oracle.question(question["id"]) for question in QUESTIONS]


def columns(questions: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = [name for name in ("id", "kind", "answer", "sealed") if name in questions[0]]
    return {name: [question[name] for question in questions] for name in names}


# Adapters


def test_trl(oracle: Any, questions: list[dict[str, Any]]) -> None:
    reward = client.make_trl_reward(oracle)
    extra = {"completion_ids": [[1]] * 4, "trainer_state": object(), "log_metric": print}
    texts = reward(prompts=["?"] * 4, completions=RESPONSES, **columns(questions), **extra)
    chats = [[{"role": "assistant", "content": text}] for text in RESPONSES]
    parts = [[{"role": "assistant", "content": [{"type": "text", "text": text}]}] for text in RESPONSES]
    assert texts == pytest.approx(SCORES)
    for completions in (chats, parts):
        assert reward(prompts=[[]] * 4, completions=completions, **columns(questions)) == texts


def test_trl_without_a_question_is_an_error(oracle: Any) -> None:
    with pytest.raises(client.ClientError, match="bad_row"):
        client.make_trl_reward(oracle)(["?"], ["A"], difficulty=[1])
    with pytest.raises(client.ClientError, match="not_found"):
        client.make_trl_reward(oracle)(["?"], ["A"], id=["nowhere"])


def test_trl_awaited(app: Any) -> None:
    async def reward() -> list[float | None]:
        transport = httpx.AsyncClient(transport=httpx.ASGITransport(app))
        async with client.AsyncOracle(URL, client=transport) as oracle:
            function = client.make_async_trl_reward(oracle)
            assert inspect.iscoroutinefunction(function)
            return await function(["?"] * 4, RESPONSES, id=[question["id"] for question in QUESTIONS])

    assert asyncio.run(reward()) == pytest.approx(SCORES)


def test_verl(oracle: Any, questions: list[dict[str, Any]]) -> None:
    found = []
    for question, response in zip(questions, RESPONSES, strict=True):
        truth = question["answer"] if "answer" in question else question["sealed"]
        call = {"data_source": f"misi/{question['kind']}", "solution_str": response, "ground_truth": truth}
        found.append(client.compute_score(**call, extra_info={"index": 3}, oracle=oracle, sandbox_fusion_url=None))
    assert [one["score"] for one in found] == pytest.approx(FLOATS)
    assert [one["usable"] for one in found] == [1, 1, 1, 0]
    assert {tuple(one) for one in found} == {("score", "exact", "format_ok", "usable")}
    assert all(type(value) is float for one in found for value in one.values())


def rubric_call(question: dict[str, Any], response: str) -> dict[str, Any]:
    info = {name: question[name] for name in ("kind", "sealed") if name in question}
    completion = [{"role": "assistant", "content": response}]
    return {"prompt": [], "completion": completion, "answer": question.get("answer") or "", "info": info}


def test_verifiers_rubric_function(oracle: Any, questions: list[dict[str, Any]]) -> None:
    reward = client.make_rubric_reward(oracle)
    calls = [rubric_call(*one) for one in zip(questions[:3], RESPONSES[:3], strict=True)]
    assert [reward(**call, state={}, task="misi") for call in calls] == pytest.approx(FLOATS[:3])
    assert reward(completion="No", answer="", info=questions[3]) == 0.0


def test_the_rubric_of_verifiers_itself(oracle: Any, questions: list[dict[str, Any]]) -> None:
    verifiers = pytest.importorskip("verifiers", reason="verifiers is not installed")
    if not hasattr(verifiers, "Rubric"):
        pytest.skip("this version of verifiers has no Rubric")
    rubric = verifiers.Rubric(funcs=[client.make_rubric_reward(oracle)])
    state = rubric_call(questions[0], RESPONSES[0]) | {"task": "misi", "timing": {"total_ms": 0, "scoring_ms": 0}}
    held = verifiers.State(state)
    asyncio.run(rubric.score_rollout(held))
    assert held["reward"] == pytest.approx(SCORES[0])


def test_lmms_eval(oracle: Any, questions: list[dict[str, Any]]) -> None:
    process_results = client.make_process_results(oracle)
    found = [process_results(doc, [text]) for doc, text in zip(questions, RESPONSES, strict=True)]
    assert [one.get("misi") for one in found] == pytest.approx(SCORES)
    assert found[1] == {"misi": 1.0, "exact": 1.0, "format_ok": 1.0}
    assert found[3] == {}  # an unusable truth is no zero of the model
    assert list(inspect.signature(process_results).parameters) == ["doc", "results"]


def test_vlmevalkit(oracle: Any, questions: list[dict[str, Any]], tmp_path: Path) -> None:
    out = tmp_path / "misi.tsv"
    assert client.write_vlmevalkit_tsv(out, questions, lambda q: [image["name"].encode() for image in q["images"]]) == 4
    with out.open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream, delimiter="\t"))
    assert list(table[0]) == "index image question answer A B C D category id".split()
    assert [one["question"] for one in table] == [question["text"] for question in QUESTIONS]
    assert [base64.b64decode(text) for text in ast.literal_eval(table[0]["image"])] == [b"before", b"after"]
    assert [table[1][letter] for letter in "ABCD"] == [f"picture {letter}" for letter in "ABCD"]
    assert {table[0][letter] for letter in "ABCD"} == {""}
    predicted = [one | {"prediction": text} for one, text in zip(table, RESPONSES, strict=True)]
    assert [reply["score"] for reply in client.vlmevalkit_scores(predicted[:3], oracle)] == pytest.approx(SCORES[:3])


def test_reasoning_gym_entries(oracle: Any, questions: list[dict[str, Any]]) -> None:
    data = client.QuestionSet(questions, oracle)
    entries = [json.loads(json.dumps(entry)) for entry in data]
    assert [set(entry) for entry in entries] == [{"question", "answer", "metadata"}] * len(data)
    found = [data.score_answer(*one) for one in zip(RESPONSES, entries, strict=True)]
    assert found == pytest.approx(FLOATS)
    assert data.score_answer(None, entries[0]) == 0.0
    elsewhere = client.QuestionSet([], oracle)  # a stored row is enough
    assert elsewhere.score_answer("C", entries[1]) == 1.0


def test_reasoning_gym_itself(tmp_path: Path) -> None:
    gym = pytest.importorskip("reasoning_gym")
    from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec

    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS[:3]))
    client.register_with_reasoning_gym("misi_test")
    data = gym.create_dataset("misi_test", questions=str(path))
    assert len(data) == 3
    assert [data.score_answer(entry["answer"], entry) for entry in data] == [1.0] * 3
    spec = DatasetSpec(name="misi_test", weight=1.0, config={"questions": str(path)})
    mixed = CompositeDataset(CompositeConfig(datasets=[spec], size=3, seed=1))
    assert mixed.score_answer(mixed[0]["answer"], mixed[0]) == 1.0


def test_defaults_are_in_process() -> None:
    assert client.trl_reward(["?"], ["C"], kind=["docking"], answer=["roll x 75, move x -14"]) == [0.0]
    assert client.rubric_reward("C", "C", {"kind": "rotation_rotation"}) == 1.0
    assert client.process_results(QUESTIONS[1], ["C"])["misi"] == 1.0
    assert client.compute_score("rotation_rotation", "C", "C")["score"] == 1.0
    assert local.verifier(None) is local.verifier(None)


def test_metric_and_mode_reach_the_scoring(oracle: Any, questions: list[dict[str, Any]]) -> None:
    reward = client.make_trl_reward(oracle, metric="exact", mode="lenient")
    assert reward(["?"] * 2, ["move x 4", "I take\nC"], **columns(questions[:2])) == [0.0, 1.0]


# The client


def test_replies_are_identical_in_process_and_over_http(app: Any) -> None:
    rows: list[client.Row] = [{"id": q["id"], "response": text} for q in QUESTIONS for text in (*RESPONSES, "\ud800")]
    rows.append({"id": "nowhere", "response": "A"})
    near, far = client.LocalOracle(QUESTIONS), client.Oracle(URL, client=bridged(app))
    assert near.verify_batch(rows) == far.verify_batch(rows)
    assert near.verify(rows[0]) == far.verify(rows[0]) == far.verify_batch(rows)[0]


def test_sealed_questions_open_here_with_the_secret(app: Any) -> None:
    token = client.Oracle(URL, client=bridged(app)).question("choice")["sealed"]
    row: client.Row = {"sealed": token, "response": "C"}
    assert client.LocalOracle(secret=SECRET).verify(row)["score"] == 1.0
    assert client.LocalOracle(secret=SECRET + "!").verify(row)["status"] == "bad_seal"


def test_questions_are_added(app: Any) -> None:
    with client.Oracle(URL, client=bridged(app)) as oracle:
        assert oracle.add_questions([QUESTIONS[0], QUESTIONS[0] | {"id": "a b/c?"}])["known"] == ["shift"]
        with pytest.raises(client.ClientError) as caught:
            oracle.question("nowhere")
        assert (caught.value.code, caught.value.status) == ("not_found", 404)


def test_a_truth_is_never_sent() -> None:
    sent: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.content)
        return httpx.Response(422, json={"code": "bad_row", "detail": "no"})

    with client.Oracle(URL, client=httpx.Client(transport=httpx.MockTransport(answer))) as oracle:
        for fields in (
            {"kind": "rotation", "answer": "roll x 1"},
            {"id": "q", "kind": "rotation", "answer": "roll x 1"},
        ):
            with pytest.raises(client.ClientError, match="bad_row"):
                oracle.verify_batch([{"response": "roll y 2", **fields}])  # type: ignore[typeddict-item]
    assert len(sent) == 1
    assert b"roll x 1" not in sent[0]


def busy(times: int, headers: dict[str, str], status: int = 503) -> tuple[Callable[..., httpx.Response], list[int]]:
    calls: list[int] = []

    def answer(_: httpx.Request) -> httpx.Response:
        calls.append(1)
        if len(calls) <= times:
            return httpx.Response(status, headers=headers)
        return httpx.Response(200, content=b'{"score":1.0}\n')

    return answer, calls


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    waits: list[float] = []
    monkeypatch.setattr(http.time, "sleep", waits.append)
    answer, calls = busy(3, {"retry-after": "1"}, status)
    oracle = client.Oracle(URL, client=httpx.Client(transport=httpx.MockTransport(answer)))
    assert oracle.verify_batch([{"id": "q", "response": "A"}])[0]["score"] == 1.0
    assert len(calls) == 4
    assert all(1 <= wait <= 1.0 for wait in waits[:3])


def test_a_dead_service_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(http.time, "sleep", waits.append)

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    oracle = client.Oracle(URL, tries=3, client=httpx.Client(transport=httpx.MockTransport(refuse)))
    with pytest.raises(client.ClientError, match="unavailable"):
        oracle.verify({"id": "q", "response": "A"})
    assert len(waits) == 2
    assert 0.125 <= waits[0] <= 0.25 <= waits[1] <= 0.5


def test_other_errors_are_not_tried_again() -> None:
    answer, calls = busy(9, {}, 500)
    with pytest.raises(client.ClientError, match="http_error"):
        client.Oracle(URL, client=httpx.Client(transport=httpx.MockTransport(answer))).question("q")
    assert len(calls) == 1


def test_the_async_client_asks_again_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST", 0.0)
    answer, calls = busy(2, {}, 429)

    async def ask() -> list[client.Reply]:
        transport = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        async with client.AsyncOracle(URL, client=transport) as oracle:
            return await oracle.verify_batch([{"id": "q", "response": "A"}])

    assert asyncio.run(ask())[0]["score"] == 1.0
    assert len(calls) == 3


def test_retry_after_is_seconds_or_a_date() -> None:
    assert retry.asked_wait("7") == 7
    assert retry.asked_wait("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry.asked_wait("Wed, 21 Oct 2995 07:28:00 GMT") > 3000
    assert retry.asked_wait("soon") == retry.asked_wait("٣s") == 0
    assert retry.wait_before(0, 5, 503, "999999") == retry.LONGEST
    assert retry.wait_before(4, 5, 503, None) is None
    assert retry.wait_before(0, 5, 200, None) is None


def test_batches_keep_every_row_in_order(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BATCH_ROWS", 3)
    monkeypatch.setattr(http, "BATCH_BYTES", 150)
    rows: list[client.Row] = [{"id": "shift", "response": f"move x {at % 8}"} for at in range(20)]
    expected = [round(max(0.0, 1 - abs(at % 8 - 3) / 7), 9) for at in range(20)]
    with client.Oracle(URL, client=bridged(app)) as oracle:
        assert [round(reply["score"] or 0, 9) for reply in oracle.verify_batch(rows)] == expected

    async def side_by_side() -> list[client.Reply]:
        async with client.AsyncOracle(URL, client=httpx.AsyncClient(transport=httpx.ASGITransport(app))) as oracle:
            return await oracle.verify_batch(rows)

    assert [round(reply["score"] or 0, 9) for reply in asyncio.run(side_by_side())] == expected
    assert all(len(body) <= 150 and body.count(b"\n") <= 3 for body in http.batches([b"x" * 60 + b"\n"] * 7))
    assert list(http.batches([])) == []


def test_the_package_is_typed() -> None:
    assert (Path(client.__file__).parent / "py.typed").is_file()
    assert set(client.__all__) <= set(vars(client))
