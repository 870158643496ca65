"""IDATM atom types (Meng & Lewis 1991) of every atom, by ChimeraX's passes.

Types come from residue templates where these apply, else from bonded atoms, lengths and angles. Lengths in
the passes are Å, angles degrees; each stands beside its rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import acos, degrees, dist

from interactions.chemistry.residue_kinds import LINK_ATOMS, kind_of
from interactions.chemistry.ring_systems import type_ring_systems
from interactions.chemistry.typing_passes import late_passes
from interactions.chemistry.typing_state import Typing
from interactions.chemistry.typing_tables import NUCLEOTIDES, TEMPLATED, TYPE_INFO, template_types
from interactions.structure import Structure, of

_SULFIDE_METALS = 3
_BACKBONE = {"amino": frozenset(("N", "CA", "C")), "nucleic": frozenset(LINK_ATOMS["nucleic"])}


def idatm_types(structure: Structure) -> tuple[str, ...]:
    """IDATM type of each atom, length n; the element symbol where no rule gives a type."""
    state = Typing.of(structure)
    if len(structure.bonds) - len(structure) > 100 and len(structure.bonds) > 1.25 * len(structure):
        return tuple(state.types)
    _apply_templates(state, structure)
    _type_hydrogens(state)
    if state.untyped:
        _by_bond_count(state)
        _terminal(state)
        _redo(state)
        _deprotonated(state)
        frozen, aromatic = type_ring_systems(state)
        late_passes(state, frozen, aromatic)
        _sulfides(state, structure)
    return tuple(state.types)


def has_full_valence(structure: Structure) -> list[bool]:
    """For each atom whether its type expects as many bonds as it has directions, Npl and N2+ aside."""
    kinds = (TYPE_INFO.get(kind) if kind not in ("Npl", "N2+") else None for kind in idatm_types(structure))
    return [info is not None and info[1] == info[2] for info in kinds]


def _apply_templates(state: Typing, structure: Structure) -> None:
    crossing = _links_between_residues(state, structure)
    elements = tuple(state.elements)
    for residue, atoms in enumerate(structure.residue_atoms):
        name = structure.residue_names[residue]
        links = crossing.get(residue, ())
        found = None
        if name in TEMPLATED and not (links and _blocked(state, structure, residue, links)):
            bonded_n = any(state.names[a] == "N" for a, _ in links)
            found = template_types(name, of(state.names, atoms), of(elements, atoms), bonded_n)
        if found is None:
            state.untemplated.append(residue)
            for a in atoms:
                (state.untyped if state.elements[a] > 1 else state.free_hydrogens).append(a)
            continue
        state.set_types(atoms, found.types)
        for place in found.hydrogens:
            a = atoms[place]
            state.types[a] = "HC" if state.on_carbon[a] else "H"
        state.untyped.extend(atoms[place] for place in found.unlisted)


def _links_between_residues(state: Typing, structure: Structure) -> dict[int, list[tuple[int, int]]]:
    """Bonds to other residues, by residue: its own atom first."""
    home = structure.residue_of[structure.bonds]
    found: dict[int, list[tuple[int, int]]] = {}
    for a, b in structure.bonds[home[:, 0] != home[:, 1]].tolist():
        found.setdefault(state.home[a], []).append((a, b))
        found.setdefault(state.home[b], []).append((b, a))
    return found


def _blocked(state: Typing, structure: Structure, residue: int, links: Sequence[tuple[int, int]]) -> bool:
    """Whether a polymer residue is bonded to another through an atom outside its backbone."""
    backbone = _BACKBONE["nucleic" if structure.residue_names[residue] in NUCLEOTIDES else "amino"]
    outside = [(a, b) for a, b in links if state.names[a] not in backbone]
    if not outside or not any(_linked(state, structure, a, b) for a, b in links):
        return False
    return not all(_is_disulfide(state, structure, a, b) for a, b in outside)


def _is_disulfide(state: Typing, structure: Structure, a: int, b: int) -> bool:
    names = {structure.residue_names[state.home[a]], structure.residue_names[state.home[b]]}
    return state.names[a] == state.names[b] == "SG" and names <= {"CYS", "CYX"}


def _linked(state: Typing, structure: Structure, a: int, b: int) -> bool:
    ends = {state.names[a], state.names[b]}
    if ends not in ({"C", "N"}, {"O3'", "P"}):
        return False
    kinds = {kind_of(structure.residue_names[state.home[atom]]) for atom in (a, b)}
    return "" in kinds or len(kinds) == 1


def _type_hydrogens(state: Typing) -> None:
    """Pass 1, for hydrogens outside templates."""
    for a, kind in state.noted("hydrogens", _hydrogen_types):
        state.types[a] = kind


def _hydrogen_types(state: Typing) -> list[tuple[int, str]]:
    found = []
    for a in state.free_hydrogens:
        if state.elements[a] == 1:
            letter = next((x for x in state.names[a] if x.isalpha()), "H").upper()
            found.append((a, ("D" if letter == "D" else "H") + ("C" if state.on_carbon[a] else "")))
    return found


def _angle(state: Typing, a: int, center: int, b: int) -> float:
    p, c, q = state.places[a], state.places[center], state.places[b]
    size = dist(p, c) * dist(q, c)
    if size == 0:
        return 0.0
    x, y, z = c
    cosine = ((p[0] - x) * (q[0] - x) + (p[1] - y) * (q[1] - y) + (p[2] - z) * (q[2] - z)) / size
    return degrees(acos(max(-1.0, min(1.0, cosine))))


def _by_bond_count(state: Typing) -> None:
    """Pass 2."""
    for a in state.untyped:
        if state.elements[a] not in (6, 7, 8, 15, 16):
            continue
        count = len(state.neighbours[a])
        if count == 4:
            _four_bonds(state, a)
        elif count == 3:
            _three_bonds(state, a)
        elif count == 2:
            _two_bonds(state, a)


def _free_oxygens(state: Typing, a: int) -> int:
    return sum(state.elements[b] == 8 and state.heavy[b] == 1 for b in state.neighbours[a])


def _four_bonds(state: Typing, a: int) -> None:
    element = state.elements[a]
    if element in (6, 7):
        state.types[a] = "C3" if element == 6 else "N3+"
    elif element in (15, 16):
        free = _free_oxygens(state, a)
        if element == 15:
            state.types[a] = "Pac" if free >= 2 else "Pox" if free == 1 else "P3+"
        elif free:
            state.types[a] = "Sac" if free >= 3 else "Son"


def _three_bonds(state: Typing, a: int) -> None:
    element, (b, c, d) = state.elements[a], state.neighbours[a]
    if element == 16:
        state.types[a] = "Sxd" if any(state.elements[x] == 8 for x in (b, c, d)) else "S3+"
    if element not in (6, 7):
        return
    mean = (_angle(state, b, a, c) + _angle(state, b, a, d) + _angle(state, c, a, d)) / 3
    if element == 7:
        state.types[a] = "N3" if mean < 115 else "Ntr" if _free_oxygens(state, a) >= 2 else "Npl"
        return
    short = min(state.length(a, x) for x in (b, c, d))
    if mean < 113.5 or (mean < 116.5 and (short > 1.53 or (short > 1.42 and mean < 115))):
        state.types[a] = "C3"
        return
    ends = sum(state.elements[x] == 8 and state.terminal(x) for x in (b, c, d))
    state.types[a] = "Cac" if ends >= 2 else "C2"


def _two_bonds(state: Typing, a: int) -> None:
    element, (b, c) = state.elements[a], state.neighbours[a]
    if element in (8, 16):
        state.types[a] = "O3" if element == 8 else "S3"
        return
    if element == 15:
        return
    angle = _angle(state, b, a, c)
    if element == 6:
        if angle < 115:
            state.types[a], state.redo[a] = "C3", 1
            if angle > 113.5:
                state.ambiguous.add(a)
        elif angle < 160:
            state.types[a], state.redo[a] = "C2", 3 if angle < 122 else -1
            if angle < 116.5:
                state.ambiguous.add(a)
        else:
            state.types[a] = "C1"
    elif angle < 115:
        state.types[a], state.redo[a] = "N3", 2
    elif angle >= 160:
        state.types[a] = "N1+"
    else:
        state.types[a] = "Npl"
        _double_nitrogen(state, a)


def _double_nitrogen(state: Typing, a: int) -> None:
    for b in state.neighbours[a]:
        length = state.length(a, b)
        if state.elements[b] == 7 and length <= 1.32:
            state.types[a] = "N2"
            return
        if state.elements[b] == 6 and length <= 1.38 and state.types[b] != "Cac" and not _carbonyl(state, b):
            state.types[a] = "N2"
            if state.types[b] == "C":
                state.redo[a] = 4
            return


def _carbonyl(state: Typing, b: int) -> bool:
    if state.types[b] not in ("C2", "C"):
        return False
    reach = {8: 1.30, 16: 1.76}
    return any(state.terminal(x) and state.length(b, x) <= reach.get(state.elements[x], 0) for x in state.neighbours[b])


def _terminal(state: Typing) -> None:
    """Pass 3."""
    rules = {"C": _terminal_carbon, "N": _terminal_nitrogen, "O": _terminal_oxygen, "S": _terminal_sulfur}
    for a in state.untyped:
        if state.types[a] in rules and state.terminal(a):
            state.types[a] = rules[state.types[a]](state, a, state.neighbours[a][0])


def _terminal_carbon(state: Typing, a: int, b: int) -> str:
    length, kind, element = state.length(a, b), state.types[b], state.elements[b]
    if length <= 1.22 and kind == "C1":
        return "C1"
    if length <= 1.20 and element == 7 and len(state.neighbours[b]) < 3:
        state.types[b] = "N1+"
        return "C1"
    if kind == "N1+":
        other = [x for x in state.neighbours[b] if x != a]
        return "C1" if other and state.types[other[0]] in ("H", "D", "C3") else "C3"
    if (length <= 1.41 and element == 6) or (length <= 1.37 and element == 7):
        return "C2"
    return "C1-" if length <= 1.17 and element == 8 and state.terminal(b) else "C3"


def _terminal_nitrogen(state: Typing, a: int, b: int) -> str:
    length, kind, element = state.length(a, b), state.types[b], state.elements[b]
    if length <= 1.20 and (kind == "C1" or element == 7):
        return "N1"
    if kind == "N1+" or (length < 1.21 and element == 8):
        return "N1"
    if kind == "C1" and any(x != a and len(state.neighbours[x]) > 2 for x in state.neighbours[b]):
        return "N1"
    if (
        (length > 1.38 and kind in ("C2", "C3"))
        or (length > 1.43 and kind == "N3")
        or (length > 1.41 and kind == "Npl")
    ):
        return "N3"
    return "Npl" if element in (6, 7) else "N3"


def _terminal_oxygen(state: Typing, a: int, b: int) -> str:
    length, kind, element = state.length(a, b), state.types[b], state.elements[b]
    if kind in ("Cac", "Ntr", "N1+"):
        return "O2-"
    if kind in ("Pac", "Sac", "N3+", "Pox", "Son", "Sxd"):
        ends = [x for x in state.neighbours[b] if x != a and state.elements[x] == 8 and state.terminal(x)]
        longest = kind == "Pac" and len(ends) >= 2 and all(length - state.length(b, x) >= 0.05 for x in ends)
        return "O3" if longest else "O3-"
    if length <= 1.17 and element == 6 and state.terminal(b):
        return "O1+"
    if length <= 1.30 and element == 6:
        _make_double(state, b)
        return "O2"
    if (length <= 1.685 and element == 33) or (length <= 1.338 and element == 8 and state.terminal(b)):
        return "O2"
    return "O1" if length <= 1.21 and element == 7 and state.terminal(b) else "O3"


def _terminal_sulfur(state: Typing, a: int, b: int) -> str:
    length, element = state.length(a, b), state.elements[b]
    if element == 15:
        return "S3-"
    if state.types[b] == "N1+":
        return "S2"
    if length <= 1.76 and element == 6:
        _make_double(state, b)
        return "S2"
    return "S2" if length <= 2.11 and element == 33 else "S3"


def _make_double(state: Typing, b: int) -> None:
    if b in state.in_untyped:
        state.types[b] = "C2"
    state.redo[b] = 0


def _redo(state: Typing) -> None:
    """Pass 4."""
    for a in state.untyped:
        redo = state.redo[a]
        if redo == 2:
            for b in state.neighbours[a]:
                if state.length(a, b) <= {6: 1.38, 7: 1.32}.get(state.elements[b], 0):
                    state.types[a] = "N2" if state.heavy[a] < 2 else "Npl"
                    break
        elif redo in (1, 3, -1):
            _redo_carbon(state, a, {6: 1.53 if redo == 1 else 1.45, 7: 1.46, 8: 1.44}, at_once=redo == 1)


def _redo_carbon(state: Typing, a: int, single: dict[int, float], *, at_once: bool) -> None:
    remembered = False
    for b in state.neighbours[a]:
        length, element = state.length(a, b), state.elements[b]
        if length <= {6: 1.42, 7: 1.41}.get(element, 0):
            state.types[a] = "C2"
            return
        if length > single.get(element, 99):
            remembered = True
            if at_once:
                state.types[a] = "C3"
    if remembered:
        state.types[a] = "C3"


def _deprotonated(state: Typing) -> None:
    """Pass 4.25: an Npl of two bonds so short that it must be N2."""
    usual = {6: 1.3629, 7: 1.3337}
    for a in state.untyped:
        if state.types[a] != "Npl" or state.heavy[a] != 2 or len(state.neighbours[a]) != 2:
            continue
        lengths, expected, best, recipient = 1.0, 1.0, 1.0, None
        for b in state.neighbours[a]:
            reference = usual.get(state.elements[b], 1.3485 if state.elements[b] == 8 and state.terminal(b) else 0)
            if not reference:
                continue
            length = state.length(a, b)
            lengths, expected = lengths * length, expected * reference
            if length / reference <= best and _receives(state, a, b):
                best, recipient = length / reference, b
        if recipient is not None and lengths < expected:
            state.types[a] = "N2"
            state.types[recipient] = {6: "C2", 7: "N2", 8: "O2"}[state.elements[recipient]]


def _receives(state: Typing, a: int, b: int) -> bool:
    if (state.elements[b] == 7 and len(state.neighbours[b]) > 2) or state.types[b] == "Car":
        return False
    return not any(x != a and state.heavy[x] == 1 and (state.planar(x) or state.linear(x)) for x in state.neighbours[b])


def _sulfides(state: Typing, structure: Structure) -> None:
    """Pass 11."""
    metals = Counter(structure.coordination.ravel().tolist())
    for a, count in metals.items():
        if count >= _SULFIDE_METALS and state.types[a] == "S3" and len(state.neighbours[a]) < 2:
            state.types[a] = "S3-"
