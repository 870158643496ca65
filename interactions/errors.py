"""Errors of the library: one root, each with a stable machine code."""

from __future__ import annotations

from collections.abc import Iterable


class OracleError(Exception):
    """Root of all errors that the library raises on purpose.

    ``code`` is a stable machine name, ``stage`` the step that failed
    (``read``, ``perceive``, ``choose``, ``label``), ``str(error)`` a message for people.
    """

    code = "error"
    stage = "label"

    def __init__(self, message: str, *, code: str | None = None, stage: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code
        if stage is not None:
            self.stage = stage

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, self.code, self.stage)


def _rebuild(kind: type[OracleError], message: str, code: str, stage: str) -> OracleError:
    error = kind.__new__(kind)
    OracleError.__init__(error, message, code=code, stage=stage)
    return error


class InputError(OracleError):
    """The input cannot be read; the message names file and line or atom, and what was expected."""

    code = "invalid_input"
    stage = "read"


class ChemistryError(OracleError):
    """The chemistry of a readable structure cannot be perceived."""

    code = "chemistry"
    stage = "perceive"


class LigandError(OracleError):
    """No ligand, or more than one, answers the choice; the message lists the candidates."""

    code = "ligand_choice"
    stage = "choose"


class UnknownName(OracleError):
    """A name that a registry does not hold; the message lists the known ones."""

    code = "unknown_name"

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown {what} {name!r}; known: {', '.join(sorted(known))}")
