"""Water bridges: one water that binds ligand and receptor."""

from __future__ import annotations

from collections.abc import Iterator

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.pairing import accepted
from interactions.environment import Atom, Environment
from interactions.features import Group, remembered, waters
from interactions.neighbours import within
from interactions.points import angle, distance

KIND = "water_bridge"
LIMITS = {"distance_receptor": "Å", "distance_ligand": "Å", "omega": "°", "theta": "°"}
_DONORS = frozenset({7, 8, 16})
_NO_ACCEPTOR = frozenset({"N3+", "Ng+", "Npl", "Ntr", "N1+", "N2+", "Oar", "Oar+"})


def find(env: Environment, section: Section) -> Iterator[Contact]:
    """One side donates to the water, the other accepts from it, so one of them donates at least.

    ``omega``: acceptor-water-hydrogen of the donor; ``theta``: donor-hydrogen-water; both taken with the donor's
    hydrogen nearest to the water, or the best place of one that turns. ``form`` says which side donates.
    """
    reach = max(found.high for name in ("distance_receptor", "distance_ligand") if (found := section.of(name)))
    for water in waters(env, False):
        near = {side: _near(env, water, side, reach) for side in (False, True)}
        for side in (False, True):
            for donor in near[side]:
                for acceptor in near[not side]:
                    yield from _bridge(env, section, donor, water.atoms[0], acceptor)


@remembered
def _polar(env: Environment, ligand: bool) -> list[Group]:
    return [
        Group("polar", (atom,), env.place(atom))
        for atom in env.atoms[ligand]
        if env.element(atom) in _DONORS and not env.is_solvent(atom)
    ]


def _near(env: Environment, water: Group, ligand: bool, reach: float) -> list[Atom]:
    polar = _polar(env, ligand)
    rows, _, _ = within(env.places([g.atoms[0] for g in polar]), env.places([water.atoms[0]]), reach)
    return [polar[row].atoms[0] for row in rows.tolist()]


def _bridge(env: Environment, section: Section, donor: Atom, water: Atom, acceptor: Atom) -> Iterator[Contact]:
    if env.kind(acceptor) in _NO_ACCEPTOR:
        return
    place, middle, target = env.place(donor), env.place(water), env.place(acceptor)
    receptor, ligand = (acceptor, donor) if env.is_ligand(donor) else (donor, acceptor)
    for h in sorted(env.hydrogens(donor).candidates(place, middle), key=lambda h: distance(h, middle)):
        measures = {
            "distance_receptor": distance(env.place(receptor), middle),
            "distance_ligand": distance(env.place(ligand), middle),
            "omega": angle(target, middle, h),
            "theta": angle(place, h, middle),
        }
        if accepted(section.limits["limits"], measures):
            form = "ligand_donor" if env.is_ligand(donor) else "receptor_donor"
            yield Contact(KIND, (receptor,), (ligand,), tuple(measures.items()), form, (water,))
            return
