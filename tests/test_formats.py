"""Readers: hand-written molecules, one case for each kind of bad input."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from interactions.errors import InputError
from interactions.formats import plain, read

MOL2 = """@<TRIPOS>MOLECULE
carbon monoxide and a zinc
3 1 2
SMALL
NO_CHARGES

@<TRIPOS>ATOM
  1 C1   0.0000  0.5000 -1.2500 C.1  1 CMO1  0.0
  2 O1   1.1280  0.5000 -1.2500 O.2  1 CMO1  0.0
  7 ZN  -3.0000  0.5000 -1.2500 Zn   4 ZN4   0.0
@<TRIPOS>BOND
  1 1 2 3
@<TRIPOS>SUBSTRUCTURE
  1 CMO12 1 RESIDUE 4 A CMO
  4 ZN4   7 RESIDUE 4 **** ****
"""
V2000 = """water
  test

  3  2  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 O   0  5  0  0  0  0  0  0  0  0  0  0
    0.9572    0.0000    0.0000 H   0  0  0  0  0  0  0  0  0  0  0  0
   -0.2400    0.9266    0.0000 H   0  0  0  0  0  0  0  0  0  0  0  0
  1  2  1  0  0  0  0
  1  3  1  0  0  0  0
M  END
$$$$
"""
V3000 = """water
  test

  0  0  0     0  0            999 V3000
M  V30 BEGIN CTAB
M  V30 COUNTS 3 2 0 0 0
M  V30 BEGIN ATOM
M  V30 1 O 0 0 0 0 CHG=-1
M  V30 2 H 0.9572 0 0 0
M  V30 3 H -0.2400 0.9266 -
M  V30 0 0
M  V30 END ATOM
M  V30 BEGIN BOND
M  V30 1 1 1 2
M  V30 2 1 1 3
M  V30 END BOND
M  V30 END CTAB
M  END
"""


def test_mol2_gives_names_bonds_and_residues_as_written() -> None:
    structure = read(MOL2.encode(), "x")
    assert structure.atom_names == ("C1", "O1", "ZN")
    assert structure.elements.tolist() == [6, 8, 30]
    assert tuple(structure.neighbours) == ((1,), (0,), ())
    assert (structure.residue_names, structure.chains) == (("CMO", "ZN4"), ("A", ""))
    assert structure.residue_numbers.tolist() == [12, 4]
    assert structure.coordinates[1].tolist() == [1.128, 0.5, -1.25]


def test_mol2_without_substructures_is_one_unnamed_residue() -> None:
    structure = read(MOL2.split("@<TRIPOS>SUBSTRUCTURE")[0].encode(), "x")
    assert set(structure.residue_names) == {"UNL"}


def test_v2000_equals_v3000() -> None:
    old, new = read(V2000.encode(), "x"), read(V3000.encode(), "x")
    assert old.atom_names == new.atom_names == ("O1", "H1", "H2")
    assert tuple(old.neighbours) == tuple(new.neighbours) == ((1, 2), (0,), (0,))
    assert old.formal_charges.tolist() == new.formal_charges.tolist() == [-1, 0, 0]
    np.testing.assert_array_equal(old.coordinates, new.coordinates)


@pytest.mark.parametrize("text", [MOL2, V2000, V3000])
def test_gzip_and_line_ends_change_nothing(text: str) -> None:
    plain = read(text.encode(), "x")
    for data in (gzip.compress(text.encode()), text.replace("\n", "\r\n").encode()):
        other = read(data, "x")
        assert (other.atom_names, *other.neighbours) == (plain.atom_names, *plain.neighbours)
        np.testing.assert_array_equal(other.coordinates, plain.coordinates)


def test_arrays_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        read(V2000.encode(), "x").coordinates[0, 0] = 1.0


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_file"),
        (b" \n\n", "empty_file"),
        (b"<!DOCTYPE html><html></html>", "html_page"),
        (bytes(range(256)), "binary_file"),
        (b"a poem\nof no structure\n", "unknown_format"),
        (gzip.compress(MOL2.encode())[:-20], "truncated_gzip"),
        (MOL2.replace("1.1280", "nan").encode(), "bad_coordinates"),
        (MOL2.replace("1.1280", "1.l28").encode(), "bad_coordinates"),
        (MOL2.replace("  1 1 2 3", "  1 1 9 3").encode(), "bad_record"),
        (MOL2.replace("3 1 2", "4 1 2").encode(), "bad_record"),
        (b"@<TRIPOS>MOLECULE\nx\n0 0 0\nSMALL\n", "no_atoms"),
        (V2000.replace("  3  2", "  9  2").encode(), "bad_record"),
        (V2000.replace("    0.9572", "       inf").encode(), "bad_coordinates"),
        (V2000.replace("  1  3  1", "  1  4  1").encode(), "bad_record"),
    ],
)
def test_bad_input_has_a_code(data: bytes, code: str) -> None:
    with pytest.raises(InputError) as caught:
        read(data, "the file")
    assert caught.value.code == code
    assert "the file" in str(caught.value)


def test_a_bad_atom_is_named_with_its_line() -> None:
    with pytest.raises(InputError, match=r"line 9: atom O1 has coordinates nan"):
        read(MOL2.replace("1.1280", "nan").encode(), "x")


def test_gzip_members_join() -> None:
    text = MOL2.encode() + b"\n" * 200_000
    packed = b"".join(gzip.compress(text[at : at + 977], 0) for at in range(0, len(text), 977)) + gzip.compress(b"")
    assert plain(packed, "x") == text
    assert plain(gzip.compress(b""), "x") == b""


def test_endless_empty_gzip_members_are_refused_at_once() -> None:
    with pytest.raises(InputError) as told:
        plain(gzip.compress(b"") * 500_000, "x")
    assert told.value.code == "too_large"


def test_a_gzip_bomb_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        read(gzip.compress(b"\n" * 3_000_000), "x", max_bytes=1_000_000)
    assert caught.value.code == "too_large"
