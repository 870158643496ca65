"""Which rings are aromatic, by IDATM types."""

from __future__ import annotations

from interactions.chemistry.rings import Ring
from interactions.chemistry.typing_tables import PLANAR
from interactions.points import distance
from interactions.surroundings import Surroundings

_CARBON = 6
_LONGEST = 1.45  # Å, of a bond in benzene; single bonds of quinones and dienes are longer


def is_aromatic(at: Surroundings, ring: Ring) -> bool:
    """Planar rings of five or six; those of carbon alone only where every atom is of the aromatic type."""
    if len(ring) not in (5, 6):
        return False
    if all(at.elements[a] == _CARBON for a in ring):
        return all(at.types[a] == "Car" for a in ring) or (len(ring) == 6 and _is_even(at, ring))
    return all(at.types[a] in PLANAR for a in ring) and any(at.types[a] in ("Car", "C2") for a in ring)


def _is_even(at: Surroundings, ring: Ring) -> bool:
    """Planar carbons without a single bond among them, whatever their types say of conjugation."""
    if not all(at.types[a] in PLANAR for a in ring):
        return False
    places = [at.places[a] for a in ring]
    return all(distance(p, q) <= _LONGEST for p, q in zip(places, [*places[1:], places[0]], strict=True))
