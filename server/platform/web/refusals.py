"""Error responses in the form of the API that a request is for: GraphQL's at one path, REST's elsewhere."""

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from server.platform.core import errors
from server.platform.core.error_codes import ErrorCode
from server.platform.web.media_types import JSON
from server.platform.web.rest import answer, refusal

GRAPHQL_PATH = "/graphql"
POLICY_VIOLATION = 1008


async def refuse(error: errors.StoreError, scope: Scope, receive: Receive, send: Send) -> None:
    """Responds with the error's status; to a handshake with 403 where the server supports nothing else."""
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
    else:
        await refusal_at(scope["path"], error)(scope, receive, send)


def refusal_at(path: str, error: errors.StoreError) -> Response:
    """The response to a request for this path."""
    return graphql_refusal(error) if path == GRAPHQL_PATH else refusal(error)


def defect_at(path: str) -> Response:
    """The response to a request for this path that met a defect."""
    message = "Something went wrong"
    if path == GRAPHQL_PATH:
        return answer({"errors": [{"message": message, "extensions": {"code": ErrorCode.INTERNAL}}]}, 500)
    return answer({"message": message}, 500)


def graphql_refusal(error: errors.StoreError, media_type: str = JSON, status: int | None = None) -> Response:
    """`{errors: [{message, extensions: {code}}]}`, without data: nothing was executed."""
    body = orjson.dumps({"errors": [{"message": str(error), "extensions": error.extensions}]})
    return Response(body, status or error.status, {"cache-control": "no-store", **error.headers}, media_type)
