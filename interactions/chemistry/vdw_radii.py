"""Van der Waals radii in Å (Bondi 1964; Mantina 2009 for the rest)."""

from __future__ import annotations

from interactions.chemistry.elements import atomic_number

_TABLE = """1.20 H; 1.40 He; 1.81 Li; 1.53 Be; 1.92 B; 1.70 C; 1.55 N; 1.52 O; 1.47 F; 1.54 Ne; 2.27 Na; 1.73 Mg;
1.84 Al; 2.10 Si; 1.80 P; 1.80 S; 1.75 Cl; 1.88 Ar; 2.75 K; 2.31 Ca; 1.87 Ga; 2.11 Ge; 1.85 As; 1.90 Se; 1.83 Br;
1.40 Cu; 1.39 Zn; 1.63 Ni Pd; 1.72 Ag Pt; 1.58 Cd; 1.66 Au; 1.55 Hg; 1.93 In; 2.17 Sn; 2.06 Sb; 2.06 Te; 1.98 I"""
_OTHER = 2.0
VDW_RADII: tuple[float, ...] = tuple(
    next((float(row.split()[0]) for row in _TABLE.split(";") if number in map(atomic_number, row.split()[1:])), _OTHER)
    for number in range(119)
)
