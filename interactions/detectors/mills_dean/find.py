"""Hydrogen bonds between ligand and all else by the geometry of Mills and Dean, as ChimeraX applies it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactions.complex import Complex
from interactions.contact import Atom, HydrogenBond
from interactions.criteria import Profile, with_slops
from interactions.detectors.mills_dean.acceptor_geometry import acceptor_checks
from interactions.detectors.mills_dean.acceptors import Acceptor, classify_acceptor
from interactions.detectors.mills_dean.checks import Check
from interactions.detectors.mills_dean.donor_geometry import donor_checks
from interactions.detectors.mills_dean.donors import Donor, classify_donor
from interactions.detectors.mills_dean.limits import Limits, limits_of
from interactions.detectors.mills_dean.positions import hydrogen_positions
from interactions.environment import Environment
from interactions.frozen import Frozen
from interactions.ligands import is_solvent
from interactions.neighbours import within
from interactions.points import Point, angle, squared_distance
from interactions.structure import Floats, Ints, Structure
from interactions.surroundings import Surroundings

_IS_POLAR = np.isin(np.arange(119), (7, 8, 16))
_SULFUR = 16


def find(complex_: Complex, profile: Profile) -> list[HydrogenBond]:
    """All bonds with exactly one end in the ligand, both directions of a pair, solvent included."""
    return Search(complex_, profile).bonds()


def search_in(env: Environment, profile: Profile) -> Search:
    """The search of a complex by a profile, one for all who ask."""
    if profile not in env.searches:
        env.searches[profile] = Search(env.complex, profile, env.models)
    found: Search = env.searches[profile]
    return found


@dataclass(frozen=True, eq=False)
class Polar(Frozen):
    """Polar atoms of the ligand, or of all else: their rows in each model, and which are sulfur."""

    rows: list[Ints]
    sulfur: NDArray[np.int64]  # 0 or 1

    @classmethod
    def of(cls, complex_: Complex, *, ligand: bool, solvent: bool) -> Polar:
        """``solvent``: with that of the receptor."""
        structures = [chemistry.structure for chemistry in complex_.models]
        rows = []
        for structure, mask in zip(structures, complex_.ligand_masks, strict=True):
            chosen = _IS_POLAR[structure.elements] & (mask if ligand else ~mask)
            rows.append(np.flatnonzero(chosen if ligand or solvent else chosen & ~_solvent(structure)))
        numbers = np.concatenate([one.elements[found] for one, found in zip(structures, rows, strict=True)])
        return cls(rows, (numbers == _SULFUR).astype(np.int64))

    def atoms(self, places: Ints) -> list[Atom]:
        """The names of some of them."""
        models, indices = self._names
        return list(zip(models[places].tolist(), indices[places].tolist(), strict=True))

    @cached_property
    def _names(self) -> tuple[Ints, Ints]:
        """Model and index of each."""
        models = np.repeat(np.arange(len(self.rows)), [len(rows) for rows in self.rows])
        return models, np.concatenate(self.rows)

    def places(self, complex_: Complex) -> Floats:
        """Å, shape (n, 3)."""
        models = zip(complex_.models, self.rows, strict=True)
        return np.concatenate([one.structure.coordinates[atoms] for one, atoms in models])


def _solvent(structure: Structure) -> NDArray[np.bool_]:
    """Which atoms are solvent by their residues' names, shape (n,)."""
    return np.array([is_solvent(name) for name in structure.residue_names], dtype=np.bool_)[structure.residue_of]


class Search:
    """Bonds with exactly one end in the ligand; an atom is classified when a pair first needs it.

    ``models``: the complex's surroundings where these were made before.
    """

    def __init__(self, complex_: Complex, profile: Profile, models: list[Surroundings] | None = None) -> None:
        self.complex = complex_
        self.limits = limits_of(profile)
        self.strict = limits_of(with_slops(profile, 0.0, 0.0))
        self.relaxed = profile.distance_slop > 0 or profile.angle_slop > 0
        self.models = models or [Surroundings(chemistry) for chemistry in complex_.models]
        self.acceptors: dict[Atom, Acceptor | None] = {}
        self.donors: dict[Atom, Donor | None] = {}
        self.donor_classes: dict[Atom, Donor | None] = {}
        self._polar: dict[tuple[bool, bool], Polar] = {}
        self.hydrogens: dict[Atom, list[Point]] = {}
        self.metals: dict[Atom, list[int]] = {}

    def move_to(self, complex_: Complex) -> None:
        """Another ligand in the same receptor: of a complex of two files what is known of the first stays, and of the
        ligand what does not depend on its place, where it is the same molecule with the same types."""
        old, new = self.complex.models[1], complex_.models[1]
        placed: tuple[dict[Atom, Any], ...] = (self.donors, self.hydrogens, self.metals)
        if new.structure.has_topology_of(old.structure) and new.types == old.types:
            ligand = self.models[1].moved(new)
        else:
            ligand = Surroundings(new)
            self._polar = {}
            placed = (*placed, self.acceptors, self.donor_classes)
        self.complex, self.models = complex_, [self.models[0], ligand]
        for known in placed:
            for atom in [atom for atom in known if atom[0] == 1]:
                del known[atom]

    def bonds(self, *, solvent: bool = True) -> list[HydrogenBond]:
        """All that pass, in order of donor, then acceptor: receptor before ligand, then file order.

        ``solvent``: those to solvent of the receptor, too.
        """
        found = [self.bond(*pair) for pair in self.pairs(solvent=solvent) if self.passes(*pair, self.limits)]
        return sorted(found, key=lambda bond: (self._rank(bond.donor), self._rank(bond.acceptor)))

    def _rank(self, atom: Atom) -> tuple[bool, int]:
        return bool(self.complex.ligand_masks[atom[0]][atom[1]]), atom[1]

    def pairs(self, *, solvent: bool) -> Iterator[tuple[Atom, Atom]]:
        """Donor and acceptor candidates across the border of the ligand, within reach, both ways."""
        inside, outside = (self._polar_atoms(ligand=side, solvent=solvent) for side in (True, False))
        here, there = (polar.places(self.complex) for polar in (inside, outside))
        rows, columns, gaps = within(here, there, float(np.sqrt(self.limits.farthest.max())))
        one, two = inside.sulfur[rows], outside.sulfur[columns]
        gives, takes = gaps <= self.limits.farthest[one, two], gaps <= self.limits.farthest[two, one]
        near = zip(inside.atoms(rows), outside.atoms(columns), gives.tolist(), takes.tolist(), strict=True)
        for mine, other, given, taken in near:
            if given:
                yield mine, other
            if taken:
                yield other, mine

    def _polar_atoms(self, *, ligand: bool, solvent: bool) -> Polar:
        if (ligand, solvent) not in self._polar:
            self._polar[ligand, solvent] = Polar.of(self.complex, ligand=ligand, solvent=solvent)
        return self._polar[ligand, solvent]

    def acceptor(self, atom: Atom) -> Acceptor | None:
        if atom not in self.acceptors:
            self.acceptors[atom] = classify_acceptor(self.models[atom[0]], atom[1])
        return self.acceptors[atom]

    def donor(self, atom: Atom) -> Donor | None:
        if atom not in self.donors:
            self.donors[atom] = self._donor(atom)
        return self.donors[atom]

    def _donor(self, atom: Atom) -> Donor | None:
        at = self.models[atom[0]]
        if atom not in self.donor_classes:
            self.donor_classes[atom] = classify_donor(at, atom[1])
        bound = at.elements[atom[1]] == 7 and at.is_planar(atom[1]) and self._on_metal(atom)
        return None if bound else self.donor_classes[atom]

    def _on_metal(self, atom: Atom) -> bool:
        """Only an acceptor has its metals noted."""
        return bool(self.near_metals(atom)) and self.acceptor(atom) is not None

    def near_metals(self, atom: Atom) -> list[int]:
        if atom not in self.metals:
            self.metals[atom] = self.models[atom[0]].near_metals(atom[1], self.limits.metal_distance)
        return self.metals[atom]

    def hydrogens_of(self, atom: Atom) -> list[Point]:
        if atom not in self.hydrogens:
            self.hydrogens[atom] = hydrogen_positions(self.models[atom[0]], atom[1])
        return self.hydrogens[atom]

    def bond(self, donor: Atom, acceptor: Atom) -> HydrogenBond:
        """What a pair that passes is told as."""
        at, target = self.models[donor[0]], self.models[acceptor[0]].places[acceptor[1]]
        explicit = [b for b in at.neighbours[donor[1]] if at.elements[b] == 1]
        # A tie goes to the hydrogen listed first in the file.
        nearest = min(sorted(explicit), key=lambda h: squared_distance(at.places[h], target), default=None)
        place = at.places[donor[1]]
        return HydrogenBond(
            donor=donor,
            acceptor=acceptor,
            hydrogen=nearest,
            distance_da=squared_distance(place, target) ** 0.5,
            distance_ha=None if nearest is None else squared_distance(at.places[nearest], target) ** 0.5,
            angle_dha=None if nearest is None else angle(place, at.places[nearest], target),
            strict=not self.relaxed or self.passes(donor, acceptor, self.strict),
            source="given" if explicit else "placed" if self.hydrogens_of(donor) else "unknown",
        )

    def passes(self, donor: Atom, acceptor: Atom, limits: Limits) -> bool:
        if self.acceptor(acceptor) is None or self.donor(donor) is None:
            return False
        for test in (self.donor_checks, self.acceptor_checks, self.metal_checks):
            for check in test(donor, acceptor, limits):
                if not check.holds:
                    return False
        return True

    def acceptor_checks(self, donor: Atom, acceptor: Atom, limits: Limits) -> Iterable[Check]:
        accepts = self.acceptor(acceptor)
        if accepts is None:
            return ()
        at, place = self.models[acceptor[0]], self.models[donor[0]].places[donor[1]]
        sulfur = self.models[donor[0]].elements[donor[1]] == _SULFUR
        return acceptor_checks(at, acceptor[1], accepts, limits, place, self.hydrogens_of(donor), sulfur)

    def donor_checks(self, donor: Atom, acceptor: Atom, limits: Limits) -> Iterable[Check]:
        donates = self.donor(donor)
        if donates is None:
            return ()
        at, other = self.models[donor[0]], self.models[acceptor[0]]
        return donor_checks(at, donor[1], donates, limits, other, acceptor[1], self.hydrogens_of(donor))

    def metal_checks(self, donor: Atom, acceptor: Atom, limits: Limits) -> list[Check]:
        metals = self.near_metals(acceptor)
        if not metals:
            return []
        other, place = self.models[acceptor[0]], self.models[donor[0]].places[donor[1]]
        target, least = other.places[acceptor[1]], limits.metal_angle
        values = [angle(place, target, other.places[metal]) for metal in metals]
        return [Check("D-A-metal", value, least, None, value >= least) for value in values]
