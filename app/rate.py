"""Token buckets in memory: so many requests a second for each caller, in this process."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MAX_CALLERS = 10_000  # the longest unseen is forgotten first, which only refills its bucket


@dataclass
class _Bucket:
    tokens: float
    at: float


class Buckets:
    """``burst`` requests at once, refilled at the rate of each call."""

    def __init__(self, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, caller: str, rate: float) -> float:
        """Take one token: 0 where there was one, else the seconds until there is."""
        now = self._clock()
        bucket = self._buckets.setdefault(caller, _Bucket(self.burst, now))
        self._buckets.move_to_end(caller)
        if len(self._buckets) > MAX_CALLERS:
            self._buckets.popitem(last=False)
        bucket.tokens = min(self.burst, bucket.tokens + (now - bucket.at) * rate)
        bucket.at = now
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return 0.0
        return (1 - bucket.tokens) / rate
