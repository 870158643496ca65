"""Who donates and who accepts: the schemes of the criteria in use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interactions.chemistry.elements import SYMBOLS
from interactions.environment import Atom, Environment
from interactions.errors import InputError, UnknownName

Role = Callable[[Environment, Atom], bool]


def elements(symbols: tuple[str, ...]) -> Role:
    """Atoms of these elements."""
    wanted = frozenset(symbols)
    return lambda env, atom: SYMBOLS[env.element(atom)] in wanted


def types(names: tuple[str, ...]) -> Role:
    """Atoms that are, or may be, of these IDATM types."""
    wanted = frozenset(names)
    return lambda env, atom: not wanted.isdisjoint(env.kinds(atom))


def smarts(patterns: tuple[str, ...]) -> Role:
    """Atoms that RDKit matches with the first atom of a pattern."""
    from interactions.chemistry.smarts import matches

    return lambda env, atom: matches(
        env.models[atom[0]], atom[1], patterns[0], env.ligand_chemistry if env.is_ligand(atom) else None
    )


def openbabel(_: tuple[str, ...]) -> Role:
    """Acceptors by Open Babel's rules as PLIP uses them: lone pairs of O and N and of negative S; no aromatic and no
    ester oxygen between two carbons, no planar nitrogen of three bonds, no ammonium, no fluorine."""
    return _openbabel_accepts


def _openbabel_accepts(env: Environment, atom: Atom) -> bool:
    element, kind = env.element(atom), env.kind(atom)
    heavy = env.heavy(atom)
    if element == 8:
        if kind in ("Oar", "Oar+"):
            return False
        carbons = [b for b in heavy if env.element(b) == 6]
        return not (len(carbons) == 2 and any(env.kind(b) in ("C2", "Car", "Cac") for b in carbons))
    if element == 7:
        return kind in ("N2", "N1", "N3") or (kind == "Npl" and len(env.models[atom[0]].neighbours[atom[1]]) < 3)
    return kind == "S3-"


SCHEMES: dict[str, Callable[[tuple[str, ...]], Role]] = {
    "elements": elements,
    "types": types,
    "smarts": smarts,
    "openbabel": openbabel,
}


def role(table: Mapping[str, Any]) -> Role:
    """A role from its table, as ``{scheme = "types", of = ["O2"], except = ["GLN OE1"]}``.

    ``except`` names atoms of residues that the scheme would take and the tool does not.
    Raises UnknownName for a scheme, InputError for a table without one.
    """
    if not isinstance(table, Mapping) or "scheme" not in table:
        raise InputError(f"a role needs a scheme, got {table!r}", code="bad_criteria")
    if table["scheme"] not in SCHEMES:
        raise UnknownName("scheme", str(table["scheme"]), SCHEMES)
    of = table.get("of", ())
    takes = SCHEMES[table["scheme"]](tuple([of] if isinstance(of, str) else of))
    without = frozenset(table.get("except", ()))
    if not without:
        return takes
    return lambda env, atom: takes(env, atom) and f"{env.residue_name(atom)} {env.atom_name(atom)}" not in without
