"""Bodies that were read or kept lately, in memory. What stands under a key never changes, so none goes stale."""

from __future__ import annotations

import threading
from collections import OrderedDict


class Recent:
    """The bodies used last, up to ``limit`` bytes in all."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._bodies: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            if key in self._bodies:
                self._bodies.move_to_end(key)
            return self._bodies.get(key)

    def put(self, key: str, body: bytes) -> None:
        with self._lock:
            self.size += len(body) - len(self._bodies.pop(key, b""))
            self._bodies[key] = body
            while self.size > self.limit:
                self.size -= len(self._bodies.popitem(last=False)[1])
