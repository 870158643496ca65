"""Hydrogen bonds between ligand and all else by the geometry of Mills and Dean, as ChimeraX applies it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

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
from interactions.neighbours import within
from interactions.points import Point, angle, squared_distance
from interactions.structure import Floats, Ints
from interactions.surroundings import Surroundings

_IS_POLAR = np.isin(np.arange(119), (7, 8, 16))
_SULFUR = 16
_ROUNDING = 1e-9


def find(complex_: Complex, profile: Profile, models: list[Surroundings] | None = None) -> list[HydrogenBond]:
    """All bonds with exactly one end in the ligand, both directions of a pair, solvent included.

    ``models``: the complex's surroundings where these were made before.
    """
    return Search(complex_, profile, models).bonds()


class Search:
    """Classifies an atom when a pair first needs it."""

    def __init__(self, complex_: Complex, profile: Profile, models: list[Surroundings] | None = None) -> None:
        self.complex = complex_
        self.limits = limits_of(profile)
        self.strict = limits_of(with_slops(profile, 0.0, 0.0))
        self.relaxed = profile.distance_slop > 0 or profile.angle_slop > 0
        self.reach: dict[bool, float] = {sulfur: self.limits.reach(sulfur=sulfur) for sulfur in (False, True)}
        self.models = models or [Surroundings(chemistry) for chemistry in complex_.models]
        self.acceptors: dict[Atom, Acceptor | None] = {}
        self.donors: dict[Atom, Donor | None] = {}
        self.donor_classes: dict[Atom, Donor | None] = {}
        self._polar: dict[bool, tuple[list[Atom], list[Ints]]] = {}  # names and, for each model, rows
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

    def bonds(self) -> list[HydrogenBond]:
        """All that pass, in order of donor, then acceptor: receptor before ligand, then file order."""
        found = [bond for pair in self.pairs() if (bond := self.bond(*pair)) is not None]
        return sorted(found, key=lambda bond: (self._rank(bond.donor), self._rank(bond.acceptor)))

    def _rank(self, atom: Atom) -> tuple[bool, int]:
        return bool(self.complex.ligand_masks[atom[0]][atom[1]]), atom[1]

    def pairs(self) -> Iterator[tuple[Atom, Atom]]:
        """Donor and acceptor candidates across the border of the ligand, within reach, both ways."""
        (inside, here), (outside, there) = (self._polar_atoms(ligand=side) for side in (True, False))
        extra = self.limits.sulfur_distance
        # Beyond these distances no acceptor's test passes: squared, by whether donor and acceptor are sulfur.
        limits = {
            (donor, acceptor): (self.reach[acceptor] + (extra if donor else 0.0) + _ROUNDING) ** 2
            for donor in (False, True)
            for acceptor in (False, True)
        }
        found = within(here, there, max(self.reach.values()) + extra)
        for row, column, gap in zip(*(part.tolist() for part in found), strict=True):
            one, two = inside[row], outside[column]
            sulfur, other = self._is_sulfur(one), self._is_sulfur(two)
            if gap <= limits[sulfur, other]:
                yield one, two
            if gap <= limits[other, sulfur]:
                yield two, one

    def _is_sulfur(self, atom: Atom) -> bool:
        return self.models[atom[0]].elements[atom[1]] == _SULFUR

    def _polar_atoms(self, *, ligand: bool) -> tuple[list[Atom], Floats]:
        """Polar atoms of the ligand, or of all else, and where they are."""
        if ligand not in self._polar:
            masks = zip(self.complex.models, self.complex.ligand_masks, strict=True)
            rows = [np.flatnonzero(_IS_POLAR[one.structure.elements] & (mask == ligand)) for one, mask in masks]
            named = [(number, atom) for number, atoms in enumerate(rows) for atom in atoms.tolist()]
            self._polar[ligand] = named, rows
        named, rows = self._polar[ligand]
        models = zip(self.complex.models, rows, strict=True)
        return named, np.concatenate([one.structure.coordinates[atoms] for one, atoms in models])

    def acceptor(self, atom: Atom) -> Acceptor | None:
        if atom not in self.acceptors:
            self.acceptors[atom] = classify_acceptor(self.models[atom[0]], atom[1])
        return self.acceptors[atom]

    def donor(self, atom: Atom) -> Donor | None:
        if atom not in self.donors:
            at = self.models[atom[0]]
            if atom not in self.donor_classes:
                self.donor_classes[atom] = classify_donor(at, atom[1])
            donor = self.donor_classes[atom]
            if donor is not None and at.elements[atom[1]] == 7 and at.is_planar(atom[1]) and self._on_metal(atom):
                donor = None
            self.donors[atom] = donor
        return self.donors[atom]

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

    def bond(self, donor: Atom, acceptor: Atom) -> HydrogenBond | None:
        if not self.passes(donor, acceptor, self.limits):
            return None
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
        tests = (self.donor_checks, self.acceptor_checks, self.metal_checks)
        return all(check.holds for test in tests for check in test(donor, acceptor, limits))

    def acceptor_checks(self, donor: Atom, acceptor: Atom, limits: Limits) -> Iterator[Check]:
        accepts = self.acceptor(acceptor)
        if accepts is not None:
            at, place = self.models[acceptor[0]], self.models[donor[0]].places[donor[1]]
            hydrogens, sulfur = self.hydrogens_of(donor), self._is_sulfur(donor)
            yield from acceptor_checks(at, acceptor[1], accepts, limits, place, hydrogens, sulfur)

    def donor_checks(self, donor: Atom, acceptor: Atom, limits: Limits) -> Iterator[Check]:
        donates = self.donor(donor)
        if donates is not None:
            at, other, hydrogens = self.models[donor[0]], self.models[acceptor[0]], self.hydrogens_of(donor)
            yield from donor_checks(at, donor[1], donates, limits, other, acceptor[1], hydrogens)

    def metal_checks(self, donor: Atom, acceptor: Atom, limits: Limits) -> Iterator[Check]:
        other, place = self.models[acceptor[0]], self.models[donor[0]].places[donor[1]]
        target = other.places[acceptor[1]]
        for metal in self.near_metals(acceptor):
            value = angle(place, target, other.places[metal])
            yield Check("D-A-metal", value, limits.metal_angle, None, value >= limits.metal_angle)
