"""What all REST routes share: access, reading of bodies, error responses."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, TypeVar, cast
from uuid import UUID

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from server.platform.core import errors
from server.platform.core.context import Context
from server.platform.core.text import parse_id
from server.platform.core.viewer import Access
from server.platform.web.cookies import apply_cookies

MAX_ADMIN_BODY = 1_000_000
LIST_BATCH = 100
"""Rows of a list that are read and sent together; for products, 3 ms of CPU time."""
MAX_BODY = 128_000
"""Bytes of a request body, except an admin's: clients that send slowly make the process hold it in memory."""


class Body(BaseModel):
    """A JSON body: unknown members are ignored, types are not coerced."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


B = TypeVar("B", bound=Body)
K = TypeVar("K")


@dataclass
class Call:
    """One request to a REST route."""

    request: Request
    context: Context
    max_body: int = MAX_ADMIN_BODY

    async def body(self, kind: type[B]) -> B:
        """The parsed JSON body. Raises InvalidInput, which names each invalid member."""
        raw = await self.raw()
        try:
            return kind.model_validate_json(raw or b"{}")
        except ValidationError as error:
            raise errors.InvalidInput(_problems(error)) from error

    async def raw(self) -> bytes:
        """The unparsed body. Raises TooLarge."""
        return await read_body(self.request, self.max_body)

    def path_id(self) -> UUID:
        """The id in the path. Raises NotFound for malformed ids too: no object has one."""
        return parse_id(self.request.path_params["id"])

    def page(self) -> tuple[int | None, int]:
        """`limit` (None: all) and `offset` of the query string. Raises InvalidInput."""
        return self._whole("limit"), self._whole("offset") or 0

    def _whole(self, name: str) -> int | None:
        text = self.request.query_params.get(name)
        if text is None:
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= 6):
            raise errors.InvalidInput({name: "is a whole number from 0 to 999999"})
        return int(text)


Shim = Callable[[Call], Awaitable[Response]]


def route(
    method: str,
    path: str,
    shim: Shim,
    *,
    allows: Access,
    max_body: int | None = None,
    cross_site: bool = False,
    recent: bool = False,
) -> Route:
    """A route under /api.

    `cross_site` exempts it from the same-site rule, because its sender authenticates in another way; `recent` requires
    a recent sign-in. `max_body` is in bytes.
    """

    most = max_body or (MAX_ADMIN_BODY if allows in (Access.ADMIN, Access.PRIMARY_ADMIN) else MAX_BODY)

    async def endpoint(request: Request) -> Response:
        context = cast(Context, request.state.context)
        try:
            allows.check(context.viewer)
            if recent:
                context.signed_in.require_recent_sign_in()
            response = await shim(Call(request, context, most))
            if context.stale is not None:
                response.headers.update(kept_since(context.stale))
        except errors.StoreError as error:
            response = refusal(error)
        apply_cookies(context, response)
        return response

    endpoint.route_name = f"{method} {path}"  # type: ignore[attr-defined]
    api_route = Route(path, endpoint, methods=[method], name=f"{method} {path}")
    api_route.allows = allows  # type: ignore[attr-defined]
    api_route.cross_site = cross_site  # type: ignore[attr-defined]
    api_route.recent = recent  # type: ignore[attr-defined]
    return api_route


async def read_body(request: Request, limit: int, refused: errors.StoreError | None = None) -> bytes:
    """The raw body. Raises TooLarge, or `refused`, and stops reading, once it exceeds `limit` bytes."""
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > limit:
        raise refused or errors.TooLarge()
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise refused or errors.TooLarge()
        parts.append(part)
    return b"".join(parts)


def answer(value: Any, status: int = 200) -> Response:
    """A JSON response that no cache stores."""
    return Response(orjson.dumps(value), status, {"cache-control": "no-store"}, "application/json")


async def list_answer(ids: Sequence[K], read: Callable[[Sequence[K]], Awaitable[list[Any]]]) -> Response:
    """A JSON array of what `read` makes of the ids, in their order, read and sent in batches.

    Only one batch is in memory, and other requests are served between two. Each is read in its own session, so a client
    that reads slowly holds no database connection. The first is read before the response starts, so that an error still
    has a status.
    """
    first = await read(ids[:LIST_BATCH])
    if len(ids) <= LIST_BATCH:
        return answer(first)

    async def stream() -> AsyncIterator[bytes]:
        written = orjson.dumps(first)[:-1]
        yield written
        for start in range(LIST_BATCH, len(ids), LIST_BATCH):
            part = orjson.dumps(await read(ids[start : start + LIST_BATCH]))[1:-1]
            if part:
                yield part if written == b"[" else b"," + part
                written = part
        yield b"]"

    return StreamingResponse(stream(), 200, {"cache-control": "no-store"}, "application/json")


def kept_since(seconds: float) -> dict[str, str]:
    """Headers of a response that may have been outdated for so many seconds; caches do not store it (RFC 9211).

    Of its own page's headers a script can read only Server-Timing, so that carries the age.
    """
    age = str(ceil(seconds))
    marks = {"cache-status": f"minimal; hit; ttl=-{age}", "server-timing": "stale"}
    return {**marks, "age": age, "cache-control": "no-store"}


def nothing() -> Response:
    """204 without a body."""
    return Response(status_code=204)


def refusal(error: errors.StoreError) -> Response:
    """`{message}`, and for invalid input `{message, errors: ["field: message"]}`."""
    content: dict[str, Any] = {"message": str(error)}
    if isinstance(error, errors.InvalidInput):
        content["errors"] = [f"{name}: {message}" for name, message in error.errors.items()]
    response = answer(content, error.status)
    response.headers.update(error.headers)
    return response


_WORDS = {"missing": "is required", "json_invalid": "is not valid JSON"}
"""Messages that replace pydantic's, by its error type."""


def _problems(error: ValidationError) -> dict[str, str]:
    problems: dict[str, str] = {}
    for problem in error.errors(include_url=False, include_context=False, include_input=False):
        name = ".".join(str(part) for part in problem["loc"]) or "body"
        message = _WORDS.get(problem["type"], problem["msg"])
        problems.setdefault(name, message[0].lower() + message[1:])
    return problems
