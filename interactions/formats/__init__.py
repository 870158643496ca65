"""Readers: bytes of a file, plain or gzipped, to a Structure; the format is told by content."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from pathlib import Path

from interactions.errors import InputError
from interactions.formats.mmcif import read_mmcif
from interactions.formats.mol2 import read_mol2
from interactions.formats.pdb import read_pdb
from interactions.formats.sdf import read_sdf
from interactions.structure import Structure

READERS: dict[str, Callable[[bytes, str], Structure]] = {
    "pdb": read_pdb,
    "mmcif": read_mmcif,
    "mol2": read_mol2,
    "sdf": read_sdf,
}
MAX_BYTES = 50_000_000
MAX_MEMBERS = 10_000  # of a gzip file; block gzip has one for each 64 kB
_GZIP = b"\x1f\x8b"
_PIECE = 65_536
_PDB_RECORD = re.compile(
    rb"^(ATOM  |HETATM|HEADER|REMARK|CRYST1|MODEL |TITLE |COMPND|SEQRES|CONECT|AUTHOR|EXPDTA|OBSLTE)", re.MULTILINE
)


def read(data: bytes | Path, name: str | None = None, *, max_bytes: int = MAX_BYTES) -> Structure:
    """Structure of a file given as bytes or path.

    Raises InputError with code ``empty_file``, ``html_page``, ``binary_file``, ``unknown_format``,
    ``truncated_gzip``, ``too_large``, or what the reader of the format says.
    """
    if isinstance(data, Path):
        name, data = name or data.name, data.read_bytes()
    name = name or "input"
    data = plain(data, name, max_bytes=max_bytes)
    return READERS[sniff(data, name)](data, name)


def plain(data: bytes, name: str, *, max_bytes: int = MAX_BYTES) -> bytes:
    """The bytes, decompressed if gzipped; never more than ``max_bytes``."""
    if len(data) > max_bytes:
        raise InputError(f"{name}: {len(data)} bytes, at most {max_bytes} are read", code="too_large")
    parts: list[bytes] = []
    size = members = position = 0
    while data[position : position + 2] == _GZIP:
        members += 1
        if members > MAX_MEMBERS:
            raise InputError(f"{name}: more than {MAX_MEMBERS} gzip members", code="too_large")
        decoder = zlib.decompressobj(wbits=31)
        while not decoder.eof:
            # A slice, because zlib copies all that follows a member: whole files of tiny members would take hours.
            piece = data[position : position + _PIECE]
            if not piece:
                raise InputError(f"{name}: the gzip data end too early", code="truncated_gzip")
            try:
                part = decoder.decompress(piece, max_bytes + 1 - size)
            except zlib.error as error:
                raise InputError(f"{name}: damaged gzip data: {error}", code="truncated_gzip") from error
            size += len(part)
            if size > max_bytes:
                raise InputError(f"{name}: more than {max_bytes} bytes when decompressed", code="too_large")
            parts.append(part)
            position += len(piece) - len(decoder.unused_data)
    return b"".join(parts) if members else data


def sniff(data: bytes, name: str) -> str:
    """Name of the format, told by content alone."""
    head = data[:20_000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head:
        raise InputError(f"{name}: the file is empty, expected a structure", code="empty_file")
    if re.match(rb"<(!doctype|html|head|body|\?xml)", head, re.IGNORECASE):
        raise InputError(f"{name}: a web page, not a structure (pdb, mmcif, mol2 or sdf)", code="html_page")
    if b"\0" in head:
        raise InputError(f"{name}: binary data, expected a text file (pdb, mmcif, mol2 or sdf)", code="binary_file")
    if b"@<TRIPOS>MOLECULE" in data:
        return "mol2"
    if head.startswith((b"data_", b"loop_")) or b"_atom_site." in head:
        return "mmcif"
    if any(line[34:39] in (b"V2000", b"V3000") for line in data[:2000].replace(b"\r\n", b"\n").split(b"\n")[3:4]):
        return "sdf"
    if _PDB_RECORD.search(data):
        return "pdb"
    raise InputError(f"{name}: no pdb, mmcif, mol2 or sdf content", code="unknown_format")
