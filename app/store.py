"""Uploaded structures, addressed by the sha256 of their decompressed bytes."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import zlib
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Upload:
    """Decompressed input files as they came in, and which ligand was asked for."""

    receptor: bytes
    receptor_name: str
    ligand: bytes | None = None
    ligand_name: str | None = None
    selector: str | None = None

    @property
    def id(self) -> str:
        digest = hashlib.sha256(self.receptor)
        digest.update(self.ligand or b"")
        return digest.hexdigest()


class Store(Protocol):
    """Keeps uploads; adding the same bytes twice keeps the first."""

    def add(self, upload: Upload) -> bool:
        """Keep the upload; True when it was new."""
        ...

    def get(self, identifier: str) -> Upload | None: ...

    def close(self) -> None: ...


class SQLiteStore:
    """One SQLite file, or ``:memory:``."""

    def __init__(self, path: str) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, check_same_thread=False)
        with self._lock, self._connection:
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS structures (id TEXT PRIMARY KEY, receptor BLOB NOT NULL,"
                " receptor_name TEXT NOT NULL, ligand BLOB, ligand_name TEXT, selector TEXT)"
            )

    def add(self, upload: Upload) -> bool:
        row = (
            upload.id,
            zlib.compress(upload.receptor),
            upload.receptor_name,
            None if upload.ligand is None else zlib.compress(upload.ligand),
            upload.ligand_name,
            upload.selector,
        )
        with self._lock, self._connection:
            cursor = self._connection.execute("INSERT OR IGNORE INTO structures VALUES (?, ?, ?, ?, ?, ?)", row)
            return cursor.rowcount == 1

    def get(self, identifier: str) -> Upload | None:
        query = "SELECT receptor, receptor_name, ligand, ligand_name, selector FROM structures WHERE id = ?"
        with self._lock:
            row = self._connection.execute(query, (identifier,)).fetchone()
        if row is None:
            return None
        receptor, receptor_name, ligand, ligand_name, selector = row
        ligand = None if ligand is None else zlib.decompress(ligand)
        return Upload(zlib.decompress(receptor), receptor_name, ligand, ligand_name, selector)

    def close(self) -> None:
        self._connection.close()
