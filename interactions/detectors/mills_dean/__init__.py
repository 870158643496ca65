"""The hydrogen-bond detector ``mills_dean``."""

from interactions.detectors.mills_dean.find import HydrogenBond, find

__all__ = ["HydrogenBond", "find"]
