"""The list of crash points is whole: each stands at one place, and a test kills the shop there."""

import re

from server.crash_points import CrashPoint
from tests import crash_points
from tests.everything import ROOT


def test_each_crash_point_stands_at_one_place_as_a_line_of_its_own() -> None:
    sources = [path.read_text() for path in (ROOT / "server").rglob("*.py") if path.name != "crash_points.py"]

    lines = [line.strip() for source in sources for line in source.splitlines() if "CrashPoint." in line]

    assert sorted(lines) == sorted(f"CrashPoint.{point.name}.reach()" for point in CrashPoint)
    assert [source for source in sources if "CRASH_POINTS" in source] == []


def test_a_test_kills_the_shop_at_each_crash_point() -> None:
    used = {*crash_points.PURCHASE, *crash_points.CHECKOUT, *crash_points.IMPORTING, crash_points.FACTS}
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))

    assert used == set(CrashPoint)
    assert set(re.findall(r"tests\.crash_points import (\w+)", tests)) == {"PURCHASE", "CHECKOUT", "IMPORTING", "FACTS"}
