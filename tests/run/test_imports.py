"""What a process leaves unloaded until somebody needs it."""

import ast
import os
import subprocess
import sys
from pathlib import Path

from tests.e2e.whole_shop import ROOT
from tests.run.first_uses import RARE

LOADING = "from server.cli import _prepare_to_load; _prepare_to_load(); from server.config import Settings; "
ELSEWHERE = {"alembic", "asyncpg", "opentelemetry", "py_mini_racer", "pydantic", "sqlalchemy", "strawberry"}
"""What functions import that is loaded before a process serves, or in no process that does."""
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


def test_first_requests_import_their_libraries_off_the_event_loop(database_url: str, tmp_path: Path) -> None:
    env = {**os.environ, "DATABASE_URL": database_url, "SHOP_DATA": str(tmp_path), "OUTSIDE_PORT": "9"}
    run = subprocess.run(
        [sys.executable, "-m", "tests.run.first_uses"], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    loaded_then, on_the_loop = (set(line.split(":")[1].split()) for line in run.stdout.splitlines()[-2:])

    assert on_the_loop == set(), run.stderr
    # Mails, PDFs and terminals belong to other processes.
    assert set(RARE) - loaded_then <= {"aiosmtplib", "requests", "rich.console", "typst"}, run.stderr


def test_each_library_that_a_function_imports_is_among_the_first_uses() -> None:
    functions = [
        node
        for file in (ROOT / "server").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    imported = {name.split(".")[0] for function in functions for node in ast.walk(function) for name in _names(node)}

    late = imported - sys.stdlib_module_names - {"server", "demo"} - ELSEWHERE
    assert late - {name.split(".")[0] for name in RARE} == set()


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [each.name for each in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []
