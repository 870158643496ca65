"""Answers to the text of a benchmark prompt, where text and structure are enough: kinds T4, T8 and T9.

What a prompt says is read tolerantly, as facts (a residue, two atoms, options), for the paper prints its prompts in one
wording and data sets in others; what it leaves open is an error, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from interactions.complex import Complex
from interactions.errors import InputError
from interactions.labelling import label
from interactions.questions import interaction_location, pocket_ligand, residue_ligand
from interactions.questions.answers import Bond, Bonds
from interactions.questions.base import Ask
from interactions.questions.bond_questions import place_of, the_pair
from interactions.questions.pictures import front_camera, whole
from interactions.questions.scene import Pair, Residue, Scene, scene_of
from interactions.questions.settings import BENCHMARK, Settings
from interactions.questions.views import Camera
from interactions.questions.wording import bond_text

LONGEST = 1 << 16  # characters of a prompt

_OPTION = re.compile(r"\b([A-D])[ .):]{1,3}(move x [+-]? ?\d{1,4} ?, ?move y [+-]? ?\d{1,4})\b", re.IGNORECASE)
_MOVE_XY = re.compile(r"\bmove [xy]\b", re.IGNORECASE)
_HYDROGEN_BOND = re.compile(r"\b(?:hydrogen|h)[ -]?bond", re.IGNORECASE)
_IN_PICTURES = re.compile(r"\b(?:roll|rotat|translat|zoom|dock|mov|shift|turn)", re.IGNORECASE)
_YES = re.compile(r"\byes\b", re.IGNORECASE)
_PDB = re.compile(
    r"\bPDB(?: (?:ID|entry|code))? ?[:=]? ?[\"'(]?([0-9][A-Z0-9]{3})\b|\b([0-9][A-Z0-9]{3})[\"')]? \(PDB\b",
    re.IGNORECASE,
)
_CHAIN = re.compile(r"\bchain(?: ID)? ?[:=]? ?[\"'(]?([A-Z0-9]{1,4})\b", re.IGNORECASE)
_SOME_RESIDUE = re.compile(r"\bresidue ?[:=]? ?[\"'(]?([A-Z][A-Z0-9]{1,2}[ -]?-?\d{1,4}[A-Z]?)\b", re.IGNORECASE)
_BETWEEN = r"[ :,_\-]*(?:(?:residue|number|num|no\.?|id|resid)[ :,_\-]*){0,2}"
_WORD = re.compile(r"[A-Za-z0-9'*\"+]+")
_NEAR = 15  # words around a residue's name where its bond is named


@dataclass(frozen=True)
class PromptAnswer:
    """``answer`` in the benchmark's grammar, and why: one sentence a fact."""

    kind: str
    answer: str
    reasons: tuple[str, ...]


def answer_prompt(text: str, complex_: Complex, *, id: str = "", camera: Camera | None = None) -> PromptAnswer:
    """The answer to a prompt about a complex, labelled by ChimeraX's default criteria.

    ``id``: the PDB ID of the complex, compared with the prompt's where both are known. ``camera``: that of the front
    picture; without one, ChimeraX's first view. Raises InputError as ``answer_scene``.
    """
    return answer_scene(text, scene_of(complex_, label(complex_, id=id), camera))


def answer_scene(text: str, scene: Scene, settings: Settings = BENCHMARK) -> PromptAnswer:
    """The answer to a prompt about a scene.

    Raises InputError: ``needs_picture`` where only the pictures tell what is asked, ``unknown_prompt`` for a text that
    asks nothing of the kind, ``other_complex`` for another PDB ID, ``bad_options`` for fewer than two options or a
    letter twice, ``unknown_residue``, ``unknown_atom``, ``ambiguous_residue`` or ``ambiguous_atom`` where the named
    ones are not one, ``too_long``.
    """
    if len(text) > LONGEST:
        raise InputError(f"a prompt has at most {LONGEST} characters", code="too_long")
    line = " ".join(text.replace("**", "").replace("`", "").split())
    _check_complex(line, scene)
    return _answerer(line)(line, scene, settings)


def _answerer(line: str) -> Callable[[str, Scene, Settings], PromptAnswer]:
    if _OPTION.search(line):
        return _location
    if _HYDROGEN_BOND.search(line):
        if _MOVE_XY.search(line):
            raise InputError("no options `A. move x 1, move y 1` are in the prompt", code="bad_options")
        return _of_residue if _YES.search(line) else _of_pocket
    if _IN_PICTURES.search(line):
        raise InputError(
            "the answer is in the pictures: with their coordinates before and after, `solve` finds it",
            code="needs_picture",
        )
    raise InputError("the text asks nothing that the benchmark asks", code="unknown_prompt")


def _check_complex(line: str, scene: Scene) -> None:
    match = _PDB.search(line)
    named = (match[1] or match[2]).lower() if match else ""
    if named and scene.id and scene.id.lower()[:4] != named:
        raise InputError(f"the prompt is about {named}, the structure is {scene.id}", code="other_complex")


def _of_pocket(_line: str, scene: Scene, settings: Settings) -> PromptAnswer:
    ask = Ask(pocket_ligand.KIND, scene.id, (), None, settings.grid)
    answer = pocket_ligand.solve(ask, scene)
    return PromptAnswer(ask.kind, pocket_ligand.answer_text(answer), _bond_reasons(scene, scene.pairs))


def _of_residue(line: str, scene: Scene, settings: Settings) -> PromptAnswer:
    residue = _named_residue(line, scene)
    subject = Bond(residue.name, residue.number, "", residue.chain, "")
    ask = Ask(residue_ligand.KIND, scene.id, (), None, settings.grid, subject=subject)
    answer = residue_ligand.solve(ask, scene)
    pairs = [pair for pair in scene.pairs if place_of(scene.bond(pair)) == place_of(subject)]
    reasons = _bond_reasons(scene, pairs)
    if answer == Bonds(frozenset()):
        near = f"its nearest atom is {residue.distance:.2f} Å from the ligand"
        polar = "" if np.isinf(residue.polar_distance) else f", donor and acceptor {residue.polar_distance:.2f} Å apart"
        reasons = (f"{residue.text} has no bond: {near}{polar}.",)
    return PromptAnswer(ask.kind, residue_ligand.answer_text(answer), reasons)


def _bond_reasons(scene: Scene, pairs: Iterable[Pair]) -> tuple[str, ...]:
    return tuple(
        f"{bond_text(scene.bond(pair))}: bond by {scene.criteria}, {_length(scene, pair):.2f} Å." for pair in pairs
    )


def _length(scene: Scene, pair: Pair) -> float:
    gap = scene.pocket.coordinates[pair.pocket_atom] - scene.ligand.coordinates[pair.ligand_atom]
    return float(np.linalg.norm(gap))


def _location(line: str, scene: Scene, settings: Settings) -> PromptAnswer:
    options = tuple((letter.upper(), option.lower()) for letter, option in _OPTION.findall(line))
    if len(options) < 2 or len(dict(options)) < len(options):
        raise InputError(f"not one option a letter: {', '.join(letter for letter, _ in options)}", code="bad_options")
    first = _OPTION.search(line)
    subject = _named_bond(line[: first.start()] if first else line, scene)
    front = whole("front", front_camera(scene, settings))
    ask = Ask(interaction_location.KIND, scene.id, (front,), None, settings.grid, options=options, subject=subject)
    answer = interaction_location.answer_text(interaction_location.solve(ask, scene))
    return PromptAnswer(ask.kind, answer, _location_reasons(ask, scene, subject))


def _location_reasons(ask: Ask, scene: Scene, subject: Bond) -> tuple[str, ...]:
    x, y, z = interaction_location.middle_on_screen(ask, scene).tolist()
    (gap, letter), (next_gap, next_letter), *_ = interaction_location.nearest(ask, scene)
    pair = the_pair(scene, subject)
    held = "a bond" if pair in scene.pairs else "no bond"
    return (
        f"{bond_text(subject)}: {held} by {scene.criteria}, {_length(scene, pair):.2f} Å.",
        f"The middle of the two atoms is at screen ({x:.2f}, {y:.2f}, {z:.2f}): move x {-x:.2f}, move y {-y:.2f}.",
        f"Option {letter} is {gap:.2f} Å off, the next one, {next_letter}, {next_gap:.2f} Å.",
    )


def _named_residue(line: str, scene: Scene) -> Residue:
    """The pocket residue that the text names, by its chain where names repeat."""
    found = _named_residues(line, scene)
    if not found:
        other = _SOME_RESIDUE.search(line)
        if other:
            raise InputError(f"{scene.id}: no residue {other[1]} in the pocket", code="unknown_residue")
        raise InputError("the prompt names no residue: it is in the pictures only", code="needs_picture")
    if len(found) > 1:
        raise InputError(f"the prompt names {', '.join(r.text for r in found)}", code="ambiguous_residue")
    return found[0]


def _named_residues(line: str, scene: Scene) -> list[Residue]:
    found = [residue for residue in scene.residues if _mention(residue).search(line)]
    if len(found) < 2:
        return found
    chains = set(_CHAIN.findall(line))
    return [residue for residue in found if residue.chain in chains] or found


def _mention(residue: Residue) -> re.Pattern[str]:
    name, number = re.escape(residue.name), re.escape(residue.number)
    return re.compile(
        rf"\b{name}{_BETWEEN}{number}(?![0-9A-Za-z])|(?<![0-9A-Za-z-]){number}[ :_\-]*{name}\b", re.IGNORECASE
    )


def _named_bond(head: str, scene: Scene) -> Bond:
    """The two atoms that the text before the options names: bonds first, else any one pair of heavy atoms."""
    residue = _named_residue(head, scene)
    words = _words_near(head, _mention(residue))
    place = (residue.name, residue.number, residue.chain)
    named = [b for b in scene.bonds if place_of(b) == place and {b.atom, b.ligand_atom} <= words]
    named = named or [b for b in _heavy_pairs(scene, residue) if {b.atom, b.ligand_atom} <= words]
    found = list(dict.fromkeys(named))
    if not found:
        raise InputError(f"the prompt names no atom of {residue.text} with one of the ligand", code="unknown_atom")
    if len(found) > 1:
        raise InputError(f"the prompt may mean {'; '.join(map(bond_text, found))}", code="ambiguous_atom")
    return found[0]


def _heavy_pairs(scene: Scene, residue: Residue) -> list[Bond]:
    atoms = scene.atoms_of(scene.residues.index(residue)).tolist()
    inside = [a for a in atoms if scene.pocket.elements[a] > 1]
    outside = np.flatnonzero(scene.ligand.elements > 1).tolist()
    return [scene.bond(Pair(a, b)) for a in inside for b in outside]


def _words_near(head: str, mention: re.Pattern[str]) -> set[str]:
    found: set[str] = set()
    for match in mention.finditer(head):
        found.update(_WORD.findall(head[: match.start()])[-_NEAR:])
        found.update(_WORD.findall(head[match.end() :])[:_NEAR])
    return found
