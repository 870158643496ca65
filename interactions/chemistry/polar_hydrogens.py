"""Add the polar hydrogens whose place geometry fixes; those that can turn stay open."""

from __future__ import annotations

from interactions.chemistry.added_atoms import Added, with_hydrogen_atoms
from interactions.chemistry.hydrogens import LENGTHS, hydrogens_of
from interactions.complex import Chemistry
from interactions.structure import Structure
from interactions.surroundings import Surroundings

_POLAR = frozenset({7, 8, 16})


def with_polar_hydrogens(chemistry: Chemistry, lengths: dict[int, float] = LENGTHS) -> Structure:
    """The structure with ideal hydrogens behind its own atoms, which keep their places and indices.

    ``lengths``: Å, by atomic number of the heavy atom. Atoms that have hydrogens, rotors and nitrogens after chain
    breaks get none; both nitrogens of a histidine without ring hydrogens get one. Adding twice changes nothing.
    """
    structure = chemistry.structure
    at = Surroundings(chemistry)
    added: list[Added] = []
    for atom in range(len(structure)):
        if at.elements[atom] in _POLAR:
            found = hydrogens_of(at, atom, lengths)
            if found.source == "placed":
                stem = structure.atom_names[atom][1:]
                several = len(found.places) > 1
                for count, place in enumerate(found.places, 1):
                    added.append((atom, f"H{stem}{count if several else ''}", place))
    return with_hydrogen_atoms(structure, added)
