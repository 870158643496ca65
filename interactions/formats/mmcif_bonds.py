"""Bonds of an mmCIF entry: connections, polymers by sequence, components by name (rule 10.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interactions.chemistry.bonds import distance_pass
from interactions.chemistry.draft import Draft
from interactions.chemistry.links import LONG_SQUARED, polymeric
from interactions.chemistry.residue_kinds import STANDARD
from interactions.chemistry.residue_templates import Template, templates

Category = dict[str, list[Any]]
_LINKS = {"amino": ("C", "N"), "nucleic": ("O3'", "P")}
_WATER: Template = {"O": ("H1", "H2"), "H1": ("O",), "H2": ("O",)}
_WATERS = frozenset({"HOH", "DOD"})


@dataclass(frozen=True)
class Labels:
    """Label identifiers of each residue."""

    entities: list[str]
    chains: list[str]
    numbers: list[str]
    components: list[str]
    author_numbers: list[str]


@dataclass(frozen=True)
class ComponentBonds:
    """Bonded atoms by name of each component: the file's own table, else the residue templates."""

    by_name: dict[str, Template]

    @classmethod
    def of(cls, category: Category) -> ComponentBonds:
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        rows = zip(*(category.get(tag, ()) for tag in ("comp_id", "atom_id_1", "atom_id_2")), strict=True)
        for component, a, b in rows:
            bonded = found.setdefault(component, {})
            bonded[a] = (*bonded.get(a, ()), b)
            bonded[b] = (*bonded.get(b, ()), a)
        return cls(found)

    def get(self, component: str) -> Template | None:
        """None where nothing is known of a component."""
        if component in self.by_name:
            return self.by_name[component]
        if component in _WATERS:
            return _WATER
        return _all_variants("HIP" if component == "HIS" else component)


def _all_variants(name: str) -> Template | None:
    """A residue template with what it has at the start, in the middle and at the end of a chain."""
    found: dict[str, tuple[str, ...]] = {}
    for where in ("mid", "start", "end"):
        for atom, bonded in templates().get(f"{name}/{where}", {}).items():
            found[atom] = tuple(dict.fromkeys((*found.get(atom, ()), *bonded)))
    return found or None


def connect(draft: Draft, labels: Labels, category: Category) -> None:
    """Covalent links and disulfides become bonds, or missing structure where long; metals coordinate."""
    if not category:
        return
    places = _places(labels)
    n = len(category["conn_type_id"])

    def column(tag: str) -> Sequence[Any]:
        return category.get(tag) or [None] * n

    ends = [
        list(zip(*(column(f"ptnr{side}_{tag}") for tag in _END), column(f"ptnr{side}_symmetry"), strict=True))
        for side in (1, 2)
    ]
    for kind, first, second, distance in zip(category["conn_type_id"], *ends, column("pdbx_dist_value"), strict=True):
        if first[-1] != second[-1]:
            continue
        atoms = [_end(draft, places, end) for end in (first, second)]
        if atoms[0] is None or atoms[1] is None or atoms[0] == atoms[1]:
            continue
        _connect(draft, str(kind).lower(), atoms[0], atoms[1], distance)


_END = ("label_asym_id", "label_seq_id", "auth_seq_id", "label_comp_id", "label_atom_id")


def _places(labels: Labels) -> dict[tuple[str, str, str], int]:
    found: dict[tuple[str, str, str], int] = {}
    for index, (chain, number, author, component) in enumerate(
        zip(labels.chains, labels.numbers, labels.author_numbers, labels.components, strict=True)
    ):
        found.setdefault((chain, number or f"author {author}", component), index)
    return found


def _end(draft: Draft, places: dict[tuple[str, str, str], int], end: Sequence[Any]) -> int | None:
    chain, number, author, component, atom = end[:5]
    index = places.get((chain, number or f"author {author}", component))
    return None if index is None or not isinstance(atom, str) else draft.find(index, atom)


def _connect(draft: Draft, kind: str, a: int, b: int, distance: Any) -> None:
    if kind == "metalc":
        draft.coordination.append((min(a, b), max(a, b)))
    elif kind.startswith("covale") or kind == "disulf":
        try:
            squared = float(distance) ** 2
        except (TypeError, ValueError):
            squared = draft.squared(a, b)
        if squared < LONG_SQUARED * draft.radii(a, b) ** 2:
            draft.bond(a, b)
        else:
            draft.missing.append((min(a, b), max(a, b)))


def bond_polymers(draft: Draft, labels: Labels, sequence: Category, components: ComponentBonds) -> None:
    """Each residue of a polymer chain to the next; over a gap by a pseudobond."""
    numbers: dict[str, list[str]] = {}
    for entity, number in zip(sequence.get("entity_id", ()), sequence.get("num", ()), strict=True):
        if number not in numbers.setdefault(entity, []):
            numbers[entity].append(number)
    chains: dict[str, dict[str, int]] = {}
    for index, (chain, number) in enumerate(zip(labels.chains, labels.numbers, strict=True)):
        if number:
            chains.setdefault(chain, {}).setdefault(number, index)
    for present in chains.values():
        entity = labels.entities[next(iter(present.values()))]
        listed = [present.get(number) for number in numbers.get(entity) or sorted(present, key=_rank)]
        before: int | None = None
        gap = False
        for residue in listed:
            if residue is not None and before is not None:
                _join(draft, before, residue, components, gap=gap)
            gap = residue is None
            before = before if residue is None else residue


def _rank(number: str) -> tuple[int, str]:
    return (int(number), "") if number.lstrip("-").isdecimal() else (0, number)


def _join(draft: Draft, before: int, index: int, components: ComponentBonds, *, gap: bool) -> None:
    one, two = draft.residues[before], draft.residues[index]
    standard = one.name in STANDARD and two.name in STANDARD
    if not standard and any(draft.residue_of[b] == index for a in one.atoms for b in draft.neighbours[a]):
        return
    kind = one.kind or two.kind or ("amino" if draft.find(index, "N") is not None else "nucleic")
    names = _LINKS[kind]
    ends = [draft.find(before, names[0]), draft.find(index, names[1])]
    missing = None in ends
    if missing:
        ends = [
            _nearest_by_bonds(draft, residue, name, components)
            for residue, name in zip((before, index), names, strict=True)
        ]
    a, b = ends
    if a is None or b is None:
        return
    far = not polymeric(draft, a, b) and draft.squared(a, b) >= LONG_SQUARED * draft.radii(a, b) ** 2
    if gap or missing or far:
        draft.missing.append((min(a, b), max(a, b)))
    else:
        draft.bond(a, b)


def _nearest_by_bonds(draft: Draft, residue: int, name: str, components: ComponentBonds) -> int | None:
    """The atom itself, or the existing one that is fewest bonds away in its component."""
    template = components.get(draft.residues[residue].name) or {}
    seen, layer = {name}, [name]
    while layer:
        for candidate in layer:
            atom = draft.find(residue, candidate)
            if atom is not None:
                return atom
        layer = [other for candidate in layer for other in template.get(candidate, ()) if other not in seen]
        seen.update(layer)
    return next(iter(draft.residues[residue].atoms), None)


def bond_inside(draft: Draft, labels: Labels, components: ComponentBonds) -> None:
    """Bonds of each residue by its component, or by distance where that does not know its atoms."""
    for index, (residue, component) in enumerate(zip(draft.residues, labels.components, strict=True)):
        atoms = residue.atoms
        if len(atoms) < 2:
            continue
        template = components.get(component)
        if template is None or not all(_known(draft, a, index, template) for a in atoms):
            distance_pass(draft, atoms, set())
            continue
        for a in atoms:
            for name in template.get(draft.names[a], ()):
                other = draft.find(index, name)
                if other is not None:
                    draft.bond(a, other)


def _known(draft: Draft, atom: int, residue: int, template: Template) -> bool:
    """Whether the component lists an atom, or a connection has bonded it inside its residue."""
    return draft.names[atom] in template or any(draft.residue_of[b] == residue for b in draft.neighbours[atom])
