"""Which split a complex is in: by its group, all of which lands in one. A way to group is a function and a line."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from app.asking import Source, split_of
from interactions.errors import InputError, OracleError

SPLITS = ("train", "validation", "test")
IDENTITY = 0.4
WORD = 3  # letters
SHARED_WORDS = 0.05  # of the shorter sequence's, below which two sequences are not aligned
Groups = dict[str, str]


@dataclass(frozen=True)
class Profile:
    """What leaks are told by: the scaffold and the InChIKey of the ligand, and the receptor's longest chain. Empty
    where they cannot be told."""

    id: str
    scaffold: str = ""
    ligand: str = ""
    sequence: str = ""


def profile_of(source: Source) -> Profile:
    """The profile of a complex; an empty one where it cannot be read, which its labels will say as well."""
    from interactions.environment import Environment

    try:
        complex_ = source.load()
    except OracleError:
        return Profile(source.id)
    env = Environment(complex_)
    scaffold, key = _ligand(env.ligand_chemistry, complex_.models[-1].structure)
    return Profile(source.id, scaffold, key, sequence_of(complex_.models[0].structure))


def _ligand(chemistry: Any, structure: Any) -> tuple[str, str]:
    """Bemis–Murcko scaffold (of a ligand without a ring its own SMILES) and InChIKey, by RDKit."""
    from rdkit import Chem, rdBase

    from interactions.chemistry.ligand_chemistry import to_rdkit

    if chemistry is None:
        return "", ""
    with rdBase.BlockLogs():
        molecule = Chem.RemoveHs(to_rdkit(structure, chemistry))
        return scaffold_of(molecule), Chem.MolToInchiKey(molecule)


def scaffold_of(molecule: Any) -> str:
    """SMILES without stereochemistry: ring systems and what links them; the molecule itself where it has no ring."""
    from rdkit import Chem
    from rdkit.Chem.Scaffolds import MurckoScaffold

    flat = Chem.Mol(molecule)
    Chem.RemoveStereochemistry(flat)
    core = MurckoScaffold.GetScaffoldForMol(flat)
    return str(Chem.MolToSmiles(core if core.GetNumAtoms() else flat))


def sequence_of(structure: Any) -> str:
    """One-letter codes of the longest protein chain, in file order; of two as long the first."""
    import gemmi

    chains: dict[str, list[str]] = defaultdict(list)
    for name, chain in zip(structure.residue_names, structure.chains, strict=True):
        known = gemmi.find_tabulated_residue(name)
        if known.is_amino_acid():
            chains[chain].append(known.one_letter_code.upper())
    return max(("".join(letters) for letters in chains.values()), key=len, default="")


# Ways to group


def by_complex(profiles: Sequence[Profile]) -> Groups:
    return {profile.id: profile.id for profile in profiles}


def by_scaffold(profiles: Sequence[Profile]) -> Groups:
    return {profile.id: profile.scaffold or profile.id for profile in profiles}


def by_sequence(profiles: Sequence[Profile]) -> Groups:
    """Clusters of protein sequences, known by their representative's sequence; see ``clusters``."""
    found = clusters({profile.sequence for profile in profiles if profile.sequence})
    return {profile.id: found.get(profile.sequence, profile.id) for profile in profiles}


METHODS: dict[str, Callable[[Sequence[Profile]], Groups]] = {
    "complex": by_complex,
    "scaffold": by_scaffold,
    "sequence": by_sequence,
}
NEEDS_PROFILE = frozenset({"scaffold", "sequence"})


def clusters(sequences: Iterable[str], identity: float = IDENTITY) -> dict[str, str]:
    """The representative of each sequence, greedily: longest first, each joins the first representative that it is
    like, or becomes one itself.

    Alike: at least SHARED_WORDS of the shorter one's words of three letters in common, and in gemmi's global alignment
    as many identical letters as ``identity`` of the shorter one's length.
    """
    found: dict[str, str] = {}
    with_word: dict[str, list[int]] = defaultdict(list)
    representatives: list[str] = []
    for sequence in sorted(set(sequences), key=lambda one: (-len(one), one)):
        words = _words(sequence)
        shared = Counter(number for word in words for number in with_word.get(word, ()))
        likely = sorted(number for number, count in shared.items() if count >= SHARED_WORDS * len(words))
        kin = next((r for r in map(representatives.__getitem__, likely) if alike(sequence, r, identity)), None)
        if kin is None:
            for word in words:
                with_word[word].append(len(representatives))
            representatives.append(sequence)
        found[sequence] = kin or sequence
    return found


def alike(one: str, other: str, identity: float) -> bool:
    import gemmi

    aligned = gemmi.align_string_sequences(list(one), list(other), [])
    return bool(aligned.match_count >= identity * min(len(one), len(other)))


def _words(sequence: str) -> set[str]:
    return {sequence[at : at + WORD] for at in range(max(1, len(sequence) - WORD + 1))}


def assign(found: Sequence[Source], method: str, profiles: Sequence[Profile], test_share: float) -> dict[str, str]:
    """The split of each complex. Raises InputError (``no_split``) where one is not given."""
    if method == "given":
        return {source.id: _given(source) for source in found}
    groups = METHODS[method](profiles)
    return {source.id: split_of(groups[source.id], test_share) for source in found}


def _given(source: Source) -> str:
    if source.split not in SPLITS:
        raise InputError(
            f"{source.id}: the split {source.split!r} is none of {', '.join(SPLITS)}: give one in the manifest",
            code="no_split",
        )
    return source.split


def leaks(profiles: Sequence[Profile], splits: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """What stands in more than one split: ligands, scaffolds and clusters of sequences, with their complexes."""
    kinds = {
        "ligand": {profile.id: profile.ligand for profile in profiles},
        "scaffold": {profile.id: profile.scaffold for profile in profiles},
        "sequence": by_sequence(profiles),
    }
    for kind, names in kinds.items():
        members: dict[str, list[str]] = defaultdict(list)
        for identifier, name in sorted(names.items()):
            if name:
                members[name].append(identifier)
        for name, ids in sorted(members.items()):
            if len({splits[identifier] for identifier in ids}) > 1:
                yield {"kind": kind, "name": digest(name) if kind == "sequence" else name, "complexes": ids}


def digest(text: str) -> str:
    """A short name of a sequence."""
    return sha256(text.encode()).hexdigest()[:12]
