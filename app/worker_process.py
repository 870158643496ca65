"""What runs in a worker process: take a call, answer, until the pipe closes."""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from interactions.errors import OracleError

_PR_SET_PDEATHSIG = 1
_BETWEEN_COLLECTIONS = 20_000  # objects made and not yet gone


@dataclass(frozen=True)
class Limits:
    """Bytes of address space (0: none), jobs before a process is replaced, niceness, and whether to load the library
    before the first job."""

    memory: int = 4_000_000_000
    jobs: int = 1000
    nice: int = 0
    warm: bool = True


def work(pipe: Connection, limits: Limits) -> None:
    """Answer calls with a sign that they have begun, then (True, result) or (False, exception), each pickled."""
    _settle(limits)
    while True:
        try:
            call, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send_bytes(b"begun")
        pipe.send(_outcome(call, arguments))


def _settle(limits: Limits) -> None:
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    if limits.memory:
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    if limits.nice:
        os.nice(limits.nice)
    if limits.warm:
        import interactions.labelling  # noqa: F401

        settle_memory()


def settle_memory() -> None:
    """Modules and tables stay for ever: a collection of garbage need not look at them each time. What a job makes
    hardly ever goes round in circles, so collections may be rarer, too."""
    gc.freeze()
    gc.set_threshold(_BETWEEN_COLLECTIONS)


def _die_with_parent() -> None:
    """On Linux a killed service takes its workers with it, also in the middle of a job."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _outcome(call: Any, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, call(*arguments)
    except OracleError as error:
        return False, error
    except MemoryError:
        return False, OracleError("the job needs more memory than a worker may have", code="out_of_memory")
    except Exception as error:
        # Not every exception can be pickled: its kind and text are enough for the log.
        return False, RuntimeError(f"{type(error).__name__}: {error}")
