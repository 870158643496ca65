"""IDATM atom types (Meng & Lewis 1991) of every atom, by ChimeraX's passes.

Types come from residue templates where these apply, else from bonded atoms, lengths and angles. Lengths in
the passes are Å, angles degrees; each stands beside its rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from interactions.chemistry.residue_kinds import LINK_ATOMS, kind_of
from interactions.chemistry.ring_systems import type_ring_systems
from interactions.chemistry.typing_passes import late_passes
from interactions.chemistry.typing_questions import Questions, Shape
from interactions.chemistry.typing_state import Typing
from interactions.chemistry.typing_tables import NUCLEOTIDES, TEMPLATED, TYPE_INFO, template_types
from interactions.structure import Structure, of

_SULFIDE_METALS = 3
_BACKBONE = {"amino": frozenset(("N", "CA", "C")), "nucleic": frozenset(LINK_ATOMS["nucleic"])}


def idatm_types(structure: Structure) -> tuple[str, ...]:
    """IDATM type of each atom, length n; the element symbol where no rule gives a type."""
    known: tuple[Questions, tuple[str, ...]] | None = structure.notes.get("types")
    if known is not None and known[0].have_same_answers(structure.coordinates):
        return known[1]
    state = Typing.of(structure)
    types = tuple(_typed(state, structure))
    structure.notes["types"] = state.ask, types
    return types


def _typed(state: Typing, structure: Structure) -> list[str]:
    if len(structure.bonds) - len(structure) > 100 and len(structure.bonds) > 1.25 * len(structure):
        return state.types
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
    return state.types


def has_full_valence(structure: Structure) -> list[bool]:
    """For each atom whether its type expects as many bonds as it has directions, Npl and N2+ aside."""
    kinds = (TYPE_INFO.get(kind) if kind not in ("Npl", "N2+") else None for kind in idatm_types(structure))
    return [info is not None and info[1] == info[2] for info in kinds]


def _apply_templates(state: Typing, structure: Structure) -> None:
    crossing = _links_between_residues(state, structure)
    columns = state.names, state.elements, state.on_carbon
    for residue, (name, atoms) in enumerate(zip(structure.residue_names, structure.residue_atoms, strict=True)):
        links = crossing.get(residue, ())
        ends = [state.names[a] for a, _ in links]
        found = None
        if name in TEMPLATED and not (links and _blocked(state, structure, residue, links, ends)):
            found = template_types(name, *[of(column, atoms) for column in columns], "N" in ends)
        if found is None:
            state.untemplated.append(residue)
            for a in atoms:
                (state.untyped if state.elements[a] > 1 else state.free_hydrogens).append(a)
            continue
        state.set_types(atoms, found.types)
        if found.unlisted:
            state.untyped.extend([atoms[place] for place in found.unlisted])


def _links_between_residues(state: Typing, structure: Structure) -> dict[int, list[tuple[int, int]]]:
    """Bonds to other residues, by residue: its own atom first."""
    home = structure.residue_of[structure.bonds]
    found: dict[int, list[tuple[int, int]]] = {}
    for a, b in structure.bonds[home[:, 0] != home[:, 1]].tolist():
        found.setdefault(state.home[a], []).append((a, b))
        found.setdefault(state.home[b], []).append((b, a))
    return found


def _blocked(
    state: Typing, structure: Structure, residue: int, links: Sequence[tuple[int, int]], ends: Sequence[str]
) -> bool:
    """Whether a polymer residue is bonded to another through an atom outside its backbone; ``ends``: its own atoms'
    names."""
    backbone = _BACKBONE["nucleic" if structure.residue_names[residue] in NUCLEOTIDES else "amino"]
    if backbone.issuperset(ends) or not any(_linked(state, structure, a, b) for a, b in links):
        return False
    outside = [link for link, name in zip(links, ends, strict=True) if name not in backbone]
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

    def narrower(limit: float) -> bool:
        return state.ask.is_narrower(a, (b, c, d), limit)

    def short(limit: float) -> bool:
        return any(state.ask.is_within(a, x, limit) for x in (b, c, d))

    if element == 7:
        state.types[a] = "N3" if narrower(115) else "Ntr" if _free_oxygens(state, a) >= 2 else "Npl"
        return
    if narrower(113.5) or (narrower(116.5) and (not short(1.53) or (narrower(115) and not short(1.42)))):
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

    def narrower(limit: float) -> bool:
        return state.ask.is_narrower(a, (b, c), limit)

    if element == 6:
        if narrower(115):
            state.types[a], state.redo[a] = "C3", 1
            if not state.ask.is_at_most(a, (b, c), 113.5):
                state.ambiguous.add(a)
        elif narrower(160):
            state.types[a], state.redo[a] = "C2", 3 if narrower(122) else -1
            if narrower(116.5):
                state.ambiguous.add(a)
        else:
            state.types[a] = "C1"
    elif narrower(115):
        state.types[a], state.redo[a] = "N3", 2
    elif not narrower(160):
        state.types[a] = "N1+"
    else:
        state.types[a] = "Npl"
        _double_nitrogen(state, a)


def _double_nitrogen(state: Typing, a: int) -> None:
    for b in state.neighbours[a]:
        if state.elements[b] == 7 and state.ask.is_within(a, b, 1.32):
            state.types[a] = "N2"
            return
        if (
            state.elements[b] == 6
            and state.ask.is_within(a, b, 1.38)
            and state.types[b] != "Cac"
            and not _carbonyl(state, b)
        ):
            state.types[a] = "N2"
            if state.types[b] == "C":
                state.redo[a] = 4
            return


def _carbonyl(state: Typing, b: int) -> bool:
    if state.types[b] not in ("C2", "C"):
        return False
    reach = {8: 1.30, 16: 1.76}
    ends = [x for x in state.neighbours[b] if state.terminal(x) and state.elements[x] in reach]
    return any(state.ask.is_within(b, x, reach[state.elements[x]]) for x in ends)


def _terminal(state: Typing) -> None:
    """Pass 3."""
    rules = {"C": _terminal_carbon, "N": _terminal_nitrogen, "O": _terminal_oxygen, "S": _terminal_sulfur}
    for a in state.untyped:
        if state.types[a] in rules and state.terminal(a):
            state.types[a] = rules[state.types[a]](state, a, state.neighbours[a][0])


def _terminal_carbon(state: Typing, a: int, b: int) -> str:
    kind, element = state.types[b], state.elements[b]

    def within(limit: float) -> bool:
        return state.ask.is_within(a, b, limit)

    if kind == "C1" and within(1.22):
        return "C1"
    if element == 7 and within(1.20) and len(state.neighbours[b]) < 3:
        state.types[b] = "N1+"
        return "C1"
    if kind == "N1+":
        other = [x for x in state.neighbours[b] if x != a]
        return "C1" if other and state.types[other[0]] in ("H", "D", "C3") else "C3"
    if (element == 6 and within(1.41)) or (element == 7 and within(1.37)):
        return "C2"
    return "C1-" if element == 8 and state.terminal(b) and within(1.17) else "C3"


def _terminal_nitrogen(state: Typing, a: int, b: int) -> str:
    kind, element = state.types[b], state.elements[b]

    def within(limit: float) -> bool:
        return state.ask.is_within(a, b, limit)

    if (kind == "C1" or element == 7) and within(1.20):
        return "N1"
    if kind == "N1+" or (element == 8 and state.ask.is_shorter(a, b, 1.21)):
        return "N1"
    if kind == "C1" and any(x != a and len(state.neighbours[x]) > 2 for x in state.neighbours[b]):
        return "N1"
    longest = {"C2": 1.38, "C3": 1.38, "N3": 1.43, "Npl": 1.41}
    if kind in longest and not within(longest[kind]):
        return "N3"
    return "Npl" if element in (6, 7) else "N3"


def _terminal_oxygen(state: Typing, a: int, b: int) -> str:
    kind, element = state.types[b], state.elements[b]

    def within(limit: float) -> bool:
        return state.ask.is_within(a, b, limit)

    if kind in ("Cac", "Ntr", "N1+"):
        return "O2-"
    if kind in ("Pac", "Sac", "N3+", "Pox", "Son", "Sxd"):
        ends = [x for x in state.neighbours[b] if x != a and state.elements[x] == 8 and state.terminal(x)]
        longest = kind == "Pac" and len(ends) >= 2 and state.ask.choose(partial(_is_longest, a, b, ends))
        return "O3" if longest else "O3-"
    if element == 6 and state.terminal(b) and within(1.17):
        return "O1+"
    if element == 6 and within(1.30):
        _make_double(state, b)
        return "O2"
    if (element == 33 and within(1.685)) or (element == 8 and state.terminal(b) and within(1.338)):
        return "O2"
    return "O1" if element == 7 and state.terminal(b) and within(1.21) else "O3"


def _is_longest(a: int, b: int, ends: list[int], shape: Shape) -> bool:
    """Whether a bond to b is longer by 0.05 Å than those of all the ends."""
    return all(shape.length(a, b) - shape.length(b, x) >= 0.05 for x in ends)


def _terminal_sulfur(state: Typing, a: int, b: int) -> str:
    element = state.elements[b]
    if element == 15:
        return "S3-"
    if state.types[b] == "N1+":
        return "S2"
    if element == 6 and state.ask.is_within(a, b, 1.76):
        _make_double(state, b)
        return "S2"
    return "S2" if element == 33 and state.ask.is_within(a, b, 2.11) else "S3"


def _make_double(state: Typing, b: int) -> None:
    if b in state.in_untyped:
        state.types[b] = "C2"
    state.redo[b] = 0


def _redo(state: Typing) -> None:
    """Pass 4."""
    for a in state.untyped:
        redo = state.redo[a]
        if redo == 2:
            reach = {6: 1.38, 7: 1.32}
            planar = [b for b in state.neighbours[a] if state.elements[b] in reach]
            if any(state.ask.is_within(a, b, reach[state.elements[b]]) for b in planar):
                state.types[a] = "N2" if state.heavy[a] < 2 else "Npl"
        elif redo in (1, 3, -1):
            _redo_carbon(state, a, {6: 1.53 if redo == 1 else 1.45, 7: 1.46, 8: 1.44}, at_once=redo == 1)


def _redo_carbon(state: Typing, a: int, single: dict[int, float], *, at_once: bool) -> None:
    remembered, double = False, {6: 1.42, 7: 1.41}
    for b in state.neighbours[a]:
        element = state.elements[b]
        if element in double and state.ask.is_within(a, b, double[element]):
            state.types[a] = "C2"
            return
        if element in single and not state.ask.is_within(a, b, single[element]):
            remembered = True
            if at_once:
                state.types[a] = "C3"
    if remembered:
        state.types[a] = "C3"


def _deprotonated(state: Typing) -> None:
    """Pass 4.25: an Npl of two bonds so short that it must be N2."""
    for a in state.untyped:
        if state.types[a] != "Npl" or state.heavy[a] != 2 or len(state.neighbours[a]) != 2:
            continue
        usual = {b: length for b in state.neighbours[a] if (length := _usual_length(state, b))}
        receiving = [b for b in usual if _receives(state, a, b)]
        recipient = state.ask.choose(partial(_recipient, a, usual, receiving))
        if recipient is not None:
            state.types[a] = "N2"
            state.types[recipient] = {6: "C2", 7: "N2", 8: "O2"}[state.elements[recipient]]


def _usual_length(state: Typing, b: int) -> float:
    """Å, of a bond to a nitrogen; 0 for a neighbour that does not count."""
    return {6: 1.3629, 7: 1.3337}.get(state.elements[b], 1.3485 if state.elements[b] == 8 and state.terminal(b) else 0)


def _recipient(a: int, usual: dict[int, float], receiving: list[int], shape: Shape) -> int | None:
    """The atom with the bond that is shortest for its kind, where both bonds together are shorter than usual."""
    lengths, expected, best, recipient = 1.0, 1.0, 1.0, None
    for b, reference in usual.items():
        length = shape.length(a, b)
        lengths, expected = lengths * length, expected * reference
        if length / reference <= best and b in receiving:
            best, recipient = length / reference, b
    return recipient if lengths < expected else None


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
