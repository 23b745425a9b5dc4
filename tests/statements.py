"""Counting what is asked of the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sqlalchemy import event
from sqlalchemy.engine import Engine
from structlog.contextvars import get_contextvars

_counting: ContextVar[bool] = ContextVar("counting", default=False)


@contextmanager
def counted_statements(about: str = "") -> Iterator[list[str]]:
    """The SQL that names `about` and is sent by the block itself, or by a request to a shop in this process.

    What such a shop does in the background, now and then, is in another context and does not count.
    """
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if about in statement and (_counting.get() or "request_id" in get_contextvars()):
            statements.append(statement.strip())

    token = _counting.set(True)
    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)
        _counting.reset(token)
