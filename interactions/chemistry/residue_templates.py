"""Residue templates: which atoms of a known residue are bonded, by name (chimerax rule 10.5 C2)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files

import numpy as np

from interactions.chemistry.residue_kinds import LINK_ATOMS
from interactions.structure import Ints

Template = dict[str, tuple[str, ...]]

NO_TEMPLATE = frozenset({"HOH", "MSE", "UNK"})


@dataclass(frozen=True)
class Plan:
    """Bonds inside a residue by template, as places in it, in order; atoms not listed, or left without a bond."""

    bonds: Ints  # (b, 2), ascending pairs
    neighbours: tuple[tuple[int, ...], ...]
    unlisted: tuple[int, ...]
    alone: tuple[int, ...]


class Names:
    """The atom names of a residue, and what follows from them for all residues that have the same."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.first = {
            name: place for place, name in reversed(list(enumerate(names)))
        }  # place of each name's first atom
        self._plans: dict[tuple[str, str], Plan | None] = {}

    @cached_property
    def ends(self) -> dict[str, tuple[int, int] | None]:
        """Places of the first and the last of the atoms that link residues, by kind; None where there is none."""
        found = {kind: [self.first[name] for name in links if name in self.first] for kind, links in LINK_ATOMS.items()}
        return {kind: (places[0], places[-1]) if places else None for kind, places in found.items()}

    def plan(self, residue: str, where: str) -> Plan | None:
        """Plan of a residue none of whose atoms is bonded yet; None where it has no template."""
        key = residue, where
        if key not in self._plans:
            template = template_of(residue, where)
            self._plans[key] = None if template is None else _plan(self.names, self.first, template)
        return self._plans[key]


names_of = lru_cache(maxsize=65536)(Names)


def _plan(names: tuple[str, ...], first: dict[str, int], template: Template) -> Plan:
    bonds: dict[tuple[int, int], None] = {}
    for place, name in enumerate(names):
        for other in template.get(name, ()):
            if other in first and first[other] != place:
                bonds[min(place, first[other]), max(place, first[other])] = None
    neighbours: list[list[int]] = [[] for _ in names]
    for a, b in bonds:
        neighbours[a].append(b)
        neighbours[b].append(a)
    return Plan(
        bonds=np.array(list(bonds), dtype=np.int64).reshape(-1, 2),
        neighbours=tuple(map(tuple, neighbours)),
        unlisted=tuple(place for place, name in enumerate(names) if name not in template),
        alone=tuple(place for place, bonded in enumerate(neighbours) if not bonded),
    )


@cache
def templates() -> dict[str, Template]:
    """Neighbour names of each atom by template, ``NAME/mid`` and so on."""
    table = json.loads((files("interactions.chemistry") / "residue_templates.json").read_text("utf-8"))
    found: dict[str, Template] = {}
    for name, entry in table.items():
        neighbours: dict[str, list[str]] = {atom: [] for atom in entry["atoms"]}
        for a, b in entry["bonds"]:
            neighbours[a].append(b)
            neighbours[b].append(a)
        found[name] = {atom: tuple(bonded) for atom, bonded in neighbours.items()}
    for name, base, add, to in (("ASH", "ASP", "HD2", "OD2"), ("GLH", "GLU", "HE2", "OE2")):
        if f"{base}/mid" in found and f"{name}/mid" not in found:
            variant = dict(found[f"{base}/mid"])
            variant[to] = (*variant[to], add)
            variant[add] = (to,)
            found[f"{name}/mid"] = variant
    if "LYS/mid" in found and "LYN/mid" not in found:
        variant = {a: tuple(b for b in bonded if b != "HZ1") for a, bonded in found["LYS/mid"].items() if a != "HZ1"}
        found["LYN/mid"] = variant
    return found


def template_of(name: str, where: str) -> Template | None:
    """Template of a residue name at ``start``, ``mid`` or ``end``; mid where the variant is missing."""
    if name in NO_TEMPLATE:
        return None
    name = "HIP" if name == "HIS" else name
    known = templates()
    return known.get(f"{name}/{where}") or known.get(f"{name}/mid")
