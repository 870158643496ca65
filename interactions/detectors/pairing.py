"""Pairs of groups across the border of the ligand, and how a contact is made of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from interactions.contact import Contact
from interactions.criteria import Limit, Section
from interactions.environment import Environment
from interactions.features import Finder, Group, centres
from interactions.neighbours import within

Measures = dict[str, float]


def group_pairs(env: Environment, receptor: Finder, ligand: Finder, reach: float) -> Iterator[tuple[Group, Group]]:
    """Receptor and ligand group whose centres are at most ``reach`` Å apart, in order of the groups."""
    there = ligand(env, True)
    here = receptor(env, False) if there else []
    rows, columns, _ = within(centres(here), centres(there), reach)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        yield here[row], there[column]


def reach_of(section: Section, quantity: str = "distance") -> float:
    """Largest distance (Å) that any form of a section allows."""
    edges = [found.high for form in section.limits if (found := section.of(quantity, form)) is not None]
    return max(edges, default=0.0)


def accepted(limits: tuple[Limit, ...], measures: Mapping[str, float]) -> bool:
    """Whether every limit holds."""
    return all(measures[limit.quantity] in limit.within for limit in limits)


def contacts(
    kind: str, section: Section, pairs: Iterator[tuple[Group, Group]], measure: Callable[[Group, Group], Measures]
) -> Iterator[Contact]:
    """A contact for each pair and the first form whose limits it meets; forms in the profile's order."""
    for receptor, ligand in pairs:
        measures = measure(receptor, ligand)
        for form, limits in section.limits.items():
            if accepted(limits, measures):
                name = "" if form == "limits" else form
                yield Contact(kind, receptor.atoms, ligand.atoms, tuple(measures.items()), name)
                break
