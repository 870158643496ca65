"""Seeded damage to files and requests: the same seed gives the same bytes."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).parent.parent / "examples"
Rng = np.random.Generator


def flip(data: bytes, rng: Rng) -> bytes:
    found = bytearray(data)
    for place in rng.integers(len(found), size=int(rng.integers(1, 20))).tolist():
        found[place] = int(rng.integers(256))
    return bytes(found)


def cut(data: bytes, rng: Rng) -> bytes:
    return data[: int(rng.integers(len(data)))]


def _lines(data: bytes, rng: Rng, change: Callable[[list[bytes], int], None]) -> bytes:
    lines = data.split(b"\n")
    for _ in range(int(rng.integers(1, 8))):
        if lines:
            change(lines, int(rng.integers(len(lines))))
    return b"\n".join(lines)


def _drop(data: bytes, rng: Rng) -> bytes:
    return _lines(data, rng, lambda lines, i: lines.pop(i))  # type: ignore[arg-type, return-value]


def _repeat(data: bytes, rng: Rng) -> bytes:
    return _lines(data, rng, lambda lines, i: lines.insert(i, lines[i]))


def _swap(data: bytes, rng: Rng) -> bytes:
    def change(lines: list[bytes], i: int) -> None:
        j = int(rng.integers(len(lines)))
        lines[i], lines[j] = lines[j], lines[i]

    return _lines(data, rng, change)


NUMBERS = (b"nan", b"inf", b"-inf", b"1e309", b"********", b"99999.999", b"-0.000", b"", b"0x10", "\u0663".encode())


def _number(data: bytes, rng: Rng) -> bytes:
    """A word of a line becomes an odd number, in its width."""

    def change(lines: list[bytes], i: int) -> None:
        words = lines[i].split()
        if words:
            word = words[int(rng.integers(len(words)))]
            odd = NUMBERS[int(rng.integers(len(NUMBERS)))]
            lines[i] = lines[i].replace(word, odd.rjust(len(word))[: max(len(word), len(odd))], 1)

    return _lines(data, rng, change)


def _shift(data: bytes, rng: Rng) -> bytes:
    """A line moves by some columns."""

    def change(lines: list[bytes], i: int) -> None:
        at = int(rng.integers(len(lines[i]) + 1))
        lines[i] = lines[i][:at] + b" " * int(rng.integers(1, 4)) + lines[i][at:]

    return _lines(data, rng, change)


def _squeeze(data: bytes, rng: Rng) -> bytes:
    """All atoms of a stretch of lines at one point."""
    lines = data.split(b"\n")
    start = int(rng.integers(len(lines)))
    for i in range(start, min(start + int(rng.integers(2, 400)), len(lines))):
        if lines[i][:6] in (b"ATOM  ", b"HETATM"):
            lines[i] = lines[i][:30] + b"   1.000   1.000   1.000" + lines[i][54:]
    return b"\n".join(lines)


def _packed(data: bytes, rng: Rng) -> bytes:
    return flip(gzip.compress(data, 1, mtime=0), rng)


MUTATIONS = (flip, cut, _drop, _repeat, _swap, _number, _shift, _squeeze, _packed)


def seeds() -> list[tuple[str, bytes]]:
    """Small structures of every format to damage: biotin's pocket as PDB, its ligand as SDF, mol2 and mmCIF by hand."""
    pdb = gzip.decompress((EXAMPLES / "2izf.pdb.gz").read_bytes())
    lines = pdb.split(b"\n")
    near = [line for line in lines if line[:6] not in (b"ATOM  ", b"HETATM") or line[21:22] == b"B"]
    kept = [line for line in near if not line.startswith(b"ATOM") or _is_near(line)]
    return [
        ("pocket.pdb", b"\n".join(kept)),
        ("ligand.sdf", (EXAMPLES / "2izf_ligand.sdf").read_bytes()),
        ("ligand.mol2", MOL2),
        ("small.cif", CIF),
    ]


def _is_near(line: bytes) -> bool:
    return int(line[22:26]) in {23, 27, 43, 45, 46, 47, 49, 50, 79, 88, 90, 92, 108, 110, 128}


MOL2 = b"""@<TRIPOS>MOLECULE
acetate
 7 6 1
SMALL
USER_CHARGES
@<TRIPOS>ATOM
1 C1 0.000 0.000 0.000 C.3 1 ACT 0.0
2 C2 1.520 0.000 0.000 C.2 1 ACT 0.0
3 O1 2.130 1.090 0.000 O.co2 1 ACT -0.5
4 O2 2.130 -1.090 0.000 O.co2 1 ACT -0.5
5 H1 -0.360 1.030 0.000 H 1 ACT 0.0
6 H2 -0.360 -0.510 0.890 H 1 ACT 0.0
7 H3 -0.360 -0.510 -0.890 H 1 ACT 0.0
@<TRIPOS>BOND
1 1 2 1
2 2 3 ar
3 2 4 ar
4 1 5 1
5 1 6 1
6 1 7 1
@<TRIPOS>SUBSTRUCTURE
1 ACT 1 RESIDUE
"""

CIF = b"""data_small
loop_
_atom_site.group_PDB
_atom_site.id
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_alt_id
_atom_site.label_comp_id
_atom_site.label_asym_id
_atom_site.label_entity_id
_atom_site.label_seq_id
_atom_site.pdbx_PDB_ins_code
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
_atom_site.occupancy
_atom_site.B_iso_or_equiv
_atom_site.auth_seq_id
_atom_site.auth_asym_id
_atom_site.pdbx_PDB_model_num
ATOM 1 N N . SER A 1 1 ? 0.000 0.000 0.000 1.00 10.0 1 A 1
ATOM 2 C CA . SER A 1 1 ? 1.458 0.000 0.000 1.00 10.0 1 A 1
ATOM 3 C C . SER A 1 1 ? 2.009 1.420 0.000 1.00 10.0 1 A 1
ATOM 4 O O . SER A 1 1 ? 1.251 2.390 0.000 1.00 10.0 1 A 1
ATOM 5 C CB . SER A 1 1 ? 1.988 -0.773 -1.199 1.00 10.0 1 A 1
ATOM 6 O OG . SER A 1 1 ? 1.570 -2.130 -1.150 1.00 10.0 1 A 1
HETATM 7 C C1 . EOH B 2 . ? 3.500 -4.900 -1.000 1.00 10.0 101 B 1
HETATM 8 C C2 . EOH B 2 . ? 4.800 -4.100 -1.000 1.00 10.0 101 B 1
HETATM 9 O O . EOH B 2 . ? 2.400 -4.000 -1.000 1.00 10.0 101 B 1
#
"""


def mutated(count: int, seed: int) -> list[tuple[str, bytes]]:
    """Damaged files of all formats in turn, one to three kinds of damage each."""
    originals = seeds()
    found = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        name, data = originals[number % len(originals)]
        for _ in range(int(rng.integers(1, 4))):
            data = MUTATIONS[int(rng.integers(len(MUTATIONS)))](data, rng) if data else data
        found.append((name, data))
    return found
