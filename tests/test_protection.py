"""Keys, rates, packed bodies, headers, and what an answer or a log line must not hold."""

from __future__ import annotations

import gzip
import io
import json
import logging
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app import keys
from app.guard import needed_role
from app.logs import JsonFormatter
from app.main import create_app
from app.rate import Buckets
from app.settings import Settings
from app.unpack import Gunzip
from interactions.errors import InputError, OracleError, UnknownName

SECRETS = {role: f"misi_{role}-secret" for role in keys.ROLES}
LINES = "\n".join(f"{role}-key {role} sha256:{keys.digest_of(secret)}" for role, secret in SECRETS.items())
ONE_ATOM = b"HETATM    1  O1  LIG A   1      11.123  22.234  33.345  1.00  0.00           O\nEND\n"


@contextmanager
def service(**settings: Any) -> Iterator[TestClient]:
    with TestClient(
        create_app(Settings(database=":memory:", workers=0, **settings)), raise_server_exceptions=False
    ) as client:
        yield client


def bearer(role: str) -> dict[str, str]:
    return {"authorization": f"Bearer {SECRETS[role]}"}


def upload(client: TestClient, **options: Any) -> Any:
    return client.post("/v1/structures", files={"complex": ("private-name.pdb", ONE_ATOM)}, **options)


def test_a_new_key_is_found_by_its_line_alone() -> None:
    secret, line = keys.new_key("write", "trainer")
    (key,) = keys.parse(line)
    assert secret not in line
    assert keys.find([key], secret) == key
    assert keys.find([key], secret + "x") is None
    assert keys.find([key], key.digest) is None
    assert (key.name, key.role) == ("trainer", "write")
    assert keys.new_key("write", "trainer")[0] != secret


def test_the_digest_is_sha256() -> None:
    assert keys.digest_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize("text", ["", "# nothing", "a read", "a read sha256:12", f"{LINES};{LINES}", "a read md5:00"])
def test_a_wrong_list_of_keys_does_not_open_the_service(text: str) -> None:
    with pytest.raises(InputError) as told:
        create_app(Settings(database=":memory:", workers=0, api_keys=text))
    assert told.value.code == "bad_key"


def test_an_unknown_role_is_told() -> None:
    with pytest.raises(UnknownName, match="admin, read, write"):
        keys.parse(f"a owner sha256:{'0' * 64}")


def test_keys_come_from_a_file_as_well(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text("# ours\n" + LINES + " 2.5\n", "utf-8")
    assert [key.role for key in keys.configured(None, path)] == list(keys.ROLES)
    assert keys.configured(None, path)[-1].rate == 2.5
    with pytest.raises(InputError):
        keys.configured(None, tmp_path / "absent")


@pytest.mark.parametrize(
    ("method", "path", "role"),
    [
        ("GET", "/health", None),
        ("GET", "/docs", None),
        ("GET", "/metrics", "read"),
        ("GET", "/v1/structures/x/labels", "read"),
        ("POST", "/v1/labels", "read"),
        ("POST", "/v1/verify/batch", "read"),
        ("POST", "/compat/openrlhf/get_reward", "read"),
        ("POST", "/v1/structures", "write"),
        ("DELETE", "/v1/jobs/1", "write"),
        ("POST", "/nowhere", "write"),
        ("POST", "/health/", "write"),
        ("GET", "/v1/admin/keys", "admin"),
    ],
)
def test_needed_roles(method: str, path: str, role: str | None) -> None:
    assert needed_role(method, path) == role


def test_without_keys_the_service_is_open() -> None:
    with service() as client:
        assert client.get("/v1/criteria").status_code == 200
        assert client.get("/v1/criteria", headers={"x-api-key": "anything"}).status_code == 200


def test_keys_and_roles() -> None:
    with service(api_keys=LINES) as client:
        without = client.get("/v1/criteria")
        assert (without.status_code, without.json()["code"]) == (401, "unauthorized")
        assert without.headers["www-authenticate"].startswith("Bearer")
        wrong = ({"x-api-key": "misi_no"}, {"authorization": "Basic abc"}, {"authorization": "Bearer"})
        assert {client.get("/v1/criteria", headers=one).status_code for one in wrong} == {401}
        assert client.get("/v1/criteria", headers=bearer("read")).status_code == 200
        assert client.get("/v1/criteria", headers={"x-api-key": SECRETS["read"]}).status_code == 200
        assert client.get("/health").status_code == client.get("/docs").status_code == 200
        assert upload(client, headers=bearer("read")).json()["code"] == "forbidden"
        assert upload(client, headers=bearer("write")).status_code == 201
        assert client.get("/v1/admin", headers=bearer("write")).status_code == 403
        assert client.get("/v1/admin", headers=bearer("admin")).status_code == 404


def test_a_bucket_empties_and_refills() -> None:
    now = [0.0]
    buckets = Buckets(burst=2, clock=lambda: now[0])
    assert [buckets.take("a", 0.5) for _ in range(3)] == [0, 0, 2.0]
    assert buckets.take("b", 0.5) == 0
    now[0] = 1.0
    assert buckets.take("a", 0.5) == pytest.approx(1.0)
    now[0] = 2.0
    assert buckets.take("a", 0.5) == 0
    now[0] = 1000.0
    assert [buckets.take("a", 0.5) for _ in range(3)] == [0, 0, 2.0]


def test_the_rate_is_counted_for_each_key() -> None:
    with service(api_keys=LINES, rate_limit=0.01, rate_burst=2) as client:
        answers = [client.get("/v1/criteria", headers=bearer("read")) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert 90 <= int(answers[-1].headers["retry-after"]) <= 100
        assert answers[-1].json()["code"] == "too_many_requests"
        assert client.get("/v1/criteria", headers=bearer("write")).status_code == 200
        assert [client.get("/v1/criteria").status_code for _ in range(3)] == [401, 401, 429]
        assert client.get("/health").status_code == 200


@pytest.mark.parametrize("step", [1, 7, 10_000])
def test_gzip_members_are_unpacked_in_any_pieces(step: int) -> None:
    text = bytes(range(256)) * 40
    packed = gzip.compress(text) + gzip.compress(b"") + gzip.compress(b"end")
    gunzip, out = Gunzip(), b""
    for start in range(0, len(packed), step):
        gunzip.feed(packed[start : start + step])
        while piece := gunzip.piece():
            out += piece
    assert out == text + b"end"
    assert gunzip.complete


def packed_upload(client: TestClient, body: bytes, encoding: str = "gzip") -> Any:
    headers = {"content-encoding": encoding, "content-type": "multipart/form-data; boundary=B"}
    return client.post("/v1/structures", content=body, headers=headers)


def form(data: bytes) -> bytes:
    head = b'--B\r\nContent-Disposition: form-data; name="complex"; filename="a.pdb"\r\n\r\n'
    return head + data + b"\r\n--B--\r\n"


def test_a_packed_body_is_the_same_request() -> None:
    with service() as client:
        plain = packed_upload(client, form(ONE_ATOM), "identity")
        packed = packed_upload(client, gzip.compress(form(ONE_ATOM)))
        assert (plain.status_code, packed.status_code) == (201, 200)
        assert packed.json() == plain.json()


@pytest.mark.parametrize(
    ("body", "encoding", "status", "code"),
    [
        (gzip.compress(form(ONE_ATOM))[:-9], "gzip", 400, "bad_gzip"),
        (b"no gzip at all", "gzip", 400, "bad_gzip"),
        (gzip.compress(form(bytes(30_000_000))), "gzip", 413, "too_large"),
        (gzip.compress(b"") * 2_000, "gzip", 400, "bad_gzip"),
        (b"", "br", 415, "unsupported_encoding"),
        (b"", "gzip, gzip", 415, "unsupported_encoding"),
    ],
    ids=["cut", "plain", "bomb", "empty_members", "brotli", "twice"],
)
def test_bad_packed_bodies(body: bytes, encoding: str, status: int, code: str) -> None:
    with service(max_upload_bytes=1_000_000) as client:
        answer = packed_upload(client, body, encoding)
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_archives_are_not_opened() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("../../escaped.pdb", ONE_ATOM)
    with service() as client:
        answer = client.post("/v1/structures", files={"complex": ("a.zip", archive.getvalue())})
        assert (answer.status_code, answer.json()["code"]) == (422, "binary_file")


@pytest.mark.parametrize("path", ["/health", "/docs", "/openapi.json", "/nowhere", "/v1/structures/0/labels"])
def test_security_headers(path: str) -> None:
    with service() as client:
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "access-control-allow-origin" not in headers


def test_other_sites_only_where_the_setting_names_them() -> None:
    ask = {"origin": "https://lab.example", "access-control-request-method": "POST"}
    with service() as client:
        assert "access-control-allow-origin" not in client.options("/v1/labels", headers=ask).headers
    with service(cors_origins="https://lab.example, https://b.example", api_keys=LINES) as client:
        allowed = client.options("/v1/labels", headers=ask)
        assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (200, "https://lab.example")
        other = client.options("/v1/labels", headers={**ask, "origin": "https://c.example"})
        assert "access-control-allow-origin" not in other.headers


def test_request_ids() -> None:
    with service() as client:
        answer = client.get("/nowhere", headers={"x-request-id": "run-7"})
        assert answer.headers["x-request-id"] == answer.json()["request_id"] == "run-7"
        other = client.get("/nowhere", headers={"x-request-id": 'a"b c'})
        assert other.json()["request_id"] == other.headers["x-request-id"] != 'a"b c'


def broken(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Any:
    def fail(_: object) -> None:
        raise RuntimeError("HETATM 11.123 in private-name.pdb")

    monkeypatch.setattr(client.app.state.store, "add", fail)
    return upload(client, headers={"authorization": "Bearer misi_of-someone"})


def test_no_trace_in_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with service() as client:
        answer = broken(client, monkeypatch)
        assert answer.status_code == 500
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.json()["request_id"] == answer.headers["x-request-id"]
        assert not any(word in answer.text for word in ("Traceback", "RuntimeError", "private-name", ".py"))


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What every logger writes."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    root, level = logging.getLogger("app"), logging.getLogger("app").level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def test_one_line_a_request(lines: io.StringIO) -> None:
    with service() as client:
        answer = client.get("/v1/structures/secret-id/labels?ligand=ABC")
    (line,) = (line for line in map(json.loads, lines.getvalue().splitlines()) if line["event"] == "request")
    assert (line["method"], line["route"]) == ("GET", "/v1/structures/{identifier}/labels")
    assert (line["status"], line["request_id"]) == (404, answer.headers["x-request-id"])
    assert (line["received_bytes"], line["sent_bytes"]) == (0, len(answer.content))
    assert 0 < line["milliseconds"] < 60_000


def test_logs_hold_nothing_that_was_sent(lines: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    with service() as client:
        upload(client, headers={"x-api-key": SECRETS["read"]})
        broken(client, monkeypatch)
        client.get("/v1/structures/secret-id/labels?ligand=ABC")
        client.request("SMUGGLED", "/v1/secret-path")
    text = lines.getvalue()
    assert text.count('"event":"request"') == 4
    for sent in ("11.123", "private-name", "misi_", "secret", "SMUGGLED", "ABC", "HETATM"):
        assert sent not in text
    error = next(line for line in map(json.loads, text.splitlines()) if line["level"] == "error")
    assert error["error"] == "RuntimeError"
    assert error["trace"][-1].startswith("test_protection:")


def test_errors_of_the_library_are_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise OracleError("no such luck", code="not_found")

    with service() as client:
        monkeypatch.setattr(client.app.state.store, "add", fail)
        assert upload(client).status_code == 404
