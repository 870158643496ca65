"""Databases for the tests of storage: SQLite files, and a PostgreSQL from the distribution's own programs."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

INSTALLED = "/usr/lib/postgresql"  # where Debian and Ubuntu keep them, by release
TIMEOUT = 60  # s, only to notice a hang
_numbers = count()


@dataclass(frozen=True)
class Postgres:
    """A server of its own in a folder, reached by a Unix socket there; ``user`` runs it."""

    programs: Path
    folder: Path
    user: str | None

    def run(self, program: str, *arguments: str) -> None:
        groups: list[int] | None = [] if self.user else None
        log = self.folder / "programs.log"
        with log.open("ab") as out:
            done = subprocess.run(
                [self.programs / program, *arguments],
                user=self.user,
                group=pwd.getpwnam(self.user).pw_gid if self.user else None,
                extra_groups=groups,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                timeout=TIMEOUT,
                check=False,
            )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {log.read_text()[-2000:]}")

    def control(self, *arguments: str) -> None:
        options = f"-k {self.folder} -h '' -F"
        log = str(self.folder / "server.log")
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-l", log, "-o", options, *arguments)

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"oracle_{next(_numbers)}"
        self.run("createdb", "-h", str(self.folder), "-U", "oracle", name)
        return f"postgresql://oracle@/{name}?host={self.folder}"


def _programs() -> Path | None:
    found = sorted(Path(INSTALLED).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3].split(".")[0]))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(on_path).parent if on_path else None


def _unprivileged() -> str | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running server; skips where its programs or the driver are not installed."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (no initdb)")
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed (extra postgres)")
    folder, user = Path(tempfile.mkdtemp(prefix="oracle-pg-")), _unprivileged()
    if user is not None:
        os.chown(folder, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    server = Postgres(programs, folder, user)
    try:
        server.run(
            "initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "oracle", "-N", "-E", "UTF8", "--locale=C"
        )
        server.control("start")
        try:
            yield server
        finally:
            server.control("stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database: the path of an SQLite file, then a PostgreSQL URL."""
    if request.param == "sqlite":
        return str(tmp_path / "oracle.sqlite3")
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MB, half of it taken by the file ``ballast``."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("no small file system can be mounted here")
    (folder / "ballast").write_bytes(bytes(2_000_000))
    yield folder
    subprocess.run(["umount", str(folder)], timeout=TIMEOUT, check=True)
