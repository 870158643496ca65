"""Uploaded structures, addressed by the sha256 of their decompressed bytes."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import zlib
from dataclasses import dataclass
from typing import Protocol

from interactions.errors import LigandError


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
    """Keeps uploads by their bytes, and every ligand selector that came with them."""

    def add(self, upload: Upload) -> bool:
        """Keep the upload; True when it was new."""
        ...

    def get(self, identifier: str, selector: str | None = None) -> Upload | None:
        """The upload with this selector, or with the one it came with.

        Raises LigandError (``ambiguous_ligand``) where it came with different ones and none is given.
        """
        ...

    def close(self) -> None: ...


class SQLiteStore:
    """One SQLite file, or ``:memory:``."""

    def __init__(self, path: str) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, check_same_thread=False)
        with self._lock, self._connection:
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS structures (id TEXT PRIMARY KEY, receptor BLOB NOT NULL,"
                " receptor_name TEXT NOT NULL, ligand BLOB, ligand_name TEXT)"
            )
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS selectors (id TEXT NOT NULL, selector TEXT NOT NULL,"
                " PRIMARY KEY (id, selector)) WITHOUT ROWID"
            )

    def add(self, upload: Upload) -> bool:
        row = (
            upload.id,
            zlib.compress(upload.receptor),
            upload.receptor_name,
            None if upload.ligand is None else zlib.compress(upload.ligand),
            upload.ligand_name,
        )
        with self._lock, self._connection:
            cursor = self._connection.execute("INSERT OR IGNORE INTO structures VALUES (?, ?, ?, ?, ?)", row)
            self._connection.execute(
                "INSERT OR IGNORE INTO selectors VALUES (?, ?)", (upload.id, upload.selector or "")
            )
            return cursor.rowcount == 1

    def get(self, identifier: str, selector: str | None = None) -> Upload | None:
        query = "SELECT receptor, receptor_name, ligand, ligand_name FROM structures WHERE id = ?"
        with self._lock:
            row = self._connection.execute(query, (identifier,)).fetchone()
            known = self._connection.execute("SELECT selector FROM selectors WHERE id = ?", (identifier,)).fetchall()
        if row is None:
            return None
        if selector is None and len(known) > 1:
            listed = ", ".join(name or "none" for (name,) in known)
            raise LigandError(
                f"this structure came with different ligand selectors ({listed}): choose one by 'ligand'",
                code="ambiguous_ligand",
            )
        receptor, receptor_name, ligand, ligand_name = row
        ligand = None if ligand is None else zlib.decompress(ligand)
        return Upload(zlib.decompress(receptor), receptor_name, ligand, ligand_name, selector or known[0][0] or None)

    def close(self) -> None:
        self._connection.close()
