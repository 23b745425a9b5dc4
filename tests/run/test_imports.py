"""What a process leaves unloaded until somebody needs it."""

import os
import subprocess
import sys

from tests.e2e.whole_shop import ROOT

RARE = (
    *("aiosmtplib", "cryptography", "google.auth", "httpx", "jinja2", "PIL", "rapidfuzz", "typst", "requests"),
    *("rich.console", "segno", "stripe", "webauthn", "zxcvbn"),
)
"""Together they take over 50 MB, and a third of the time in which a server starts."""
LOADING = "from server.cli import _prepare_to_load; _prepare_to_load(); from server.config import Settings; "
HEAVY = ("alembic", "sqlalchemy", "starlette", "strawberry")


def test_a_fresh_server_has_not_loaded_what_few_requests_need() -> None:
    program = LOADING + "from server.run import web; web.app(Settings())"
    assert loaded(program, (*RARE, "py_mini_racer")) == set()


def test_a_fresh_worker_has_loaded_neither_graphql_nor_what_draws_pages() -> None:
    program = LOADING + "from server import background; background.BackgroundWork(Settings())"
    assert (
        loaded(program, (*RARE, "graphql", "strawberry", "py_mini_racer", "server.pages", "server.platform.pages"))
        == set()
    )


def test_the_supervisor_loads_nothing_that_only_its_processes_need() -> None:
    names = (*HEAVY, "asyncpg", "cryptography")
    assert loaded("import server.cli; from server.run import supervisor", names) == set()


def test_the_command_line_loads_nothing_before_it_can_begin_the_web_process() -> None:
    names = ("asyncio", "pydantic", "server.config")
    assert loaded("import server.cli; from server.platform.processes import process", names) == set()


def test_a_database_that_has_every_migration_is_left_without_alembic(database_url: str) -> None:
    assert loaded(f"from server.run.migrations import upgrade; upgrade({database_url!r})", HEAVY) == set()


def loaded(program: str, names: tuple[str, ...]) -> set[str]:
    """Which of these modules a new process has after a program."""
    env = {**os.environ, "DATABASE_URL": "postgresql://nobody@localhost/nothing"}
    code = f"{program}; import sys; print(*sys.modules.keys() & {set(names)})"
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True
    )
    return set(said.stdout.split())
