"""Why answered pairs are no hydrogen bonds, for the item-by-item verdict of a score."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interactions.complex import Complex
from interactions.contact import Atom
from interactions.criteria import Profile, load
from interactions.environment import Environment
from interactions.explain import Explanation, explain, sentence
from interactions.questions.answers import Bond
from interactions.questions.residues import ALIASES


def why_not(complex_: Complex, record: dict[str, Any], bonds: Iterable[Bond]) -> dict[Bond, str]:
    """A reason for each bond (canonical names) whose atoms are there, by the criteria of the question's labels."""
    env, profile = Environment(complex_), load(record["metadata"]["criteria"])
    subject = record["metadata"]["subject"]
    found = {}
    for bond in bonds:
        number, chain = (bond.number, bond.chain) if subject is None else (subject["number"], subject["chain"])
        here = _receptor_atoms(complex_, bond, number, chain)
        there = _ligand_atoms(complex_, bond.ligand_atom)
        if len(here) == 1 and len(there) == 1:
            found[bond] = _reason(env, profile, here[0], there[0])
        else:
            found[bond] = "no such atoms" if not here or not there else "several atoms have these names"
    return found


def _reason(env: Environment, profile: Profile, receptor: Atom, ligand: Atom) -> str:
    """The reason of the direction that comes nearest to a bond."""
    both = [explain(env, profile, *pair) for pair in ((receptor, ligand), (ligand, receptor))]
    best = min(both, key=_failures)
    return sentence(env.complex, best).partition(": ")[2]


def _failures(found: Explanation) -> tuple[bool, int]:
    return bool(found.why_not), sum(not check.holds for check in found.checks)


def _receptor_atoms(complex_: Complex, bond: Bond, number: str, chain: str) -> list[Atom]:
    structure, mask = complex_.models[0].structure, complex_.ligand_masks[0]
    found = []
    for residue, name in enumerate(structure.residue_names):
        at = f"{structure.residue_numbers[residue]}{structure.insertion_codes[residue]}".upper()
        if ALIASES.get(name, name) == bond.residue and at == number.upper():
            if chain and structure.chains[residue] != chain:
                continue
            found += [
                (0, a)
                for a in structure.residue_atoms[residue]
                if not mask[a] and structure.atom_names[a].upper() == bond.atom
            ]
    return found


def _ligand_atoms(complex_: Complex, name: str) -> list[Atom]:
    model = len(complex_.models) - 1
    structure, mask = complex_.models[model].structure, complex_.ligand_masks[model]
    return [(model, a) for a in range(len(structure)) if mask[a] and structure.atom_names[a].upper() == name]
