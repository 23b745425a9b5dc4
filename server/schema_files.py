"""The API's contract for clients and their code generators, printed from the server's types and served over HTTP.

`schema.graphql`; `possibleTypes.json` for Apollo's cache, which needs it for fragments on interfaces and unions; and
`scalars.json` for code generators: what each scalar is in JSON.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from graphql import GraphQLSchema, is_abstract_type, is_scalar_type, is_specified_scalar_type
from starlette.responses import Response
from starlette.routing import Route

from server.config import Settings
from server.platform.core.errors import NotFound
from server.platform.core.viewer import Access
from server.platform.web.compression import accepts, gzip
from server.platform.web.media_types import JSON
from server.platform.web.rest import Call, route
from server.schema import Schema


def possible_types(schema: GraphQLSchema) -> dict[str, list[str]]:
    """The members of every interface and union, by its name."""
    kinds = {name: kind for name, kind in schema.type_map.items() if is_abstract_type(kind)}
    return {name: sorted(each.name for each in schema.get_possible_types(kind)) for name, kind in sorted(kinds.items())}


def scalars(schema: GraphQLSchema) -> dict[str, str]:
    """TypeScript's type of every scalar that code generators do not know; each is a string in JSON."""
    own = [
        name for name, kind in schema.type_map.items() if is_scalar_type(kind) and not is_specified_scalar_type(kind)
    ]
    return dict.fromkeys(["ID", *sorted(own)], "string")


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, indent=2) + "\n"


FILES: Mapping[str, Callable[[Schema], str]] = {
    "schema.graphql": lambda schema: schema.as_str() + "\n",
    "possibleTypes.json": lambda schema: _json(possible_types(schema._schema)),
    "scalars.json": lambda schema: _json(scalars(schema._schema)),
}
"""What each file contains, by its name."""


class _PrintedFile(NamedTuple):
    body: bytes
    gzipped: bytes
    tag: str
    """Weak (RFC 9110, 8.8.1): it is the same for both content codings."""


class SchemaFiles:
    """Serves the files where introspection is open, and 404 elsewhere."""

    def __init__(self, settings: Settings, schema: Schema) -> None:
        self._is_open = settings.introspection
        self._schema = schema
        self._printed: dict[str, _PrintedFile] = {}

    def routes(self) -> list[Route]:
        """One for each file, open to everybody."""
        return [route("GET", f"/{name}", partial(self._file, name), allows=Access.ANYONE) for name in FILES]

    async def _file(self, name: str, call: Call) -> Response:
        if not self._is_open:
            raise NotFound("This file")
        if name not in self._printed:
            self._printed[name] = await asyncio.to_thread(self._print, name)
        file, asked = self._printed[name], call.request.headers
        headers = {"cache-control": "public, no-cache", "etag": file.tag, "vary": "accept-encoding"}
        if file.tag.removeprefix("W/") in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        media_type = JSON if name.endswith(".json") else "text/plain"
        if not accepts(asked.get("accept-encoding", ""), "gzip"):
            return Response(file.body, headers=headers, media_type=media_type)
        return Response(file.gzipped, headers={**headers, "content-encoding": "gzip"}, media_type=media_type)

    def _print(self, name: str) -> _PrintedFile:
        body = FILES[name](self._schema).encode()
        return _PrintedFile(body, gzip(body), f'W/"{sha256(body).hexdigest()[:16]}"')
