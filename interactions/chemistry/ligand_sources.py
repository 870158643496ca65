"""Sketches of a ligand's bond orders: from the file, the component dictionary, or geometry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from interactions.chemistry.bond_radii import BOND_RADII
from interactions.chemistry.components import Component, ComponentIndex, is_placeholder
from interactions.chemistry.ligand_frame import Frame
from interactions.chemistry.ligand_orders import Order, Sketch
from interactions.chemistry.rings import rings
from interactions.chemistry.typed_valences import LINEAR, typed
from interactions.chemistry.valences import PHOSPHORS, SULFURS, Table, closed, delocalised, unfilled
from interactions.errors import ChemistryError

Atom = TypeVar("Atom", int, str)

_WORDS: dict[str, Order] = {"1": 1, "2": 2, "3": 3, "ar": None, "am": 1, "9": 0}
_STRETCHED = 1.5  # a bond this many times longer than the sum of radii joins the wrong atoms


def from_file(frame: Frame) -> Sketch:
    """The orders of a mol2 or SDF file; formal charges of an SDF file count where the valence leaves them open.

    Raises ChemistryError (code ``bond_order``) naming the atoms of a bond whose order is unknown or a query.
    """
    kept = [(bond, word) for bond, word in zip(frame.bonds, frame.words, strict=True) if word != "nc"]
    orders = [_order(frame, bond, word) for bond, word in kept]
    bonds = [bond for bond, _ in kept]
    charges = [int(frame.structure.formal_charges[a]) for a in frame.atoms]
    unsure = {end for bond, order in zip(bonds, orders, strict=True) if order is None for end in bond}
    tables: dict[int, Table | None] = {}
    degrees = _degrees(frame, bonds, orders)
    for atom, element in enumerate(frame.elements):
        if _may_lack(frame, element):
            given = (element, degrees[atom])
            tables[atom] = delocalised(*given) if atom in unsure else unfilled(*given, charges[atom])
    return Sketch(tuple(bonds), tuple(orders), tuple(charges), (0,) * len(charges), tables, limits_of(frame, bonds))


def _order(frame: Frame, bond: tuple[int, int], word: str) -> Order:
    if frame.metallic(bond) or not word:
        return 0
    if word not in _WORDS:
        raise ChemistryError(
            f"{frame.who(bond[0])}: its bond to {frame.names[bond[1]]} has the order {word!r}, "
            "expected 1, 2, 3 or aromatic",
            code="bond_order",
        )
    return _WORDS[word]


def _may_lack(frame: Frame, element: int) -> bool:
    """Whether the file leaves out hydrogens of such an atom."""
    return element > 1 and (frame.hydrogens == "none" or (frame.hydrogens == "polar" and element == 6))


def _degrees(frame: Frame, bonds: Sequence[tuple[int, int]], orders: Sequence[Order]) -> list[int]:
    degrees = list(frame.outside)
    for bond, order in zip(bonds, orders, strict=True):
        for end in bond:
            degrees[end] += order != 0
    return degrees


def limits_of(frame: Frame, bonds: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Only between atoms of at most two neighbours may there be a triple bond."""
    degrees = _degrees(frame, bonds, [1] * len(bonds))
    return tuple(2 if all(degrees[end] <= 2 and frame.elements[end] in (6, 7) for end in bond) else 1 for bond in bonds)


def from_components(frame: Frame, index: ComponentIndex) -> Sketch | str:
    """The dictionary's orders where every residue's name and heavy atoms match; else what does not.

    Missing leaving atoms are tolerated. Hydrogens that the file lacks are the dictionary's, one less for each
    bond to another residue.
    """
    residues: dict[int, list[int]] = {}
    for atom, index_ in enumerate(frame.atoms):
        residues.setdefault(int(frame.structure.residue_of[index_]), []).append(atom)
    orders: dict[tuple[int, int], Order] = {}
    lacking = [0] * len(frame.atoms)
    charges = [0] * len(frame.atoms)
    links = list(frame.outside)
    home = [int(frame.structure.residue_of[a]) for a in frame.atoms]
    for bond in frame.bonds:
        if home[bond[0]] != home[bond[1]] or 1 in (frame.elements[bond[0]], frame.elements[bond[1]]):
            orders[bond] = 0 if frame.metallic(bond) else 1
        if home[bond[0]] != home[bond[1]] and not frame.metallic(bond):
            links[bond[0]] += 1
            links[bond[1]] += 1
    for residue, atoms in residues.items():
        name = frame.structure.residue_names[residue]
        component = None if is_placeholder(name) else index.get(name)
        if component is None:
            why = "a placeholder" if is_placeholder(name) else "not in the component dictionary"
            return f"the residue name {name!r} is {why}"
        problem = _mismatch(frame, component, atoms)
        if problem:
            return f"component {name} of the dictionary is another molecule: {problem}"
        _take(frame, component, atoms, (orders, lacking, charges, links))
    bonds = tuple(orders)
    return Sketch(bonds, tuple(orders.values()), tuple(charges), tuple(lacking), {}, limits_of(frame, bonds), True)


def _heavy(frame: Frame, atoms: Sequence[int]) -> dict[str, int]:
    return {frame.names[a]: a for a in atoms if frame.elements[a] > 1}


def _mismatch(frame: Frame, component: Component, atoms: Sequence[int]) -> str:
    known = {name: element for name, element in zip(component.names, component.elements, strict=True) if element > 1}
    counts = Counter(frame.names[a] for a in atoms if frame.elements[a] > 1)
    here = _heavy(frame, atoms)
    extra = [name for name, a in here.items() if known.get(name) != frame.elements[a] or counts[name] > 1]
    if extra:
        return f"it has no such atom as {', '.join(extra[:5])}"
    stays = {name for name, leaves in zip(component.names, component.leaving, strict=True) if not leaves}
    if lost := [name for name in known if name not in here and name in stays]:
        return f"the file has no {', '.join(lost[:5])}"
    for a, b, _, _ in component.bonds:
        pair = [here.get(component.names[end]) for end in (a, b)]
        if pair[0] is not None and pair[1] is not None:
            bond = (pair[0], pair[1])
            reach = _STRETCHED * sum(BOND_RADII[frame.elements[end]] for end in bond)
            if not frame.metallic(bond) and frame.length(bond) > reach:
                return f"{frame.names[bond[0]]} and {frame.names[bond[1]]} are {frame.length(bond):.2f} Å apart"
    return ""


def _take(
    frame: Frame,
    component: Component,
    atoms: Sequence[int],
    into: tuple[dict[tuple[int, int], Order], list[int], list[int], list[int]],
) -> None:
    """Copy a component's orders, charges and missing hydrogens."""
    orders, lacking, charges, links = into
    here = _heavy(frame, atoms)
    elements = dict(zip(component.names, component.elements, strict=True))
    hydrogens: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    for a, b, order, _ in component.bonds:
        one, two = component.names[a], component.names[b]
        if one in here and two in here:
            bond = (here[one], here[two])
            orders[bond] = 0 if frame.metallic(bond) else order
        for end, other, element in ((one, two, component.elements[b]), (two, one, component.elements[a])):
            if end in here and other not in here:
                hydrogens[end] += element == 1
                gone[end] += element > 1
    acidic = acidic_atoms(
        [(component.names[a], component.names[b], order) for a, b, order, _ in component.bonds], elements
    )
    stated = dict(zip(component.names, component.charges, strict=True))
    for name, atom in here.items():
        charges[atom] = stated[name]
        wanted = hydrogens[name] + gone[name] - links[atom]
        if filled(frame, frame.elements[atom], name in acidic):
            lacking[atom] = max(0, wanted - frame.hydrogen_counts[atom])


def filled(frame: Frame, element: int, acidic: bool) -> bool:
    """Whether hydrogens that a known molecule has and the file lacks are added; else it is deprotonated there."""
    return frame.hydrogens == "none" or element in (6, 7) or (element == 8 and not acidic)


def acidic_atoms(bonds: Iterable[tuple[Atom, Atom, int]], elements: Mapping[Atom, int]) -> set[Atom]:
    """Atoms bonded to a centre that has a double bond to O, S or N."""
    bonds = list(bonds)
    centres = {
        one
        for a, b, order in bonds
        for one, other in ((a, b), (b, a))
        if order == 2 and elements[other] in (7, 8, *SULFURS)
    }
    return {one for a, b, _ in bonds for one, other in ((a, b), (b, a)) if other in centres}


def from_geometry(frame: Frame, types: Sequence[str]) -> Sketch:
    """Orders to be found from hydrogens where the file has them, else from the IDATM types of the ligand's atoms."""
    degrees = _degrees(frame, frame.bonds, [0 if frame.metallic(bond) else 1 for bond in frame.bonds])
    tables: dict[int, Table | None] = {}
    in_ring = _ring_atoms(frame)
    for atom, element in enumerate(frame.elements):
        if _may_lack(frame, element):
            tables[atom] = typed(types[atom], element, degrees[atom], atom in in_ring)
        else:
            tables[atom] = closed(element, degrees[atom])
    orders = [_guess(frame, bond, tables, degrees) for bond in frame.bonds]
    limits = limits_of(frame, frame.bonds)
    if frame.hydrogens == "none":
        limits = tuple(2 if all(types[end] in LINEAR for end in bond) else 1 for bond in frame.bonds)
    n = len(frame.atoms)
    return Sketch(frame.bonds, tuple(orders), (0,) * n, (0,) * n, tables, limits)


def _ring_atoms(frame: Frame) -> set[int]:
    graph: list[list[int]] = [[] for _ in frame.atoms]
    for bond in frame.bonds:
        if not frame.metallic(bond):
            graph[bond[0]].append(bond[1])
            graph[bond[1]].append(bond[0])
    return {atom for ring in rings(tuple(map(tuple, graph))) for atom in ring}


def _guess(frame: Frame, bond: tuple[int, int], tables: dict[int, Table | None], degrees: Sequence[int]) -> Order:
    if frame.metallic(bond):
        return 0
    for end in bond:
        table = tables[end]
        if table is not None and max(table, default=0) <= degrees[end]:
            return 1
    elements = [frame.elements[end] for end in bond]
    sulfurs = [end for end in bond if frame.elements[end] in SULFURS | PHOSPHORS and degrees[end] > 2]
    return 1 if sulfurs and 6 in elements else None  # a sulfone's double bonds are to its oxygens
