"""The parameters of a GraphQL request, in a body or a URL, before the document is parsed."""

from types import NoneType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import orjson

from server.platform.core.errors import InvalidInput
from server.platform.gql.persisted import PersistedOperations

MAX_NESTING = 50
"""Levels of objects and lists in one JSON body; the schema's deepest input has six."""
CONTAINERS = dict, list
MOST_PARAMETERS = 20
"""In one URL; four have a meaning."""
OBJECT_OR_NULL, STRING_OR_NULL = (dict, NoneType), (str, NoneType)


class BatchRefused(InvalidInput):
    """A body is a list of requests."""


class Parameters(NamedTuple):
    """What is executed: a document, the values of its variables, and which of its operations."""

    query: str
    variables: dict[str, Any] | None
    operation: str | None


def in_body(body: bytes) -> dict[str, Any]:
    """The members of a JSON object. Raises BatchRefused for a list, InvalidInput for every other body."""
    payload = _json("body", body)
    if isinstance(payload, list):
        raise BatchRefused({"body": "Batches are not accepted. Send each operation in a request of its own."})
    if not isinstance(payload, dict):
        raise InvalidInput({"body": "The body is not a JSON object."})
    return payload


def in_url(query_string: bytes) -> dict[str, Any]:
    """The parameters of a URL. Raises InvalidInput for variables or extensions that are not JSON."""
    texts = texts_in_url(query_string)
    return {name: _json(name, text) if name in ("variables", "extensions") else text for name, text in texts.items()}


def texts_in_url(query_string: bytes) -> dict[str, str]:
    """The parameters of a URL, not decoded further. Raises InvalidInput for too many."""
    try:
        return dict(parse_qsl(query_string.decode("latin-1"), max_num_fields=MOST_PARAMETERS))
    except ValueError as error:
        raise InvalidInput({"query": f"A URL has at most {MOST_PARAMETERS} parameters."}) from error


def read_parameters(payload: dict[str, Any], persisted: PersistedOperations) -> Parameters:
    """Raises InvalidInput for parameters that are not a GraphQL request, and PersistedQueryNotFound."""
    variables, operation, extensions = (payload.get(name) for name in ("variables", "operationName", "extensions"))
    query = persisted.document(payload.get("query"), extensions)
    if not isinstance(query, str) or not query:
        raise InvalidInput({"query": "The query is required: a GraphQL document, as a string."})
    if is_nested_deeper(payload):
        raise InvalidInput({"variables": f"The variables are nested more than {MAX_NESTING} levels deep."})
    if not isinstance(variables, OBJECT_OR_NULL):
        raise InvalidInput({"variables": "The variables are not an object."})
    if not isinstance(operation, STRING_OR_NULL):
        raise InvalidInput({"operationName": "The name of the operation is not a string."})
    if not isinstance(extensions, OBJECT_OR_NULL):
        raise InvalidInput({"extensions": "The extensions are not an object."})
    return Parameters(query, variables, operation or None)


def _json(name: str, text: bytes | str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InvalidInput({name: f"The {name} cannot be read as JSON."}) from error


def is_nested_deeper(value: object, levels: int = MAX_NESTING) -> bool:
    """Whether decoded JSON has more than so many levels of objects and lists. Visits each member once."""
    members = [value]
    for _ in range(levels + 1):
        containers = [each for each in members if isinstance(each, CONTAINERS)]
        if not containers:
            return False
        members = [member for each in containers for member in (each.values() if isinstance(each, dict) else each)]
    return True
