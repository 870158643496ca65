"""Adapters of the client: the same numbers here and from a URL, by the signatures that trainers call."""

from __future__ import annotations

import ast
import asyncio
import base64
import csv
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from client_service import FLOATS, QUESTIONS, RESPONSES, SCORES, URL, application, bridged

import misi_oracle_client as client
from misi_oracle_client import local


@pytest.fixture(scope="module")
def app() -> Iterator[Any]:
    with application() as app:
        yield app


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
