"""Heavy atoms too near each other."""

from __future__ import annotations

from collections.abc import Iterator

from interactions.chemistry.bond_radii import METALS
from interactions.chemistry.vdw_radii import VDW_RADII
from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.covalent_link import is_bonded
from interactions.detectors.pairing import accepted
from interactions.environment import Environment
from interactions.neighbours import within

KIND = "clash"
LIMITS = {"ratio": ""}
_LARGEST = 2 * 2.1  # Å, two of the largest radii that are no metal's


def find(env: Environment, section: Section) -> Iterator[Contact]:
    """``ratio``: distance over the sum of van der Waals radii. Bonded atoms and metals never clash."""
    here, there = ([atom for atom in env.atoms[side] if env.element(atom) not in METALS] for side in (False, True))
    highest = section.of("ratio")
    reach = _LARGEST * (highest.high if highest else 0)
    rows, columns, squared = within(env.places(here), env.places(there), reach)
    for row, column, gap in zip(rows.tolist(), columns.tolist(), squared.tolist(), strict=True):
        receptor, ligand = here[row], there[column]
        radii = VDW_RADII[env.element(receptor)] + VDW_RADII[env.element(ligand)]
        measures = {"distance": gap**0.5, "ratio": gap**0.5 / radii}
        if accepted(section.limits["limits"], measures) and not is_bonded(env, receptor, ligand):
            yield Contact(KIND, (receptor,), (ligand,), tuple(measures.items()))
