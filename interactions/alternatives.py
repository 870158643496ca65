"""What would change if a histidine were the other tautomer, or an amide of Asn or Gln turned by 180°."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from interactions.complex import Chemistry, Complex
from interactions.consensus import find_bonds
from interactions.criteria import Profile
from interactions.environment import RING_NITROGENS, Atom, Environment
from interactions.records import bond_record, bond_texts

# Residue -> the axis of its amide, and the atoms that turn.
_AMIDES = {"ASN": ("CB", "CG", ("OD1", "ND2")), "GLN": ("CG", "CD", ("OE1", "NE2"))}
_TAUTOMERS = {"HID": ("Npl", "N2"), "HIE": ("N2", "Npl"), "HIP": ("Npl", "Npl")}  # types of ND1 and NE2
Residue = tuple[int, int]


def alternatives(env: Environment, profile: Profile, reach: float = 4.5) -> list[dict[str, Any]]:
    """For each histidine without ring hydrogens and each Asn and Gln with a polar side-chain atom within ``reach`` Å
    of the ligand: the bonds gained and lost under each other state; states that change nothing are left out."""
    found = []
    base = _texts(env, profile)
    for residue in _candidates(env, reach):
        for code, state, complex_ in _states(env, residue):
            other = Environment(complex_, place=env.place_hydrogens, told=frozenset([residue]))
            texts = _texts(other, profile)
            gained, lost = [t for t in texts if t not in base], [t for t in base if t not in texts]
            if gained or lost:
                found.append({"code": code, **_place(env, residue), "state": state, "gained": gained, "lost": lost})
    return found


def _place(env: Environment, residue: Residue) -> dict[str, Any]:
    structure, index = env.complex.models[residue[0]].structure, residue[1]
    return {
        "chain": structure.chains[index],
        "residue_name": structure.residue_names[index],
        "residue_number": int(structure.residue_numbers[index]),
        "insertion_code": structure.insertion_codes[index],
    }


def _texts(env: Environment, profile: Profile) -> list[str]:
    return bond_texts([bond_record(env.complex, bond) for bond in find_bonds(env, profile, solvent=False)])


def _candidates(env: Environment, reach: float) -> list[Residue]:
    ligand = env.places([a for a in env.atoms[True] if env.element(a) in (7, 8, 9, 16)])
    found: dict[Residue, None] = {}
    for atom in env.atoms[False]:
        if not _may_change(env, atom) or not len(ligand):
            continue
        if np.min(np.sum((ligand - np.array(env.place(atom))) ** 2, axis=1)) <= reach**2:
            found[env.residue(atom)] = None
    return list(found)


def _may_change(env: Environment, atom: Atom) -> bool:
    name = env.residue_name(atom)
    if name in _AMIDES:
        return env.atom_name(atom) in _AMIDES[name][2]
    return env.is_open_histidine(atom)


def _states(env: Environment, residue: Residue) -> Iterator[tuple[str, str, Complex]]:
    name = _place(env, residue)["residue_name"]
    if name in _AMIDES:
        turned = _turned(env, residue, *_AMIDES[name])
        if turned is not None:
            yield "nqh_flip", "flipped", turned
        return
    for state, types in _TAUTOMERS.items():
        yield "his_tautomer", state, _tautomer(env, residue, types)


def _turned(env: Environment, residue: Residue, first: str, second: str, ends: tuple[str, str]) -> Complex | None:
    """The complex with the amide turned by half about its axis, its hydrogens with it."""
    model, index = residue
    structure = env.complex.models[model].structure
    names = {structure.atom_names[a]: a for a in structure.residue_atoms[index]}
    if not {first, second, *ends} <= names.keys():
        return None
    moved = [names[end] for end in ends]
    moved += [b for a in moved for b in structure.neighbours[a] if structure.elements[b] == 1]
    places = structure.coordinates.copy()
    start = places[names[first]]
    axis = places[names[second]] - start
    axis /= np.linalg.norm(axis)
    relative = places[moved] - start
    places[moved] = start + 2 * np.outer(relative @ axis, axis) - relative
    return _with(env.complex, model, Chemistry(replace(structure, coordinates=places), env.complex.models[model].types))


def _tautomer(env: Environment, residue: Residue, kinds: tuple[str, str]) -> Complex:
    model, index = residue
    chemistry = env.complex.models[model]
    types = list(chemistry.types)
    for a in chemistry.structure.residue_atoms[index]:
        if chemistry.structure.atom_names[a] in RING_NITROGENS:
            types[a] = kinds[0] if chemistry.structure.atom_names[a] == "ND1" else kinds[1]
    return _with(env.complex, model, Chemistry(chemistry.structure, tuple(types)))


def _with(complex_: Complex, model: int, chemistry: Chemistry) -> Complex:
    models = tuple(chemistry if number == model else old for number, old in enumerate(complex_.models))
    return replace(complex_, models=models)
