"""What a kind of job is, and what kinds share."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from app.instances import Named, is_text, named, read_upload
from app.sealing import Sealer
from app.storage import Job, StorageError, Store, Upload
from interactions.errors import InputError, OracleError

logger = logging.getLogger(__name__)

Record = dict[str, Any]
Parameters = dict[str, Any]
Lines = bytes  # zero or more lines of JSON


@dataclass(frozen=True)
class Tools:
    """What a job needs beside its own items."""

    store: Store
    sealer: Sealer


@dataclass(frozen=True)
class JobKind:
    """``read``: parameters and item bodies of a request; ``gather``: the arguments of ``work`` for some items, read
    from the store; ``work``: the lines of each item, in a worker process; ``chunk``: items of one call of it;
    ``failed``: the line of an item that no worker lived to finish; ``shown``: a record for those who may not see the
    truth; ``keep``: what to do with records before they are acknowledged; ``columns`` of a table of them, none for
    LabelSets."""

    read: Callable[[Record, int], tuple[Parameters, list[bytes]]]
    gather: Callable[[Tools, Parameters, Sequence[bytes]], tuple[Any, ...]]
    work: Callable[..., list[Lines]]
    failed: Callable[[bytes, OracleError], Record]
    chunk: int
    shown: Callable[[Record, Sealer], Record] = lambda record, _: record
    keep: Callable[[Store, Job, Mapping[int, Lines]], None] = lambda *_: None
    columns: tuple[str, ...] = ()


def text(raw: Record, name: str, default: str, known: Sequence[str] | None = None) -> str:
    """Raises InputError (``bad_job``)."""
    value = raw.get(name, default)
    if not is_text(value) or (known is not None and value not in known):
        expected = "a text" if known is None else f"one of {', '.join(known)}"
        raise InputError(f"{name!r} is {expected}", code="bad_job")
    return value


def only(raw: Record, names: set[str]) -> None:
    """Raises InputError (``bad_job``) for a field that the kind does not know."""
    unknown = raw.keys() - names - {"kind", "id"}
    if unknown:
        raise InputError(
            f"unknown fields: {', '.join(sorted(unknown))}; known: {', '.join(sorted(names))}", code="bad_job"
        )


def structures(raw: Record, most: int) -> list[bytes]:
    """Item bodies of the structures of a request. Raises InputError (``bad_job``, ``too_many_rows``)."""
    listed = raw.get("structures")
    if not isinstance(listed, list) or not listed:
        raise InputError("'structures' is a list of ids, or of objects with structure, ligand and id", code="bad_job")
    if len(listed) > most:
        raise InputError(f"more than {most} structures in one job", code="too_many_rows")
    return [_body(one) for one in listed]


def _body(one: object) -> bytes:
    of = named(one)
    name = one.get("id", of.structure) if isinstance(one, dict) else of.structure
    if not is_text(name):
        raise InputError("the 'id' of a structure is a text", code="bad_job")
    return orjson.dumps({"id": name, "structure": of.structure, "ligand": of.ligand})


def of_body(body: bytes) -> tuple[str, Named]:
    one = orjson.loads(body)
    return one["id"], Named(one["structure"], one["ligand"])


def upload_or_error(store: Store, of: Named) -> Upload | OracleError:
    """As ``read_upload``; what is wrong with one structure is that structure's failure, not the job's."""
    try:
        return read_upload(store, of)
    except StorageError:
        raise
    except OracleError as error:
        return error


def failure_of(body: bytes, error: OracleError) -> Record:
    from interactions.labelling import failure

    return failure(of_body(body)[0], error)


def lines(records: Sequence[Mapping[str, Any]]) -> Lines:
    from interactions.serialise import dumps

    return b"".join(dumps(record).rstrip(b"\n") + b"\n" for record in records)


def guarded(name: str, make: Callable[[], Sequence[Mapping[str, Any]]]) -> Lines:
    """The lines of one item; whatever goes wrong is a failure record of that item."""
    from interactions.labelling import failure

    try:
        return lines(make())
    except OracleError as error:
        return lines([failure(name, error)])
    except Exception as error:
        logger.exception("%s: unexpected error", name)
        return lines([failure(name, OracleError(f"unexpected {type(error).__name__}", code="internal_error"))])
