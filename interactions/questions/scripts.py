"""Scripts that render a question's pictures elsewhere: ChimeraX commands and a PyMOL script, each picture exactly.

Pocket and ligand are moved to the coordinates of the screen and seen by a camera at the origin that looks along -z,
so that one way serves every picture, a displaced ligand included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import atan, degrees, radians, tan
from typing import Any

from interactions.questions.scene import Residue, Scene

Record = Mapping[str, Any]

POCKET_CARBONS = ("#BF99F2", "#F2B366")  # in turn along the residues
LIGAND_CARBON, OXYGEN, NITROGEN = "#808080", "#FF0000", "#0000FF"
NEAR, FAR = 0.1, 1000.0  # Å, clipping of PyMOL's view


@dataclass(frozen=True)
class Files:
    """Where a complex lies, as seen from the script: ``ligand`` empty where one file holds both."""

    receptor: str
    ligand: str
    selector: str


def chimerax_script(record: Record, image: Record, scene: Scene, files: Files, out: str) -> str:
    """ChimeraX commands (.cxc) that draw one picture of a question and save it as ``out``."""
    matrices = record["metadata"]["transforms"][image["name"]]
    camera = image["camera"]
    width, height = camera["window"]
    lines = ["close session", f'open "{files.receptor}"', f'open "{files.ligand or files.receptor}"']
    lines += ["set bgColor white", "hide atoms", "hide cartoons", f"windowsize {width} {height}"]
    lines += [f"camera fieldOfView {camera['field']:g}", f"view matrix camera {_numbers(_IDENTITY)}"]
    if matrices["pocket"] is not None:
        lines += [f"view matrix models #1,{_numbers(matrices['pocket'])}", *_pocket_lines(image, scene)]
    if matrices["ligand"] is not None:
        lines += [f"view matrix models #2,{_numbers(matrices['ligand'])}", *_ligand_lines(files)]
    lines += ["hide H", "hide solvent", f"color O {OXYGEN}", f"color N {NITROGEN}"]
    lines += [f'save "{out}" width {width} height {height} supersample 3']
    return "\n".join(lines) + "\n"


_IDENTITY = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]


def _numbers(matrix: Sequence[Sequence[float]]) -> str:
    return ",".join(f"{value:.6f}" for row in matrix for value in row)


def _pocket_lines(image: Record, scene: Scene) -> list[str]:
    lines = []
    for place, residue in shown(image, scene):
        spec = f"#1{_chimerax_residue(residue)}"
        lines += [f"show {spec} atoms", f"style {spec} stick", f"color {spec} & C {POCKET_CARBONS[place % 2]}"]
        lines.append(f'label {spec} residues text "{residue.name} {residue.number}"')
        if image["residue"] is not None:
            lines.append(f"label {spec} & ~H atoms attribute name")
    return lines


def _chimerax_residue(residue: Residue) -> str:
    return f"/{residue.chain}:{residue.number}" if residue.chain else f":{residue.number}"


def _ligand_lines(files: Files) -> list[str]:
    specs = ["#2"] if files.ligand else [f"#2{_chimerax_selector(one)}" for one in files.selector.split(",")]
    lines = []
    for spec in specs:
        lines += [f"show {spec} atoms", f"style {spec} stick", f"color {spec} & C {LIGAND_CARBON}"]
        lines.append(f"label {spec} & ~H atoms attribute name")
    return lines


def _chimerax_selector(selector: str) -> str:
    if "/" in selector:
        chain, _, stretch = selector.partition("/")
        return f"/{chain}:{stretch}" if stretch else f"/{chain}"
    name, _, place = selector.partition(":")
    chain, _, number = place.partition(":")
    return (f"/{chain}" if chain else "") + (f":{number}" if number else f":{name}")


def shown(image: Record, scene: Scene) -> list[tuple[int, Residue]]:
    """The pocket residues of a picture with their places, in order."""
    chosen = image["residue_place"]
    return [(place, one) for place, one in enumerate(scene.residues) if chosen is None or place == chosen]


def pymol_script(record: Record, image: Record, scene: Scene, files: Files, out: str) -> str:
    """A PyMOL script (Python) that draws the same picture."""
    matrices = record["metadata"]["transforms"][image["name"]]
    width, height = image["camera"]["window"]
    vertical = degrees(2 * atan(tan(radians(image["camera"]["field"] / 2)) * height / width))
    view = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, NEAR, FAR, -round(vertical, 6)]
    lines = ["from pymol import cmd", 'cmd.reinitialize("everything")', f"cmd.load({files.receptor!r}, 'pocket')"]
    lines += [f"cmd.load({(files.ligand or files.receptor)!r}, 'ligand')", 'cmd.hide("everything")']
    lines += ['cmd.bg_color("white")', "cmd.set('label_color', 'black')", f"cmd.set('field_of_view', {vertical:.6f})"]
    if matrices["pocket"] is not None:
        lines.append(f"cmd.transform_object('pocket', {_homogeneous(matrices['pocket'])})")
        lines += [line for place, residue in shown(image, scene) for line in _pymol_residue(image, place, residue)]
    if matrices["ligand"] is not None:
        lines.append(f"cmd.transform_object('ligand', {_homogeneous(matrices['ligand'])})")
        lines += _pymol_ligand(files)
    lines += ["cmd.color('red', 'elem O')", "cmd.color('blue', 'elem N')", "cmd.hide('everything', 'hydro or solvent')"]
    lines += [f"cmd.set_view({view})", f"cmd.png({out!r}, {width}, {height}, ray=1)"]
    return "\n".join(lines) + "\n"


def _homogeneous(matrix: Sequence[Sequence[float]]) -> list[float]:
    return [value for row in (*matrix, (0.0, 0.0, 0.0, 1.0)) for value in row]


def _pymol_residue(image: Record, place: int, residue: Residue) -> list[str]:
    chosen = f"pocket and resi {residue.number}" + (f" and chain {residue.chain}" if residue.chain else "")
    lines = [
        f"cmd.show('sticks', '{chosen}')",
        f"cmd.color('0x{POCKET_CARBONS[place % 2][1:]}', '{chosen} and elem C')",
        f"cmd.label('first ({chosen})', repr('{residue.name} {residue.number}'))",
    ]
    return lines + ([f"cmd.label('{chosen} and not hydro', 'name')"] if image["residue"] is not None else [])


def _pymol_ligand(files: Files) -> list[str]:
    chosen = (
        "ligand" if files.ligand else f"ligand and ({' or '.join(map(_pymol_selector, files.selector.split(',')))})"
    )
    return [
        f"cmd.show('sticks', '{chosen}')",
        f"cmd.color('0x{LIGAND_CARBON[1:]}', '{chosen} and elem C')",
        f"cmd.label('{chosen} and not hydro', 'name')",
    ]


def _pymol_selector(selector: str) -> str:
    if "/" in selector:
        chain, _, stretch = selector.partition("/")
        return f"(chain {chain}" + (f" and resi {stretch})" if stretch else ")")
    name, _, place = selector.partition(":")
    chain, _, number = place.partition(":")
    parts = [f"resn {name}", f"chain {chain}" if chain else "", f"resi {number}" if number else ""]
    return f"({' and '.join(filter(None, parts))})"
