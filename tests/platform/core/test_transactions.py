"""Who ends a transaction: whoever began it, and never somebody who was given its session."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ENDS = {"commit", "rollback", "close"}


def given_sessions(function: ast.AsyncFunctionDef | ast.FunctionDef) -> set[str]:
    arguments = function.args
    return {
        each.arg
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        if each.annotation is not None and ast.unparse(each.annotation) == "AsyncSession"
    }


def ended(source: str) -> Iterator[str]:
    """Functions that end the transaction of a session that they take."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef):
            continue
        sessions = given_sessions(node)
        for call in ast.walk(node):
            match call:
                case ast.Call(func=ast.Attribute(value=ast.Name(name), attr=attr)) if name in sessions and attr in ENDS:
                    yield node.name


def test_nobody_ends_the_transaction_of_a_session_that_they_were_given() -> None:
    calls = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in sorted((ROOT / "server").rglob("*.py"))
        for name in ended(path.read_text())
    }

    assert calls == set()


def test_an_end_is_seen() -> None:
    source = "async def place(session: AsyncSession, cart: UUID) -> None:\n    await session.commit()"

    assert list(ended(source)) == ["place"]
