"""Inputs that must be refused: name → (bytes, code of the error)."""

from __future__ import annotations

import gzip

ATOM = "HETATM    1  C1  LIG A   1    {x:>8}   0.000   0.000  1.00  0.00           C\n"
GOOD = ATOM.format(x="1.000").encode() + b"END\n"

BAD = {
    "empty": (b"", "empty_file"),
    "html": (b"<!doctype html><html><body>404</body></html>", "html_page"),
    "cut_gzip": (gzip.compress(GOOD * 50)[:-20], "truncated_gzip"),
    "nan": (ATOM.format(x="nan").encode() + b"END\n", "bad_coordinates"),
    "noise": (bytes(range(128, 256)) * 20, "unknown_format"),
    "binary": (bytes(range(256)) * 20, "binary_file"),
    "no_atoms": (b"HEADER    NOTHING\nEND\n", "no_atoms"),
}
EMPTY_LIGAND = b"none\n\n\n  0  0  0  0  0  0            999 V2000\nM  END\n$$$$\n"
