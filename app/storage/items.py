"""Items of jobs: what each is about, and the record that came of it. A record that is there is never replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, func, select, update

from app.storage.records import Item
from app.storage.rows import checked, chunks, packed, unpacked
from app.storage.tables import JOB_ITEMS

OF = JOB_ITEMS.c


def add(connection: Connection, job: str, bodies: Sequence[bytes]) -> None:
    rows = [{"job": job, "position": position, "body": body} for position, body in enumerate(bodies)]
    for some in chunks(rows):
        connection.execute(JOB_ITEMS.insert(), some)


def still_open(connection: Connection, job: str, limit: int) -> list[Item]:
    query = select(OF.position, OF.body).where(OF.job == job, OF.record.is_(None)).order_by(OF.position).limit(limit)
    return [Item(row.position, unpacked(row.body)) for row in connection.execute(query)]


def finish(connection: Connection, job: str, records: Mapping[int, bytes]) -> int:
    """Keep the records; how many items are finished then."""
    for position, record in sorted(records.items()):
        place = (OF.job == job, OF.position == position, OF.record.is_(None))
        connection.execute(update(JOB_ITEMS).where(*place).values(record=packed(record)))
    query = select(func.count()).where(OF.job == job, OF.record.is_not(None))
    return connection.scalar(query) or 0


def records(connection: Connection, job: str, after: int, limit: int) -> list[Item]:
    checked(job)
    query = select(OF.position, OF.record).where(OF.job == job, OF.record.is_not(None), OF.position > after)
    rows = connection.execute(query.order_by(OF.position).limit(limit))
    return [Item(row.position, unpacked(row.record)) for row in rows]
