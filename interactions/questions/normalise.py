"""The text of an answer in plain characters, so that a grammar in ASCII can read it.

What must not be read is replaced by U+FFFD, which no grammar takes: superscripts, digits of other scripts and
combining marks. Everything here is linear in the length of the text.
"""

from __future__ import annotations

import re
from unicodedata import combining, decomposition, normalize

BAD = "\ufffd"

_MINUS = "\u2212\u2010\u2011\u2012\u2013\u2014\u2015\ufe63\uff0d"
_DEGREE = "°º˚"
_PRIMES = "\u2018\u2019\u2032"
_BULLETS = "•‣◦▪●"
_NO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_TABLE = str.maketrans(
    {
        **dict.fromkeys(_MINUS, "-"),
        **dict.fromkeys(_DEGREE, "°"),
        **dict.fromkeys(_PRIMES, "'"),
        **dict.fromkeys(_BULLETS, "* "),
        **dict.fromkeys(_NO_WIDTH, ""),
    }
)
_KEPT = "°Åå\u00f6"

_LATEX_DEGREE = re.compile(r"\^ ?\\circ(?![A-Za-z])|\^ ?\{ ?\\circ ?\}|\\(?:text)?degree(?![A-Za-z])")
_LATEX_ANGSTROM = re.compile(r"\\(?:AA|r\{A\}|mathring\{A\})(?![A-Za-z])")
_LATEX_STYLE = re.compile(r"\\(?:text|textbf|textit|textrm|texttt|mathrm|mathbf|mathit|mathsf|mathtt) ?\{([^{}]*)\}")
_LATEX_SPACE = re.compile(r"\\(?:[,;:! ()\[\]]|q?quad(?![A-Za-z]))|[$~]")
# an asterisk by itself may belong to an atom's name (O5*), an underscore to a number that must not be read (1_000)
_MARKS = re.compile(r"\*\*|`")
_WRAPPED = re.compile(r"([*_]{1,3})(?![*_\s])(.*[^*_\s])\1", re.DOTALL)
_HEADING = re.compile(r"(?:#{1,6}|>) ")


def normalise(text: str) -> str:
    """The text with look-alikes, markdown and LaTeX dressing taken off; line breaks stay."""
    if not text.isascii():
        text = _plain(text)
    if "\\" in text or "$" in text or "~" in text:
        text = _without_latex(text)
    return _without_marks(text.strip())


def _plain(text: str) -> str:
    text = text.replace("A\u030a", "Å").replace("a\u030a", "å").translate(_TABLE)
    return text if text.isascii() else "".join(map(_character, text))


def _character(character: str) -> str:
    # one at a time: reordering a long run of combining marks takes quadratic time
    if character.isascii() or character in _KEPT:
        return character
    if character.isnumeric() or combining(character) or decomposition(character).startswith("<super>"):
        return BAD
    plain = normalize("NFKC", character)
    return plain if len(plain) == 1 else BAD  # some become eighteen


def _without_latex(text: str) -> str:
    text = _LATEX_DEGREE.sub("°", text)
    text = _LATEX_ANGSTROM.sub("Å", text)
    for _ in range(3):  # styles within styles
        text = _LATEX_STYLE.sub(r" \1 ", text)
    return _LATEX_SPACE.sub(" ", text)


def _without_marks(text: str) -> str:
    text = _MARKS.sub(" ", text).strip()
    if heading := _HEADING.match(text):
        text = text[heading.end() :].strip()
    if wrapped := _WRAPPED.fullmatch(text):
        text = wrapped[2]
    return text
