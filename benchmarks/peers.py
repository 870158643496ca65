"""Hydrogen bonds of other tools for the same atoms and the same hydrogens, as pairs of heavy atoms.

A pair is a frozenset of two keys (is ligand, index in its own file). Every tool sees the bonds of our own
structures and the hydrogens of the files; none adds its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from interactions.chemistry.elements import SYMBOLS
from interactions.complex import Complex

Key = tuple[bool, int]
Pairs = set[frozenset[Key]]


class Joined:
    """Both models of a complex as one list of atoms."""

    def __init__(self, complex_: Complex) -> None:
        self.structures = [chemistry.structure for chemistry in complex_.models]
        self.keys: list[Key] = []
        self.shifts: list[int] = []
        for structure, mask in zip(self.structures, complex_.ligand_masks, strict=True):
            self.shifts.append(len(self.keys))
            self.keys += [(bool(mask[a]), a) for a in range(len(structure))]
        self.coordinates = np.concatenate([s.coordinates for s in self.structures])
        self.symbols = [SYMBOLS[e] for s in self.structures for e in s.elements.tolist()]
        self.names = [name for s in self.structures for name in s.atom_names]
        self.bonds = [
            (a + shift, b + shift)
            for s, shift in zip(self.structures, self.shifts, strict=True)
            for a, b in s.bonds.tolist()
        ]
        self.residues: list[tuple[int, str]] = []  # running number and name, per atom
        count = 0
        for s in self.structures:
            self.residues += [(count + r, s.residue_names[r]) for r in s.residue_of.tolist()]
            count += len(s.residue_names)

    def across(self, pairs: Any) -> Pairs:
        """Pairs (donor, acceptor) with one end in the ligand."""
        found = {frozenset((self.keys[int(d)], self.keys[int(a)])) for d, a in pairs}
        return {pair for pair in found if len({key[0] for key in pair}) == 2}


def mdtraj_frame(joined: Joined) -> Any:
    import mdtraj

    topology = mdtraj.Topology()
    chain = topology.add_chain()
    atoms, residue, last = [], None, -1
    for symbol, name, (number, residue_name) in zip(joined.symbols, joined.names, joined.residues, strict=True):
        if number != last:
            residue, last = topology.add_residue(residue_name, chain), number
        atoms.append(topology.add_atom(name, mdtraj.element.get_by_symbol(symbol), residue))
    for a, b in joined.bonds:
        topology.add_bond(atoms[a], atoms[b])
    return mdtraj.Trajectory(joined.coordinates[None] / 10, topology)


def baker_hubbard(complex_: Complex) -> Pairs:
    import mdtraj

    joined = Joined(complex_)
    found = mdtraj.baker_hubbard(mdtraj_frame(joined), freq=0.0, exclude_water=False, periodic=False)
    return joined.across((d, a) for d, _, a in found.tolist())


def wernet_nilsson(complex_: Complex) -> Pairs:
    import mdtraj

    joined = Joined(complex_)
    found = mdtraj.wernet_nilsson(mdtraj_frame(joined), exclude_water=False, periodic=False)[0]
    return joined.across((d, a) for d, _, a in found.tolist())


def biotite(complex_: Complex) -> Pairs:
    import biotite.structure as struc

    joined = Joined(complex_)
    array = struc.AtomArray(len(joined.keys))
    array.coord = joined.coordinates.astype(np.float32)
    array.element = np.array([s.upper() for s in joined.symbols])
    array.atom_name = np.array(joined.names)
    array.res_name = np.array([name for _, name in joined.residues])
    array.res_id = np.array([number for number, _ in joined.residues])
    array.bonds = struc.BondList(len(array), np.array(joined.bonds))
    found = struc.hbond(array)
    return joined.across((d, a) for d, _, a in found.tolist())


def mdanalysis(complex_: Complex) -> Pairs:
    import MDAnalysis
    from MDAnalysis.analysis.hydrogenbonds import HydrogenBondAnalysis

    joined = Joined(complex_)
    numbers = np.array([number for number, _ in joined.residues])
    universe = MDAnalysis.Universe.empty(
        len(joined.keys), n_residues=int(numbers.max()) + 1, atom_resindex=numbers, trajectory=True
    )
    universe.atoms.positions = joined.coordinates
    universe.add_TopologyAttr("elements", joined.symbols)
    universe.add_TopologyAttr("names", joined.names)
    universe.add_TopologyAttr("bonds", joined.bonds)
    polar = "element N or element O"
    analysis = HydrogenBondAnalysis(
        universe,
        donors_sel=None,
        hydrogens_sel=f"element H and bonded ({polar})",
        acceptors_sel=polar,
        update_selections=False,
    )
    analysis.run()
    return joined.across((int(d), int(a)) for _, d, _, a, _, _ in analysis.results.hbonds)


def rdkit_reads(ligand: bytes) -> bool:
    from rdkit import Chem

    return Chem.MolFromMol2Block(ligand.decode(), removeHs=False) is not None


def prolif(ligand: bytes, complex_: Complex) -> Pairs:
    """With RDKit's reading of both files; water is a residue like others."""
    import prolif as plf
    from rdkit import Chem

    joined = Joined(complex_)
    # ProLIF knows a residue by chain and number: each gets a number of its own.
    protein = plf.Molecule.from_rdkit(Chem.MolFromPDBBlock(pdb_of(joined, ligand=False), removeHs=False))
    molecule = plf.Molecule.from_rdkit(Chem.MolFromMol2Block(ligand.decode(), removeHs=False))
    fingerprint = plf.Fingerprint(["HBDonor", "HBAcceptor"], count=True)
    fingerprint.run_from_iterable([molecule], protein, progress=False, residues="all")
    places = {tuple(np.round(xyz, 3)): key for xyz, key in zip(joined.coordinates, joined.keys, strict=True)}
    found = set()
    for interactions in fingerprint.ifp[0].values():
        for entries in interactions.values():
            for entry in entries:
                # The first index of each side is the heavy atom, in the parent molecule.
                sides = entry["parent_indices"]
                mine, theirs = sides["ligand"], sides["protein"]
                found.add(
                    frozenset(
                        (
                            places[tuple(np.round(molecule.GetConformer().GetPositions()[mine[0]], 3))],
                            places[tuple(np.round(protein.GetConformer().GetPositions()[theirs[0]], 3))],
                        )
                    )
                )
    return found


def plip_sites(joined: Joined) -> list[Any]:
    """PLIP's interaction sets of one PDB file of both models, with the given hydrogens (NOHYDRO)."""
    import tempfile
    from pathlib import Path

    from plip.basic import config
    from plip.structure.preparation import PDBComplex

    config.NOHYDRO = True
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "complex.pdb"
        path.write_text(pdb_of(joined))
        entry = PDBComplex()
        entry.output_path = folder
        entry.load_pdb(str(path))
        entry.analyze()
    return list(entry.interaction_sets.values())


def plip(complex_: Complex) -> Pairs:
    """Hydrogen bonds of PLIP."""
    joined = Joined(complex_)
    places = {tuple(np.round(xyz, 3)): key for xyz, key in zip(joined.coordinates, joined.keys, strict=True)}
    found = set()
    for site in plip_sites(joined):
        for bond in site.hbonds_ldon + site.hbonds_pdon:
            found.add(frozenset(places[tuple(np.round(atom.coords, 3))] for atom in (bond.d, bond.a)))
    return {pair for pair in found if len({key[0] for key in pair}) == 2}


def plip_contacts(complex_: Complex) -> set[tuple[str, int]]:
    """Kind and receptor residue (0-based, in file order) of PLIP's other contacts."""
    lists = {
        "salt_bridge": ("saltbridge_lneg", "saltbridge_pneg"),
        "hydrophobic": ("hydrophobic_contacts",),
        "pi_stacking": ("pistacking",),
        "cation_pi": ("pication_laro", "pication_paro"),
        "halogen_bond": ("halogen_bonds",),
        "water_bridge": ("water_bridges",),
    }
    return {
        (kind, int(contact.resnr) - 1)
        for site in plip_sites(Joined(complex_))
        for kind, names in lists.items()
        for name in names
        for contact in getattr(site, name)
    }


def pdb_of(joined: Joined, *, ligand: bool = True) -> str:
    """Receptor as PDB, each residue with a number of its own, and the ligand as HETATM LIG Z 1 with CONECT."""
    lines, shift = [], joined.shifts[-1]
    for i, (symbol, name, (number, residue), key) in enumerate(
        zip(joined.symbols, joined.names, joined.residues, joined.keys, strict=True), 1
    ):
        x, y, z = joined.coordinates[i - 1]
        if key[0] and not ligand:
            break
        if key[0]:
            record, name, residue, chain, number = "HETATM", f"{symbol}{i - shift}"[:4], "LIG", "Z", 1
        else:
            record, chain, number = "HETATM" if residue == "HOH" else "ATOM  ", "A", number + 1
        padded = name if len(name) == 4 else f" {name:<3}"
        lines.append(
            f"{record}{i:5d} {padded:4}{'':1}{residue:>3} {chain}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
            f"  1.00  0.00          {symbol.upper():>2}  "
        )
    for a, b in joined.bonds if ligand else ():
        if joined.keys[a][0]:
            lines.append(f"CONECT{a + 1:5d}{b + 1:5d}")
            lines.append(f"CONECT{b + 1:5d}{a + 1:5d}")
    return "\n".join([*lines, "END", ""])


SAME_ATOMS: dict[str, Callable[[Complex], Pairs]] = {
    "baker_hubbard": baker_hubbard,
    "baker_hubbard_biotite": biotite,
    "wernet_nilsson": wernet_nilsson,
    "mdanalysis": mdanalysis,
}
