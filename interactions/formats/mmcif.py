"""mmCIF, read by gemmi: author identifiers, label identifiers beside them, bonds by rule 10.8."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactions.chemistry.alt_locs import choose_positions
from interactions.chemistry.draft import DraftResidue
from interactions.chemistry.elements import atomic_number
from interactions.chemistry.idatm import has_full_valence
from interactions.chemistry.links import cut_missing_structure, loosen_metals
from interactions.errors import InputError
from interactions.formats.atom_table import AtomLines, AtomTable, merge_alternates
from interactions.formats.mmcif_bonds import ComponentBonds, Labels, bond_inside, bond_polymers, connect
from interactions.structure import Floats, Ints, Structure

Category = dict[str, list[Any]]
# Columns that make a new residue when one changes; the author's stand in where a label is missing.
_KEYS = ("label_entity_id", "label_asym_id", "label_seq_id", "auth_seq_id", "label_comp_id", "auth_asym_id")


def read_mmcif(data: bytes, name: str) -> Structure:
    """First model of the first block with atoms, bonded, alternate positions reduced to one.

    Raises InputError: ``bad_record`` for broken syntax, ``bad_coordinates`` or ``no_atoms``.
    """
    block = _block(data, name)
    atoms = _Atoms.of(_first_model(_category(block, "_atom_site.", name)), name)
    sequence = _category(block, "_entity_poly_seq.", name)
    atoms = atoms.without_heterogeneity(sequence)
    table, labels = atoms.table()
    draft = table.draft()
    components = ComponentBonds.of(_category(block, "_chem_comp_bond.", name))
    connect(draft, labels, _category(block, "_struct_conn.", name))
    bond_polymers(draft, labels, sequence, components)
    bond_inside(draft, labels, components)
    identity = {"name": name, "format": "mmcif", "digest": sha256(data).hexdigest()}
    loosen_metals(draft, lambda: has_full_valence(table.structure(draft, {}, **identity)))
    if not sequence:
        cut_missing_structure(draft)
    return table.structure(draft, choose_positions(draft, table.alternates), **identity)


def cif_document(data: bytes, name: str) -> Any:
    """The file as gemmi's document. Raises InputError (``bad_record``) for broken syntax."""
    import gemmi

    try:
        return gemmi.cif.read_string(data.decode("utf-8", "replace"))
    except (ValueError, RuntimeError) as error:
        raise InputError(f"{name}: not readable as CIF: {error}", code="bad_record") from error


def _block(data: bytes, name: str) -> Any:
    for block in cif_document(data, name):
        if _category(block, "_atom_site.", name):
            return block
    raise InputError(f"{name}: no atoms: the file has no _atom_site table", code="no_atoms")


def _category(block: Any, prefix: str, name: str) -> Category:
    """Columns of a category by tag; none where it is not there. A loop of several categories is refused."""
    try:
        found: Category = block.get_mmcif_category(prefix)
    except RuntimeError as error:
        raise InputError(f"{name}: a table of the mmCIF file is broken: {error}", code="bad_record") from error
    return found


def _first_model(category: Category) -> Category:
    models = category.get("pdbx_PDB_model_num")
    if not models or models[0] == models[-1] == models[len(models) // 2]:
        return category
    rows = [row for row, model in enumerate(models) if model == models[0]]
    return {tag: [values[row] for row in rows] for tag, values in category.items()}


@dataclass(frozen=True)
class _Atoms:
    """The atom_site table of one model."""

    category: Category
    lines: AtomLines
    elements: list[int]

    @classmethod
    def of(cls, category: Category, name: str) -> _Atoms:
        for tag in ("Cartn_x", "Cartn_y", "Cartn_z"):
            if tag not in category:
                raise InputError(f"{name}: the _atom_site table has no {tag}", code="bad_record")
        n = len(category["Cartn_x"])
        if not n:
            raise InputError(f"{name}: the _atom_site table has no rows", code="no_atoms")
        names = _texts(category, "label_atom_id", "auth_atom_id", n=n)
        letters = _texts(category, "label_alt_id", n=n)
        lines = AtomLines(
            names=names,
            letters=letters if any(letters) else None,
            coordinates=_coordinates(category, names, name),
            occupancies=_numbers(category, "occupancy", 1.0, n),
            b_factors=_numbers(category, "B_iso_or_equiv", 0.0, n),
            serials=_integers(category, "id", -1, n),
        )
        symbols = _texts(category, "type_symbol", n=n)
        return cls(category, lines, [atomic_number(symbol) for symbol in symbols])

    @property
    def n(self) -> int:
        return len(self.elements)

    def keys(self) -> list[tuple[str, ...]]:
        """What tells residues apart, for each row."""
        columns = [_texts(self.category, tag, n=self.n) for tag in (*_KEYS, "pdbx_PDB_ins_code")]
        return list(zip(*columns, strict=True))

    def without_heterogeneity(self, sequence: Category) -> _Atoms:
        """Where a position of a polymer has several residues, the first listed that is there stays."""
        listed: dict[tuple[str, str], list[str]] = {}
        for entity, number, comp in zip(
            *(sequence.get(tag, ()) for tag in ("entity_id", "num", "mon_id")), strict=True
        ):
            listed.setdefault((entity, number), []).append(comp)
        mixed = {place: comps for place, comps in listed.items() if len(comps) > 1}
        if not mixed:
            return self
        tags = ("label_entity_id", "label_seq_id", "label_asym_id", "label_comp_id")
        rows = list(zip(*(_texts(self.category, tag, n=self.n) for tag in tags), strict=True))
        present = set(rows)

        def stays(entity: str, number: str, asym: str, comp: str) -> bool:
            comps = mixed.get((entity, number), [comp])
            return comp == next(c for c in [*comps, comp] if (entity, number, asym, c) in present)

        return self._rows([row for row, key in enumerate(rows) if stays(*key)])

    def _rows(self, rows: list[int]) -> _Atoms:
        lines = self.lines
        return _Atoms(
            {tag: [values[row] for row in rows] for tag, values in self.category.items()},
            AtomLines(
                names=[lines.names[row] for row in rows],
                letters=[lines.letters[row] for row in rows] if lines.letters else None,
                coordinates=lines.coordinates[rows],
                occupancies=lines.occupancies[rows],
                b_factors=lines.b_factors[rows],
                serials=lines.serials[rows],
            ),
            [self.elements[row] for row in rows],
        )

    def table(self) -> tuple[AtomTable, Labels]:
        keys = self.keys()
        bounds = [0, *(row for row in range(1, self.n) if keys[row] != keys[row - 1]), self.n]
        firsts = bounds[:-1]
        hetero = np.array([group == "HETATM" for group in _texts(self.category, "group_PDB", n=self.n)])

        def of_residues(*tags: str) -> list[str]:
            column = _texts(self.category, *tags, n=self.n)
            return [column[row] for row in firsts]

        residues = [
            DraftResidue(comp, chain, _integer(number), range(first, last), bool(hetero[first]), insertion_code=code)
            for comp, chain, number, code, (first, last) in zip(
                of_residues("auth_comp_id", "label_comp_id"),
                of_residues("auth_asym_id", "label_asym_id"),
                of_residues("auth_seq_id", "label_seq_id"),
                of_residues("pdbx_PDB_ins_code"),
                pairwise(bounds),
                strict=True,
            )
        ]
        labels = Labels(
            entities=of_residues("label_entity_id"),
            chains=of_residues("label_asym_id", "auth_asym_id"),
            numbers=of_residues("label_seq_id"),
            components=of_residues("label_comp_id", "auth_comp_id"),
            author_numbers=of_residues("auth_seq_id", "label_seq_id"),
        )
        merged = merge_alternates(self.lines, residues)
        charges = _integers(self.category, "pdbx_formal_charge", 0, self.n)
        elements = [self.elements[row] for row in merged.rows.tolist()]
        table = AtomTable.of(self.lines, merged, residues, elements, hetero[merged.rows], charges[merged.rows])
        return table.labelled(labels.chains, labels.numbers), labels


def _texts(category: Category, *tags: str, n: int) -> list[str]:
    """A column as text, "" for what is unknown or does not apply; later tags stand in for missing values."""
    columns = [category[tag] for tag in tags if tag in category]
    if not columns:
        return [""] * n
    return [next((value for value in values if isinstance(value, str)), "") for values in zip(*columns, strict=True)]


def _numbers(category: Category, tag: str, default: float, n: int) -> Floats:
    return np.array([_number(text, default) for text in _texts(category, tag, n=n)], dtype=np.float64)


def _number(text: str, default: float) -> float:
    try:
        return float(text)
    except ValueError:
        return default


def _integers(category: Category, tag: str, default: int, n: int) -> Ints:
    return np.array([_integer(text, default) for text in _texts(category, tag, n=n)], dtype=np.int64)


def _integer(text: str, default: int = 0) -> int:
    return int(text) if text.lstrip("+-").isdecimal() else default


def _coordinates(category: Category, names: Sequence[str], name: str) -> Floats:
    texts = [_texts(category, tag, n=len(names)) for tag in ("Cartn_x", "Cartn_y", "Cartn_z")]
    coordinates = np.array([[_number(text, np.nan) for text in column] for column in texts]).T.reshape(-1, 3)
    bad: NDArray[np.bool_] = ~(np.abs(coordinates) < 1e7).all(axis=1)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        found = " ".join(column[row] or "?" for column in texts)
        raise InputError(
            f"{name}: atom {row + 1} of _atom_site ({names[row]}) has coordinates {found!r}, "
            "expected three finite numbers",
            code="bad_coordinates",
        )
    return np.ascontiguousarray(coordinates)
