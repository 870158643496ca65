"""Interaction sites: where pocket and ligand could bind, with a direction, whether or not a contact uses them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interactions.chemistry.hydrogens import expected_hydrogens
from interactions.complex import Complex
from interactions.contact import Contact, HydrogenBond
from interactions.environment import Atom, Environment
from interactions.features import (
    Group,
    anions,
    aromatic_rings,
    cations,
    halogens,
    hydrophobic_atoms,
    metals,
    waters,
)
from interactions.points import Point, add, dot, mean, norm, scale, sub, unit
from interactions.records import atom_record, rounded

# Types with a lone pair to give; amide, guanidinium and ammonium nitrogens have none.
ACCEPTOR_TYPES = frozenset({"O1", "O2", "O2-", "O3", "O3-", "N1", "N2", "N3", "S2", "S3-"})
# Kind of site -> kinds of contact that use it.
USED_BY = {
    "positive": ("salt_bridge", "cation_pi"),
    "negative": ("salt_bridge",),
    "ring": ("pi_stacking", "cation_pi"),
    "hydrophobic": ("hydrophobic",),
    "halogen": ("halogen_bond",),
    "metal": ("metal_coordination",),
    "water": ("water_bridge",),
}


def find_sites(
    env: Environment, residues: set[tuple[int, int]], bonds: Iterable[HydrogenBond], contacts: Iterable[Contact]
) -> list[dict[str, Any]]:
    """Sites of the ligand and of some residues (model, index), receptor first, in order of kind and atoms.

    Directions and normals are unit vectors; a normal points to the other side. ``used`` says whether a contact or
    hydrogen bond holds the site's atoms.
    """
    used = _used(bonds, contacts)
    towards = {side: mean([env.place(a) for a in env.atoms[not side]] or [(0.0, 0.0, 0.0)]) for side in (False, True)}
    return [
        _record(env, kind, group, direction, towards[side], used)
        for side in (False, True)
        for kind, group, direction in _sites(env, side)
        if side or env.residue(group.atoms[0]) in residues
    ]


def _sites(env: Environment, side: bool) -> Iterator[tuple[str, Group, Point | None]]:
    for atom in env.atoms[side]:
        if env.is_solvent(atom):
            continue
        if is_polar_donor(env, atom):
            yield "donor", Group("donor", (atom,), env.place(atom)), _donor_direction(env, atom)
        if env.kind(atom) in ACCEPTOR_TYPES:
            yield "acceptor", Group("acceptor", (atom,), env.place(atom)), _away(env, atom)
    for kind, find in (("positive", cations), ("negative", anions), ("ring", aromatic_rings)):
        yield from ((kind, group, None) for group in find(env, side))
    yield from (("hydrophobic", group, None) for group in hydrophobic_atoms(env, side))
    yield from (("halogen", group, _away(env, group.atoms[0])) for group in halogens(env, side))
    yield from (("metal", group, None) for group in metals(env, side))
    yield from (("water", group, None) for group in waters(env, side))


def is_polar_donor(env: Environment, atom: Atom) -> bool:
    """N, O or S with a hydrogen, in the file or by its type."""
    if env.element(atom) not in (7, 8, 16):
        return False
    at = env.models[atom[0]]
    return any(at.elements[b] == 1 for b in at.neighbours[atom[1]]) or expected_hydrogens(at, atom[1]) > 0


def _donor_direction(env: Environment, atom: Atom) -> Point | None:
    """Mean direction of the hydrogens; of a rotor its axis."""
    hydrogens, place = env.hydrogens(atom), env.place(atom)
    if hydrogens.rotor is not None:
        return hydrogens.rotor.axis
    total = (0.0, 0.0, 0.0)
    for h in hydrogens.places:
        total = add(total, unit(sub(h, place)))
    return unit(total) if norm(total) > 1e-6 else None


def _away(env: Environment, atom: Atom) -> Point | None:
    """From the bonded atoms outwards, where lone pairs and halogens point."""
    place, total = env.place(atom), (0.0, 0.0, 0.0)
    for b in env.models[atom[0]].neighbours[atom[1]]:
        total = add(total, unit(sub(place, env.models[atom[0]].places[b])))
    return unit(total) if norm(total) > 1e-6 else None


def _used(bonds: Iterable[HydrogenBond], contacts: Iterable[Contact]) -> set[tuple[str, Atom]]:
    used: set[tuple[str, Atom]] = set()
    for bond in bonds:
        used |= {("donor", bond.donor), ("acceptor", bond.acceptor)}
        if bond.both_ways:
            used |= {("acceptor", bond.donor), ("donor", bond.acceptor)}
    for contact in contacts:
        used |= {(contact.kind, atom) for atom in (*contact.receptor, *contact.ligand, *contact.via)}
    return used


def _record(
    env: Environment, kind: str, group: Group, direction: Point | None, towards: Point, used: set[tuple[str, Atom]]
) -> dict[str, Any]:
    complex_: Complex = env.complex
    names = USED_BY.get(kind, (kind,))
    normal = group.normal
    if normal is not None and dot(normal, sub(towards, group.centre)) < 0:
        normal = scale(normal, -1.0)
    return {
        "kind": kind,
        "side": "ligand" if env.is_ligand(group.atoms[0]) else "receptor",
        "position": rounded(group.centre),
        "direction": None if direction is None else rounded(direction),
        "normal": None if normal is None else rounded(normal),
        "atoms": [atom_record(complex_, *atom) for atom in group.atoms],
        "used": any((name, atom) in used for name in names for atom in group.atoms),
    }
