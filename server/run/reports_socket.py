"""How the web process queries the reports process: through a socket that only the shop's user can open.

A request is one JSON document and the end of the stream; a response is a line of JSON, which says how long what follows
is, then the body, plain and compressed.
"""

import asyncio
from dataclasses import dataclass
from math import inf
from typing import Any

import orjson
import structlog
from pydantic import TypeAdapter
from structlog.contextvars import get_contextvars

from server.catalog.cache import CachedResponse
from server.graphql_endpoint import UNAVAILABLE, GraphQLRequest
from server.platform.core.context import Context
from server.platform.core.slots import release_slot
from server.platform.core.viewer import Viewer
from server.platform.gql.execution import MAX_ADMIN_ANSWER_BYTES
from server.platform.web.rest import MAX_ADMIN_BODY

log = structlog.get_logger()

SECONDS_TO_ANSWER = 60.0
"""Reports run one at a time; the database ends each of their statements long before this."""
MAX_REQUEST = 2 * MAX_ADMIN_BODY
"""Bytes. The body that an admin may send, as JSON in JSON, with the viewer."""
MAX_RESPONSE = 2 * MAX_ADMIN_ANSWER_BYTES
"""Bytes: a response and its compressed form."""


@dataclass(frozen=True)
class ReportsRequest:
    """A GraphQL request with its viewer."""

    asked: GraphQLRequest
    viewer: Viewer | None
    logged: dict[str, Any]
    """Fields of the web request's log lines."""

    def written(self) -> bytes:
        """As JSON."""
        return _REQUEST.dump_json(self)

    @classmethod
    def read(cls, written: bytes) -> "ReportsRequest":
        """Raises ValueError for what `written` has not made."""
        return _REQUEST.validate_json(written)


_REQUEST = TypeAdapter(ReportsRequest)


@dataclass(frozen=True)
class _Head:
    """The first line of a response: a CachedResponse without its bodies, and their bytes."""

    body: int
    gzipped: int | None
    unavailable: bool
    complete: bool
    status: int
    seconds: float | None
    stale: float | None


_HEAD = TypeAdapter(_Head)


def write_response(answer: CachedResponse) -> bytes:
    """The response as it goes through the socket."""
    head = _Head(
        len(answer.body),
        None if answer.gzipped is None else len(answer.gzipped),
        answer.unavailable,
        answer.complete,
        answer.status,
        None if answer.seconds == inf else answer.seconds,
        answer.stale,
    )
    return b"".join((orjson.dumps(head), b"\n", answer.body, answer.gzipped or b""))


def read_response(written: bytes) -> CachedResponse:
    """What `write_response` wrote. Raises ValueError when it is not whole."""
    line, _, bodies = written.partition(b"\n")
    head = _HEAD.validate_json(line)
    if len(bodies) != head.body + (head.gzipped or 0):
        raise ValueError("A response of the reports process was cut off.")
    return CachedResponse(
        bodies[: head.body],
        head.unavailable,
        head.complete,
        head.status,
        None if head.gzipped is None else bodies[head.body :],
        inf if head.seconds is None else head.seconds,
        head.stale,
    )


class ReportsSocket:
    """The web process's client of the reports process."""

    def __init__(self, path: str) -> None:
        self._path = path

    async def answer(self, request: GraphQLRequest, context: Context) -> CachedResponse | None:
        """None when no process listens; UNAVAILABLE when the process dies or hangs before answering.

        Such a request is not executed here, because it may be what has ended the reports process.
        """
        try:
            reader, writer = await asyncio.open_unix_connection(self._path)
        except OSError:
            return None
        release_slot()
        try:
            writer.write(ReportsRequest(request, context.viewer, get_contextvars()).written())
            writer.write_eof()
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                return read_response(await read_all(reader, MAX_RESPONSE))
        except (OSError, ValueError) as error:
            log.warning("reports.lost", error=type(error).__name__)
            return UNAVAILABLE
        finally:
            writer.close()


async def read_all(reader: asyncio.StreamReader, most: int) -> bytes:
    """Everything until the end of the stream. Raises TooLong after `most` bytes."""
    parts, left = [], most
    while part := await reader.read(256 * 1024):
        left -= len(part)
        if left < 0:
            raise TooLong(f"More than {most} bytes came through the socket of the reports process.")
        parts.append(part)
    return b"".join(parts)


class TooLong(ValueError):
    """More came than the one side sends or the other can mean."""
