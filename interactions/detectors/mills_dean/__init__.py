"""The hydrogen-bond detector ``mills_dean``."""

from interactions.contact import HydrogenBond
from interactions.detectors.mills_dean.find import find, search_in

__all__ = ["HydrogenBond", "find", "search_in"]
