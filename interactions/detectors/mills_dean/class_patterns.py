"""The chemical groups of each acceptor and donor class; their numbers stand in the profile, by the same name."""

from __future__ import annotations

from interactions.detectors.mills_dean.patterns import AnyOf, Element, Node, Property, Type

H, CARBON, NITROGEN, OXYGEN = Element(1), Element(6), Element(7), Element(8)
_SINGLE = Property("single")
T = Property("tetrahedral")
SP3 = AnyOf((T, _SINGLE))
SP3_NOT_OXIDE = AnyOf((Property("tetrahedral", frozenset({"O3-"})), _SINGLE))
SP3_CARBONISH = AnyOf(
    (Property("tetrahedral", frozenset({"Sac", "Pac"})), Property("single", frozenset({"H", "HC", "D", "DC"})))
)
C_OR_H = AnyOf((CARBON, H))
T_OR_H = AnyOf((T, H))
PLANAR = Property("planar")
OXIDE = Type("O3-")
NOT_PAC = Property("", frozenset({"Pac"}), unknown=True)

# Name -> pattern; ``acceptor`` says which places of the match accept, ``partner`` which atom goes with it.
ACCEPTORS: dict[str, Node] = {
    "phosphate_terminal": Node(Type("Pac"), (OXIDE, OXIDE, OXIDE, SP3)),
    "phosphate": Node(Type("Pac"), (OXIDE, OXIDE, SP3_NOT_OXIDE, SP3_NOT_OXIDE)),
    "carboxylate": Node(Type("Cac"), (Type("O2-"), Type("O2-"), SP3)),
    "thiocarbonyl": Node(Type("S2"), (CARBON,)),
    "carboxylic_acid": Node(CARBON, (Node(Type("O2"), ()), Node(Type("O3"), (H,)), SP3)),
    "amide": Node(Type("C2"), (Type("O2"), Type("Npl"), SP3)),
    "ketone": Node(Type("C2"), (Type("O2"), CARBON, C_OR_H)),
    "ester": Node(Type("C2"), (Type("O2"), Node(Type("O3"), (T,)), CARBON)),
    "nitro": Node(Type("Ntr"), (Type("O2-"), Type("O2-"), SP3)),
    "sulfone": Node(Type("Son"), (Type("O2"), Type("O2"), SP3, SP3)),
    "phosphate_ester": Node(Type("Pac"), (Type("O3"), OXIDE, OXIDE, SP3)),
    "phosphine_oxide": Node(Type("O2"), (Type("Pox"),)),
    "sulfoxide": Node(Type("O2"), (Type("Sxd"),)),
    "amine_primary": Node(Type("N3"), (T, H, H)),
    "hydroxyl": Node(Type("O3"), (SP3_CARBONISH, H)),
    "sulfate_ester": Node(Type("Sac"), (OXIDE, OXIDE, Node(Type("O3"), (NOT_PAC,)), SP3)),
    "amine_tertiary": Node(Type("N3"), (T, T, T)),
    "nitrile": Node(Type("N1"), (Type("C1"),)),
    "amine_secondary": Node(Type("N3"), (T, T, H)),
    "phenol": Node(Type("O3"), (Type("Car"), H)),
    "aniline": Node(AnyOf((Type("Npl"), Type("N3"))), (Type("Car"), H, H)),
    "water": Node(OXYGEN, (H, H)),
}
DONORS: dict[str, Node] = {
    "acid": Node(Type("O3"), (Type("Cac"), H)),
    "amidine": Node(Type("Npl"), (Node(Type("C2"), (SP3, SP3)), H, H)),
    "guanidinium": Node(Type("Ng+"), (Type("C2"), H, H)),
    "ammonium_primary": Node(Type("N3+"), (T, H, H, H)),
    "hydroxyl": Node(Type("O3"), (T, H)),
    "amide_primary": Node(Type("C2"), (Type("O2"), Node(NITROGEN, (H, H)), SP3)),
    "phenol": Node(Type("O3"), (Type("Car"), H)),
    "amine_primary": Node(Type("N3"), (T, H, H)),
    "enamine": Node(Type("Npl"), (T, Node(PLANAR, (T_OR_H, T_OR_H)), H)),
    "ammonium_secondary": Node(Type("N3+"), (T, T, H, H)),
    "water": Node(OXYGEN, (H, H)),
    "amide_secondary": Node(Type("C2"), (Type("O2"), Node(NITROGEN, (T, H)), SP3)),
    "ammonium_tertiary": Node(Type("N3+"), (T, T, T, H)),
    "imine": Node(Type("N2"), (PLANAR, H)),
    "amine_secondary": Node(Type("N3"), (T, T, H)),
}
