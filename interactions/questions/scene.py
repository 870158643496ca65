"""What a question is about: a pocket and a ligand in space, and the bonds that hold between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np

from interactions.complex import Complex
from interactions.errors import InputError
from interactions.frozen import Frozen
from interactions.pocket import PocketRule, pocket_members, residue_kind
from interactions.questions.answers import Bond
from interactions.questions.polarity import POLAR, polar_distance, roles_of
from interactions.questions.views import Camera
from interactions.structure import Floats, Ints, Structure

Record = dict[str, Any]


@dataclass(frozen=True)
class Residue:
    """A pocket residue: ``number`` with insertion code; distances to the ligand in Å.

    ``polar_distance`` is that of the nearest donor and acceptor across, infinite where there is none.
    """

    name: str
    number: str
    chain: str
    kind: str
    distance: float
    polar_distance: float

    @property
    def text(self) -> str:
        return " ".join(filter(None, (self.name, self.number, self.chain)))


@dataclass(frozen=True, eq=False)
class Atoms(Frozen):
    """Atoms of one side: coordinates (n, 3) in Å, atomic numbers, names, and the place of each one's residue."""

    coordinates: Floats
    elements: Ints
    names: tuple[str, ...]
    residue_of: Ints

    @property
    def heavy(self) -> Floats:
        """Coordinates of all but hydrogens, shape (m, 3)."""
        return self.coordinates[self.elements > 1]


@dataclass(frozen=True, order=True)
class Pair:
    """A bond between an atom of the pocket and one of the ligand, by their places in the scene."""

    pocket_atom: int
    ligand_atom: int


@dataclass(frozen=True, eq=False)
class Scene(Frozen):
    """One complex as its pictures show it: pocket (no water) and ligand, hydrogens included.

    ``pairs`` are the LabelSet's hydrogen bonds, each unordered pair once, in alphabetical order. ``digest`` is the
    LabelSet's, of the input bytes; ``content`` is one of what stands in the scene, the same for every file format.
    ``camera`` is the front camera where it is known from elsewhere; ``target`` the second complex of a question.
    """

    id: str
    digest: str
    content: str
    criteria: str
    pocket: Atoms
    ligand: Atoms
    residues: tuple[Residue, ...]
    pairs: tuple[Pair, ...]
    camera: Camera | None = None
    target: Scene | None = None

    @property
    def points(self) -> Floats:
        """Coordinates of pocket, then ligand, shape (n, 3), Å."""
        return np.concatenate([self.pocket.coordinates, self.ligand.coordinates])

    def bond(self, pair: Pair) -> Bond:
        residue = self.residues[self.pocket.residue_of[pair.pocket_atom]]
        atom, ligand_atom = self.pocket.names[pair.pocket_atom], self.ligand.names[pair.ligand_atom]
        return Bond(residue.name, residue.number, atom, residue.chain, ligand_atom)

    @property
    def bonds(self) -> tuple[Bond, ...]:
        return tuple(self.bond(pair) for pair in self.pairs)

    def atoms_of(self, residue: int) -> Ints:
        """Places of a residue's atoms in the pocket."""
        return np.flatnonzero(self.pocket.residue_of == residue)

    def polar_pairs(self, atoms: Ints | None = None) -> int:
        """How many pairs of polar atoms there are across, of the whole pocket or of some of its atoms."""
        elements = self.pocket.elements if atoms is None else self.pocket.elements[atoms]
        return int(np.isin(elements, POLAR).sum()) * int(np.isin(self.ligand.elements, POLAR).sum())


def scene_of(complex_: Complex, labels: Mapping[str, Any], camera: Camera | None = None) -> Scene:
    """The scene of a complex and its LabelSet, by the LabelSet's own pocket rule, water left out.

    Raises InputError: ``not_labelled`` for the record of a failure, ``bad_pocket`` where a bond ends outside the
    pocket.
    """
    if labels["status"] != "ok":
        raise InputError(f"{labels['id']}: not labelled: {labels['error']['message']}", code="not_labelled")
    rule = labels["provenance"]["pocket"]
    receptor = complex_.models[0].structure
    members = {
        residue: distance
        for (_, residue), distance in pocket_members(
            complex_, PocketRule(**rule | {"include": tuple(rule["include"])})
        ).items()
        if residue_kind(receptor, residue) != "water"
    }
    if not members:
        raise InputError(f"{labels['id']}: no residue within {rule['cutoff']:g} Å of the ligand", code="bad_pocket")
    pocket_atoms = np.array(
        [a for r in members for a in receptor.residue_atoms[r] if not complex_.ligand_masks[0][a]], dtype=np.int64
    )
    ligand_atoms = np.flatnonzero(complex_.ligand_masks[-1])
    structure = complex_.models[-1].structure
    pocket = _atoms(receptor, pocket_atoms, np.searchsorted(list(members), receptor.residue_of[pocket_atoms]))
    ligand = _atoms(structure, ligand_atoms, np.unique(structure.residue_of[ligand_atoms], return_inverse=True)[1])
    residues = _residues(complex_, members, pocket_atoms, ligand_atoms)
    scene = Scene(
        labels["id"], complex_.digest, _content(residues, pocket, ligand), labels["criteria"], pocket, ligand, residues,
        _pairs(labels, pocket_atoms, ligand_atoms), camera,
    )  # fmt: skip
    return _sorted(scene)


def _atoms(structure: Structure, atoms: Ints, residue_of: Ints) -> Atoms:
    names = tuple([structure.atom_names[a] for a in atoms.tolist()])
    return Atoms(structure.coordinates[atoms], structure.elements[atoms], names, residue_of.astype(np.int64))


def _residues(
    complex_: Complex, members: Mapping[int, float], pocket_atoms: Ints, ligand_atoms: Ints
) -> tuple[Residue, ...]:
    receptor, ligand = complex_.models[0].structure, complex_.models[-1].structure
    theirs, places = roles_of(complex_.models[-1], ligand_atoms), ligand.coordinates[ligand_atoms]
    homes = receptor.residue_of[pocket_atoms]
    found = []
    for residue, distance in members.items():
        atoms = pocket_atoms[homes == residue]
        polar = polar_distance(receptor.coordinates[atoms], roles_of(complex_.models[0], atoms), places, theirs)
        number = f"{receptor.residue_numbers[residue]}{receptor.insertion_codes[residue]}"
        found.append(
            Residue(
                receptor.residue_names[residue], number, receptor.chains[residue], residue_kind(receptor, residue),
                round(distance, 4), round(polar, 4),
            )
        )  # fmt: skip
    return tuple(found)


def _pairs(labels: Mapping[str, Any], pocket_atoms: Ints, ligand_atoms: Ints) -> tuple[Pair, ...]:
    inside = {atom: place for place, atom in enumerate(pocket_atoms.tolist())}
    own = {atom: place for place, atom in enumerate(ligand_atoms.tolist())}
    pairs = set()
    for bond in labels["hydrogen_bonds"]:
        ends = {bond[end]["side"]: bond[end]["index"] for end in ("donor", "acceptor")}
        if ends["receptor"] not in inside:
            raise InputError(f"{labels['id']}: a bond ends outside the pocket: take a larger cutoff", code="bad_pocket")
        pairs.add(Pair(inside[ends["receptor"]], own[ends["ligand"]]))
    return tuple(pairs)


def _sorted(scene: Scene) -> Scene:
    """Pairs in alphabetical order, so that the order of atoms in the file does not matter."""

    def key(pair: Pair) -> tuple[str, ...]:
        bond = scene.bond(pair)
        return bond.chain, bond.number.zfill(6), bond.residue, bond.atom, bond.ligand_atom

    return replace(scene, pairs=tuple(sorted(sorted(scene.pairs), key=key)))


def _content(residues: tuple[Residue, ...], pocket: Atoms, ligand: Atoms) -> str:
    """sha256 over atoms in sorted order: element, place to three decimals, and the residue of those of the pocket."""
    lines = [
        f"{residues[home].text} {element} {_place(point)}"
        for home, element, point in zip(
            pocket.residue_of.tolist(), pocket.elements.tolist(), pocket.coordinates.tolist(), strict=True
        )
    ]
    lines += [
        f"* {element} {_place(point)}"
        for element, point in zip(ligand.elements.tolist(), ligand.coordinates.tolist(), strict=True)
    ]
    return sha256("\n".join(sorted(lines)).encode()).hexdigest()


def _place(point: list[float]) -> str:
    return " ".join(f"{round(value, 3) + 0.0:.3f}" for value in point)
