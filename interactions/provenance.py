"""What a label rests on: input, criteria, policies, hydrogens, version."""

from __future__ import annotations

from typing import Any

from interactions import __version__
from interactions.complex import Complex
from interactions.criteria import Profile, section_of
from interactions.detectors import DETECTORS
from interactions.pocket import PocketRule
from interactions.protonation import Prepared

ALT_LOC_POLICY = "chimerax"
MODEL_POLICY = "first"


def provenance_of(given: Complex, profile: Profile, rule: PocketRule, prepared: Prepared) -> dict[str, Any]:
    """Provenance of a label; ``given`` is the complex as it was read, before hydrogens were added."""
    structures = [chemistry.structure for chemistry in given.models]
    return {
        "digest": given.digest,
        "formats": [structure.format for structure in structures],
        "ligand": given.selector,
        "criteria": profile.name,
        "criteria_digest": profile.digest,
        "distance_slop": profile.distance_slop,
        "angle_slop": profile.angle_slop,
        "alt_loc_policy": ALT_LOC_POLICY,
        "model_policy": MODEL_POLICY,
        "pocket": rule.as_dict(),
        "version": __version__,
        "hydrogens": _hydrogens(given) | {"policy": prepared.policy},
        "contact_criteria": _contact_criteria(profile),
    } | prepared.record


def _hydrogens(given: Complex) -> dict[str, str]:
    sides = {
        "receptor": (given.models[0], ~given.ligand_masks[0]),
        "ligand": (given.models[-1], given.ligand_masks[-1]),
    }
    return {
        side: "given" if (chemistry.structure.elements[mask] == 1).any() else "none"
        for side, (chemistry, mask) in sides.items()
    }


def _contact_criteria(profile: Profile) -> list[dict[str, str]]:
    """Profiles that the limits of contacts come from, with their digests."""
    found = (section_of(profile, kind) for kind in DETECTORS)
    owners = {rules[1].name: rules[1].digest for rules in found if rules is not None}
    return [{"name": name, "digest": owners[name]} for name in sorted(owners)]
