"""F1 of each criteria profile against its own tool on the same atoms and hydrogens, over the reference pockets.

``python benchmarks/agreement.py [--profile NAME]``; the tools come with the ``bench`` extra, one that is not installed
is named and left out. ProLIF before PLIP: RDKit cannot be loaded after Open Babel.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import peers

from interactions.complex import Complex
from interactions.contacts import find_contacts
from interactions.criteria import load
from interactions.detectors import hydrogen_bond
from interactions.environment import Environment
from interactions.labelling import load_complex

ROOT = Path(__file__).parent.parent
REFERENCE = Path(os.environ.get("MISI_ORACLE_REFERENCE", ROOT.parent / "shared" / "data"))
MODULES = {
    "prolif": "prolif",
    "baker_hubbard": "mdtraj",
    "wernet_nilsson": "mdtraj",
    "baker_hubbard_biotite": "biotite",
    "mdanalysis": "MDAnalysis",
    "plip": "plip",
}


def own_pairs(complex_: Complex, profile: str) -> peers.Pairs:
    """Our pairs that rest on hydrogens of the file."""
    env = Environment(complex_, place=False)
    return {
        frozenset((env.is_ligand(atom), atom[1]) for atom in (bond.donor, bond.acceptor))
        for bond in hydrogen_bond.find(env, load(profile))
    }


def their_pairs(complex_: Complex, ligand: bytes, profile: str) -> peers.Pairs:
    if profile == "prolif":
        return peers.prolif(ligand, complex_)
    tool: Callable[[Complex], peers.Pairs] = peers.plip if profile == "plip" else peers.SAME_ATOMS[profile]
    return tool(complex_)


def compared(profile: str, most: int | None = None) -> Iterator[tuple[str, peers.Pairs, peers.Pairs]]:
    """Complex, our pairs and the tool's; a complex that the tool cannot read is left out."""
    for folder in sorted((REFERENCE / "pdbbind").iterdir())[:most]:
        receptor, ligand = ((folder / f"{folder.name}_{end}").read_bytes() for end in ("pocket.pdb", "ligand.mol2"))
        complex_ = load_complex(receptor, folder.name, ligand, folder.name)
        with contextlib.redirect_stderr(io.StringIO()):
            if profile == "prolif" and not peers.rdkit_reads(ligand):
                continue
            yield folder.name, own_pairs(complex_, profile), their_pairs(complex_, ligand, profile)


def f1(profile: str, most: int | None = None) -> tuple[float, int, int, int]:
    """F1, pairs in common, ours alone, theirs alone."""
    common = ours = theirs = 0
    for _, mine, other in compared(profile, most):
        common, ours, theirs = common + len(mine & other), ours + len(mine - other), theirs + len(other - mine)
    return 2 * common / (2 * common + ours + theirs), common, ours, theirs


def contact_scores(most: int | None = None) -> dict[str, tuple[int, int, int]]:
    """Of each kind of contact the residues in common with PLIP, ours alone and theirs alone."""
    counts: dict[str, list[int]] = {}
    for folder in sorted((REFERENCE / "pdbbind").iterdir())[:most]:
        receptor, ligand = ((folder / f"{folder.name}_{end}").read_bytes() for end in ("pocket.pdb", "ligand.mol2"))
        complex_ = load_complex(receptor, folder.name, ligand, folder.name)
        env = Environment(complex_, place=False)
        mine = {(c.kind, env.residue(c.receptor[0])[1]) for c in find_contacts(env, load("plip"))}
        with contextlib.redirect_stderr(io.StringIO()):
            theirs = peers.plip_contacts(complex_)
        for name, pairs in (("common", mine & theirs), ("ours", mine - theirs), ("theirs", theirs - mine)):
            for kind, _ in pairs:
                counts.setdefault(kind, [0, 0, 0])[("common", "ours", "theirs").index(name)] += 1
    return {kind: (row[0], row[1], row[2]) for kind, row in sorted(counts.items())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--profile", choices=MODULES)
    chosen = parser.parse_args().profile
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    print("profile                    F1  common  ours  theirs")
    for profile, module in MODULES.items():
        if chosen not in (None, profile):
            continue
        try:
            __import__(module)
        except ImportError as error:
            print(f"{profile:22} not installed ({error}); see the bench extra")
            continue
        value, common, ours, theirs = f1(profile)
        print(f"{profile:22} {value:6.3f} {common:7} {ours:5} {theirs:7}")
        if profile == "plip":
            for kind, row in contact_scores().items():
                share = 2 * row[0] / max(1, 2 * row[0] + row[1] + row[2])
                print(f"  {kind:20} {share:6.3f} {row[0]:7} {row[1]:5} {row[2]:7}")


if __name__ == "__main__":
    main()
