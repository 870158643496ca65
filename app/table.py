"""A LabelSet's hydrogen bonds as a table for people."""

from __future__ import annotations

from typing import Any


def atom_text(atom: dict[str, Any]) -> str:
    number = f"{atom['residue_number']}{atom['insertion_code']}"
    return " ".join(filter(None, (atom["chain"], atom["residue_name"], number, atom["atom_name"])))


def _row(bond: dict[str, Any]) -> tuple[str, ...]:
    angle, strict = bond["angle_dha"], bond["strict"]
    return (
        atom_text(bond["donor"]),
        bond["hydrogen"] or "-",
        atom_text(bond["acceptor"]),
        f"{bond['distance_da']:.2f}",
        "-" if angle is None else f"{angle:.1f}",
        "-" if strict is None else ("yes" if strict else "no"),
    )


def bond_table(record: dict[str, Any]) -> str:
    """One line for each bond, with a heading; Å and degrees."""
    bonds = record["hydrogen_bonds"] + record.get("hydrogen_bonds_with_solvent", [])
    rows = [("donor", "hydrogen", "acceptor", "D-A (Å)", "D-H-A (°)", "strict"), *map(_row, bonds)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, f"{len(bonds)} hydrogen bonds ({record['criteria']})"])


def consensus_table(record: dict[str, Any]) -> str:
    """One line for each pair that any criteria accept, the surest first."""
    pairs = sorted(record["pairs"], key=lambda pair: -pair["robustness"])
    rows = [("receptor", "ligand", "accepted", "by"), *map(_consensus_row, pairs)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, f"{len(pairs)} pairs, {len(record['profiles'])} criteria sets"])


def _consensus_row(pair: dict[str, Any]) -> tuple[str, ...]:
    accepted = pair["accepted_by"]
    return (
        atom_text(pair["receptor"]),
        atom_text(pair["ligand"]),
        f"{100 * pair['robustness']:.0f} %",
        " ".join(accepted),
    )
