"""Prometheus metrics of requests, by route template; summed over workers where PROMETHEUS_MULTIPROC_DIR is set."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

CONTENT_TYPE = CONTENT_TYPE_LATEST
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_OF_PROCESS = re.compile(r"(?:counter|histogram|summary|gauge_[a-z]+)_(\d+)\.db")


def shared_folder() -> Path | None:
    """Where workers leave their numbers; prometheus-client reads the same variable."""
    name = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    return Path(name) if name else None


class Metrics:
    """The metrics of one application; two applications in a process share nothing but the folder."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        by_route = ("method", "route")
        self._requests = Counter(
            "misi_oracle_requests", "Answered requests", (*by_route, "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "misi_oracle_request_seconds", "Time to answer", by_route, buckets=SECONDS, registry=self.registry
        )
        self._received = Counter(
            "misi_oracle_received_bytes", "Bytes of request bodies", by_route, registry=self.registry
        )
        self._sent = Counter("misi_oracle_sent_bytes", "Bytes of answers", by_route, registry=self.registry)
        self.in_progress = Gauge(
            "misi_oracle_requests_in_progress",
            "Requests being answered",
            multiprocess_mode="livesum",
            registry=self.registry,
        )
        self._of = lru_cache(maxsize=4096)(self._children)

    def _children(self, method: str, route: str, status: str) -> tuple[Counter, Histogram, Counter, Counter]:
        names = (method, route)
        return (
            self._requests.labels(*names, status),
            self._seconds.labels(*names),
            self._received.labels(*names),
            self._sent.labels(*names),
        )

    def observe(self, names: tuple[str, str, str], seconds: float, received: int, sent: int) -> None:
        """Count one request; ``names``: method, route template, status."""
        requests, times, incoming, outgoing = self._of(*names)
        requests.inc()
        times.observe(seconds)
        incoming.inc(received)
        outgoing.inc(sent)

    def text(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        folder = shared_folder()
        if folder is None:
            return generate_latest(self.registry)
        forget_dead(folder)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
        return generate_latest(registry)


def forget_dead(folder: Path) -> None:
    """Drop what killed workers left of gauges; their counters stay, so that totals never fall."""
    processes = {int(found[1]) for path in folder.glob("*.db") if (found := _OF_PROCESS.fullmatch(path.name))}
    for process in processes:
        if not _alive(process):
            mark_process_dead(process)


def clear(folder: Path) -> None:
    """Remove the numbers of an earlier run; only for the parent process, before its workers start."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.db"):
        if _OF_PROCESS.fullmatch(path.name):
            path.unlink(missing_ok=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
