"""Records of what detectors find: plain Python values, Å and degrees."""

from __future__ import annotations

from dataclasses import dataclass

Atom = tuple[int, int]  # model, index


@dataclass(frozen=True)
class HydrogenBond:
    """One bond; ``hydrogen`` is the donor's explicit one nearest to the acceptor.

    ``strict``: whether it holds unrelaxed; None in criteria without relaxation. ``source``: where the hydrogens come
    from that it rests on (given, placed, rotor, free, unknown, none). ``both_ways``: the pair also passes with donor
    and acceptor exchanged.
    """

    donor: Atom
    acceptor: Atom
    hydrogen: int | None
    distance_da: float
    distance_ha: float | None
    angle_dha: float | None
    strict: bool | None
    source: str = "given"
    both_ways: bool = False


@dataclass(frozen=True)
class Contact:
    """One contact: the atoms of both sides, what was measured, the form (as ``parallel``) and what lies between."""

    kind: str
    receptor: tuple[Atom, ...]
    ligand: tuple[Atom, ...]
    measures: tuple[tuple[str, float], ...]
    form: str = ""
    via: tuple[Atom, ...] = ()
