"""Refusals by middleware, of requests and of WebSocket handshakes alike."""

from starlette.types import Receive, Scope, Send

from server.core import errors
from server.web.rest import refusal

POLICY_VIOLATION = 1008


async def refuse(error: errors.StoreError, scope: Scope, receive: Receive, send: Send) -> None:
    """Responds with the error's status; 403 to a handshake where the web server cannot do that."""
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
    else:
        await refusal(error)(scope, receive, send)
