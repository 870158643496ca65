"""Residue–ligand interaction: the hydrogen bonds of one residue, or none.

A hard negative is a residue without a bond whose donor comes near an acceptor of the ligand, or the other way round;
the note of a question says which it is: ``positive``, ``hard negative`` or ``negative``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from interactions.errors import InputError
from interactions.questions import phrases
from interactions.questions.answers import Answer, Bond, Bonds
from interactions.questions.base import Ask, total
from interactions.questions.bond_questions import RULE, bonds_at, place_of
from interactions.questions.pictures import Picture
from interactions.questions.scene import Residue, Scene
from interactions.questions.settings import Settings
from interactions.questions.views import VIEWS, initial_camera, screen_matrix, view
from interactions.questions.wording import answer_text as write

KIND = "residue_ligand"


def instances(scene: Scene, settings: Settings) -> Sequence[Sequence[int]]:
    """Places of the residues with a bond, and of those without.

    Metals are not asked about, nor residues that share name, number and chain with another one.
    """
    named = Counter(map(_place, scene.residues))
    bonded = {place_of(bond) for bond in scene.bonds}
    residues = [(i, r) for i, r in enumerate(scene.residues) if named[_place(r)] == 1]
    negatives = [(i, r) for i, r in residues if _place(r) not in bonded and r.kind != "metal"]
    if settings.negatives == "hard":
        negatives = [(i, r) for i, r in negatives if is_hard(r, settings)]
    return [[i for i, r in residues if _place(r) in bonded], [i for i, _ in negatives]]


def possible(scene: Scene, settings: Settings) -> int:
    return total(instances(scene, settings))


def is_hard(residue: Residue, settings: Settings) -> bool:
    """Near and of the right chemistry: whether it has a bond is another question."""
    return residue.polar_distance <= settings.hard_reach


def _place(residue: Residue) -> tuple[str, str, str]:
    return residue.name, residue.number, residue.chain


def ask(scene: Scene, instance: int, _rng: Generator, settings: Settings) -> Ask:
    """The camera is fitted to what is shown: the residue and the ligand."""
    residue = scene.residues[instance]
    truth = bonds_at(scene, _place(residue))
    note = "positive" if truth else "hard negative" if is_hard(residue, settings) else "negative"
    atoms = scene.atoms_of(instance)
    return Ask(
        KIND,
        scene.id,
        _pictures(scene, instance, settings),
        Bonds(truth),
        settings.grid,
        subject=Bond(residue.name, residue.number, "", residue.chain, ""),
        note=note,
        pairs=scene.polar_pairs(atoms),
    )


def _pictures(scene: Scene, instance: int, settings: Settings) -> tuple[Picture, ...]:
    atoms = scene.atoms_of(instance)
    if scene.camera is None:
        places = [*scene.pocket.coordinates[atoms], *scene.ligand.coordinates]
        front = initial_camera(np.array(places), settings.window, settings.field_of_view, settings.pad)
    else:
        front = scene.camera
    seen = [(name, view(front, name)) for name in VIEWS]
    return tuple(Picture(name, at, screen_matrix(at), screen_matrix(at), instance) for name, at in seen)


def text(ask: Ask) -> str:
    if ask.subject is None:
        raise InputError("the question names no residue", code="no_subject")
    at = ask.subject
    chain = f" of chain {at.chain}" if at.chain else ""
    return phrases.paragraphs(
        f"The pictures show one residue, {at.residue} {at.number}{chain}, and the ligand of complex {ask.complex} "
        "(PDB ID) from six sides: front, left, top, back, right and bottom.",
        phrases.COLOURS + " The residue is labelled with type and number, its atoms and those of the ligand with their "
        "names.",
        "Are there hydrogen bonds between the residue and the ligand, and which? " + RULE,
        "Answer `No` where there is none. Else answer `Yes: ` and each bond as `<residue> <atom>, <ligand atom>`, the "
        "residue's side first, with `; ` between bonds, for example `Yes: GLY N, O9; GLY O, N9`. Answer with this and "
        "nothing else; the order does not matter.",
    )


def solve(ask: Ask, scene: Scene) -> Answer:
    """The bonds of the named residue in the scene's LabelSet.

    Raises InputError (``no_subject``, ``unknown_residue``) where the question names none, or none of the pocket.
    """
    if ask.subject is None:
        raise InputError("the question names no residue", code="no_subject")
    place = place_of(ask.subject)
    if place not in set(map(_place, scene.residues)):
        raise InputError(
            f"{scene.id}: no residue {' '.join(filter(None, place))} in the pocket", code="unknown_residue"
        )
    return Bonds(bonds_at(scene, place))


def answer_text(answer: Answer) -> str:
    return write(KIND, answer)
