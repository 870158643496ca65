"""A cation above an aromatic ring."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.pairing import Measures, contacts, group_pairs, reach_of
from interactions.detectors.pi_stacking import acute, normal_of, offset
from interactions.detectors.salt_bridge import charged_groups
from interactions.environment import Environment
from interactions.features import Group, aromatic_rings
from interactions.points import distance, sub

KIND = "cation_pi"
LIMITS = {"distance": "Å", "offset": "Å", "angle_normal": "°"}


def find(env: Environment, section: Section) -> Iterator[Contact]:
    """``offset``: of the charge from the ring's axis; ``angle_normal``: between that axis and the line to it."""
    reach = reach_of(section)
    positive, _ = charged_groups(section)
    ring_below = contacts(KIND, section, group_pairs(env, aromatic_rings, positive, reach), _measure)
    ring_above = contacts(
        KIND, section, group_pairs(env, positive, aromatic_rings, reach), lambda cation, ring: _measure(ring, cation)
    )
    yield from chain(ring_below, ring_above)


def _measure(ring: Group, cation: Group) -> Measures:
    line = sub(cation.centre, ring.centre)
    return {
        "distance": distance(ring.centre, cation.centre),
        "offset": offset(line, normal_of(ring)),
        "angle_normal": acute(line, normal_of(ring)),
    }
