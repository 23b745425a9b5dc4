"""The shop's processes with a watch on their services: `python -m tests.attacks.watched web [fault,...]`, or `reports`.

The first serves as `python -m server web` does, on a real socket. Both append a line to the file REACHED for every
operation whose service ran: the request's id and the operation's name. An operation is a root field of the schema (or a
field of `Viewer`, `Admin`, `Analytics`), a REST call, or a rendered page. Its service ran when its resolver or shim
began and

- the database was asked a statement inside of it, beyond the session lookup and rate limits, which are not watched, or
  it needs none and answered with a value; and
- nothing inside of it refused the input, the permission or the id: neither of the errors in `AT_THE_DOOR` was made.

Answers from the catalog cache, GraphQL documents that fail validation, malformed bodies, pictures that do not exist and
pages without rendered content therefore do not count.
"""

import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from graphql import GraphQLObjectType
from sqlalchemy import Engine, event
from starlette.requests import Request
from starlette.responses import Response
from strawberry.execution import optimized_is_awaitable
from structlog.contextvars import get_contextvars

from server.config import Settings
from server.platform.core import errors, limits
from server.platform.gql import plans
from server.platform.gql.execution import LimitedExecution
from server.platform.gql.plans.execution import Execution, RootField
from server.platform.gql.plans.planned import PlannedExecution
from server.platform.gql.plans.writers import Writer, Writers
from server.platform.web import rest

KINDS = ("Query", "Viewer", "Admin", "Analytics", "Mutation", "Subscription")
NOT_OPERATIONS = {"Query.viewer", "Query.admin", "Admin.analytics"}
"""The ways to Viewer, Admin and Analytics."""
AT_THE_DOOR = {
    errors.InvalidInput,
    errors.Unauthenticated,
    errors.Forbidden,
    errors.ReauthenticationRequired,
    errors.SecondFactorMissing,
    errors.NotFound,
    errors.TooManyRequests,
    errors.Unavailable,
}
REACHED = "FUZZ_REACHED"


@dataclass
class Running:
    """What has happened inside of one operation so far."""

    operation: str
    statements: int = 0
    refused: bool = False

    def reached(self, *, answered: bool) -> bool:
        return not self.refused and (answered or self.statements > 0)


_running: ContextVar[Running | None] = ContextVar("running", default=None)


def note(operation: str) -> None:
    """One line; lines of several processes do not mix, since each is one write to the end of the file."""
    line = f"{get_contextvars().get('request_id', '-')} {operation}\n"
    with Path(os.environ[REACHED]).open("ab", buffering=0) as file:
        file.write(line.encode())


def watch_statements() -> None:
    def asked(*_about: Any) -> None:
        if running := _running.get():
            running.statements += 1

    event.listen(Engine, "before_cursor_execute", asked)


def watch_refusals() -> None:
    def made(cls: type[errors.StoreError], *arguments: Any, **named: Any) -> errors.StoreError:
        running = _running.get()
        if running and cls in AT_THE_DOOR:
            running.refused = True
        return Exception.__new__(cls, *arguments)

    setattr(errors.StoreError, "__new__", made)  # noqa: B010 - a method otherwise


def watch_limits() -> None:
    """Counting attempts is no part of a service."""
    for name in ("take", "take_up_to", "give_back"):
        setattr(limits, name, _unwatched(getattr(limits, name)))


def _unwatched(counts: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def counted(*arguments: Any) -> Any:
        token = _running.set(None)
        try:
            left = await counts(*arguments)
        except errors.TooManyRequests:
            _running.reset(token)
            if running := _running.get():
                running.refused = True
            raise
        _running.reset(token)
        return left

    return counted


def watch_fields() -> None:
    executor = Execution if plans.ENABLED else LimitedExecution
    execute, plan, write = executor.execute_field, PlannedExecution._field, Writers.writer

    def execute_field(self: Any, parent_type: Any, source: Any, details: Any, path: Any, more: Any) -> Any:
        name = details[0].node.name.value
        return _field(parent_type, name, lambda: execute(self, parent_type, source, details, path, more))

    def planned_field(self: PlannedExecution, each: RootField) -> Any:
        return _field(each.field.parent, each.nodes[0].name.value, lambda: plan(self, each))

    def writer(self: Writers, kind: Any, details: Any, collect: Any) -> Writer | None:
        return None if kind.name in KINDS else write(self, kind, details, collect)

    setattr(executor, "execute_field", execute_field)  # noqa: B010 - a method otherwise
    setattr(PlannedExecution, "_field", planned_field)  # noqa: B010
    # A plan would write an object of operations that are plain data without executing a field.
    setattr(Writers, "writer", writer)  # noqa: B010


def _field(parent: GraphQLObjectType, name: str, execute: Callable[[], Any]) -> Any:
    operation, outer = f"{parent.name}.{name}", _running.get()
    # A planned execution leaves a field that it cannot complete to an ordinary one.
    is_watched = outer is not None and outer.operation == operation
    if parent.name not in KINDS or operation in NOT_OPERATIONS or is_watched:
        return execute()
    running = Running(operation)
    token = _running.set(running)
    try:
        value = execute()
    finally:
        _running.reset(token)
    if optimized_is_awaitable(value):
        return _completed(running, value)
    _finish(running, answered=value is not None)
    return value


async def _completed(running: Running, value: Awaitable[Any]) -> Any:
    token = _running.set(running)
    answered = None
    try:
        answered = await value
        return answered
    finally:
        _running.reset(token)
        _finish(running, answered=answered is not None)


def _finish(running: Running, *, answered: bool) -> None:
    if running.reached(answered=answered):
        note(running.operation)


def watch_calls() -> None:
    """Before the domains' routes are made."""
    plain = rest.route

    def route(method: str, path: str, shim: rest.Shim, **settings: Any) -> Any:
        async def watched(call: rest.Call) -> Response:
            running, response = Running(f"{method} {path}"), None
            token = _running.set(running)
            try:
                response = await shim(call)
                return response
            finally:
                _running.reset(token)
                status = response.status_code if response else 0
                # A shim answers in its own words that a link is not known.
                running.refused = running.refused or status in (404, 413)
                _finish(running, answered=200 <= status < 400)

        return plain(method, path, watched, **settings)

    rest.route = route


def watch_pages() -> None:
    """A page counts when the server rendered its content; the empty shell of a private screen does not."""
    from server.pages.rendering import RenderedPages
    from server.pages.routes import Pages

    screen, page, own = Pages.screen, RenderedPages.page, RenderedPages.own

    async def watched_screen(self: Pages, request: Request) -> Response:
        rendered.set(False)
        response = await screen(self, request)
        if rendered.get() and response.status_code == 200:
            note("GET page")
        return response

    async def watched_page(self: RenderedPages, *asked: Any) -> Any:
        answer = await page(self, *asked)
        rendered.set(answer.complete and not answer.unavailable)
        return answer

    async def watched_own(self: RenderedPages, *asked: Any) -> Any:
        body = await own(self, *asked)
        rendered.set(body is not None)
        return body

    rendered: ContextVar[bool] = ContextVar("rendered", default=False)
    for kind, name, watched in (
        (Pages, "screen", watched_screen),
        (RenderedPages, "page", watched_page),
        (RenderedPages, "own", watched_own),
    ):
        setattr(kind, name, watched)


def watch_browser_reports() -> None:
    """The answer is the same for what is no report; one that is goes to the log."""
    from server.platform.web.browser_reports import BrowserReports

    write = BrowserReports._write

    def watched(self: BrowserReports, sender: str, event: str, fields: Mapping[str, Any]) -> None:
        note("POST /csp-reports" if event == "csp.violation" else "POST /browser-errors")
        write(self, sender, event, fields)

    setattr(BrowserReports, "_write", watched)  # noqa: B010 - a method otherwise


def stumbles_over_nul() -> None:
    from server.catalog import search

    careful = search.understood

    def stumbles(index: Any, words: str) -> Any:
        if "\x00" in words:
            raise ValueError(words)
        return careful(index, words)

    setattr(search, "understood", stumbles)  # noqa: B010 - of another type


def shows_its_error() -> None:
    """Of the REST call alone, beside the fault of the field."""
    from server.catalog import routes, search

    careful = search.understood

    def shows(index: Any, words: str) -> Any:
        try:
            words.encode("ascii")
        except ValueError as error:
            raise errors.InvalidInput({"q": repr(error)}) from error
        return careful(index, words)

    setattr(routes, "search", SimpleNamespace(understood=shows))  # noqa: B010 - of another type


FAULTS: dict[str, Callable[[], None]] = {"nul": stumbles_over_nul, "shown": shows_its_error}


def main(arguments: list[str]) -> None:
    for watch in (
        watch_statements,
        watch_refusals,
        watch_limits,
        watch_fields,
        watch_calls,
        watch_pages,
        watch_browser_reports,
    ):
        watch()
    role, *faults = arguments
    if role == "reports":
        from server.run.reports import answer_reports

        answer_reports(Settings())
        return
    for fault in faults:
        FAULTS[fault]()
    from server.platform.pages.renderer import Renderer
    from server.run.web import serve

    serve(Settings(), Renderer())


if __name__ == "__main__":
    main(sys.argv[1:])
