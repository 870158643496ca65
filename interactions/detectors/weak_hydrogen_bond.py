"""Weak hydrogen bonds C-H…O."""

from __future__ import annotations

from collections.abc import Iterator

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.measures import Pair
from interactions.detectors.pairing import accepted
from interactions.environment import Atom, Environment
from interactions.features import CARBON, OXYGEN
from interactions.neighbours import within
from interactions.points import angle, distance

KIND = "weak_hydrogen_bond"
LIMITS = {"distance_ha": "Å", "distance_da": "Å", "angle_dha": "°"}
_CH = 1.15  # Å, no C-H is longer


def find(env: Environment, section: Section) -> Iterator[Contact]:
    """Carbon donors with a hydrogen in the file or an ideal one, oxygen acceptors but those of water; ``form`` says
    which side donates."""
    widest = section.of("distance_ha")
    reach = (widest.high if widest else 0.0) + _CH
    for side in (False, True):
        donors = [atom for atom in env.atoms[side] if env.element(atom) == CARBON]
        acceptors = [atom for atom in env.atoms[not side] if env.element(atom) == OXYGEN and not env.is_solvent(atom)]
        rows, columns, _ = within(env.places(donors), env.places(acceptors), reach)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            yield from _test(env, section, donors[row], acceptors[column])


def _test(env: Environment, section: Section, donor: Atom, acceptor: Atom) -> Iterator[Contact]:
    pair = Pair(env, donor, acceptor)
    for h in sorted(env.hydrogens(donor).candidates(pair.d, pair.a), key=lambda h: distance(h, pair.a)):
        measures = {
            "distance_ha": distance(h, pair.a),
            "distance_da": pair.distance_da,
            "angle_dha": angle(pair.d, h, pair.a),
        }
        if accepted(section.limits["limits"], measures):
            receptor, ligand = (acceptor, donor) if env.is_ligand(donor) else (donor, acceptor)
            form = "ligand_donor" if env.is_ligand(donor) else "receptor_donor"
            yield Contact(KIND, (receptor,), (ligand,), tuple(measures.items()), form)
            return
