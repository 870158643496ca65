"""Each profile gives the pairs of its own tool for the same atoms and hydrogens, where that tool is installed."""

from __future__ import annotations

import logging
import warnings

import pytest

from interactions.criteria import load

agreement = pytest.importorskip("agreement")

SOME = 12  # complexes; benchmarks/agreement.py takes all
# PLIP, by name: Open Babel takes the amino group of guanine (5ey0) and a guanidine nitrogen (4lts) for acceptors,
# and the oxygens of a sulfone on a dihydrothiazepine (3gnw) for none.
LEAST = {"plip": 0.95}


@pytest.mark.shared
@pytest.mark.parametrize("profile", agreement.MODULES)
def test_pairs_equal_those_of_the_tool(profile: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip(agreement.MODULES[profile], reason="the tool comes with the extra 'bench'")
        logging.disable(logging.CRITICAL)
        try:
            value, common, _, _ = agreement.f1(profile, SOME)
        finally:
            logging.disable(logging.NOTSET)
    assert common > 10
    assert value >= LEAST.get(profile, 1.0)
    assert load(profile).name == profile
