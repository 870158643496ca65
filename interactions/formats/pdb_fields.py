"""Single fields of PDB records: numbers, names, elements, charges (chimerax rules 10.1)."""

from __future__ import annotations

from interactions.chemistry.elements import atomic_number

# Names of coarse or undecided atoms, which do not make ChimeraX doubt a file's elements.
_PLACEHOLDERS = ("LP", " A", " Q")


def hybrid36(text: str) -> int:
    """Integer of a decimal or hybrid-36 field; 0 when blank. Raises ValueError otherwise."""
    text = text.strip()
    if not text:
        return 0
    head, width = text[0], len(text)
    if head.isdigit() or head in "+-":
        return int(text)
    if head.isupper():
        return int(text, 36) - 10 * int(36 ** (width - 1)) + int(10**width)
    return int(text, 36) + 16 * int(36 ** (width - 1)) + int(10**width)


def residue_number(text: str, code: str) -> tuple[int, str]:
    """Number and insertion code; a digit in the code's column is one more digit of the number."""
    if code.isdigit():
        return hybrid36(text.strip() + code), ""
    return hybrid36(text), code.strip().upper()


def atom_name(text: str) -> str:
    return text.replace(" ", "").replace("*", "'")


def element(name: str, column: str) -> int:
    """Atomic number by columns 77-78, else by the name as it stands in columns 13-16; 0 where neither tells."""
    if number := atomic_number(column.strip()):
        return number
    if len(name.strip()) == 4 and name[0] == "H":
        return 1
    if name[0] in " 0123456789":
        symbol = name[1]
    elif name[1].isalpha():
        symbol = name[:2]
    else:
        symbol = name[0]
    number = atomic_number(symbol)
    if not number or number in (43, 61) or number > 83:
        number = atomic_number(name[1])
    return number


def casts_doubt(name: str) -> bool:
    """Whether an atom without element makes ChimeraX ignore the element columns from there on."""
    letter = name[1] if name[0] == " " else name[0]
    return letter.isalpha() and not name.startswith(_PLACEHOLDERS)


def element_by_case(name: str) -> int:
    """First letter of the name, with the second if that is lower case."""
    letters = name.strip().lstrip("0123456789")
    return atomic_number(letters[:2] if letters[1:2].islower() else letters[:1])


def element_by_letters(name: str) -> int:
    """First letter of the name, else the first two."""
    letters = name.strip().lstrip("0123456789'\"")
    return atomic_number(letters[:1]) or atomic_number(letters[:2])


def charge(text: str) -> int:
    text = text.strip()
    if len(text) == 2 and text[0].isdigit() and text[1] in "+-":
        return int(text[1] + text[0])
    if len(text) == 2 and text[1].isdigit() and text[0] in "+-":
        return int(text)
    return 0
