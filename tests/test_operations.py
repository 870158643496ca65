"""docs/operations.md names every setting, metric and alert rule; the commands serve and keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from app import cli, keys
from app.metrics import Metrics
from app.settings import Settings

TEXT = (Path(__file__).parent.parent / "docs" / "operations.md").read_text("utf-8")
HEADINGS = set(re.findall(r"^### `(\w+)`$", TEXT, re.MULTILINE))


def test_every_setting_has_a_heading() -> None:
    assert {f"MISI_ORACLE_{name.upper()}" for name in Settings.model_fields} - HEADINGS == set()


def test_no_heading_of_a_setting_that_is_gone() -> None:
    known = {f"MISI_ORACLE_{name.upper()}" for name in Settings.model_fields}
    others = {"MISI_ORACLE_CACHE", "PROMETHEUS_MULTIPROC_DIR"}  # read by the library and by prometheus-client
    assert HEADINGS - known - others == set()


def metric_names() -> set[str]:
    metrics = Metrics()
    metrics.observe(("GET", "/health", "200"), 0.1, 1, 1)
    families = text_string_to_metric_families(metrics.text().decode())
    return {one.name for family in families for one in family.samples if not one.name.endswith("_created")}


def test_alerts_ask_for_metrics_that_are_there() -> None:
    (block,) = re.findall(r"```yaml\n(groups:.*?)```", TEXT, re.DOTALL)
    rules = [rule for group in yaml.safe_load(block)["groups"] for rule in group["rules"]]
    assert len(rules) >= 6
    for rule in rules:
        asked = set(re.findall(r"misi_oracle_\w+", rule["expr"]))
        assert asked <= metric_names(), rule["alert"]
        assert asked or "up{" in rule["expr"], rule["alert"]
        assert {"severity"} <= rule["labels"].keys()
        assert {"summary"} <= rule["annotations"].keys()


def test_every_metric_is_told() -> None:
    for name in metric_names():
        assert re.sub(r"_(bucket|sum|count)$", "", name) in TEXT, name


def test_the_configuration_is_shown_without_secrets(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"a read sha256:{keys.digest_of('x')}"
    monkeypatch.setenv("MISI_ORACLE_API_KEYS", line)
    monkeypatch.setenv("MISI_ORACLE_DATABASE", "postgresql://oracle:pass-word@db/oracle")
    monkeypatch.setenv("MISI_ORACLE_PORT", "81")
    assert cli.main(["serve", "--print-config", "--host", "h"]) == 0
    shown = capsys.readouterr().out
    assert keys.digest_of("x") not in shown
    assert "pass-word" not in shown
    lines = dict(line.split("=", 1) for line in shown.splitlines())
    assert lines.keys() == {f"MISI_ORACLE_{name.upper()}" for name in Settings.model_fields}
    assert (lines["MISI_ORACLE_HOST"], lines["MISI_ORACLE_PORT"]) == ("h", "81")
    assert lines["MISI_ORACLE_DATABASE"] == "postgresql://oracle:***@db/oracle"
    assert lines["MISI_ORACLE_API_KEYS"] == "(set, not shown)"


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [("PORT", "no-port", "bad_setting"), ("RATE_LIMIT", "0", "bad_setting"), ("API_KEYS", "secret!", "bad_key")],
)
def test_wrong_settings_end_the_command(
    name: str, value: str, code: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"MISI_ORACLE_{name}", value)
    monkeypatch.setenv("MISI_ORACLE_DATABASE", ":memory:")
    assert cli.main(["serve"]) == 1
    told = capsys.readouterr().err
    assert code in told
    assert value not in told or name == "RATE_LIMIT"


def test_keys_new_prints_the_key_and_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["keys", "new", "--role", "write", "--name", "trainer"]) == 0
    secret, line = capsys.readouterr().out.splitlines()
    (key,) = keys.parse(line)
    assert keys.find([key], secret) == key
    assert (key.name, key.role) == ("trainer", "write")
