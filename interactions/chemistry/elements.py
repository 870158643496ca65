"""Element symbols and atomic numbers."""

from __future__ import annotations

SYMBOLS: tuple[str, ...] = tuple(
    """X H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr
    Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu
    Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg
    Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og""".split()
)
_NUMBERS = {symbol.upper(): number for number, symbol in enumerate(SYMBOLS)} | {"D": 1, "T": 1, "X": 0}


def atomic_number(symbol: str) -> int:
    """Atomic number of a symbol in any case (D and T are hydrogen); 0 where it is no element."""
    return _NUMBERS.get(symbol.upper(), 0)
