"""The command misi-oracle. Heavy imports wait until a command needs them."""

from __future__ import annotations

import argparse
import math
import os
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
        if options.out.suffix not in (".jsonl", ".parquet"):
            raise Usage(f"{options.out}: not a known kind of output; write .jsonl or .parquet")
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


def ask(options: argparse.Namespace) -> int:
    from app.asking import Plan, ask_all, sources
    from app.bulk import Usage
    from app.pictures import write_scripts
    from interactions.questions import QUESTIONS
    from interactions.serialise import dumps

    *kinds, source = options.kinds_and_source
    kinds = list(QUESTIONS) if kinds in ([], ["all"]) else kinds
    plan = Plan(tuple(kinds), options.seed, options.count, options.test_share, options.criteria)
    try:
        found = sources([Path(source)], options.criteria)
    except Usage as error:
        print(f"misi-oracle: {error}", file=sys.stderr)
        return 2
    written, failed = 0, []
    part = options.out.with_name(options.out.name + ".part")
    with part.open("wb") as stream:
        for item in ask_all(found, plan, options.out):
            if isinstance(item, str):
                failed.append(item)
                continue
            record, scene, where = item
            if options.pictures is not None:
                write_scripts(record, scene, where, options.pictures)
            stream.write(dumps(record | {"answer": None} if options.no_answers else record).rstrip(b"\n") + b"\n")
            written += 1
    part.replace(options.out)
    print(f"{written} questions about {len(found)} complexes", file=sys.stderr)
    print("".join(f"{line}\n" for line in failed), end="", file=sys.stderr)
    return 1 if failed else 0


def _print_lines(rows: Any) -> int:
    """Rows as JSON lines on stdout; 1 where one of them failed."""
    from interactions.serialise import dumps

    failed = 0
    for row in rows:
        failed += row.get("status") == "failed"
        sys.stdout.write(dumps(row).decode().rstrip("\n") + "\n")
    return 1 if failed else 0


def solve(options: argparse.Namespace) -> int:
    from app.asking import read_lines, solve_all

    return _print_lines(solve_all(list(read_lines(options.questions)), options.questions.resolve().parent))


def score(options: argparse.Namespace) -> int:
    from app.asking import read_lines, score_all

    rows = score_all(
        read_lines(options.questions),
        read_lines(options.answers),
        options.questions.resolve().parent,
        metric=options.metric,
        mode=options.mode,
    )
    return _print_lines(rows)


def report(options: argparse.Namespace) -> int:
    from app.asking import read_lines, truths_of
    from interactions.questions.report import build
    from interactions.questions.report_pages import as_markdown, write

    truths = None if options.questions is None else truths_of(read_lines(options.questions))
    made = build(list(read_lines(options.scores)), system=options.system, truths=truths)
    if options.out is None:
        sys.stdout.write(as_markdown(made))
    else:
        for path in write(made, options.out):
            print(path, file=sys.stderr)
    return 0


def answer(options: argparse.Namespace) -> int:
    """Answer a benchmark prompt, read from a file or stdin."""
    from interactions.questions.prompts import answer_prompt

    text = sys.stdin.read() if str(options.prompt) == "-" else options.prompt.read_text("utf-8")
    found = answer_prompt(text, _load(options))
    print(found.answer)
    print("\n".join(found.reasons), file=sys.stderr)
    return 0


def trajectory(options: argparse.Namespace) -> int:
    """Occupancy of each pair as JSON lines; the timeline as ``--timeline FILE``."""
    import MDAnalysis

    from interactions.serialise import dumps
    from interactions.trajectory import complex_of, occupancies, timeline

    universe = MDAnalysis.Universe(str(options.topology), *map(str, options.frames))
    if not hasattr(universe.atoms, "elements"):
        universe.guess_TopologyAttrs(to_guess=["elements"])
    if not hasattr(universe.atoms, "bonds"):
        universe.guess_TopologyAttrs(to_guess=["bonds"])
    criteria = _criteria(options.criteria)
    profile = _named(criteria) if isinstance(criteria, str) else criteria
    line = timeline(universe, complex_of(universe, options.ligand, options.receptor), profile)
    if options.timeline is not None:
        frames = zip(line.frames.tolist(), line.present, strict=True)
        rows = ({"frame": number, "pairs": bonds.nonzero()[0].tolist()} for number, bonds in frames)
        options.timeline.write_bytes(b"".join(dumps(row).rstrip(b"\n") + b"\n" for row in rows))
    return _print_lines(occupancies(line))


def _named(name: str) -> Any:
    from interactions.criteria import load

    return load(name)


def diff(options: argparse.Namespace) -> int:
    from app.bulk import Usage
    from app.comparing import differences, read_labels, summary

    first, second = read_labels(options.a), read_labels(options.b)
    try:
        rows = list(differences(first, second, options.source))
    except Usage as error:
        print(f"misi-oracle: {error}", file=sys.stderr)
        return 2
    _print_lines(rows)
    print(summary(first, second, rows), file=sys.stderr)
    return 0


def build(options: argparse.Namespace) -> int:
    from app.bulk import Usage
    from app.datasets.build import Parameters, dask_engine
    from app.datasets.build import build as build_set
    from app.datasets.schema import USUAL

    tables = tuple(options.tables or USUAL)
    chosen = {"split": options.split, "seed": options.seed, "questions": options.questions, "poses": options.poses}
    chosen |= {"model": options.model, "alt_loc": options.alt_loc, "assembly": options.assembly}
    parameters = Parameters(options.criteria, options.hydrogens, tables, options.test_share, **chosen)
    engine = None if options.scheduler is None else dask_engine(options.scheduler)
    try:
        manifest = build_set(options.path, options.out, parameters, engine, options.jobs or os.cpu_count() or 1)
    except Usage as error:
        print(f"misi-oracle: {error}", file=sys.stderr)
        return 2
    failed = manifest["rows"]["failures"]
    print(f"{manifest['complexes']} complexes, {failed} failed: {options.out}", file=sys.stderr)
    return 1 if failed else 0


def verify_dataset(options: argparse.Namespace) -> int:
    from app.datasets.build import parameters_of
    from app.datasets.verify import leaking, read_manifest, wrong_files, wrong_labels

    manifest = read_manifest(options.dataset)
    wrong = list(wrong_files(options.dataset, manifest))
    if options.source:
        wrong += wrong_labels(options.dataset, manifest, options.source, options.sample)
        wrong += leaking(options.dataset, options.source, parameters_of(manifest)) if options.leaks else []
    print("\n".join(wrong) or "nothing differs")
    return 1 if wrong else 0


def stats(options: argparse.Namespace) -> int:
    from app.datasets.report import html
    from app.datasets.statistics import statistics
    from interactions.serialise import dumps

    numbers = statistics(options.dataset)
    text = dumps(numbers) + b"\n" if options.out.suffix == ".json" else html(numbers).encode()
    part = options.out.with_name(options.out.name + ".part")
    part.write_bytes(text)
    part.replace(options.out)
    print(options.out, file=sys.stderr)
    return 0


def gallery(options: argparse.Namespace) -> int:
    from app.gallery import gallery_markdown

    del options
    sys.stdout.write(gallery_markdown())
    return 0


def openapi(_: argparse.Namespace) -> int:
    from app.document import openapi_yaml

    sys.stdout.write(openapi_yaml())
    return 0


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _seed(text: str) -> int:
    if (number := int(text)) < 0:
        raise argparse.ArgumentTypeError("must be 0 or more")
    return number


def _share(text: str) -> float:
    if not 0 <= (number := float(text)) <= 1:
        raise argparse.ArgumentTypeError("must be between 0 and 1")
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
    command.add_argument("--out", type=Path, required=True, metavar="FILE.jsonl|FILE.parquet")
    command.add_argument("--criteria", default="chimerax", metavar="NAME")
    command.add_argument("--jobs", type=_positive, metavar="N")
    command.set_defaults(run=label_many)

    command = commands.add_parser("components", help="extract biotite's chemical component dictionary into the cache")
    command.set_defaults(run=components)

    command = commands.add_parser("ask", help="questions about complexes")
    command.add_argument(
        "kinds_and_source", nargs="+", metavar="KIND… SOURCE", help="kinds (all where none), then a folder or file"
    )
    command.add_argument("--seed", type=_seed, required=True, metavar="N")
    command.add_argument(
        "--count", type=_positive, metavar="N", help="of each kind a complex (default: the benchmark's)"
    )
    command.add_argument("--out", type=Path, required=True, metavar="FILE.jsonl")
    command.add_argument("--pictures", type=Path, metavar="FOLDER", help="also scripts that render each picture")
    command.add_argument("--no-answers", action="store_true")
    command.add_argument("--test-share", type=_share, default=0.1, metavar="0…1", help="complexes in the split test")
    command.add_argument("--criteria", default="chimerax", metavar="NAME")
    command.set_defaults(run=ask)

    command = commands.add_parser("solve", help="answers from coordinates")
    command.add_argument("questions", type=Path, metavar="questions.jsonl")
    command.set_defaults(run=solve)

    command = commands.add_parser("score", help="scores of answers")
    command.add_argument("questions", type=Path, metavar="questions.jsonl")
    command.add_argument("answers", type=Path, metavar="answers.jsonl")
    command.add_argument("--metric", choices=("misi", "exact", "f1"), default="misi")
    command.add_argument("--mode", choices=("strict", "lenient"), default="lenient")
    command.set_defaults(run=score)

    command = commands.add_parser("report", help="the paper's table from scores")
    command.add_argument("scores", type=Path, metavar="scores.jsonl")
    command.add_argument("--questions", type=Path, metavar="questions.jsonl", help="for the floor of random answers")
    command.add_argument("--system", default="measured", metavar="NAME")
    command.add_argument(
        "--out", type=Path, metavar="FOLDER", help="Markdown, JSON, HTML and plots (default: Markdown)"
    )
    command.set_defaults(run=report)

    command = commands.add_parser("answer", help="answer a benchmark prompt about a complex")
    _add_complex(command)
    command.add_argument("--prompt", type=Path, required=True, metavar="FILE", help="- for standard input")
    command.set_defaults(run=answer)

    command = commands.add_parser("trajectory", help="occupancy of each bond along a trajectory")
    command.add_argument("topology", type=Path, metavar="TOPOLOGY")
    command.add_argument("frames", type=Path, nargs="*", metavar="TRAJECTORY")
    command.add_argument("--ligand", required=True, metavar="SELECTION", help="of MDAnalysis, as 'resname LIG'")
    command.add_argument("--receptor", default="all", metavar="SELECTION")
    command.add_argument("--criteria", default="baker_hubbard", metavar="NAME|FILE")
    command.add_argument("--timeline", type=Path, metavar="FILE.jsonl", help="also the bonds of each frame")
    command.set_defaults(run=trajectory)

    command = commands.add_parser(
        "diff", help="two label sets pair by pair, and the limits that explain each difference"
    )
    command.add_argument("a", type=Path, metavar="A", help="LabelSets (.jsonl) or a table (.csv)")
    command.add_argument("b", type=Path, metavar="B")
    command.add_argument(
        "--source", type=Path, nargs="+", default=[], metavar="PATH", help="the complexes, for reasons"
    )
    command.set_defaults(run=diff)

    command = commands.add_parser("build", help="a data set of label tables")
    command.add_argument("path", type=Path, nargs="+", metavar="PATH")
    command.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    command.add_argument("--criteria", default="chimerax", metavar="NAME")
    command.add_argument("--hydrogens", default="placed", choices=("placed", "given", "openmm"))
    command.add_argument(
        "--tables", nargs="+", metavar="TABLE", help="which; else all but near_misses, consensus and questions"
    )
    command.add_argument("--test-share", type=_share, default=0.1, metavar="0…1", help="complexes in the split test")
    command.add_argument("--split", default="complex", metavar="WAY", help="complex, scaffold, sequence or given")
    command.add_argument("--model", type=int, metavar="N", help="of a file of several; else the first")
    command.add_argument("--alt-loc", metavar="LETTER", help="instead of the places that ChimeraX chooses")
    command.add_argument("--assembly", metavar="NAME", help="the biological assembly of this name")
    command.add_argument("--poses", action="store_true", help="each record of a ligand file is a complex of its own")
    command.add_argument("--seed", type=int, default=0, help="of the table questions")
    command.add_argument("--questions", type=_positive, metavar="N", help="of each kind about a complex")
    command.add_argument("--jobs", type=_positive, metavar="N")
    command.add_argument("--scheduler", metavar="tcp://…|local", help="a Dask cluster instead of processes")
    command.set_defaults(run=build)

    command = commands.add_parser("verify-dataset", help="check a data set's files, and its labels against complexes")
    command.add_argument("dataset", type=Path, metavar="FOLDER")
    command.add_argument("--source", type=Path, nargs="+", default=[], metavar="PATH")
    command.add_argument("--sample", type=_positive, metavar="N", help="labels of so many complexes; else of all")
    command.add_argument("--leaks", action="store_true", help="also look for what stands in several splits")
    command.set_defaults(run=verify_dataset)

    command = commands.add_parser("stats", help="a report on a data set: charts and numbers on one page")
    command.add_argument("dataset", type=Path, metavar="FOLDER")
    command.add_argument("--out", type=Path, default=Path("report.html"), metavar="FILE.html|.json")
    command.set_defaults(run=stats)

    command = commands.add_parser("gallery", help="print one question of each kind as Markdown")
    command.set_defaults(run=gallery)

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
