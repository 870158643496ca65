"""wwPDB's chemical component dictionary as one compact file: atoms, charges and bonds of a component by its name.

The dictionary comes with biotite (extra ``bench``), whose look-up takes seconds to start; so it is extracted once
into the user's cache folder (``MISI_ORACLE_CACHE``, else ``XDG_CACHE_HOME``, else ``~/.cache``). An index that is
there is used whether or not biotite still is.
"""

from __future__ import annotations

import itertools
import mmap
import os
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from interactions.chemistry.elements import atomic_number
from interactions.errors import ChemistryError

Progress = Callable[[int, int], None]  # components done, components in all
Bond = tuple[int, int, int, bool]  # two places in ``names``, order 1 to 3, aromatic

# Names that many programs and users give to any molecule; what the dictionary holds under them is something else.
PLACEHOLDERS = frozenset(
    """LIG MOL UNL UNK UNX UNN UNR DRG INH LG1 LGD LGA DUM XXX *** MOL1 LIG1 LIGA LIGAND MOLECULE ASX GLX""".split()
)
_MAGIC = b"misi-components-1\n"
_HEAD = struct.Struct("<QQI")  # length of the file, start of the table, number of components
_ROW = struct.Struct("<8sQI")  # name, start, length
_BLOB = struct.Struct("<HH")
_ORDERS = {"SING": 1, "DOUB": 2, "TRIP": 3}


@dataclass(frozen=True)
class Component:
    """One component: per atom its name, element, formal charge and whether it leaves on linking; the bonds."""

    name: str
    names: tuple[str, ...]
    elements: tuple[int, ...]
    charges: tuple[int, ...]
    leaving: tuple[bool, ...]
    bonds: tuple[Bond, ...]


class Source(Protocol):
    """Bytes of an index: a memory map, or the bytes themselves."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: slice, /) -> bytes: ...


class ComponentIndex:
    """The components by name, read one at a time from the bytes of an index file.

    Raises ChemistryError (code ``component_index``) where the bytes are no whole index.
    """

    def __init__(self, source: Source) -> None:
        head = source[: len(_MAGIC) + _HEAD.size]
        if len(head) < len(_MAGIC) + _HEAD.size or not head.startswith(_MAGIC):
            raise ChemistryError("not an index of components", code="component_index")
        self._table: int
        self._count: int
        length, self._table, self._count = _HEAD.unpack(head[len(_MAGIC) :])
        if length != len(source):
            raise ChemistryError(
                f"a damaged index of components: {len(source)} bytes, expected {length}", code="component_index"
            )
        self._source = source

    def __len__(self) -> int:
        return self._count

    def __contains__(self, name: str) -> bool:
        return self._find(name) is not None

    def get(self, name: str) -> Component | None:
        """The component of that name; None where there is none, or the name is a placeholder."""
        if is_placeholder(name) or (found := self._find(name)) is None:
            return None
        start, size = found
        return _unpack(name, zlib.decompress(self._source[start : start + size]))

    def _row(self, row: int) -> tuple[bytes, int, int]:
        start = self._table + row * _ROW.size
        name, at, size = _ROW.unpack(self._source[start : start + _ROW.size])
        return name.rstrip(b"\0"), at, size

    def _find(self, name: str) -> tuple[int, int] | None:
        key = name.encode("utf-8")
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._row(middle)[0] < key:
                low = middle + 1
            else:
                high = middle
        if low == self._count or (row := self._row(low))[0] != key:
            return None
        return row[1], row[2]


def is_placeholder(name: str) -> bool:
    """Whether a residue name says nothing of the molecule."""
    return not name or name.upper() in PLACEHOLDERS


def cache_folder() -> Path:
    """Where the index is kept; it need not exist."""
    if own := os.environ.get("MISI_ORACLE_CACHE"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "misi-oracle"


def biotite_version() -> str | None:
    """Version of the installed biotite, without importing it."""
    try:
        return version("biotite")
    except PackageNotFoundError:
        return None


def index_path() -> Path | None:
    """The index file that belongs to the installed biotite; where there is none, the last by name of those there."""
    installed = biotite_version()
    if installed is not None:
        return cache_folder() / f"components-biotite-{installed}.bin"
    return max(cache_folder().glob("components-biotite-*.bin"), default=None)


def component_index(progress: Progress | None = None) -> ComponentIndex | None:
    """The index, built if it is not there yet; None where there is neither an index nor biotite.

    Where the cache folder cannot be written the index is held in memory.
    """
    path = index_path()
    return None if path is None else _opened(path, progress)


@lru_cache(maxsize=1)
def _kept(path: Path, changed: int, size: int) -> ComponentIndex:  # noqa: ARG001  (a changed file is opened anew)
    with path.open("rb") as file:
        return ComponentIndex(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


_in_memory: dict[Path, ComponentIndex] = {}


def _opened(path: Path, progress: Progress | None) -> ComponentIndex | None:
    if path in _in_memory:
        return _in_memory[path]
    try:
        stat = path.stat()
        return _kept(path, stat.st_mtime_ns, stat.st_size)
    except (OSError, ValueError, ChemistryError):
        if biotite_version() is None:
            return None
    data = _index_bytes(progress)
    index = ComponentIndex(data)
    try:
        _write(path, data)
    except OSError:
        _in_memory[path] = index
    return index


def build_index(progress: Progress | None = None) -> Path:
    """Extract the dictionary of the installed biotite into the cache folder, anew; the path of the index.

    Raises ChemistryError (code ``no_components``) where biotite is not installed, and OSError where the folder
    cannot be written.
    """
    path = index_path()
    if path is None or biotite_version() is None:
        raise ChemistryError(
            "the component dictionary comes with biotite, which is not installed (extra: bench)", code="no_components"
        )
    _write(path, _index_bytes(progress))
    return path


def _write(path: Path, data: bytes) -> None:
    """The file is there whole or not at all, also where several processes write it at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(made, 0o644)
        os.replace(made, path)
    except OSError:
        os.unlink(made)
        raise


def _index_bytes(progress: Progress | None) -> bytes:
    blobs: list[bytes] = []
    rows: list[tuple[bytes, int, int]] = []
    at = len(_MAGIC) + _HEAD.size
    for name, blob in _extracted(progress):
        rows.append((name.encode("utf-8"), at, len(blob)))
        blobs.append(blob)
        at += len(blob)
    table = b"".join(_ROW.pack(*row) for row in sorted(rows))
    return b"".join([_MAGIC, _HEAD.pack(at + len(table), at, len(rows)), *blobs, table])


def _extracted(progress: Progress | None) -> Iterator[tuple[str, bytes]]:
    from biotite.structure.info.ccd import get_ccd

    dictionary = get_ccd()
    atoms, bonds = dictionary["chem_comp_atom"], dictionary["chem_comp_bond"]
    atom_columns = [atoms[key].as_array() for key in ("atom_id", "type_symbol", "charge", "pdbx_leaving_atom_flag")]
    bond_columns = [bonds[key].as_array() for key in ("atom_id_1", "atom_id_2", "value_order", "pdbx_aromatic_flag")]
    atom_ranges, bond_ranges = _ranges(atoms["comp_id"].as_array()), _ranges(bonds["comp_id"].as_array())
    for done, (name, rows) in enumerate(atom_ranges.items(), 1):
        bonded = bond_ranges.get(name, slice(0))
        component = _component(name, [c[rows] for c in atom_columns], [c[bonded] for c in bond_columns])
        yield name, zlib.compress(_pack(component), 9)
        if progress is not None and (done % 1000 == 0 or done == len(atom_ranges)):
            progress(done, len(atom_ranges))
    if hasattr(get_ccd, "cache_clear"):
        get_ccd.cache_clear()


def _ranges(ids: Any) -> dict[str, slice]:
    """Rows of each component; those of one component follow each other."""
    starts = [0, *(np.flatnonzero(ids[1:] != ids[:-1]) + 1).tolist(), len(ids)]
    return {str(ids[a]): slice(a, b) for a, b in itertools.pairwise(starts)}


def _component(name: str, atoms: list[Any], bonds: list[Any]) -> Component:
    names, symbols, charges, leaving = (column.tolist() for column in atoms)
    place = {atom: index for index, atom in enumerate(names)}
    return Component(
        name=name,
        names=tuple(names),
        elements=tuple(map(atomic_number, symbols)),
        charges=tuple(map(int, charges)),
        leaving=tuple(flag == "Y" for flag in leaving),
        bonds=tuple(
            (place[a], place[b], _ORDERS[order], flag == "Y")
            for a, b, order, flag in zip(*(column.tolist() for column in bonds), strict=True)
        ),
    )


def _pack(component: Component) -> bytes:
    bonds = np.array([bond[:2] for bond in component.bonds], dtype="<u2").reshape(-1, 2)
    orders = np.array([order + 8 * flag for _, _, order, flag in component.bonds], dtype="u1")
    return b"".join(
        [
            _BLOB.pack(len(component.names), len(component.bonds)),
            bytes(component.elements),
            np.array(component.charges, dtype="i1").tobytes(),
            bytes(component.leaving),
            bonds.tobytes(),
            orders.tobytes(),
            "\n".join(component.names).encode("utf-8"),
        ]
    )


def _unpack(name: str, data: bytes) -> Component:
    n, b = _BLOB.unpack_from(data)
    ends = np.cumsum([_BLOB.size, n, n, n, 4 * b, b]).tolist()
    elements, charges, leaving, bonds, orders = (data[start:end] for start, end in itertools.pairwise(ends))
    pairs = np.frombuffer(bonds, dtype="<u2").reshape(-1, 2).tolist()
    return Component(
        name=name,
        names=tuple(data[ends[-1] :].decode("utf-8").split("\n")),
        elements=tuple(elements),
        charges=tuple(np.frombuffer(charges, dtype="i1").tolist()),
        leaving=tuple(map(bool, leaving)),
        bonds=tuple((a, c, order & 7, order > 7) for (a, c), order in zip(pairs, orders, strict=True)),
    )
