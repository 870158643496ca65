"""Makes the receptor and ligand pair of the example from the deposited entry 2IZF.

Run as ``python examples/make_pair.py``; the same bytes come out every time.
"""

from __future__ import annotations

import gzip
from pathlib import Path

HERE = Path(__file__).parent
LIGAND = ("BTN", "B", " 300")
# Bonds of biotin by atom name with their orders; the carboxyl hydrogen is not in the deposited file.
BONDS = (
    ("C11", "O11", 2), ("C11", "O12", 1), ("C11", "C10", 1), ("C10", "C9", 1), ("C9", "C8", 1), ("C8", "C7", 1),
    ("C7", "C2", 1), ("C2", "S1", 1), ("C2", "C4", 1), ("S1", "C6", 1), ("C6", "C5", 1), ("C5", "N1", 1),
    ("C5", "C4", 1), ("N1", "C3", 1), ("C3", "O3", 2), ("C3", "N2", 1), ("N2", "C4", 1), ("N1", "HN1", 1),
    ("N2", "HN2", 1),
)  # fmt: skip


def is_atom(line: str) -> bool:
    return line.startswith(("ATOM", "HETATM"))


def receptor(lines: list[str]) -> str:
    """The entry without its two biotins."""
    biotins = {line[6:11] for line in lines if is_atom(line) and line[17:20] == "BTN"}
    return "".join(
        line
        for line in lines
        if not (is_atom(line) and line[17:20] == "BTN") and not (line.startswith("CONECT") and line[6:11] in biotins)
    )


def ligand(lines: list[str]) -> str:
    """Biotin of chain B as V2000 with the deposited coordinates."""
    atoms = [line for line in lines if is_atom(line) and (line[17:20], line[21], line[22:26]) == LIGAND]
    place = {line[12:16].strip(): number for number, line in enumerate(atoms, 1)}
    rows = [
        "".join(f"{float(line[start : start + 8]):10.4f}" for start in (30, 38, 46))
        + f" {line[76:78].strip():<3} 0"
        + "  0" * 11
        for line in atoms
    ]
    bonds = [f"{place[a]:3}{place[b]:3}{order:3}  0  0  0  0" for a, b, order in BONDS]
    counts = f"{len(rows):3}{len(bonds):3}  0  0  0  0  0  0  0  0999 V2000"
    header = ["biotin B 300 of 2IZF", f"{'  misi-oracle':<20}3D", "", counts]
    return "\n".join([*header, *rows, *bonds, "M  END", "$$$$", ""])


def main() -> None:
    lines = gzip.decompress((HERE / "2izf.pdb.gz").read_bytes()).decode().splitlines(keepends=True)
    (HERE / "2izf_receptor.pdb.gz").write_bytes(gzip.compress(receptor(lines).encode(), mtime=0))
    (HERE / "2izf_ligand.sdf").write_text(ligand(lines))


if __name__ == "__main__":
    main()
