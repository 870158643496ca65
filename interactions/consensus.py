"""Which criteria accept a pair, and how robust it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interactions.contact import HydrogenBond
from interactions.criteria import Profile, load, names
from interactions.detectors import hydrogen_bond, mills_dean
from interactions.environment import Atom, Environment
from interactions.records import atom_record


def find_bonds(env: Environment, profile: Profile, *, solvent: bool = True) -> list[HydrogenBond]:
    """Hydrogen bonds by the detector that the profile names; ``solvent``: those to solvent of the receptor, too."""
    if profile.detector == "mills_dean":
        return mills_dean.search_in(env, profile).bonds(solvent=solvent)
    found = hydrogen_bond.find(env, profile)
    return found if solvent else [bond for bond in found if not touches_solvent(env, bond)]


def consensus(env: Environment, profiles: Sequence[Profile] | None = None) -> dict[str, Any]:
    """Every pair that any profile takes for a bond, water apart, with the names of those that do.

    ``robustness``: the share of the profiles that accept the pair, 0 to 1. In order of receptor, then ligand atom.
    """
    chosen = [load(name) for name in names()] if profiles is None else list(profiles)
    accepted: dict[tuple[Atom, Atom], list[str]] = {}
    counts = {}
    for profile in chosen:
        pairs = {_pair(env, bond) for bond in find_bonds(env, profile, solvent=False)}
        counts[profile.name] = len(pairs)
        for pair in pairs:
            accepted.setdefault(pair, []).append(profile.name)
    return {
        "profiles": [{"name": p.name, "digest": p.digest, "bonds": counts[p.name]} for p in chosen],
        "pairs": [
            {
                "receptor": atom_record(env.complex, *pair[0]),
                "ligand": atom_record(env.complex, *pair[1]),
                "accepted_by": accepted[pair],
                "robustness": round(len(accepted[pair]) / len(chosen), 4),
            }
            for pair in sorted(accepted, key=lambda pair: (pair[0][1], pair[1][1]))
        ],
    }


def _pair(env: Environment, bond: HydrogenBond) -> tuple[Atom, Atom]:
    donates = env.is_ligand(bond.donor)
    return (bond.acceptor, bond.donor) if donates else (bond.donor, bond.acceptor)


def touches_solvent(env: Environment, bond: HydrogenBond) -> bool:
    """Whether an end is water of the receptor."""
    return env.is_solvent(bond.donor) or env.is_solvent(bond.acceptor)
