"""Instances of questions about stored structures: made and solved on request, by task and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from app.storage import Store, Upload
from interactions.errors import InputError, UnknownName
from interactions.questions.answers import KINDS

MAX_TARGETS = 16
_PARAMETERS = {"seed", "index", "criteria", "targets"}


@dataclass(frozen=True)
class Named:
    """A stored structure, and which ligand of it."""

    structure: str
    ligand: str | None = None


@dataclass(frozen=True)
class Instance:
    """The question with this index of a task about a structure; ``targets`` may be its second complex."""

    about: Named
    task: str
    seed: int = 0
    index: int = 0
    criteria: str = "chimerax"
    targets: tuple[Named, ...] = ()

    @property
    def structures(self) -> tuple[Named, ...]:
        return (self.about, *self.targets)


def instance_of(raw: Mapping[str, Any]) -> Instance:
    """The instance that a request names by structure, ligand, task and parameters.

    Raises InputError (``bad_instance``), UnknownName for a task that is not there.
    """
    about, task, parameters = named(raw), raw.get("task"), raw.get("parameters", {})
    if not isinstance(task, str):
        raise InputError("'task' is the name of a kind of question", code="bad_instance")
    if task not in KINDS:
        raise UnknownName("question kind", task, KINDS)
    if not isinstance(parameters, dict) or not parameters.keys() <= _PARAMETERS:
        raise InputError(f"'parameters' is an object with {', '.join(sorted(_PARAMETERS))}", code="bad_instance")
    targets, criteria = parameters.get("targets", []), parameters.get("criteria", "chimerax")
    if not isinstance(targets, list) or len(targets) > MAX_TARGETS:
        raise InputError(f"'targets' is a list of at most {MAX_TARGETS} structures", code="bad_instance")
    if not isinstance(criteria, str):
        raise InputError("'criteria' is a name", code="bad_instance")
    return Instance(
        about,
        task,
        whole_number(parameters, "seed"),
        whole_number(parameters, "index"),
        criteria,
        tuple(named(target) for target in targets),
    )


def named(raw: object) -> Named:
    """A structure by its id, or as an object with ``structure`` and ``ligand``. Raises InputError."""
    one = raw if isinstance(raw, dict) else {"structure": raw}
    structure, ligand = one.get("structure"), one.get("ligand")
    if not is_text(structure) or not (ligand is None or is_text(ligand)):
        raise InputError("a structure is named by 'structure', its id, and 'ligand', a text", code="bad_instance")
    return Named(structure, ligand)


def is_text(value: object) -> TypeGuard[str]:
    """Whether it is text that can be written down: half a character, as broken JSON may hold, cannot."""
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


def read_upload(store: Store, of: Named) -> Upload:
    """Raises InputError (``not_found``), LigandError (``ambiguous_ligand``)."""
    upload = store.get(of.structure, of.ligand)
    if upload is None:
        raise InputError(f"no structure {of.structure!r} is stored", code="not_found")
    return upload


def whole_number(parameters: Mapping[str, Any], name: str, default: int | None = 0) -> Any:
    value = parameters.get(name, default)
    if (value is None and default is None) or (type(value) is int and 0 <= value < 2**63):
        return value
    raise InputError(f"{name!r} is a whole number of 0 or more", code="bad_instance")


def question_json(uploads: tuple[Upload, ...], instance: Instance) -> bytes:
    """The question record of an instance, with its answer. Raises what ``interactions.questions.generate`` raises."""
    from interactions.questions.generate import generate
    from interactions.serialise import dumps

    scenes = [scene(upload, instance.criteria) for upload in uploads]
    return dumps(generate(instance.task, scenes, instance.index, instance.seed))


def solve_json(uploads: tuple[Upload, ...], record: dict[str, Any]) -> bytes:
    """The answer to a question record, solved from the coordinates. Raises InputError (``bad_question``)."""
    from interactions.questions.generate import solve_record
    from interactions.questions.wording import answer_text
    from interactions.serialise import dumps

    name, names, criteria = _read(record)
    scenes = [scene(upload, criteria, of) for upload, of in zip(uploads, names, strict=False)]
    answer = answer_text(record["kind"], solve_record(record, scenes))
    return dumps({"id": name, "task": record["kind"], "answer": answer})


def _read(record: dict[str, Any]) -> tuple[str, list[str], str]:
    """Id, complexes and criteria of a question record. Raises InputError (``bad_question``) where it is none."""
    from interactions.questions.records import ask_of

    try:
        metadata, target = record["metadata"], record["metadata"]["target"]
        names = [record["complex"], *([] if target is None else [target["complex"]])]
        ask_of(record)
        known = isinstance(record["id"], str) and record["kind"] in KINDS and isinstance(metadata["criteria"], str)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        told = f"the question record cannot be read: {type(error).__name__} {error}"
        raise InputError(told, code="bad_question") from error
    if not known:
        raise InputError("the question record has no id, kind or criteria", code="bad_question")
    return record["id"], names, metadata["criteria"]


def scene(upload: Upload, criteria: str, name: str | None = None) -> Any:
    """The scene of an upload, by its id or another name."""
    from interactions.labelling import label, load_complex
    from interactions.questions.scene import scene_of

    complex_ = load_complex(upload.receptor, upload.receptor_name, upload.ligand, upload.ligand_name, upload.selector)
    return scene_of(complex_, label(complex_, criteria=criteria, id=name or upload.id))
