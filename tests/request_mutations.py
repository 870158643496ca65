"""Seeded damage to the requests of every operation: the same seed gives the same requests."""

from __future__ import annotations

import gzip
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from mutations import cut, flip, mutated

from app.samples import ADDRESS, CURL

ROOT = Path(__file__).parent.parent
Rng = np.random.Generator
Headers = tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True)
class Sent:
    """A request as bytes."""

    method: str
    path: str
    query: str = ""
    headers: Headers = ()
    body: bytes = b""


WORDS = (
    "",
    "0",
    "-1",
    "1e309",
    "NaN",
    "true",
    "null",
    "%00",
    "%ff",
    "..",
    "a" * 3000,
    "\u0663",
    "[]",
    "{}",
    "%2e%2e%2f",
)
TOKENS = (b"null", b"true", b"-1", b"1e309", b"[]", b"{}", b'"\\ud800"', b'""', b"9" * 400, b"[" * 2000, b'{"a":' * 500)
VALUES = (
    b"",
    b"gzip",
    b"br",
    b"text/plain",
    b"multipart/form-data",
    b"application/json; charset=x",
    b"*",
    b'W/"x"',
    b"\xff",
)
NAMES = (
    b"content-type",
    b"content-encoding",
    b"content-length",
    b"if-none-match",
    b"authorization",
    b"x-request-id",
    b"range",
)


def samples() -> list[Sent]:
    """What the curl lines of the description send."""
    return [_sent(line) for name, line in CURL.items() if name != "metrics"]


def _sent(line: str) -> Sent:
    words = iter(shlex.split(line)[1:])
    fields, headers, body, address, method = [], [], b"", "", "GET"
    for word in words:
        if word == "-F":
            fields.append(next(words).split("=", 1))
        elif word == "-d":
            body, method = next(words).encode(), "POST"
        elif word == "-X":
            method = next(words)
        elif word == "-H":
            name, value = next(words).split(": ", 1)
            headers.append((name.lower().encode(), value.encode()))
        elif word.startswith(ADDRESS):
            address = word.removeprefix(ADDRESS)
    if fields:
        method, body = "POST", b"".join(map(_part, fields)) + b"--edge--\r\n"
        headers.append((b"content-type", b"multipart/form-data; boundary=edge"))
    parts = urlsplit(address)
    return Sent(method, parts.path, parts.query, tuple(headers), body)


def _part(field: list[str]) -> bytes:
    name, value = field
    file, data = "", value.encode()
    if value.startswith("@"):
        file, data = f'; filename="{Path(value).name}"', (ROOT / value[1:]).read_bytes()
    return f'--edge\r\ncontent-disposition: form-data; name="{name}"{file}\r\n\r\n'.encode() + data + b"\r\n"


def _one(rng: Rng, of: Any) -> Any:
    return of[int(rng.integers(len(of)))]


def _method(sent: Sent, rng: Rng) -> Sent:
    return replace(sent, method=_one(rng, ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "X")))


def _path(sent: Sent, rng: Rng) -> Sent:
    parts = sent.path.split("/")
    parts[int(rng.integers(len(parts)))] = _one(rng, WORDS)
    return replace(sent, path="/" + "/".join(parts).lstrip("/"))


def _query(sent: Sent, rng: Rng) -> Sent:
    names = (
        "criteria",
        "hydrogens",
        "cutoff",
        "within",
        "detail",
        "metric",
        "mode",
        "format",
        "keep",
        "ligand",
        "near_misses",
    )
    return replace(sent, query="&".join(filter(None, (sent.query, f"{_one(rng, names)}={_one(rng, WORDS)}"))))


def _header(sent: Sent, rng: Rng) -> Sent:
    name = _one(rng, NAMES)
    kept = tuple(pair for pair in sent.headers if pair[0] != name)
    return replace(sent, headers=(*kept, (name, _one(rng, VALUES))))


def _flipped(sent: Sent, rng: Rng) -> Sent:
    return replace(sent, body=flip(sent.body, rng)) if sent.body else sent


def _cut(sent: Sent, rng: Rng) -> Sent:
    return replace(sent, body=cut(sent.body, rng)) if sent.body else sent


def _token(sent: Sent, rng: Rng) -> Sent:
    """A piece between two marks of JSON becomes another."""
    marks = [at for at, byte in enumerate(sent.body[:5000]) if byte in b'{}[]:,"']
    if len(marks) < 2:
        return replace(sent, body=_one(rng, TOKENS))
    first = int(rng.integers(len(marks) - 1))
    start, end = marks[first] + 1, marks[min(first + int(rng.integers(1, 3)), len(marks) - 1)]
    return replace(sent, body=sent.body[:start] + _one(rng, TOKENS) + sent.body[max(start, end) :])


def _packed(sent: Sent, rng: Rng) -> Sent:
    data = gzip.compress(_one(rng, (sent.body, bytes(3_000_000), b"[" * 1_000_000)), mtime=0)
    return replace(sent, headers=(*sent.headers, (b"content-encoding", b"gzip")), body=_one(rng, (data, data[:-5])))


def _file(sent: Sent, rng: Rng) -> Sent:
    """A damaged structure file in the form."""
    if b"filename" not in sent.body:
        return sent
    ((name, data),) = mutated(1, int(rng.integers(1 << 30)))
    part = b'--edge\r\ncontent-disposition: form-data; name="complex"; filename="%s"\r\n\r\n' % name.encode()
    return replace(sent, body=part + data + b"\r\n--edge--\r\n")


CHANGES: tuple[Callable[[Sent, Rng], Sent], ...] = (
    *(_method, _path, _query, _header, _flipped, _cut, _token, _token, _packed, _file),
)


def damaged(count: int, seed: int) -> Iterator[Sent]:
    """Requests, each with one to three changes."""
    rng, known = np.random.default_rng(seed), samples()
    for _ in range(count):
        sent = _one(rng, known)
        for _ in range(int(rng.integers(1, 4))):
            sent = _one(rng, CHANGES)(sent, rng)
        yield sent
