"""Log lines hold known fields, locations and causes, and never values, whichever library writes them."""

import ast
import json
import logging
import re
import warnings
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core import logs
from tests import planted_library

SERVER = Path(logs.__file__).parents[2]
LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
CANARY = "canary.bird@minimal.test"


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Any:
    logs.configure()
    return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]


def log_calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call in the server that writes a line or binds what later lines carry, and where it stands."""
    for path in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and _is_log_call(node.func):
                yield f"{path.relative_to(SERVER)}:{node.lineno}", node


def _is_log_call(called: ast.expr) -> bool:
    if isinstance(called, ast.Name):
        return called.id == "bind_contextvars"
    if not isinstance(called, ast.Attribute):
        return False
    if called.attr == "bind_contextvars":
        return True
    logger = called.value
    return called.attr in LEVELS and isinstance(logger, ast.Name) and logger.id in ("log", "logger")


def unknown_fields() -> dict[str, set[str]]:
    meant = logs.FIELDS | {"exc_info"}
    fields = {where: {str(each.arg) for each in call.keywords} - meant for where, call in log_calls()}
    return {where: names for where, names in fields.items() if names}


def test_every_call_names_only_fields_that_a_log_keeps() -> None:
    passed_on = {where for where, names in unknown_fields().items() if names == {"None"}}

    assert len(list(log_calls())) > 25
    assert {where.partition(":")[0] for where in passed_on} == {
        "run/reports.py",
        "platform/web/browser_reports.py",
    }, "**fields cannot be checked here, only in the tests of their senders"
    assert set(unknown_fields()) - passed_on == set()


def test_a_field_that_is_not_on_the_list_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "FIELDS", logs.FIELDS - {"refused"})

    assert [where.partition(":")[0] for where, names in unknown_fields().items() if names == {"refused"}] == [
        "platform/web/load_shedding.py"
    ]


def test_an_unknown_field_fails_in_the_tests(lines: Any) -> None:
    with pytest.raises(AssertionError, match="password"):
        structlog.get_logger().info("planted", password=CANARY)


def test_where_the_shop_runs_an_unknown_field_is_left_out_by_name(lines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "on_unknown_fields", None)

    structlog.get_logger().info("planted", password=CANARY, count=3)

    [line] = lines()
    assert (line["count"], line["dropped_fields"]) == (3, ["password"])
    assert CANARY not in str(line)


def test_a_librarys_line_says_where_and_what_but_no_value(lines: Any) -> None:
    planted_library.says(CANARY)

    said = lines()
    assert [line["event"] for line in said] == ["No answer from %s", "A message with values in it", "Broken"]
    assert {line["logger"] for line in said} == {"planted.library"}
    assert all("tests/planted_library.py:" in line["place"] for line in said)
    assert said[2]["exception"]["type"] == "ValueError"
    assert CANARY not in str(said)


@pytest.mark.parametrize("path", ["/cart", "/\ud800"])
def test_a_line_has_its_time_in_utc_whatever_it_says(lines: Any, path: str) -> None:
    structlog.get_logger().info("request", path=path)

    [line] = lines()
    assert line["path"] == path
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z", line["timestamp"])
    assert datetime.fromisoformat(line["timestamp"]).utcoffset() == timedelta()


def test_the_event_loop_says_what_befell_a_task_and_not_with_what(lines: Any) -> None:
    message = f"Task exception was never retrieved\nfuture: <Task exception=ValueError({CANARY!r})>"
    logging.getLogger("asyncio").error(message)

    [line] = lines()
    assert (line["event"], line["level"]) == ("Task exception was never retrieved", "error")
    assert CANARY not in str(line)


async def test_an_exception_keeps_its_places_and_causes(lines: Any, session: AsyncSession) -> None:
    try:
        try:
            await session.execute(text("INSERT INTO users (email, name) VALUES (:email, NULL)"), {"email": CANARY})
        except IntegrityError as error:
            raise RuntimeError(CANARY) from error
    except RuntimeError:
        structlog.get_logger().error("planted", exc_info=True)

    # While it waited for the database another test's timer may have logged something.
    [line] = [line for line in lines() if line["event"] == "planted"]
    exception = line["exception"]
    assert exception["type"] == "RuntimeError"
    assert next((each["type"], each.get("code")) for each in exception["causes"]) == ("IntegrityError", None)
    assert exception["causes"][-1]["type"] == "NotNullViolationError"
    assert exception["causes"][-1]["code"] == "23502"
    assert "test_logs.py" in exception["frames"][-1]
    assert any("asyncpg" in frame for frame in exception["causes"][-1]["frames"])
    assert CANARY not in json.dumps(line)


def test_a_cause_that_was_put_aside_is_not_told_and_a_circle_ends() -> None:
    first, second = ValueError("a"), KeyError("b")
    first.__cause__, second.__cause__ = second, first
    aside = OSError(28, "No space left")
    aside.__context__, aside.__suppress_context__ = first, True

    assert [each["type"] for each in logs.described(first)["causes"]] == ["KeyError"]
    assert logs.described(aside) == {"type": "OSError", "frames": [], "code": "ENOSPC"}


def test_each_of_a_group_is_described() -> None:
    group = ExceptionGroup("several", [ValueError(CANARY), OSError(2, CANARY)])

    described = logs.described(group)

    assert [each["type"] for each in described["exceptions"]] == ["ValueError", "FileNotFoundError"]
    assert CANARY not in str(described)


def test_to_configure_again_says_nothing_twice(lines: Any) -> None:
    logs.configure()
    with warnings.catch_warnings():
        logging.getLogger("planted").warning("Once")

    assert [line["event"] for line in lines()] == ["Once"]
