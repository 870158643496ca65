"""Contact detectors: one file a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors import (
    cation_pi,
    clash,
    covalent_link,
    halogen_bond,
    hydrogen_bond,
    hydrophobic,
    metal_coordination,
    pi_stacking,
    salt_bridge,
    water_bridge,
    weak_hydrogen_bond,
)
from interactions.environment import Environment

Find = Callable[[Environment, Section], Iterator[Contact]]

# In the order of records. Hydrogen bonds have their own list in a LabelSet.
DETECTORS: dict[str, Find] = {
    salt_bridge.KIND: salt_bridge.find,
    hydrophobic.KIND: hydrophobic.find,
    pi_stacking.KIND: pi_stacking.find,
    cation_pi.KIND: cation_pi.find,
    halogen_bond.KIND: halogen_bond.find,
    metal_coordination.KIND: metal_coordination.find,
    water_bridge.KIND: water_bridge.find,
    weak_hydrogen_bond.KIND: weak_hydrogen_bond.find,
    covalent_link.KIND: covalent_link.find,
    clash.KIND: clash.find,
}
# Quantities that a profile may set limits to, with their unit, by kind.
LIMITS: Mapping[str, Mapping[str, str]] = {
    module.KIND: module.LIMITS
    for module in (
        hydrogen_bond,
        salt_bridge,
        hydrophobic,
        pi_stacking,
        cation_pi,
        halogen_bond,
        metal_coordination,
        water_bridge,
        weak_hydrogen_bond,
        covalent_link,
        clash,
    )
}
