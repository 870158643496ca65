"""CPU milliseconds per complex of each step from bytes to JSON, beside PLIP, ProLIF and biotite in the same run.

``python benchmarks/label_cost.py [--repeat N]``; complexes by MISI_ORACLE_REFERENCE. Peers come with the
``bench`` extra; one that is not installed is named and left out.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import os
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from interactions.chemistry.idatm import idatm_types
from interactions.criteria import load
from interactions.detectors.mills_dean import find
from interactions.formats import read
from interactions.labelling import label, label_by_all, load_complex
from interactions.pocket import PocketRule, pocket_residues
from interactions.serialise import dumps

Result = TypeVar("Result")
Files = tuple[str, bytes, bytes | None, str | None]  # name, receptor, ligand, selector

ROOT = Path(__file__).parent.parent
REFERENCE = Path(os.environ.get("MISI_ORACLE_REFERENCE", ROOT.parent / "shared" / "data"))
STEPS = ("read", "perceive", "bonds", "pocket", "serialise", "whole")
PROTEINS = (("1xdn", "ATP:A:501"), ("1h2t", "GDP:Z:1151"), ("4kya", "FOL:A:703"))


def cpu(call: Callable[[], Result]) -> tuple[float, Result]:
    """CPU milliseconds of a call, and what it returns."""
    start = time.process_time()
    result = call()
    return (time.process_time() - start) * 1e3, result


def costs(files: Files) -> dict[str, float]:
    """Milliseconds of each step for one complex."""
    name, receptor, ligand, selector = files

    def parts() -> list[Any]:
        return [read(data, name) for data in (receptor, ligand) if data is not None]

    found: dict[str, float] = {}
    found["read"], structures = cpu(parts)
    found["perceive"], _ = cpu(lambda: [idatm_types(structure) for structure in structures])
    complex_ = load_complex(receptor, name, ligand, name, selector)
    found["bonds"], _ = cpu(lambda: find(complex_, load("chimerax")))
    found["pocket"], _ = cpu(lambda: pocket_residues(complex_, PocketRule()))
    record = label(complex_)
    found["serialise"], _ = cpu(lambda: dumps(record))
    found["whole"], _ = cpu(lambda: dumps(label(load_complex(receptor, name, ligand, name, selector))))
    return found


def further_costs(files: Files) -> dict[str, float]:
    """Milliseconds of one label with all contacts and sites, of its ambiguities too, and of all profiles at once."""
    name, receptor, ligand, selector = files
    complex_ = load_complex(receptor, name, ligand, name, selector)
    return {
        "contacts and sites": cpu(lambda: label(complex_, parts=("contacts", "sites")))[0],
        "with ambiguities": cpu(lambda: label(complex_, parts=("contacts", "sites", "ambiguities")))[0],
        "all profiles": cpu(lambda: label_by_all(complex_))[0],
    }


def medians(many: list[dict[str, float]]) -> dict[str, float]:
    return {step: statistics.median(row[step] for row in many) for step in STEPS}


def pockets() -> list[Files]:
    return [
        (folder.name, (folder / f"{folder.name}_pocket.pdb").read_bytes(), ligand.read_bytes(), None)
        for folder in sorted((REFERENCE / "pdbbind").iterdir())
        if (ligand := folder / f"{folder.name}_ligand.mol2").is_file()
    ]


def deposited(entry: str) -> bytes:
    return gzip.decompress((REFERENCE / "wwpdb" / f"{entry}.pdb.gz").read_bytes())


def plip(data: bytes) -> None:
    from plip.structure.preparation import PDBComplex

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "entry.pdb"
        path.write_bytes(data)
        entry = PDBComplex()
        entry.output_path = folder
        entry.load_pdb(str(path))
        entry.analyze()


def prolif(receptor: bytes, ligand: bytes) -> None:
    import prolif
    from rdkit import Chem

    protein = prolif.Molecule.from_rdkit(Chem.MolFromPDBBlock(receptor.decode(), removeHs=False))
    molecule = prolif.Molecule.from_rdkit(Chem.MolFromMol2Block(ligand.decode(), removeHs=False))
    prolif.Fingerprint(["HBDonor", "HBAcceptor"]).run_from_iterable([molecule], protein, progress=False)


def biotite(data: bytes) -> None:
    import io

    import biotite.structure as struc
    from biotite.structure.io import pdb

    struc.hbond(pdb.PDBFile.read(io.StringIO(data.decode())).get_structure(model=1, include_bonds=True))


def print_peer(name: str, module: str, call: Callable[[], None], own: Callable[[], object], what: str) -> None:
    """CPU of a peer and its ratio to our own whole label of the same file."""
    try:
        __import__(module)
    except ImportError as error:
        print(f"{name:10} not installed ({error}); see the bench extra")
        return
    call()
    theirs = statistics.median(cpu(call)[0] for _ in range(3))
    ours = statistics.median(cpu(own)[0] for _ in range(9))
    print(f"{name:10} {theirs:9.1f} ms  ours {ours:7.2f} ms  ratio {theirs / ours:7.1f}  {what}")


def print_peers() -> None:
    entry = deposited("3ptb")
    folder = REFERENCE / "pdbbind" / "10gs"
    receptor, ligand = ((folder / f"10gs_{name}").read_bytes() for name in ("pocket.pdb", "ligand.mol2"))

    def own_entry() -> bytes:
        return dumps(label(load_complex(entry, "3ptb", selector="BEN:A:1")))

    def own_pair() -> bytes:
        return dumps(label(load_complex(receptor, "10gs", ligand, "10gs")))

    # ProLIF before PLIP: RDKit cannot be loaded after Open Babel.
    print_peer("ProLIF", "prolif", lambda: prolif(receptor, ligand), own_pair, "10gs, hydrogen bonds")
    print_peer("PLIP", "plip", lambda: plip(entry), own_entry, "3ptb, deposited")
    print_peer("biotite", "biotite.structure", lambda: biotite(entry), own_entry, "3ptb, hbond of the whole entry")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    if not (REFERENCE / "pdbbind").is_dir():
        raise SystemExit(f"no complexes at {REFERENCE}: set MISI_ORACLE_REFERENCE")
    warnings.simplefilter("ignore")  # those of the peers
    complexes = pockets()
    for files in complexes:
        costs(files)
    # As the service and the bulk workers do: what is loaded is not looked at by the collector again.
    gc.collect()
    gc.freeze()
    print(f"CPU ms, median     {'  '.join(f'{step:>9}' for step in STEPS)}")
    many = [costs(files) for _ in range(repeat) for files in complexes]
    print(f"{len(complexes)} pockets         {'  '.join(f'{medians(many)[step]:9.2f}' for step in STEPS)}")
    further = [further_costs(files) for _ in range(repeat) for files in complexes]
    for what in further[0]:
        print(f"64 pockets, {what:20} {statistics.median(row[what] for row in further):9.2f}")
    for entry, selector in PROTEINS:
        data = deposited(entry)
        many = [costs((entry, data, None, selector)) for _ in range(repeat + 1)][1:]
        atoms = len(read(data, entry))
        print(f"{entry} {atoms:6} atoms  {'  '.join(f'{medians(many)[step]:9.2f}' for step in STEPS)}")
    print_peers()


if __name__ == "__main__":
    main()
