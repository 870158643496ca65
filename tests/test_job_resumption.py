"""A server killed in the middle of a job: the next one goes on, and nothing acknowledged is lost or done again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import orjson
import pytest
from servers import NOTICE, server, until


@pytest.mark.parametrize("ending", ["kill", "terminate"])
def test_a_job_goes_on_after_its_server_ends(tmp_path: Path, examples: Path, ending: str) -> None:
    database = tmp_path / "oracle.sqlite3"
    names = {"receptor": "2izf_receptor.pdb.gz", "ligand": "2izf_ligand.sdf"}
    files = {field: (name, (examples / name).read_bytes()) for field, name in names.items()}
    with server(database, job_lease=1) as (process, client):
        structure = client.post("/v1/structures", files=files).json()["id"]
        wanted = [{"structure": structure, "id": f"copy {number}"} for number in range(60)]
        job = {"kind": "label", "id": "copies", "structures": wanted}
        assert client.post("/v1/jobs", json=job).status_code == 202
        until(lambda: client.get("/v1/jobs/copies").json()["done"] >= 8)
        before = client.get("/v1/jobs/copies").json()["done"]
        getattr(process, ending)()
        assert process.wait(NOTICE) is not None
    kept = finished_items(database)
    assert before <= len(kept) < 60
    mark(database)
    with server(database, job_lease=1) as (_, client):
        until(lambda: client.get("/v1/jobs/copies").json()["state"] == "done")
        assert client.post("/v1/jobs", json=job).status_code == 200
        found = [orjson.loads(line) for line in client.get("/v1/jobs/copies/result").content.splitlines()]
        alone = client.get(f"/v1/structures/{structure}/labels").json()
    assert [one["id"] for one in found] == [one["id"] for one in wanted]
    # Those that were done stand as they were, the others were made now.
    assert found[len(kept) :] == [alone | {"id": f"copy {number}"} for number in range(len(kept), 60)]
    assert all(one["version"] == "before" for one in found[: len(kept)])


def finished_items(database: Path) -> list[int]:
    with sqlite3.connect(database) as connection:
        rows = connection.execute("SELECT position FROM job_items WHERE record IS NOT NULL ORDER BY position")
        return [position for (position,) in rows]


def mark(database: Path) -> None:
    """Another content for what is finished, to see that it is not made again."""
    import zlib

    with sqlite3.connect(database) as connection:
        for position in finished_items(database):
            line = orjson.dumps({"id": f"copy {position}", "version": "before"}) + b"\n"
            where = "UPDATE job_items SET record = ? WHERE position = ?"
            connection.execute(where, (zlib.compress(line), position))
