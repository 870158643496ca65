"""Halogen bonds: C-X…A with a lone pair of O, N or S behind the halogen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.pairing import Measures, contacts, group_pairs, reach_of
from interactions.environment import Environment
from interactions.features import CARBON, NITROGEN, OXYGEN, PHOSPHORUS, SULFUR, Group, halogens, remembered
from interactions.points import angle, distance

KIND = "halogen_bond"
LIMITS = {"distance": "Å", "angle_donor": "°", "angle_acceptor": "°"}
_BASES = frozenset({CARBON, NITROGEN, PHOSPHORUS, SULFUR})


def find(env: Environment, section: Section) -> Iterator[Contact]:
    """``angle_donor``: C-X-A; ``angle_acceptor``: X-A-R, the nearest to 120° where A has several neighbours R."""

    def measure(halogen: Group, acceptor: Group) -> Measures:
        (carbon,) = env.heavy(halogen.atoms[0])
        bases = [angle(halogen.centre, acceptor.centre, env.place(b)) for b in env.heavy(acceptor.atoms[0])]
        return {
            "distance": distance(halogen.centre, acceptor.centre),
            "angle_donor": angle(env.place(carbon), halogen.centre, acceptor.centre),
            "angle_acceptor": min(bases, key=lambda degrees: (abs(degrees - 120), degrees)),
        }

    reach = reach_of(section)
    from_ligand = contacts(
        KIND, section, group_pairs(env, lone_pairs, halogens, reach), lambda receptor, ligand: measure(ligand, receptor)
    )
    from_receptor = contacts(KIND, section, group_pairs(env, halogens, lone_pairs, reach), measure)
    yield from chain(from_ligand, from_receptor)


@remembered
def lone_pairs(env: Environment, ligand: bool) -> list[Group]:
    """O, N and S on C, N, P or S, but nitrogens without a lone pair."""
    found = []
    for atom in env.atoms[ligand]:
        heavy = env.heavy(atom)
        if env.element(atom) not in (NITROGEN, OXYGEN, SULFUR) or not heavy:
            continue
        if all(env.element(b) in _BASES for b in heavy) and env.kind(atom) not in ("N3+", "Ng+", "N2+", "Ntr", "N1+"):
            found.append(Group("lone_pair", (atom,), env.place(atom)))
    return found
