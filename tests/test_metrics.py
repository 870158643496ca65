"""Metrics by route template, also of several worker processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from app.main import create_app
from app.metrics import clear, forget_dead
from app.settings import Settings

ROOT = Path(__file__).parent.parent
REQUESTS = "misi_oracle_requests_total"


def samples(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    families = text_string_to_metric_families(text)
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def requests(text: str, route: str, status: str, method: str = "GET") -> float:
    labels = {"method": method, "route": route, "status": status}
    return samples(text).get((REQUESTS, frozenset(labels.items())), 0.0)


def test_requests_are_counted_by_template() -> None:
    with TestClient(create_app(Settings(database=":memory:", workers=0))) as client:
        for name in ("one", "two", "three"):
            client.get(f"/v1/structures/{name}/labels")
        client.get("/nowhere")
        client.request("INVENTED", "/nowhere")
        text = client.get("/metrics").text
    assert requests(text, "/v1/structures/{identifier}/labels", "404") == 3
    assert requests(text, "unmatched", "404") == 1
    assert requests(text, "unmatched", "404", "other") == 1
    assert samples(text)["misi_oracle_requests_in_progress", frozenset()] == 1
    assert "one/labels" not in text


def test_two_applications_count_apart() -> None:
    with TestClient(create_app(Settings(database=":memory:", workers=0))) as first:
        first.get("/health")
    with TestClient(create_app(Settings(database=":memory:", workers=0))) as second:
        assert requests(second.get("/metrics").text, "/health", "200") == 0


def test_times_and_sizes() -> None:
    with TestClient(create_app(Settings(database=":memory:", workers=0))) as client:
        body = client.get("/health").content
        client.post("/v1/labels", content=b"12345")
        found = samples(client.get("/metrics").text)
    of = frozenset({("method", "GET"), ("route", "/health")})
    assert found["misi_oracle_request_seconds_count", of] == 1
    assert found["misi_oracle_request_seconds_bucket", of | {("le", "+Inf")}] == 1
    assert found["misi_oracle_sent_bytes_total", of] == len(body)
    assert found["misi_oracle_received_bytes_total", of] == 0


WORKER = """
import sys
from fastapi.testclient import TestClient
from app.main import create_app
from app.settings import Settings
with TestClient(create_app(Settings(database=":memory:", workers=0))) as client:
    for _ in range(int(sys.argv[1])):
        client.get("/health")
    sys.stdout.write(client.get("/metrics").text)
"""


def worker(folder: Path, count: int) -> str:
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore", "-c", WORKER, str(count)]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=60).stdout


def test_worker_processes_add_up(tmp_path: Path) -> None:
    assert requests(worker(tmp_path, 3), "/health", "200") == 3
    text = worker(tmp_path, 4)
    assert requests(text, "/health", "200") == 7
    assert samples(text)["misi_oracle_requests_in_progress", frozenset()] == 1


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what a killed and this living process left, and a file of someone else."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = [f"gauge_livesum_{ended.pid}.db", f"counter_{ended.pid}.db", f"gauge_livesum_{os.getpid()}.db", "other.db"]
    for name in names:
        (tmp_path / name).touch()
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    return tmp_path


def test_a_killed_worker_is_in_no_gauge_but_stays_in_totals(left: Path) -> None:
    forget_dead(left)
    kept = sorted(path.name.split("_")[0] for path in left.iterdir())
    assert kept == ["counter", "gauge", "other.db"]


def test_a_new_run_starts_empty(left: Path) -> None:
    clear(left)
    assert [path.name for path in left.iterdir()] == ["other.db"]
