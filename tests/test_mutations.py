"""Damaged files give a label or a precise error, never anything else. ``make fuzz`` takes twenty thousand."""

from __future__ import annotations

import os
import re
import warnings

import pytest
from mutations import EXAMPLES, mutated

from interactions.errors import OracleError
from interactions.labelling import PARTS, label, load_complex

COUNT = int(os.environ.get("MISI_ORACLE_FUZZ", "500"))
SEED = 2026
BLOCK = 50


def outcome(receptor: bytes, name: str, data: bytes) -> str | OracleError:
    """The status of a label, or the error that refuses the file."""
    try:
        if name.startswith("ligand"):
            complex_ = load_complex(receptor, "receptor", data, name)
        else:
            complex_ = load_complex(data, name, selector="BTN:B:300" if name == "pocket.pdb" else "EOH")
        return str(label(complex_, parts=PARTS)["status"])
    except OracleError as error:
        return error


@pytest.mark.parametrize("block", range(max(1, COUNT // BLOCK)))
def test_damaged_files_are_labelled_or_refused(block: int) -> None:
    receptor = (EXAMPLES / "2izf_receptor.pdb.gz").read_bytes()
    for name, data in mutated(BLOCK, SEED + block):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = outcome(receptor, name, data)
        if isinstance(found, OracleError):
            assert re.fullmatch(r"[a-z_]+", found.code)
            assert len(str(found)) > 10
        else:
            assert found == "ok"
