"""A connection that sends no whole head of a request is closed: it costs a socket, and there are only so many."""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from functools import cache

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.settings import Settings


@cache
def seconds() -> float:
    """For the head of a request."""
    return Settings().patience


class PatientProtocol(HttpToolsProtocol):
    """Uvicorn's protocol, which itself waits for ever for the head of a request."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._waiting: TimerHandle | None = None
        self._wait()

    def data_received(self, data: bytes) -> None:
        self._wait()
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        busy = self.cycle is not None and not self.cycle.response_complete
        if self._waiting is None and not busy:
            self._waiting = self.loop.call_later(seconds(), self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if not self.transport.is_closing():
            self.transport.close()
