"""The service's verification at a URL, sync and async: batches within its limits, tried again where it is busy."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import quote

from misi_oracle_client.errors import ClientError
from misi_oracle_client.retry import wait_before
from misi_oracle_client.rows import Reply, Row

if TYPE_CHECKING:
    import httpx

BATCH_ROWS = 10_000
BATCH_BYTES = 16_000_000
TOGETHER = 4  # batches on their way at a time
TIMEOUT = 60.0  # s
LINES = {"content-type": "application/x-ndjson"}
JSON = {"content-type": "application/json"}


class Oracle:
    """A service at a URL. ``client``: an httpx.Client of one's own, with its time-outs and headers."""

    def __init__(self, url: str, *, tries: int = 5, client: httpx.Client | None = None) -> None:
        import httpx

        self._url, self._tries = url.rstrip("/"), tries
        self._client = client or httpx.Client(timeout=TIMEOUT)

    def verify(self, row: Row) -> Reply:
        """Raises ClientError where the question is not there, or the service cannot be reached."""
        return cast(Reply, self._ask("POST", "/v1/verify", _line(row), JSON).json())

    def verify_batch(self, rows: Sequence[Row]) -> list[Reply]:
        """One reply a row, in order, from as many requests as it takes; a row that cannot be scored has its status."""
        parts = batches(map(_line, rows))
        return [one for part in parts for one in _replies(self._ask("POST", "/v1/verify/batch", part, LINES), part)]

    def add_questions(self, records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What was ``added``, what was ``known``, and the ``questions`` without truth, sealed."""
        return cast(dict[str, Any], self._ask("POST", "/v1/questions", json.dumps(records).encode(), JSON).json())

    def question(self, id: str) -> dict[str, Any]:
        """A stored question without its truth, sealed."""
        return cast(dict[str, Any], self._ask("GET", f"/v1/questions/{quote(id, safe='')}").json())

    def close(self) -> None:
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(
        self, method: str, path: str, content: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        import httpx

        attempt = 0
        while True:
            found: httpx.Response | httpx.TransportError
            try:
                found = self._client.request(method, self._url + path, content=content, headers=headers)
            except httpx.TransportError as error:
                found = error
            wait = wait_before(attempt, self._tries, *_heard(found))
            if wait is None:
                return _checked(found)
            time.sleep(wait)
            attempt += 1


class AsyncOracle:
    """As ``Oracle``; batches travel side by side."""

    def __init__(self, url: str, *, tries: int = 5, client: httpx.AsyncClient | None = None) -> None:
        import httpx

        self._url, self._tries = url.rstrip("/"), tries
        self._client = client or httpx.AsyncClient(timeout=TIMEOUT)

    async def verify(self, row: Row) -> Reply:
        return cast(Reply, (await self._ask("POST", "/v1/verify", _line(row), JSON)).json())

    async def verify_batch(self, rows: Sequence[Row]) -> list[Reply]:
        free = asyncio.Semaphore(TOGETHER)

        async def replies(part: bytes) -> list[Reply]:
            async with free:
                return _replies(await self._ask("POST", "/v1/verify/batch", part, LINES), part)

        found = await asyncio.gather(*map(replies, batches(map(_line, rows))))
        return [reply for part in found for reply in part]

    async def add_questions(self, records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        content = json.dumps(records).encode()
        return cast(dict[str, Any], (await self._ask("POST", "/v1/questions", content, JSON)).json())

    async def question(self, id: str) -> dict[str, Any]:
        return cast(dict[str, Any], (await self._ask("GET", f"/v1/questions/{quote(id, safe='')}")).json())

    async def close(self) -> None:
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _ask(
        self, method: str, path: str, content: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        import httpx

        attempt = 0
        while True:
            found: httpx.Response | httpx.TransportError
            try:
                found = await self._client.request(method, self._url + path, content=content, headers=headers)
            except httpx.TransportError as error:
                found = error
            wait = wait_before(attempt, self._tries, *_heard(found))
            if wait is None:
                return _checked(found)
            await asyncio.sleep(wait)
            attempt += 1


def batches(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Bodies of whole lines, each within BATCH_ROWS and, unless a single line is longer, BATCH_BYTES."""
    held, size = list[bytes](), 0
    for line in lines:
        if held and (len(held) == BATCH_ROWS or size + len(line) > BATCH_BYTES):
            yield b"".join(held)
            held, size = [], 0
        held.append(line)
        size += len(line)
    if held:
        yield b"".join(held)


def _line(row: Row) -> bytes:
    if not row.keys() & {"id", "sealed"}:
        raise ClientError("bad_row", "a service scores stored or sealed questions: the row needs an id or sealed")
    return json.dumps({name: value for name, value in row.items() if name not in ("answer", "kind")}).encode() + b"\n"


def _heard(found: httpx.Response | Exception) -> tuple[int | None, str | None]:
    if isinstance(found, Exception):
        return None, None
    return found.status_code, found.headers.get("retry-after")


def _checked(found: httpx.Response | Exception) -> httpx.Response:
    if isinstance(found, Exception):
        raise ClientError("unavailable", f"no answer ({type(found).__name__})") from found
    if found.is_success:
        return found
    problem = _problem(found)
    raise ClientError(problem.get("code", "http_error"), problem.get("detail", found.reason_phrase), found.status_code)


def _problem(found: httpx.Response) -> dict[str, str]:
    try:
        problem = found.json()
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


def _replies(found: httpx.Response, sent: bytes) -> list[Reply]:
    replies = [cast(Reply, json.loads(line)) for line in found.content.splitlines()]
    count = sent.count(b"\n")
    if len(replies) != count:
        raise ClientError("short_reply", f"{count} rows sent, {len(replies)} replies came")
    return replies
