"""Bond radii of the elements in Å (Meng & Lewis 1991); two atoms are close within their sum + 0.4 Å."""

from __future__ import annotations

from interactions.chemistry.elements import atomic_number

_TABLE = """.23 H; .35 Be; .64 F; .68 Li C N O; .83 B; .97 Na; .99 Cl Ca; 1.02 S; 1.05 P; 1.10 Mg; 1.12 Sr; 1.17 Ge;
1.20 Si; 1.21 As Br; 1.22 Ga Se; 1.32 Ir; 1.33 K V Co; 1.34 Fe Ba; 1.35 Al Cr Mn Tc Re; 1.37 W Os; 1.40 Ru I; 1.43 Ta;
1.44 Sc; 1.45 Zn Rh; 1.46 Sn Sb; 1.47 Ti Rb Mo Te; 1.48 Nb; 1.50 Ni Pd Pt Au; 1.51 Am; 1.52 Cu; 1.53 Pu; 1.54 Pb Bi;
1.55 Tl Np; 1.56 Zr; 1.57 Hf; 1.58 U; 1.59 Ag; 1.61 Pa; 1.63 In; 1.67 Cs; 1.68 Po; 1.69 Cd; 1.70 Hg; 1.72 Tm Lu;
1.73 Er; 1.74 Ho; 1.75 Dy; 1.76 Tb; 1.78 Y; 1.79 Gd Th; 1.80 Pm Sm; 1.81 Nd; 1.82 Pr; 1.83 Ce; 1.87 La; 1.88 Ac;
1.90 Ra; 1.94 Yb; 1.99 Eu"""
BOND_RADII: tuple[float, ...] = tuple(
    next((float(row.split()[0]) for row in _TABLE.split(";") if number in map(atomic_number, row.split()[1:])), 0.0)
    for number in range(119)
)
TOLERANCE = 0.4
METALS = frozenset((3, 4, *range(11, 14), *range(19, 33), *range(37, 52), *range(55, 85), *range(87, 104)))
