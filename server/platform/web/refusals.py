"""Error responses of middleware, for requests and WebSocket handshakes alike."""

from starlette.types import Receive, Scope, Send

from server.platform.core import errors
from server.platform.web.rest import refusal

POLICY_VIOLATION = 1008


async def refuse(error: errors.StoreError, scope: Scope, receive: Receive, send: Send) -> None:
    """Responds with the error's status; to a handshake with 403 where the server supports nothing else."""
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
    else:
        await refusal(error)(scope, receive, send)
