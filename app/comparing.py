"""Two label sets pair by pair, and why they differ: the command diff."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.asking import Source, read_lines, sources
from app.bulk import read_file
from interactions.complex import Complex
from interactions.contact import Atom
from interactions.criteria import load
from interactions.environment import Environment
from interactions.errors import InputError, OracleError
from interactions.explain import explain, sentence
from interactions.protonation import prepared

Record = dict[str, Any]

COLUMNS = ("id", "chain", "residue_name", "residue_number", "insertion_code", "atom_name", "ligand_atom")


@dataclass(frozen=True, order=True)
class Named:
    """An unordered pair by names: the receptor's atom and the ligand's."""

    chain: str
    residue_number: int
    insertion_code: str
    residue_name: str
    atom_name: str
    ligand_atom: str

    @property
    def text(self) -> str:
        """The benchmark's form, ``ARG 45 NH2 A, O1B``."""
        place = (self.residue_name, f"{self.residue_number}{self.insertion_code}", self.atom_name, self.chain)
        return f"{' '.join(filter(None, place))}, {self.ligand_atom}"


@dataclass(frozen=True)
class Labels:
    """Pairs of each complex, and the criteria and hydrogens that the labels name; a table names none."""

    pairs: dict[str, set[Named]]
    criteria: str
    hydrogens: str


def read_labels(path: Path) -> Labels:
    """Labels of a JSONL file of LabelSets, or of a CSV table with the columns ``COLUMNS`` (insertion_code optional).

    Failures are passed over: their complexes are in neither. Raises InputError that names the line.
    """
    if path.suffix == ".csv":
        return Labels(_from_table(path), "", "")
    pairs: dict[str, set[Named]] = {}
    criteria, hydrogens = "", ""
    for record in read_lines(path):
        if record.get("status") != "ok":
            continue
        pairs[record["id"]] = {named(bond) for bond in record["hydrogen_bonds"]}
        criteria, hydrogens = record["criteria"], record["provenance"]["hydrogens"]["policy"]
    return Labels(pairs, criteria, hydrogens)


def named(bond: Record) -> Named:
    ends = {bond[end]["side"]: bond[end] for end in ("donor", "acceptor")}
    at = ends["receptor"]
    return Named(
        at["chain"],
        at["residue_number"],
        at["insertion_code"],
        at["residue_name"],
        at["atom_name"],
        ends["ligand"]["atom_name"],
    )


def _from_table(path: Path) -> dict[str, set[Named]]:
    reader = csv.DictReader(io.StringIO(read_file(path)[0].decode("utf-8")))
    missing = set(COLUMNS) - {"insertion_code"} - set(reader.fieldnames or ())
    if missing:
        raise InputError(f"{path.name}: line 1: no columns {', '.join(sorted(missing))}", code="bad_table")
    found: dict[str, set[Named]] = {}
    for row in reader:
        try:
            number = int(row["residue_number"])
        except ValueError as error:
            message = (
                f"{path.name}: line {reader.line_num}: residue_number {row['residue_number']!r} is no whole number"
            )
            raise InputError(message, code="bad_table") from error
        code = row.get("insertion_code") or ""
        pair = Named(row["chain"], number, code, row["residue_name"], row["atom_name"], row["ligand_atom"])
        found.setdefault(row["id"], set()).add(pair)
    return found


def differences(first: Labels, second: Labels, where: list[Path]) -> Iterator[Record]:
    """A row for each pair that only one has, and for each complex that only one has, by id, then pair.

    ``where``: folders or files with the complexes; then each row tells which limits decide, by the criteria of the
    label set that does not have the pair.
    """
    found = {source.id: source for source in sources(where)} if where else {}
    for name in sorted(first.pairs.keys() | second.pairs.keys()):
        if name not in first.pairs or name not in second.pairs:
            only_in = "a" if name in first.pairs else "b"
            yield {"id": name, "only_in": only_in, "pair": None, "reason": "the other has no such complex"}
            continue
        here, there = first.pairs[name], second.pairs[name]
        if here == there:
            continue
        complex_ = _load(found.get(name))
        for only, pairs, other in (("a", here - there, second), ("b", there - here, first)):
            for pair in sorted(pairs):
                yield {"id": name, "only_in": only, "pair": pair.text, "reason": _reason(complex_, pair, other)}


def _load(source: Source | None) -> Complex | None:
    return None if source is None else source.load()


def _reason(complex_: Complex | None, pair: Named, other: Labels) -> str | None:
    """Why the pair is no bond by the other's criteria: of both directions the one that comes nearest."""
    if complex_ is None or not other.criteria:
        return None
    atoms = _atoms(complex_, pair)
    if atoms is None:
        return "no such atoms"
    try:
        env = prepared(complex_, other.hydrogens or "placed").environment()
    except OracleError as error:
        return f"{error.code}: {error}"
    return _nearest(env, other.criteria, atoms)


def _nearest(env: Environment, criteria: str, atoms: tuple[Atom, Atom]) -> str:
    profile = load(criteria)
    both = [explain(env, profile, *pair) for pair in (atoms, atoms[::-1])]
    best = min(both, key=lambda e: (bool(e.why_not), sum(not check.holds for check in e.checks)))
    return sentence(env.complex, best).partition(": ")[2]


def _atoms(complex_: Complex, pair: Named) -> tuple[Atom, Atom] | None:
    receptor, ligand = complex_.models[0].structure, complex_.models[-1].structure
    last = len(complex_.models) - 1
    here = [
        (0, a)
        for a, home in enumerate(receptor.residue_of.tolist())
        if receptor.atom_names[a] == pair.atom_name
        and receptor.residue_numbers[home] == pair.residue_number
        and receptor.insertion_codes[home] == pair.insertion_code
        and receptor.chains[home] == pair.chain
        and not complex_.ligand_masks[0][a]
    ]
    there = [
        (last, a)
        for a, name in enumerate(ligand.atom_names)
        if name == pair.ligand_atom and complex_.ligand_masks[-1][a]
    ]
    return (here[0], there[0]) if here and there else None


def summary(first: Labels, second: Labels, rows: Iterable[Record]) -> str:
    """Counts and F1 over the complexes that both have."""
    both = first.pairs.keys() & second.pairs.keys()
    common = sum(len(first.pairs[name] & second.pairs[name]) for name in both)
    only = [row["only_in"] for row in rows if row["pair"] is not None]
    total = 2 * common + len(only)
    score = 1.0 if total == 0 else 2 * common / total
    alone = f"{only.count('a')} only in A, {only.count('b')} only in B"
    return f"{len(both)} complexes, {common} pairs in both, {alone}, F1 {score:.4f}"
