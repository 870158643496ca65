"""The hydrogen-bond detector ``mills_dean``."""

from interactions.contact import HydrogenBond
from interactions.detectors.mills_dean.find import find

__all__ = ["HydrogenBond", "find"]
