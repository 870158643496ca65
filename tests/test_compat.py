"""The protocols of OpenRLHF and NeMo-Gym; what the documentation of verification names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from verify_service import asked, nemo

import misi_oracle_client
from app.settings import Settings


@pytest.fixture
def client() -> Iterator[TestClient]:
    with asked() as client:
        yield client


# The protocols of trainers


def test_openrlhf(client: TestClient) -> None:
    prompt = "<|im_start|>user\nAnswer as <answer>move x 3</answer>.<|im_end|>\n<|im_start|>assistant\n"
    token = client.get("/v1/questions/turn").json()["sealed"]
    sent = {
        "query": [
            prompt + "<answer>move x 4</answer><|im_end|><|endoftext|>",
            "<s>" + prompt + "roll y 90</s>",
            prompt,
        ],
        "prompts": [prompt] * 3,
        "labels": ["shift", token, "unusable"],
    }
    reply = client.post("/compat/openrlhf/get_reward", json=sent)
    assert reply.json()["rewards"] == reply.json()["scores"] == pytest.approx([6 / 7, 1.0, 0.0])
    assert reply.json()["extra_logs"] == {"exact": [0, 1, 0], "format_ok": [1, 1, 0], "usable": [1, 1, 0]}


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"query": ["a"], "prompts": ["b"], "labels": ["shift"]}, "no_prompt"),
        ({"query": ["a"], "prompts": ["a"], "labels": ["nowhere"]}, "not_found"),
        ({"query": ["a"], "prompts": ["a"], "labels": []}, "bad_row"),
        ({"query": ["a"], "prompts": ["a"]}, "bad_row"),
        ([], "bad_row"),
    ],
)
def test_openrlhf_refuses(client: TestClient, sent: Any, code: str) -> None:
    assert client.post("/compat/openrlhf/get_reward", json=sent).json()["code"] == code


def test_nemo_gym(client: TestClient) -> None:
    right = nemo("<answer>move x 3</answer>", id="shift", more=[1])
    assert client.post("/compat/nemo-gym/verify", json=right).json() == right | {"reward": 1.0}
    token = client.get("/v1/questions/turn").json()["sealed"]
    named = nemo("roll y 90", verifier_metadata={"sealed": token})
    assert client.post("/compat/nemo-gym/verify", json=named).json() == named | {"reward": 1.0}
    silent = nemo("", id="shift")
    silent["response"]["output"].pop()
    assert client.post("/compat/nemo-gym/verify", json=silent).json()["reward"] == 0.0
    assert client.post("/compat/nemo-gym/verify", json={"response": {}}).status_code == 422
    surrogate = json.dumps(nemo("\ud800", id="shift")).encode()
    assert json.loads(client.post("/compat/nemo-gym/verify", content=surrogate).content)["reward"] == 0.0


def test_the_document_names_every_setting_of_verification_and_every_adapter() -> None:
    text = (Path(__file__).parent.parent / "docs" / "verification.md").read_text("utf-8")
    ours = [name for name in Settings.model_fields if name in ("secret", "reveal_truth") or name.startswith("max_")]
    assert [name for name in ours if name != "max_upload_bytes" and f"MISI_ORACLE_{name.upper()}" not in text] == []
    adapters = [
        name for name in misi_oracle_client.__all__ if name not in ("ClientError", "Reply", "Row", "vlmevalkit_rows")
    ]
    assert [name for name in adapters if name not in text] == []
