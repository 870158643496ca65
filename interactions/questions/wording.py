"""Answers as text, in the benchmark's form. Reading a text that was written here gives the same answer back."""

from __future__ import annotations

from interactions.questions.answers import Answer, Bond, Bonds, Letter, Move, MoveXY, Roll


def answer_text(kind: str, answer: Answer) -> str:
    """The answer as the benchmark writes it; bonds in alphabetical order, no bonds as ``No``."""
    if isinstance(answer, Letter):
        return answer.letter
    if isinstance(answer, Bonds):
        return bonds_text(kind, sorted(map(bond_text, answer.bonds)))
    if isinstance(answer, Move):
        return f"move {answer.axis} {number_text(answer.distance)}"
    if isinstance(answer, Roll):
        return f"roll {answer.axis} {number_text(answer.angle)}"
    if isinstance(answer, MoveXY):
        return f"move x {number_text(answer.x)}, move y {number_text(answer.y)}"
    return f"{answer_text(kind, answer.roll)}, {answer_text(kind, answer.move)}"


def bonds_text(kind: str, texts: list[str]) -> str:
    """One line of bond texts, ``Yes: `` before them where a residue was asked for."""
    if not texts:
        return "No"
    return ("Yes: " if kind == "residue_ligand" else "") + "; ".join(texts)


def bond_text(bond: Bond) -> str:
    """``ARG 45 NH2 A, O1B``; what is empty is left out."""
    place = " ".join(filter(None, (bond.residue, bond.number, bond.atom, bond.chain)))
    return f"{place}, {bond.ligand_atom}"


def bond_of(text: str) -> Bond:
    """The bond that ``bond_text`` wrote so."""
    place, ligand_atom = text.split(", ")
    residue, *number, atom = place.split(" ")[:3]
    chain = place.split(" ")[3:]
    return Bond(residue, "".join(number), atom, "".join(chain), ligand_atom)


def number_text(value: float) -> str:
    """Whole numbers without a point."""
    return str(int(value)) if value == int(value) else repr(float(value))
