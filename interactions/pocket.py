"""Pocket residues: whole residues near a ligand."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from interactions.chemistry.bond_radii import METALS
from interactions.chemistry.residue_kinds import kind_of
from interactions.complex import Complex
from interactions.errors import InputError
from interactions.frozen import Frozen
from interactions.ligands import is_solvent
from interactions.neighbours import nearest
from interactions.structure import Floats, Ints, Structure

Mask = NDArray[np.bool_]
Kind = Literal["protein", "nucleic", "water", "metal", "other"]
KINDS: tuple[Kind, ...] = ("protein", "nucleic", "water", "metal", "other")
_POLYMERS: dict[str, Kind] = {"amino": "protein", "nucleic": "nucleic"}
# Coordinates have three decimals: a residue at the cutoff itself is in, whatever rounding does.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class PocketRule:
    """What counts as pocket; Å.

    ``atoms``: all or heavy ones, on both sides. ``ligand``: from any ligand atom or from the mean of them.
    ``residue``: to any atom of a residue, or to its CA or CB (CA where it has no CB; a residue with
    neither is left out). ``include``: kinds of residue. ``inclusive``: whether the cutoff itself is in.
    Raises InputError (``bad_pocket``) for a value that is none of these.
    """

    cutoff: float = 8.0
    atoms: Literal["all", "heavy"] = "all"
    ligand: Literal["any", "centroid"] = "any"
    residue: Literal["any", "ca", "cb"] = "any"
    include: tuple[Kind, ...] = ("protein", "nucleic", "metal", "other")
    inclusive: bool = True

    def __post_init__(self) -> None:
        known = (
            np.isfinite(self.cutoff)
            and self.cutoff > 0
            and self.atoms in ("all", "heavy")
            and self.ligand in ("any", "centroid")
            and self.residue in ("any", "ca", "cb")
            and set(self.include) <= set(KINDS)
        )
        if not known:
            raise InputError(f"not a pocket rule: {asdict(self)}", code="bad_pocket", stage="label")

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"include": list(self.include)}


def residue_kind(structure: Structure, residue: int) -> Kind:
    kind = _kind_by_name(structure.residue_names[residue])
    if kind is not None:
        return kind
    atoms = structure.residue_atoms[residue]
    return "metal" if all(int(structure.elements[a]) in METALS for a in atoms) else "other"


@lru_cache(maxsize=65536)
def _kind_by_name(name: str) -> Kind | None:
    """None where the name does not tell."""
    if is_solvent(name):
        return "water"
    return _POLYMERS.get(kind_of(name))


@dataclass(frozen=True, eq=False)
class PocketAtoms(Frozen):
    """Atoms of a receptor that a rule measures from, residue by residue: what many ligands share.

    ``coordinates`` (k, 3); ``residues`` in file order, those of the kinds that the rule includes; ``starts``: the first
    atom of each.
    """

    coordinates: Floats
    residues: Ints
    starts: Ints

    @classmethod
    def of(cls, receptor: Structure, outside: Mask, rule: PocketRule) -> PocketAtoms:
        """``outside``: the receptor's atoms that are no ligand's, shape (n,)."""
        atoms = _atoms(receptor, outside, rule)
        home = receptor.residue_of[atoms]
        included = [residue_kind(receptor, residue) in rule.include for residue in range(len(receptor.residue_names))]
        kept = np.array(included, dtype=np.bool_)[home]
        atoms, home = atoms[kept], home[kept]
        order = np.argsort(home, kind="stable")
        home = home[order]
        starts = np.flatnonzero(np.diff(home, prepend=-1))
        return cls(receptor.coordinates[atoms[order]], home[starts], starts)


def pocket_residues(complex_: Complex, rule: PocketRule, atoms: PocketAtoms | None = None) -> list[dict[str, Any]]:
    """Residues within the rule's cutoff, in file order, each with its smallest distance (Å, 4 decimals).

    ``atoms`` of the receptor, where these were collected before.
    """
    receptor = complex_.models[0].structure
    numbers = receptor.residue_numbers.tolist()
    return [
        {
            "chain": receptor.chains[residue],
            "residue_name": receptor.residue_names[residue],
            "residue_number": numbers[residue],
            "insertion_code": receptor.insertion_codes[residue],
            "distance": round(distance, 4),
        }
        for (_, residue), distance in pocket_members(complex_, rule, atoms).items()
    ]


def pocket_members(
    complex_: Complex, rule: PocketRule, atoms: PocketAtoms | None = None
) -> dict[tuple[int, int], float]:
    """Residues (model, index) of the pocket in file order, each with its smallest distance (Å)."""
    if atoms is None:
        atoms = PocketAtoms.of(complex_.models[0].structure, ~complex_.ligand_masks[0], rule)
    if not len(atoms.residues):
        return {}
    squared = nearest(atoms.coordinates, _ligand_places(complex_, rule), rule.cutoff + _ROUNDING)
    distances = np.sqrt(np.minimum.reduceat(squared, atoms.starts))
    limit = rule.cutoff + _ROUNDING if rule.inclusive else rule.cutoff - _ROUNDING
    near = distances <= limit
    return {
        (0, residue): distance
        for residue, distance in zip(atoms.residues[near].tolist(), distances[near].tolist(), strict=True)
    }


def _ligand_places(complex_: Complex, rule: PocketRule) -> Floats:
    structure, mask = complex_.models[-1].structure, complex_.ligand_masks[-1]
    chosen = mask & (structure.elements > 1) if rule.atoms == "heavy" else mask
    places = structure.coordinates[chosen]
    return places.mean(axis=0, keepdims=True) if rule.ligand == "centroid" else places


def _atoms(structure: Structure, outside: Mask, rule: PocketRule) -> Ints:
    if rule.residue == "any":
        chosen = outside & (structure.elements > 1) if rule.atoms == "heavy" else outside
        return np.flatnonzero(chosen)
    wanted = ("CB", "CA") if rule.residue == "cb" else ("CA",)
    found = []
    for residue, atoms in enumerate(structure.residue_atoms):
        if kind_of(structure.residue_names[residue]) != "amino":
            continue
        names = {structure.atom_names[a]: a for a in reversed(atoms)}
        atom = next((names[name] for name in wanted if name in names), None)
        if atom is not None and outside[atom]:
            found.append(atom)
    return np.array(found, dtype=np.int64)
