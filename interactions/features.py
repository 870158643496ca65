"""Groups of atoms that contacts join: charges, rings, hydrophobic atoms, halogens, metals, waters; by IDATM types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps

import numpy as np

from interactions.chemistry.aromatic import is_aromatic
from interactions.chemistry.bond_radii import METALS
from interactions.chemistry.rings import Ring
from interactions.environment import Atom, Environment
from interactions.points import Point, add, cross, mean, sub, unit
from interactions.surroundings import Surroundings

CARBON, NITROGEN, OXYGEN, PHOSPHORUS, SULFUR = 6, 7, 8, 15, 16
HALOGENS = frozenset({17, 35, 53})
_ANION_CENTRES = {"Cac": ("carboxylate", "O2-"), "Pac": ("phosphate", "O3-"), "Sac": ("sulfate", "O3-")}


@dataclass(frozen=True)
class Group:
    """Atoms that act as one: ``centre`` (Å), of rings also the unit ``normal``."""

    kind: str
    atoms: tuple[Atom, ...]
    centre: Point
    normal: Point | None = None


Finder = Callable[[Environment, bool], list[Group]]


def remembered(find: Finder) -> Finder:
    """Each side of a complex is searched once."""

    @wraps(find)
    def wrapper(env: Environment, ligand: bool) -> list[Group]:
        key = (find.__name__, ligand)
        if key not in env.memo:
            env.memo[key] = find(env, ligand)
        found: list[Group] = env.memo[key]
        return found

    return wrapper


@remembered
def cations(env: Environment, ligand: bool) -> list[Group]:
    """Ammonium, amidinium, guanidinium, imidazolium, sulfonium; kind ``histidine`` where its state is not told."""
    return list(_each(env, ligand, _cations_at))


@remembered
def anions(env: Environment, ligand: bool) -> list[Group]:
    """Carboxylate, phosphate, sulfate and sulfonate, oxide, thiolate."""
    return list(_each(env, ligand, _anions_at))


def _each(
    env: Environment, ligand: bool, at_atom: Callable[[Environment, Atom], Iterator[tuple[str, list[Atom], list[Atom]]]]
) -> Iterator[Group]:
    for atom in env.atoms[ligand]:
        for kind, atoms, middle in at_atom(env, atom):
            if all(env.is_ligand(a) == ligand for a in atoms):
                yield Group(kind, tuple(atoms), mean([env.place(a) for a in middle]))


def _cations_at(env: Environment, atom: Atom) -> Iterator[tuple[str, list[Atom], list[Atom]]]:
    kind = env.kind(atom)
    if kind == "N3+":
        yield "ammonium", [atom], [atom]
    elif kind == "S3+":
        yield "sulfonium", [atom], [atom]
    elif kind == "N2+" and len(env.heavy(atom)) == 3:
        yield "pyridinium", [atom], [atom]
    elif kind == "C2":
        charged = [b for b in env.heavy(atom) if env.kind(b) == "Ng+"]
        if len(charged) > 1:
            yield "guanidinium" if len(charged) == 3 else "amidinium", charged, charged
    if env.element(atom) == CARBON and env.residue_name(atom) in _HISTIDINES and env.atom_name(atom) == "CE1":
        yield from _histidine(env, atom)


_HISTIDINES = frozenset("HIS HIP HID HIE HSD HSE HSP".split())


def _histidine(env: Environment, atom: Atom) -> Iterator[tuple[str, list[Atom], list[Atom]]]:
    """Charged with both ring hydrogens; with none its state is not told; with one neutral."""
    nitrogens = [b for b in env.heavy(atom) if env.element(b) == NITROGEN]
    given = sum(bool(env.hydrogens(n).given) for n in nitrogens)
    name = env.residue_name(atom)
    if len(nitrogens) == 2 and (given == 2 or name in ("HIP", "HSP")):
        yield "imidazolium", nitrogens, nitrogens
    elif len(nitrogens) == 2 and given == 0 and name == "HIS":
        yield "histidine", nitrogens, nitrogens


def _anions_at(env: Environment, atom: Atom) -> Iterator[tuple[str, list[Atom], list[Atom]]]:
    kind = env.kind(atom)
    if kind in _ANION_CENTRES:
        name, oxide = _ANION_CENTRES[kind]
        oxygens = [b for b in env.heavy(atom) if env.kind(b) == oxide]
        if oxygens:
            yield name, oxygens, oxygens if kind == "Cac" else [atom]
    elif kind in ("O3-", "S3-") and not any(env.kind(b) in _ANION_CENTRES for b in env.heavy(atom)):
        yield "oxide" if kind == "O3-" else "thiolate", [atom], [atom]


@remembered
def aromatic_rings(env: Environment, ligand: bool) -> list[Group]:
    """Planar five- and six-membered rings; those of carbon alone only if aromatic by type."""
    found: dict[tuple[Atom, ...], Group] = {}
    for model, residue in dict.fromkeys(env.residue(atom) for atom in env.atoms[ligand]):
        at = env.models[model]
        for ring in at.residue_rings(residue):
            atoms = tuple((model, a) for a in sorted(ring))
            if is_aromatic(at, ring) and env.is_ligand(atoms[0]) == ligand:
                found[atoms] = _ring_group(at, model, ring)
    return [found[atoms] for atoms in sorted(found)]


def _ring_group(at: Surroundings, model: int, ring: Ring) -> Group:
    points = [at.places[a] for a in ring]
    return Group("ring", tuple((model, a) for a in sorted(ring)), mean(points), plane_normal(points))


def plane_normal(points: list[Point]) -> Point:
    """Unit normal of points in ring order; which of the two is by that order."""
    middle = mean(points)
    total = (0.0, 0.0, 0.0)
    for p, q in zip(points, [*points[1:], points[0]], strict=True):
        total = add(total, cross(sub(p, middle), sub(q, middle)))
    return unit(total)


@remembered
def hydrophobic_atoms(env: Environment, ligand: bool) -> list[Group]:
    """Carbons bonded to carbon and hydrogen alone."""
    return [
        _single("hydrophobic", env, atom)
        for atom in env.atoms[ligand]
        if env.element(atom) == CARBON and all(env.element(b) == CARBON for b in env.heavy(atom))
    ]


@remembered
def halogens(env: Environment, ligand: bool) -> list[Group]:
    """Cl, Br and I on carbon."""
    return [
        _single("halogen", env, atom)
        for atom in env.atoms[ligand]
        if env.element(atom) in HALOGENS and [env.element(b) for b in env.heavy(atom)] == [CARBON]
    ]


@remembered
def metals(env: Environment, ligand: bool) -> list[Group]:
    """Metal atoms, alone or in a component."""
    return [_single("metal", env, atom) for atom in env.atoms[ligand] if env.element(atom) in METALS]


@remembered
def waters(env: Environment, ligand: bool) -> list[Group]:
    """Oxygens of water (never the ligand's)."""
    if ligand:
        return []
    return [
        _single("water", env, atom) for atom in env.atoms[False] if env.element(atom) == OXYGEN and env.is_solvent(atom)
    ]


def _single(kind: str, env: Environment, atom: Atom) -> Group:
    return Group(kind, (atom,), env.place(atom))


def centres(groups: list[Group]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Centres of groups, shape (n, 3)."""
    return np.array([group.centre for group in groups]).reshape(-1, 3)
