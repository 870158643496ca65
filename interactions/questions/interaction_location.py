"""Interaction location: which move brings the middle of a hydrogen bond to the middle of the screen.

The middle is the mean of the two atoms that the question names. The four options are all combinations of the true and
one false number for x and for y, so that comparing options tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import copysign, floor, hypot

from numpy.random import Generator

from interactions.errors import InputError
from interactions.questions import phrases
from interactions.questions.answers import Answer, Letter, MoveXY
from interactions.questions.base import LETTERS, Ask, total
from interactions.questions.bond_questions import RULE, pairs_named, the_pair
from interactions.questions.grammar import read_move_xy
from interactions.questions.pictures import apply, front_camera, whole_views
from interactions.questions.scene import Pair, Scene
from interactions.questions.settings import Settings
from interactions.questions.views import VIEWS
from interactions.questions.wording import answer_text as write
from interactions.structure import Floats

KIND = "interaction_location"


def instances(scene: Scene, _settings: Settings) -> Sequence[Sequence[Pair]]:
    """Every bond whose names no other two atoms have."""
    return [[pair for pair in scene.pairs if len(pairs_named(scene, scene.bond(pair))) == 1]]


def possible(scene: Scene, settings: Settings) -> int:
    return total(instances(scene, settings))


def ask(scene: Scene, instance: Pair, rng: Generator, settings: Settings) -> Ask:
    pictures = whole_views(front_camera(scene, settings), VIEWS)
    subject = scene.bond(instance)
    base = Ask(KIND, scene.id, pictures, None, settings.grid, subject=subject)
    x, y = displacement(base, scene)
    truth = MoveXY(whole(x), whole(y))
    xs, ys = ((number, decoy(number, rng, settings)) for number in (truth.x, truth.y))
    places = [MoveXY(*place) for place in product(xs, ys)]
    placed = [places[i] for i in rng.permutation(len(places))]
    options = tuple((letter, write(KIND, place)) for letter, place in zip(LETTERS, placed, strict=True))
    return replace(base, options=options, answer=Letter(LETTERS[placed.index(truth)]))


def decoy(number: float, rng: Generator, settings: Settings) -> float:
    """Another whole number: of the other sign, or larger or smaller, by at least the least difference."""
    sizes = [number + sign * size for size in settings.location_sizes for sign in (-1, 1)]
    far = [n for n in sizes if abs(n - number) >= settings.least_difference]
    if not far:
        raise InputError("no location size is as large as the least difference", code="bad_settings")
    flips = abs(2 * number) >= max(settings.least_difference, min(settings.location_sizes))
    return -number if flips and rng.random() < 0.5 else far[int(rng.integers(len(far)))]


def whole(value: float) -> int:
    """The nearest whole number, halves away from zero."""
    return int(copysign(floor(abs(value) + 0.5), value))


def displacement(ask: Ask, scene: Scene) -> tuple[float, float]:
    """The move (Å) along x and y that brings the middle of the named bond to screen (0, 0) of the front picture."""
    x, y, _ = (-middle_on_screen(ask, scene)).tolist()
    return x, y


def middle_on_screen(ask: Ask, scene: Scene) -> Floats:
    """Screen coordinates of the mean of the two named atoms, shape (3,), Å. Raises InputError where none are named."""
    front = ask.picture("front")
    if ask.subject is None or front.pocket is None or front.ligand is None:
        raise InputError("the question names no bond, or its front picture is missing", code="no_subject")
    pair = the_pair(scene, ask.subject)
    one = apply(front.pocket, scene.pocket.coordinates[pair.pocket_atom][None])[0]
    other = apply(front.ligand, scene.ligand.coordinates[pair.ligand_atom][None])[0]
    middle: Floats = (one + other) / 2
    return middle


def text(ask: Ask) -> str:
    if ask.subject is None:
        raise InputError("the question names no bond", code="no_subject")
    at = ask.subject
    chain = f" of chain {at.chain}" if at.chain else ""
    return phrases.paragraphs(
        f"The pictures show the binding pocket and the ligand of complex {ask.complex} (PDB ID) from six sides: front, "
        "left, top, back, right and bottom.",
        phrases.COLOURS + " " + phrases.LABELS,
        phrases.FRAME + " " + phrases.MOVES + " The middle of the front picture is x = 0, y = 0.",
        f"There is a hydrogen bond between atom {at.atom} of residue {at.residue} {at.number}{chain} and ligand atom "
        f"{at.ligand_atom}. " + RULE,
        "Which moves bring the mean place of the bond's two atoms to the middle of the front picture?",
        "\n".join(f"{letter}. {option}" for letter, option in ask.options),
        "Answer with one letter and nothing else.",
    )


def solve(ask: Ask, scene: Scene) -> Answer:
    """The option that is nearest to the displacement of the named atoms."""
    return Letter(nearest(ask, scene)[0][1])


def nearest(ask: Ask, scene: Scene) -> list[tuple[float, str]]:
    """How far (Å) each option is from bringing the bond to the middle, and its letter, the nearest first.

    Raises InputError (``bad_options``) where an option is no pair of moves or there is none.
    """
    x, y = displacement(ask, scene)
    found = []
    for letter, option in ask.options:
        place = read_move_xy(option)
        if place is None:
            raise InputError(
                f"option {letter} is not 'move x <number>, move y <number>': {option!r}", code="bad_options"
            )
        found.append((hypot(place.x - x, place.y - y), letter))
    if not found:
        raise InputError("the question has no options", code="bad_options")
    return sorted(found)


def answer_text(answer: Answer) -> str:
    return write(KIND, answer)
