"""Salt bridges: a cation and an anion, one on each side."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.pairing import Measures, contacts, group_pairs, reach_of
from interactions.environment import Environment
from interactions.features import Group, anions, cations
from interactions.points import distance, squared_distance

KIND = "salt_bridge"
LIMITS = {"distance": "Å", "distance_atoms": "Å"}
_GROUP_RADIUS = 1.6  # Å, of a charged atom from the centre of its group: guanidinium, phosphate


def find(env: Environment, section: Section) -> Iterator[Contact]:
    """``distance``: between the centres of charge; ``distance_atoms``: between the nearest charged atoms."""

    def measure(receptor: Group, ligand: Group) -> Measures:
        nearest = min(squared_distance(env.place(a), env.place(b)) for a in receptor.atoms for b in ligand.atoms)
        return {
            "distance": distance(receptor.centre, ligand.centre),
            "distance_atoms": nearest**0.5,
        }

    reach = max(reach_of(section), reach_of(section, "distance_atoms") + 2 * _GROUP_RADIUS)
    ligand_negative = contacts(KIND, section, group_pairs(env, cations, anions, reach), measure)
    ligand_positive = contacts(KIND, section, group_pairs(env, anions, cations, reach), measure)
    yield from chain(ligand_negative, ligand_positive)
