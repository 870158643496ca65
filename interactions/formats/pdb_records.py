"""The records of a PDB file: atoms, residues, chain starts and ends, connections (chimerax rules 10.1 to 10.4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from interactions.chemistry.elements import atomic_number
from interactions.chemistry.residue_kinds import STANDARD
from interactions.errors import InputError


@dataclass(slots=True)
class Position:
    """One place of an atom."""

    alt_loc: str
    xyz: tuple[float, float, float]
    occupancy: float
    b_factor: float
    serial: int


@dataclass(slots=True)
class Atom:
    """One atom with all its alternate positions, in order of reading."""

    name: str
    element: int
    residue: int
    hetero: bool
    positions: list[Position]
    charge: int = 0


@dataclass(slots=True)
class Residue:
    name: str
    chain: str
    number: int
    insertion_code: str
    hetero: bool
    atoms: list[int] = field(default_factory=list)
    is_start: bool = False
    is_end: bool = False
    parent: str = ""  # of MODRES

    @property
    def key(self) -> tuple[str, int, str]:
        return self.chain, self.number, self.insertion_code


@dataclass(slots=True)
class Records:
    atoms: list[Atom] = field(default_factory=list)
    residues: list[Residue] = field(default_factory=list)
    conect: list[tuple[int, list[int], bool]] = field(default_factory=list)  # first serial, partners, after ENDMDL
    links: list[str] = field(default_factory=list)
    ssbonds: list[str] = field(default_factory=list)
    connections: list[str] = field(default_factory=list)  # LINK and SSBOND lines in file order
    modres: dict[tuple[str, int, str], tuple[str, str]] = field(default_factory=dict)
    serials: dict[int, int] = field(default_factory=dict)
    scop: bool = False
    skipped: list[str] = field(default_factory=list)


def hybrid36(text: str) -> int:
    """Integer of a decimal or hybrid-36 field; 0 when blank. Raises ValueError otherwise."""
    text = text.strip()
    if not text:
        return 0
    head = text[0]
    if head.isdigit() or head in "+-":
        return int(text)
    width = len(text)
    if head.isupper():
        return int(text, 36) - 10 * int(36 ** (width - 1)) + int(10**width)
    return int(text, 36) + 16 * int(36 ** (width - 1)) + int(10**width)


def residue_number(text: str, code: str) -> tuple[int, str]:
    """Number and insertion code; a digit in the code's column is one more digit of the number."""
    if code.isdigit():
        return hybrid36(text.strip() + code), ""
    return hybrid36(text), code.strip().upper()


def element_of(line: str, use_column: bool) -> tuple[int, bool]:
    """Atomic number by columns 77-78 or by the name; and whether it was recognised."""
    column = line[76:78].strip() if use_column else ""
    if column and (number := atomic_number(column)):
        return number, True
    name = line[12:16]
    if len(name.strip()) == 4 and name[0] == "H":
        return 1, True
    if name[0] in " 0123456789":
        symbol = name[1]
    elif name[1].isalpha():
        symbol = name[:2]
    else:
        symbol = name[0]
    number = atomic_number(symbol)
    if not number or number in (43, 61) or number > 83:
        number = atomic_number(name[1:2])
    return number, number > 0


def read_records(data: bytes, name: str) -> Records:
    """All that bonding needs of the first model.

    Raises InputError ``bad_coordinates`` for an atom whose place is not three finite numbers.
    """
    lines = data.decode("utf-8", "replace").splitlines()
    reader = _Reader(name, lines)
    for number, line in enumerate(lines, 1):
        if reader.feed(number, line):
            break
    reader.finish()
    return reader.records


class _Reader:
    """State of reading (10.3): pending, after_ter, het_break, ter_het."""

    def __init__(self, name: str, lines: list[str]) -> None:
        self.name = name
        self.records = Records()
        first = lines[0] if lines else ""
        old_style = len(first) >= 80 and first[72].isdigit() and first[73:76].isalnum()
        self.use_element = not old_style
        self.pending = True
        self.after_ter = self.het_break = self.ter_het = False
        self.ended_model = False
        self.stop_conect = False
        self.names: Counter[str] = Counter()
        self.by_name: dict[str, int] = {}
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.unknown = False

    def feed(self, number: int, line: str) -> bool:
        """Take one line; True to stop."""
        kind = line[:6].rstrip().upper()
        if kind in ("ATOM", "HETATM"):
            if not self.ended_model:
                self._atom(number, line.ljust(80))
        elif kind == "TER":
            self._ter()
        elif kind == "CONECT":
            self._conect(line)
        elif kind in ("LINK", "SSBOND") and not self.records.atoms:
            self.records.connections.append(line.ljust(80))
        elif kind == "MODRES":
            self._modres(line.ljust(80))
        elif kind == "HEADER":
            self.records.scop = "SCOP/ASTRAL" in line
        elif kind == "ENDMDL":
            self.ended_model = bool(self.records.atoms)
        elif kind == "END":
            return bool(self.records.atoms)
        return False

    def _ter(self) -> None:
        self.pending = self.after_ter = True
        self.het_break = False

    def _modres(self, line: str) -> None:
        number, code = residue_number(line[18:22], line[22])
        self.records.modres[line[16].strip(), number, code] = (line[12:15].strip(), line[24:28].strip())

    def _conect(self, line: str) -> None:
        if self.stop_conect:
            return
        try:
            fields = [hybrid36(line[start : start + 5]) for start in (6, 11, 16, 21, 26)]
        except ValueError:
            self.records.skipped.append(f"CONECT line not readable: {line.strip()}")
            return
        if fields[0] not in self.records.serials:
            self.stop_conect = not self.ended_model
            return
        self.records.conect.append((fields[0], [serial for serial in fields[1:] if serial], self.ended_model))

    def _atom(self, number: int, line: str) -> None:
        try:
            xyz = (float(line[30:38]), float(line[38:46]), float(line[46:54]))
        except ValueError:
            xyz = (float("nan"),) * 3
        if not all(abs(value) < 1e7 for value in xyz):
            raise InputError(
                f"{self.name}: line {number}: atom {line[12:16].strip()} has coordinates {line[30:54]!r}, "
                "expected three finite numbers",
                code="bad_coordinates",
            )
        try:
            serial = hybrid36(line[6:11])
            res_number, code = residue_number(line[22:26], line[26])
            occupancy = float(line[54:60]) if line[54:60].strip() else 1.0
            b_factor = float(line[60:66]) if line[60:66].strip() else 0.0
        except ValueError:
            self.records.skipped.append(f"line {number} was skipped: a number is not readable")
            return
        hetero = line.startswith("HETATM")
        residue = self._residue(line, hetero, res_number, code)
        name = line[12:16].replace(" ", "").replace("*", "'")
        position = Position(line[16].strip(), xyz, occupancy, b_factor, serial)
        if position.alt_loc and self.names[name] == 1:
            index = self.by_name[name]
            known = self.records.atoms[index].positions
            if not known[0].alt_loc:
                known.clear()
            known.append(position)
        else:
            index = len(self.records.atoms)
            element, recognised = element_of(line, self.use_element)
            if not recognised and not self._placeholder(line):
                self.use_element = False
                self.unknown = True
            self.records.atoms.append(Atom(name, element, residue, hetero, [position], _charge(line[78:80])))
            self.records.residues[residue].atoms.append(index)
            self.by_name.setdefault(name, index)
            self.names[name] += 1
        self.records.serials[serial] = index

    @staticmethod
    def _placeholder(line: str) -> bool:
        name = line[12:16]
        return name.strip().startswith("LP") or name[:2] in (" A", " Q")

    def _residue(self, line: str, hetero: bool, number: int, code: str) -> int:
        """Index of the residue that an atom line belongs to, made when new (10.2, 10.3)."""
        residues = self.records.residues
        chain, name = line[21].strip(), line[17:21].replace(" ", "").upper()
        current = residues[-1] if residues else None
        if current is not None and chain != current.chain and not self.after_ter:
            self._ter()
        if self.after_ter:
            self.ter_het = hetero
            self.het_break = self.het_break or (current is not None and current.chain == chain)
            self.after_ter = False
        if current is not None and current.key == (chain, number, code):
            same = current.name == name or (hetero and current.name in STANDARD)
            if same:
                return len(residues) - 1
        new = Residue(name, chain, number, code, hetero)
        modified = self.records.modres.get(new.key)
        if modified is not None:
            new.parent = modified[1]
        residues.append(new)
        self._start(new, current, modified is not None)
        self.names.clear()
        self.by_name.clear()
        return len(residues) - 1

    def _start(self, new: Residue, before: Residue | None, modified: bool) -> None:
        index = len(self.records.residues) - 1
        lower = (
            before is not None
            and new.number < before.number
            and any(self.records.atoms[a].name == "OXT" for a in before.atoms)
        )
        het_start = new.hetero and (self.het_break or (not modified and not self.records.scop))
        start = self.pending or het_start or lower or (not new.hetero and self.ter_het)
        if start:
            self.starts.append(index)
            if before is not None:
                self.ends.append(index - 1)
            self.pending = False
        elif not new.hetero and new.chain and before is not None:
            self._repair(new, before)
        if not new.hetero:
            self.ter_het = False

    def _repair(self, new: Residue, before: Residue) -> None:
        """A chain whose modified residues are HETATM is one chain all the same (10.3.4)."""
        residues = self.records.residues
        if before.name in STANDARD or before.key in self.records.modres:
            return
        while self.starts and self.ends:
            start, end = residues[self.starts[-1]], residues[self.ends[-1]]
            if start.chain != new.chain or start.name in STANDARD or end.chain != new.chain:
                return
            self.starts.pop()
            self.ends.pop()

    def finish(self) -> None:
        residues = self.records.residues
        if not residues:
            raise InputError(f"{self.name}: no readable ATOM or HETATM line", code="no_atoms")
        self.ends.append(len(residues) - 1)
        for index in self.starts:
            residues[index].is_start = True
        for index in self.ends:
            residues[index].is_end = True
        if any(atom.element == 0 and not atom.name.startswith("LP") for atom in self.records.atoms):
            for atom in self.records.atoms:
                atom.element = _element_by_letters(atom.name)


def _element_by_letters(name: str) -> int:
    letters = name.lstrip("0123456789'\"")
    if number := atomic_number(letters[:1]):
        return number
    return atomic_number(letters[:2])


def _charge(text: str) -> int:
    text = text.strip()
    if len(text) == 2 and text[0].isdigit() and text[1] in "+-":
        return int(text[1] + text[0])
    if len(text) == 2 and text[1].isdigit() and text[0] in "+-":
        return int(text)
    return 0
