"""The alerts and dashboards in deploy/ ask for metrics that there are, in a language that Prometheus takes."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry, ProcessCollector

from server.app import WebProcess
from server.config import Settings
from server.platform.core.metrics import REGISTRY
from server.run.metrics import ProcessState
from tests.e2e.whole_shop import ROOT

DEPLOY = ROOT / "deploy"
DASHBOARDS = sorted((DEPLOY / "grafana" / "dashboards").glob("*.json"))
RULES = [rule for group in yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
OWN = {"up", "ALERTS"}
"""What Prometheus itself knows of everything that it asks."""
NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"
ENDS = ("", "_total", "_bucket", "_count", "_sum")
needs_prometheus = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is not installed: apt-get install prometheus, as .ci/run does"
)


def panels() -> Iterator[dict[str, Any]]:
    """Those of all dashboards that show something."""
    for file in DASHBOARDS:
        yield from (panel for panel in json.loads(file.read_text())["panels"] if panel["type"] != "row")


def expressions() -> dict[str, str]:
    """The PromQL of each alert and panel, by a name for it, with an interval where Grafana puts one in."""
    by_name = {rule["alert"]: rule["expr"] for rule in RULES}
    for panel in panels():
        for target in panel["targets"]:
            by_name[f"{panel['title']} {target['refId']}"] = target["expr"].replace("$__rate_interval", "1m")
    return by_name


def names(expression: str) -> set[str]:
    """The metrics in it: its words outside of selectors and labels that are no function and no operator."""
    without = re.sub(r'"[^"]*"|\{[^}]*\}|\b(?:by|without) \([^)]*\)', " ", expression)
    words = re.findall(r"\b([a-zA-Z_]\w*)\b(?!\s*\()", re.sub(r"\[\w+\]", " ", without))
    return set(words) - {"or", "and", "unless", "by", "without"}


@pytest.fixture
async def known(tmp_path: Path) -> set[str]:
    """Every name under which a process of a shop with a replica tells something, connected or not."""
    where = {"database_url": NOWHERE, "database_reader_url": NOWHERE, "shop_data": tmp_path}
    process = WebProcess(Settings(_env_file=None, port=23_401, **where))  # type: ignore[call-arg, arg-type]
    following = asyncio.create_task(process.follower.run(process.sessions))
    await asyncio.sleep(0)
    of_python = ProcessCollector(registry=CollectorRegistry())
    families = [*REGISTRY.collect(), *ProcessState(process).collect(), *of_python.collect()]
    following.cancel()
    return OWN | {f"{family.name}{end}" for family in families for end in ENDS}


def test_the_names_of_metrics_are_found_in_an_expression() -> None:
    expression = 'topk(8, sum by (le, route) (rate(a_bucket{role="x", b=~"c"}[1m]))) / d > 1 or min without (e) (f) < 2'

    assert names(expression) == {"a_bucket", "d", "f"}


def test_every_alert_and_panel_asks_for_metrics_that_there_are(known: set[str]) -> None:
    by_name = expressions()

    assert len(by_name) >= 40
    assert {name: names(by_name[name]) - known for name in by_name if not names(by_name[name]) <= known} == {}
    assert not [name for name in by_name if not names(by_name[name])]


def test_every_metric_of_ours_is_shown_on_a_dashboard(known: set[str]) -> None:
    shown = set[str]().union(*(names(target["expr"]) for panel in panels() for target in panel["targets"]))
    own_metrics = {name for name in known if name.startswith("minimal_") and not name.endswith(ENDS[1:])}

    assert {name for name in own_metrics if not shown & {f"{name}{end}" for end in ENDS}} == set()


def test_every_alert_has_its_place_in_the_runbook_and_a_test() -> None:
    alerts = {rule["alert"] for rule in RULES}
    runbook = re.findall(r"^## (\w+)$", (DEPLOY / "runbook.md").read_text(), re.MULTILINE)
    tested = {
        case["alertname"]
        for test in yaml.safe_load((DEPLOY / "alerts.test.yml").read_text())["tests"]
        for case in test.get("alert_rule_test", ())
    }

    assert len(RULES) == len(alerts) >= 16
    assert sorted(runbook) == sorted(alerts)
    assert tested == alerts


def test_panels_lie_beside_each_other_and_say_what_they_show() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        place = panel["gridPos"]
        columns, rows = range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])
        cells = {(x, y) for x in columns for y in rows}
        assert panel["description"].endswith("."), panel["title"]
        assert columns.stop <= 24
        assert not cells & taken, panel["title"]
        taken |= cells

    for file in DASHBOARDS:
        ids = [panel["id"] for panel in json.loads(file.read_text())["panels"]]
        assert len(ids) == len(set(ids))


def promtool(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["promtool", *arguments], cwd=DEPLOY, capture_output=True, text=True)


@needs_prometheus
def test_prometheus_takes_the_configuration_and_its_rules() -> None:
    said = promtool("check", "config", "prometheus.yml")

    assert said.returncode == 0, said.stderr
    assert f"{len(RULES)} rules found" in said.stdout


@needs_prometheus
def test_alerts_fire_when_they_should_and_not_before() -> None:
    said = promtool("test", "rules", "alerts.test.yml")

    assert said.returncode == 0, said.stdout + said.stderr


@needs_prometheus
def test_prometheus_takes_what_the_panels_ask(tmp_path: Path) -> None:
    rules = [{"record": f"panel:{number}", "expr": expr} for number, expr in enumerate(expressions().values())]
    written = tmp_path / "panels.yml"
    written.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))

    said = promtool("check", "rules", written)
    written.write_text(written.read_text().replace("sum by (status)", "sum by status"))

    assert said.returncode == 0, said.stderr
    assert promtool("check", "rules", written).returncode != 0
