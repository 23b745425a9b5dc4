"""Advisory locks have one list of numbers: no two purposes share a lock."""

import re
from pathlib import Path

import pytest

from server.platform.core import locks
from server.platform.core.db import Sessions, begin
from server.platform.core.locks import Lock
from tests.sql_texts import newest_texts

ROOT = Path(__file__).resolve().parents[3]
NUMBER = re.compile(r"\b7_?263_?\d{3}\b")
CALL = re.compile(r"pg_(?:try_)?advisory\w*")
MAY_CALL = {"server/platform/core/locks.py", "alembic/env.py"}
PER_VISIT = "analytics/number_event"
"""Locks a visit by 64 bits of its id."""
FOLLOW_SALES = "analytics/follow_sales"
"""Takes Lock.FACTS itself."""
CODE_USES = {"pricing/lock_code_uses", "pricing/count_code_uses"}
"""Take Lock.CODE_USES, for one code each, themselves."""


def sources() -> dict[str, str]:
    """Texts of modules, and of SQL functions as they are now, by name."""
    modules = (path for folder in ("server", "alembic") for path in (ROOT / folder).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in modules} | newest_texts()


def test_every_lock_has_a_number_of_its_own_and_no_number_stands_elsewhere() -> None:
    numbers_by_file = {name: set(NUMBER.findall(text)) for name, text in sources().items()}
    elsewhere = {
        name: numbers
        for name, numbers in numbers_by_file.items()
        if numbers and name != "server/platform/core/locks.py"
    }

    assert len(Lock.__members__) == len({lock.value for lock in Lock})
    assert {name: {int(number) for number in numbers} for name, numbers in elsewhere.items()} == {
        FOLLOW_SALES: {Lock.FACTS.value},
        **{name: {Lock.CODE_USES.value} for name in CODE_USES},
    }


def test_advisory_locks_are_taken_in_one_place() -> None:
    callers = {name for name, text in sources().items() if CALL.search(text)}

    assert callers == MAY_CALL | {PER_VISIT, FOLLOW_SALES} | CODE_USES


@pytest.mark.parametrize("other", list(Lock))
async def test_a_lock_is_in_the_way_of_itself_alone(sessions: Sessions, other: Lock) -> None:
    async with begin(sessions) as session, begin(sessions) as second:
        await locks.acquire(session, Lock.STOCK_ALERTS)

        assert await locks.try_acquire(second, other) is (other is not Lock.STOCK_ALERTS)
