"""Jobs for workers in tests: they sleep, loop in C, die, allocate, or fail."""

from __future__ import annotations

import os
import re
import signal
import time

from interactions.errors import InputError


def pid() -> int:
    return os.getpid()


def double(value: int) -> int:
    return 2 * value


def nap(seconds: float) -> str:
    time.sleep(seconds)
    return "awake"


def endless() -> None:
    """A loop in C that heeds no signal of Python's."""
    re.match(r"(a+)+$", "a" * 60 + "b")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def grow() -> int:
    return len(bytearray(8_000_000_000))


def refuse() -> None:
    raise InputError("line 3: no", code="bad_record")


def fail() -> None:
    raise ZeroDivisionError("by zero")


def give_birth(seconds: float) -> int:
    """A child that outlives the call, if nobody ends it."""
    child = os.fork()
    if child == 0:
        time.sleep(seconds)
        os._exit(0)
    time.sleep(seconds)
    return child
