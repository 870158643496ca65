"""What the questions about hydrogen bonds share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from interactions.errors import InputError
from interactions.questions.answers import Bond
from interactions.questions.scene import Pair, Scene

RULE = (
    "A hydrogen bond is what UCSF ChimeraX's `hbonds` finds with its default, relaxed criteria between pocket and "
    "ligand; either side may be the donor."
)


def unnumbered(bond: Bond) -> Bond:
    """The bond as a residue–ligand answer names it: without residue number and chain."""
    return replace(bond, number="", chain="")


def place_of(bond: Bond) -> tuple[str, str, str]:
    """The residue of a bond: name, number with insertion code, chain."""
    return bond.residue, bond.number, bond.chain


def bonds_at(scene: Scene, residue: tuple[str, str, str]) -> frozenset[Bond]:
    """The bonds of the residue that this names, unnumbered."""
    return frozenset(unnumbered(bond) for bond in scene.bonds if place_of(bond) == residue)


def pairs_named(scene: Scene, subject: Bond) -> list[Pair]:
    """All pairs of atoms that have these names: several where names repeat in a file."""
    return [
        Pair(atom, other)
        for atom in _named(scene.pocket.names, subject.atom)
        if place_of(scene.bond(Pair(atom, 0))) == place_of(subject)
        for other in _named(scene.ligand.names, subject.ligand_atom)
    ]


def the_pair(scene: Scene, subject: Bond) -> Pair:
    """The one pair of atoms of these names. Raises InputError (``unknown_atom``, ``ambiguous_atom``)."""
    found = pairs_named(scene, subject)
    if len(found) != 1:
        named = f"{subject.residue} {subject.number} {subject.atom} {subject.chain}, {subject.ligand_atom}"
        code = "ambiguous_atom" if found else "unknown_atom"
        raise InputError(f"{scene.id}: {len(found)} pairs of atoms are named {named}", code=code)
    return found[0]


def _named(names: Iterable[str], name: str) -> list[int]:
    return [place for place, known in enumerate(names) if known == name]
