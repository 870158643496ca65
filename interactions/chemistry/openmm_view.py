"""What OpenMM is shown of a structure: Modeller.addHydrogens goes by names, so names tell it what to leave alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interactions.chemistry.openmm_withheld import (
    AMINO,
    HAS_ITS_HYDROGEN,
    NUCLEIC,
    SPOKEN,
    Facts,
    facts_of,
    given,
    is_head,
    is_tail,
    repeats,
    selector,
    standard_name,
    withheld,
)
from interactions.ligands import is_solvent
from interactions.structure import Structure

KEPT = "KEPT"  # a residue name that OpenMM adds nothing to
_BY_FREE_NITROGENS: dict[tuple[bool, bool], str | None] = {  # ND1, NE2; both free: OpenMM chooses
    (True, False): "HID",
    (False, True): "HIE",
    (False, False): "HIN",
}


@dataclass(frozen=True)
class Shown:
    """One residue as OpenMM sees it.

    ``names`` are those of its atoms, "" where one is to get no hydrogen. ``opens`` and ``closes``: a stretch of linked
    residues starts or ends here; ``head`` and ``tail``: and this is the chain's end, not a break.
    """

    name: str
    variant: str | None
    atoms: tuple[int, ...]
    names: tuple[str, ...]
    opens: bool
    closes: bool
    head: bool
    tail: bool


@dataclass(frozen=True)
class View:
    """All residues as shown; what is left alone and why; residues that get an ammonium or hydroxyl as chain ends."""

    shown: tuple[Shown, ...]
    left_alone: tuple[str, ...]
    chain_ends: tuple[str, ...]


def view_of(structure: Structure) -> View:
    """The structure as OpenMM is to see it, in the order of its residues."""
    facts = facts_of(structure)
    residues = range(len(structure.residue_names))
    reasons = [withheld(facts, r) if standard_name(structure, r) else {} for r in residues]
    return View(
        shown=tuple(_shown(facts, r, frozenset(reasons[r])) for r in residues),
        left_alone=tuple(_left_alone(facts, reasons)),
        chain_ends=tuple(selector(structure, r) for r in residues if is_head(facts, r) or _ends_in_hydroxyl(facts, r)),
    )


def _ends_in_hydroxyl(facts: Facts, residue: int) -> bool:
    return standard_name(facts.structure, residue) in NUCLEIC and is_tail(facts, residue)


def _shown(facts: Facts, residue: int, barred: frozenset[int]) -> Shown:
    structure = facts.structure
    atoms = tuple(structure.residue_atoms[residue])
    variant, ring = _variant(structure, residue, barred)
    names = tuple("" if a in barred and a not in ring else structure.atom_names[a] for a in atoms)
    return Shown(
        name=standard_name(structure, residue) or KEPT,
        variant=variant,
        atoms=atoms,
        names=names,
        opens=residue - 1 not in facts.followed,
        closes=residue not in facts.followed,
        head=is_head(facts, residue),
        tail=is_tail(facts, residue),
    )


def _variant(structure: Structure, residue: int, barred: frozenset[int]) -> tuple[str | None, frozenset[int]]:
    """The variant to insist on, and ring nitrogens that must keep their names; None: OpenMM chooses.

    OpenMM chooses for a histidine that shows both ring nitrogens, and keeps to hydrogens that are there.
    """
    name = structure.residue_names[residue]
    if standard_name(structure, residue) != "HIS":
        return (name if name in SPOKEN and standard_name(structure, residue) else None), frozenset()
    ring = {structure.atom_names[a]: a for a in structure.residue_atoms[residue]}
    nitrogens = [ring[n] for n in ("ND1", "NE2") if n in ring]
    if len(nitrogens) < 2:
        return "HIN", frozenset()
    if any(given(structure, a) for a in nitrogens):
        return None, frozenset(nitrogens)
    free = (nitrogens[0] not in barred, nitrogens[1] not in barred)
    return _BY_FREE_NITROGENS.get(free, name if name in SPOKEN else None), frozenset()


def _left_alone(facts: Facts, reasons: list[dict[int, str]]) -> Iterator[str]:
    structure = facts.structure
    for residue, name in enumerate(structure.residue_names):
        label = selector(structure, residue)
        for atom, reason in reasons[residue].items():
            if reason != HAS_ITS_HYDROGEN and not given(structure, atom):
                yield f"{label} {structure.atom_names[atom]}: {reason}"
        if _lacks_oxygen(facts, residue):
            yield f"{label}: the last of its chain, without OXT"
        if not standard_name(structure, residue) and not is_solvent(name):
            yield f"{label}: {'atom names repeat' if repeats(structure, residue) else 'no standard residue'}"
    if waters := sum(map(is_solvent, structure.residue_names)):
        yield f"{waters} waters"


def _lacks_oxygen(facts: Facts, residue: int) -> bool:
    structure = facts.structure
    names = [structure.atom_names[a] for a in structure.residue_atoms[residue]]
    return standard_name(structure, residue) in AMINO and is_tail(facts, residue) and "OXT" not in names
