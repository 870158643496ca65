"""Water bridges: one water that binds ligand and receptor."""

from __future__ import annotations

from collections.abc import Iterator

from interactions.contact import Contact
from interactions.criteria import Section
from interactions.detectors.pairing import accepted
from interactions.environment import Atom, Environment
from interactions.features import Group, centres, remembered, waters
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
    oxygens = waters(env, False)
    near = {side: _near(env, oxygens, side, reach) for side in (False, True)}
    for row, water in enumerate(oxygens):
        for side in (False, True):
            for donor in near[side].get(row, ()):
                for acceptor in near[not side].get(row, ()):
                    yield from _bridge(env, section, donor, water.atoms[0], acceptor)


@remembered
def _polar(env: Environment, ligand: bool) -> list[Group]:
    return [
        Group("polar", (atom,), env.place(atom))
        for atom in env.atoms[ligand]
        if env.element(atom) in _DONORS and not env.is_solvent(atom)
    ]


def _near(env: Environment, oxygens: list[Group], ligand: bool, reach: float) -> dict[int, list[Atom]]:
    """Polar atoms of one side near each water, by its place in the list."""
    polar = _polar(env, ligand)
    found: dict[int, list[Atom]] = {}
    rows, columns, _ = within(centres(oxygens), centres(polar), reach)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        found.setdefault(row, []).append(polar[column].atoms[0])
    return found


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
