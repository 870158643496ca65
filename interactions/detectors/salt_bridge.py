"""Salt bridges: a cation and an anion, one on each side."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.pairing import Measures, contacts, group_pairs, reach_of
from interactions.detectors.plip_groups import plip_anions, plip_cations
from interactions.environment import Environment
from interactions.errors import UnknownName
from interactions.features import Finder, Group, anions, cations
from interactions.points import distance, squared_distance

KIND = "salt_bridge"
LIMITS = {"distance": "Å", "distance_atoms": "Å"}
GROUPS: dict[str, tuple[Finder, Finder]] = {"all": (cations, anions), "plip": (plip_cations, plip_anions)}
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
    positive, negative = charged_groups(section)
    ligand_negative = contacts(KIND, section, group_pairs(env, positive, negative, reach), measure)
    ligand_positive = contacts(KIND, section, group_pairs(env, negative, positive, reach), measure)
    yield from chain(ligand_negative, ligand_positive)


def charged_groups(section: Section) -> tuple[Finder, Finder]:
    """Who counts as cation and as anion; option ``groups``: ``all``, or ``plip`` for those that PLIP knows."""
    groups = section.options.get("groups", "all")
    if groups not in GROUPS:
        raise UnknownName("groups", str(groups), GROUPS)
    return GROUPS[groups]
