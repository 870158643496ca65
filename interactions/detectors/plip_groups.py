"""Charged groups as PLIP counts them: by residue name in the receptor, by pattern of heavy atoms in the ligand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from interactions.chemistry.typing_tables import TETRAHEDRAL
from interactions.environment import Atom, Environment
from interactions.features import CARBON, NITROGEN, OXYGEN, PHOSPHORUS, SULFUR, Group, remembered
from interactions.points import mean

# Residue -> its charged side-chain atoms; PLIP takes every histidine for charged.
_CATIONS = {"ARG": ("NE", "NH1", "NH2"), "HIS": ("ND1", "NE2"), "LYS": ("NZ",)}
_ANIONS = {"ASP": ("OD1", "OD2"), "GLU": ("OE1", "OE2")}


@remembered
def plip_cations(env: Environment, ligand: bool) -> list[Group]:
    """Arginine, histidine, lysine; guanidine, tertiary and quaternary amine, sulfonium of the ligand."""
    return list(_of_ligand(env, _ligand_cation) if ligand else _of_residues(env, _CATIONS))


@remembered
def plip_anions(env: Environment, ligand: bool) -> list[Group]:
    """Aspartate, glutamate; carboxylate, phosphate, sulfate, sulfonate of the ligand."""
    return list(_of_ligand(env, _ligand_anion) if ligand else _of_residues(env, _ANIONS))


def _of_residues(env: Environment, names: Mapping[str, tuple[str, ...]]) -> Iterator[Group]:
    found: dict[tuple[int, int], list[Atom]] = {}
    for atom in env.atoms[False]:
        if env.atom_name(atom) in names.get(env.residue_name(atom), ()):
            found.setdefault(env.residue(atom), []).append(atom)
    for atoms in found.values():
        yield Group(env.residue_name(atoms[0]), tuple(atoms), mean([env.place(a) for a in atoms]))


def _of_ligand(env: Environment, find: Callable[[Environment, Atom, list[Atom]], Group | None]) -> Iterator[Group]:
    for atom in env.atoms[True]:
        group = find(env, atom, env.heavy(atom))
        if group is not None:
            yield group


def _ligand_cation(env: Environment, atom: Atom, bonded: list[Atom]) -> Group | None:
    element = env.element(atom)
    if element == NITROGEN and (len(bonded) == 4 or (len(bonded) == 3 and env.kind(atom) in TETRAHEDRAL)):
        return Group("amine", (atom,), env.place(atom))
    if element == SULFUR and len(bonded) == 3 and all(env.element(b) == CARBON for b in bonded):
        return Group("sulfonium", (atom,), env.place(atom))
    nitrogens = element == CARBON and [env.element(b) for b in bonded] == [NITROGEN] * 3
    if nitrogens and min(len(env.heavy(b)) for b in bonded) == 1:
        return Group("guanidine", tuple(bonded), env.place(atom))
    return None


def _ligand_anion(env: Environment, atom: Atom, bonded: list[Atom]) -> Group | None:
    element, count = env.element(atom), Counter(env.element(b) for b in bonded)
    oxygens = tuple(b for b in bonded if env.element(b) == OXYGEN)
    if element == CARBON and count == {OXYGEN: 2, CARBON: 1}:
        return Group("carboxylate", oxygens, mean([env.place(b) for b in oxygens]))
    if element == PHOSPHORUS and set(count) == {OXYGEN}:
        return Group("phosphate", oxygens, env.place(atom))
    if element == SULFUR and count[OXYGEN] in (3, 4):
        return Group("sulfonate" if count[OXYGEN] == 3 else "sulfate", oxygens, env.place(atom))
    return None
