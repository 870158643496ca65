"""The command misi-oracle. Heavy imports wait until a command needs them."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.serving import add_commands
from interactions.errors import OracleError, UnknownName


def _criteria(name: str) -> Any:
    """A profile: by name, or from a TOML file."""
    if not name.endswith(".toml"):
        return name
    from app.bulk import read_file
    from app.work import own_criteria

    return own_criteria(read_file(Path(name))[0], name)


def _load(options: argparse.Namespace) -> Any:
    from app.bulk import read_file
    from interactions.labelling import load_complex

    receptor = read_file(options.receptor)
    ligand = (None, None) if options.second is None else read_file(options.second)
    return load_complex(*receptor, *ligand, options.ligand, options.smiles)


def hbonds(options: argparse.Namespace) -> int:
    from app.table import bond_table, consensus_table
    from app.work import PARTS
    from interactions.labelling import label, label_by_all
    from interactions.serialise import dumps

    identifier = options.receptor.name.split(".")[0]
    if options.criteria == "all":
        record = label_by_all(_load(options), hydrogens=options.hydrogens, id=identifier)
        print(dumps(record).decode().rstrip("\n") if options.json else consensus_table(record))
        return 0
    record = label(
        _load(options),
        criteria=_criteria(options.criteria),
        relaxed=not options.unrelaxed,
        distance_slop=options.distance_slop,
        angle_slop=options.angle_slop,
        solvent=options.solvent,
        parts=PARTS if options.json else (),
        hydrogens=options.hydrogens,
        id=identifier,
    )
    print(dumps(record).decode().rstrip("\n") if options.json else bond_table(record))
    return 0


def explain(options: argparse.Namespace) -> int:
    from interactions.labelling import explain_label
    from interactions.serialise import dumps

    found = explain_label(
        _load(options),
        criteria=_criteria(options.criteria),
        atoms=None if options.atoms is None else tuple(options.atoms),
        within=options.within,
        hydrogens=options.hydrogens,
    )
    if options.json:
        print(dumps(found).decode().rstrip("\n"))
    else:
        print("\n".join(one["sentence"] for one in found))
    return 0


def criteria(options: argparse.Namespace) -> int:
    from app.document import criteria_markdown

    del options
    sys.stdout.write(criteria_markdown())
    return 0


def label_many(options: argparse.Namespace) -> int:
    from app.bulk import Usage, collect, label_all
    from app.work import criteria_names

    if options.criteria not in criteria_names():
        raise UnknownName("criteria", options.criteria, criteria_names())
    try:
        if options.out.suffix != ".jsonl":
            what = "not available yet" if options.out.suffix == ".parquet" else "not a known kind of output"
            raise Usage(f"{options.out}: {what}; write .jsonl")
        tasks = collect(options.path, options.criteria)
    except Usage as error:
        print(f"misi-oracle: {error}", file=sys.stderr)
        return 2
    return 1 if label_all(tasks, options.out, options.jobs) else 0


def components(_: argparse.Namespace) -> int:
    from interactions.chemistry.components import build_index

    def progress(done: int, of: int) -> None:
        print(f"\r{done} of {of} components", end="", file=sys.stderr, flush=True)

    path = build_index(progress)
    print(file=sys.stderr)
    print(path)
    return 0


def openapi(_: argparse.Namespace) -> int:
    from app.document import openapi_yaml

    sys.stdout.write(openapi_yaml())
    return 0


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _tolerance(text: str) -> float:
    if not 0 <= (number := float(text)) < math.inf:
        raise argparse.ArgumentTypeError("must be a finite number, 0 or more")
    return number


def _add_complex(command: argparse.ArgumentParser) -> None:
    command.add_argument("receptor", type=Path, metavar="RECEPTOR")
    command.add_argument("second", type=Path, nargs="?", metavar="LIGAND")
    command.add_argument("--ligand", metavar="SELECTOR", help="RES[:CHAIN[:NUM]], several joined by commas")
    command.add_argument(
        "--criteria", default="chimerax", metavar="NAME|FILE", help="a set by name, a .toml file, or all"
    )
    command.add_argument("--smiles", help="of the ligand, for bond orders that its file does not tell")
    command.add_argument("--hydrogens", default="placed", choices=("placed", "given", "openmm"))


def parser() -> argparse.ArgumentParser:
    root = argparse.ArgumentParser("misi-oracle", description="Interaction labels of protein-ligand complexes.")
    commands = root.add_subparsers(required=True, metavar="COMMAND")

    add_commands(commands, _positive)

    command = commands.add_parser("hbonds", help="hydrogen bonds of one complex")
    _add_complex(command)
    command.add_argument("--unrelaxed", action="store_true", help="without the tolerances")
    command.add_argument("--distance-slop", type=_tolerance, metavar="Å")
    command.add_argument("--angle-slop", type=_tolerance, metavar="°")
    command.add_argument("--solvent", action="store_true", help="also bonds to water")
    command.add_argument("--json", action="store_true", help="the LabelSet as JSON")
    command.set_defaults(run=hbonds)

    command = commands.add_parser("explain", help="why pairs are or are not hydrogen bonds")
    _add_complex(command)
    command.add_argument("--atoms", nargs=2, metavar=("RES:CHAIN:NUM:ATOM", "LIGAND_ATOM"), help="one pair")
    command.add_argument("--within", type=_tolerance, default=5.0, metavar="Å", help="all pairs so near (default 5)")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=explain)

    command = commands.add_parser("criteria", help="print all criteria sets as Markdown")
    command.set_defaults(run=criteria)

    command = commands.add_parser("label", help="label many complexes")
    command.add_argument("path", type=Path, nargs="+", metavar="PATH")
    command.add_argument("--out", type=Path, required=True, metavar="FILE.jsonl")
    command.add_argument("--criteria", default="chimerax", metavar="NAME")
    command.add_argument("--jobs", type=_positive, metavar="N")
    command.set_defaults(run=label_many)

    command = commands.add_parser("components", help="extract biotite's chemical component dictionary into the cache")
    command.set_defaults(run=components)

    command = commands.add_parser("openapi", help="print the description of the service")
    command.set_defaults(run=openapi)
    return root


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except OracleError as error:
        print(f"misi-oracle: {error.code}: {error}", file=sys.stderr)
        return 2 if isinstance(error, UnknownName) else 1
    except OSError as error:
        print(f"misi-oracle: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
