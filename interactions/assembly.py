"""Biological assemblies: copies of chains by the symmetry operations that the file lists, read by gemmi."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from interactions.errors import InputError
from interactions.structure import Floats, Structure, joined

Operator = tuple[Floats, Floats]  # rotation (3, 3) and shift (3,) in Å
MOST_ATOMS = 2_000_000


def assembled(structure: Structure, data: bytes, name: str) -> Structure:
    """The assembly of this name; a chain's first copy keeps its name, the next are ``A-2``, ``A-3`` …

    ``data`` is the decompressed PDB or mmCIF file that the structure was read from. Bonds are copied where both atoms
    are; none is made between copies. Raises InputError: ``no_assembly``, ``no_atoms``, ``too_large``.
    """
    copies = [(operator, _atoms(structure, residues)) for operator, residues in _copies(structure, data, name)]
    size = sum(int(atoms.sum()) for _, atoms in copies)
    if not size:
        raise InputError(f"{structure.name}: no atom is in assembly {name}", code="no_atoms")
    if size > MOST_ATOMS:
        raise InputError(f"{structure.name}: {size} atoms in assembly {name}, at most {MOST_ATOMS}", code="too_large")
    seen: Counter[str] = Counter()
    return joined([_moved(structure.without(np.flatnonzero(~atoms)), operator, seen) for operator, atoms in copies])


def _copies(structure: Structure, data: bytes, name: str) -> Iterator[tuple[Operator, NDArray[np.bool_]]]:
    """Each operation with the residues that it copies; a residue once, however often the file says it."""
    import gemmi

    read = gemmi.read_structure_string(data.decode("utf-8", "replace"))
    found = next((one for one in read.assemblies if one.name == name), None)
    if found is None:
        known = ", ".join(one.name for one in read.assemblies) or "none"
        raise InputError(f"{structure.name}: no assembly {name!r}; known: {known}", code="no_assembly")
    chains, labels = np.array(structure.chains), np.array(structure.label_chains or structure.chains)
    copied: dict[tuple[float, ...], NDArray[np.bool_]] = {}
    for generator in found.generators:
        residues = np.isin(labels, generator.subchains) | np.isin(chains, generator.chains)
        for operator in generator.operators:
            key = (*chain(*operator.transform.mat.tolist()), *operator.transform.vec.tolist())
            copied[key] = copied.get(key, False) | residues
    for key, residues in copied.items():
        yield (np.array(key[:9]).reshape(3, 3), np.array(key[9:])), residues


def _atoms(structure: Structure, residues: NDArray[np.bool_]) -> NDArray[np.bool_]:
    atoms: NDArray[np.bool_] = residues[structure.residue_of]
    return atoms


def _moved(structure: Structure, operator: Operator, seen: Counter[str]) -> Structure:
    rotation, shift = operator
    seen.update(set(structure.chains))
    if not (np.array_equal(rotation, np.eye(3)) and not shift.any()):
        structure = replace(structure, coordinates=structure.coordinates @ rotation.T + shift)
    return replace(structure, chains=_named(structure.chains, seen))


def _named(chains: Sequence[str], seen: Counter[str]) -> tuple[str, ...]:
    return tuple([name if seen[name] == 1 else f"{name}-{seen[name]}" for name in chains])
