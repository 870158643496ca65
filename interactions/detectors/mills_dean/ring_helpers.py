"""Groups that depend on rings: ring nitrogens and oxygens, ethers, aromatic amines."""

from __future__ import annotations

from interactions.chemistry.rings import Ring
from interactions.surroundings import Molecule

CARBON, NITROGEN, OXYGEN = 6, 7, 8


def is_aromatic(molecule: Molecule, ring: Ring) -> bool:
    """All carbons are Car; a ring without carbon is aromatic."""
    return all(molecule.types[a] == "Car" for a in ring if molecule.elements[a] == CARBON)


def only_ring(rings: list[Ring], size: int) -> Ring | None:
    """The ring of an atom in exactly one ring, if it has this size."""
    return rings[0] if len(rings) == 1 and len(rings[0]) == size else None


def ring_nh(molecule: Molecule, atom: int, ring: Ring | None, *, aromatic: bool) -> bool:
    """An Npl or N2+ in just this ring that has, or may have, a hydrogen."""
    if ring is None or molecule.types[atom] not in ("Npl", "N2+") or atom in molecule.broken:
        return False
    if aromatic and not is_aromatic(molecule, ring):
        return False
    bonded = molecule.neighbours[atom]
    return len(bonded) == 2 or (len(bonded) == 3 and any(molecule.elements[b] == 1 for b in bonded))


def ring_neighbours(ring: Ring, atom: int) -> tuple[int, int]:
    place = ring.index(atom)
    return ring[place - 1], ring[(place + 1) % len(ring)]


def is_symmetric(molecule: Molecule, ring: Ring, atom: int) -> bool:
    """Same elements on both sides, one and two bonds away."""
    place, size = ring.index(atom), len(ring)
    return all(
        molecule.elements[ring[(place - step) % size]] == molecule.elements[ring[(place + step) % size]]
        for step in (1, 2)
    )


def may_accept_in_ring(molecule: Molecule, atom: int) -> bool:
    """Whether an atom could be an acceptor by its rings, or for want of them."""
    kind = molecule.types[atom]
    return (
        molecule.elements[atom] == OXYGEN
        or kind == "N2"
        or (kind in ("Npl", "N2+") and len(molecule.neighbours[atom]) == 2)
    )


def is_ring5_acceptor(molecule: Molecule, atom: int, ring: Ring) -> bool:
    """N2, or a two-bonded Npl or N2+ with another nitrogen in its ring."""
    if molecule.types[atom] == "N2":
        return True
    if molecule.types[atom] not in ("Npl", "N2+") or len(molecule.neighbours[atom]) != 2:
        return False
    return any(a != atom and molecule.elements[a] == NITROGEN for a in ring)


def between_carbons(molecule: Molecule, atom: int, kind: str) -> bool:
    """A two-bonded atom of this type, both neighbours carbon."""
    bonded = molecule.neighbours[atom]
    return (
        molecule.types[atom] == kind
        and atom not in molecule.broken
        and len(bonded) == 2
        and all(molecule.elements[b] == CARBON for b in bonded)
    )


def is_aromatic_amine(molecule: Molecule, atom: int) -> bool:
    """An Npl bonded to an aromatic carbon, and to one carbon alone."""
    if molecule.types[atom] != "Npl" or atom in molecule.broken:
        return False
    bonded = molecule.neighbours[atom]
    carbons = [b for b in bonded if molecule.elements[b] == CARBON]
    return (
        len(carbons) == 1
        and molecule.types[carbons[0]] == "Car"
        and all(molecule.elements[b] in (1, CARBON) for b in bonded)
    )
