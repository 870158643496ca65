"""Complex: perceived structures of which some atoms are the one ligand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interactions.frozen import Frozen
from interactions.structure import Structure


@dataclass(frozen=True, eq=False)
class Chemistry(Frozen):
    """A structure with the IDATM type of each atom (length n)."""

    structure: Structure
    types: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Complex(Frozen):
    """Receptor and ligand.

    ``models`` holds one Chemistry when both come from one file, or two (receptor, ligand).
    ``ligand_masks`` holds, for each model, which atoms are the ligand: shape (n,). ``digest`` is the
    sha256 of the decompressed receptor bytes, then the ligand's. ``smiles`` of the ligand, where given.
    """

    models: tuple[Chemistry, ...]
    ligand_masks: tuple[NDArray[np.bool_], ...]
    selector: str
    digest: str
    smiles: str | None = None
