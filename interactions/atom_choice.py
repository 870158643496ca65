"""Atoms by name, as people write them: ``LYS:A:47:NZ``, or ``O2A`` for a ligand."""

from __future__ import annotations

from interactions.complex import Complex
from interactions.contact import Atom
from interactions.errors import InputError


def choose_atom(complex_: Complex, text: str, *, ligand: bool) -> Atom:
    """The one atom of a side that ``[RES:CHAIN:NUM:]ATOM`` names, NUM with insertion code.

    Raises InputError (``unknown_atom``, ``ambiguous_atom``) that lists what is there.
    """
    *place, name = text.strip().split(":")
    found, near = [], []
    for model, (chemistry, mask) in enumerate(zip(complex_.models, complex_.ligand_masks, strict=True)):
        structure = chemistry.structure
        for residue, atoms in enumerate(structure.residue_atoms):
            number = f"{structure.residue_numbers[residue]}{structure.insertion_codes[residue]}"
            at = [structure.residue_names[residue], structure.chains[residue], number]
            if place and at[: len(place)] != place:
                continue
            side = [a for a in atoms if bool(mask[a]) == ligand]
            found += [(model, a) for a in side if structure.atom_names[a] == name]
            near += [structure.atom_names[a] for a in side if structure.elements[a] > 1]
    which = "ligand" if ligand else "receptor"
    if not found:
        there = f"; there are {', '.join(near[:30])}" if place or ligand else ""
        raise InputError(f"no {which} atom {text!r}{there}", code="unknown_atom", stage="choose")
    if len(found) > 1:
        raise InputError(
            f"{len(found)} {which} atoms are named {text!r}: name one by RES:CHAIN:NUM:ATOM",
            code="ambiguous_atom",
            stage="choose",
        )
    return found[0]
