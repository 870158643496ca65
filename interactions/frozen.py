"""Records whose arrays are read-only, also after unpickling."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np


class Frozen:
    """Base of frozen dataclasses: every array field is made read-only at construction."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: what was worked out from them can be worked out again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        Frozen.__post_init__(self)
