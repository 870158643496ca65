"""What every question kind is: an ask with its pictures, and one interface for all kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.random import Generator

from interactions.errors import InputError
from interactions.questions.answers import Answer, Bond
from interactions.questions.pictures import Picture
from interactions.questions.scene import Scene
from interactions.questions.settings import Settings
from interactions.questions.transforms import Grid

LETTERS = "ABCD"


@dataclass(frozen=True, eq=False)
class Ask:
    """One question. ``answer`` is for the record alone: no solver reads it.

    ``options``: letter and text, where the choice is between texts. ``subject``: the residue or the bond that the
    question names, its other fields empty. ``target``: id of the second complex. ``note``: what sort of question of
    its kind it is. ``pairs``: how many pairs of polar atoms there are to choose from, for questions about bonds.
    """

    kind: str
    complex: str
    pictures: tuple[Picture, ...]
    answer: Answer | None
    grid: Grid
    options: tuple[tuple[str, str], ...] = ()
    subject: Bond | None = None
    target: str = ""
    note: str = ""
    pairs: int | None = None

    def picture(self, name: str) -> Picture:
        """Raises InputError (``no_picture``) for a name that no picture has."""
        for picture in self.pictures:
            if picture.name == name:
                return picture
        raise InputError(f"the question has no picture {name!r}", code="no_picture")


class Question(Protocol):
    """A question kind is a module with these.

    ``instances`` lists all that can be asked about a scene, in strata that a data set draws from in turn; ``possible``
    counts them. ``ask`` turns one into a question; ``rng`` decides what an instance leaves open (decoys and their
    order). ``solve`` reads only the pictures' coordinates, the scene and what the question states.
    """

    KIND: str

    def instances(self, scene: Scene, settings: Settings) -> Sequence[Sequence[Any]]: ...

    def possible(self, scene: Scene, settings: Settings) -> int: ...

    def ask(self, scene: Scene, instance: Any, rng: Generator, settings: Settings) -> Ask: ...

    def text(self, ask: Ask) -> str: ...

    def solve(self, ask: Ask, scene: Scene) -> Answer: ...

    def answer_text(self, answer: Answer) -> str: ...


def total(strata: Sequence[Sequence[Any]]) -> int:
    return sum(map(len, strata))
