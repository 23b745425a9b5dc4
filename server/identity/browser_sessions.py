"""Starting and ending sessions of browsers: the response's cookies, and the viewer for the rest of the request."""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from server.config import Settings
from server.identity import devices, sessions, sign_in_log
from server.identity.factors.held import FactorMethod
from server.identity.models import User
from server.platform.core.context import Context, ResponseCookie
from server.platform.core.security import device_cookie, session_cookie
from server.platform.core.statements import Statements
from server.platform.core.viewer import Viewer


@dataclass(frozen=True)
class StartedSession:
    """What a browser gets by signing in: a session, and a device cookie."""

    token: str
    device: str
    viewer: Viewer


async def start(
    context: Context, session: AsyncSession, user: User, method: FactorMethod, second_factor: FactorMethod | None = None
) -> StartedSession:
    """Starts a session in place of the browser's earlier one, and makes the browser a known device.

    An admin's sign-in is written to the audit log.
    """
    token = await sessions.start(
        session,
        user.id,
        ip=context.ip,
        user_agent=context.user_agent,
        instead_of=context.token,
        method=method.value,
        second_factor=second_factor.value if second_factor else None,
    )
    device = await devices.remember(session, user.id, context.device, knows_password=method is FactorMethod.PASSWORD)
    viewer = await viewer_of(context, session, token)
    assert viewer is not None  # noqa: S101 - made in this transaction
    await sign_in_log.succeeded(session, viewer, " and ".join(each.value for each in (method, second_factor) if each))
    return StartedSession(token, device, viewer)


async def viewer_of(context: Context, session: Statements, token: str, *, is_active: bool = True) -> Viewer | None:
    """The viewer of a session token, by the shop's rule for admins; None without a session.

    `is_active` as in `sessions.viewer_of_token`.
    """
    required = context.resources.get(Settings).admin_second_factor_required
    return await sessions.viewer_of_token(session, token, second_factor_required=required, is_active=is_active)


def enter(context: Context, started: StartedSession) -> Viewer:
    """After the commit: sets the cookies, and makes the account the viewer for the rest of the request."""
    context.viewer, context.token = started.viewer, started.token
    _set_cookie(context, session_cookie(context.site, started.token))
    recognise(context, started.device)
    return started.viewer


def leave(context: Context) -> None:
    """After the commit: deletes the cookie; the rest of the request has no viewer."""
    context.viewer = context.token = None
    _set_cookie(context, session_cookie(context.site, None))


def recognise(context: Context, device: str) -> None:
    """After the commit: sets the device cookie."""
    context.device = device
    _set_cookie(context, device_cookie(context.site, device))


def _set_cookie(context: Context, cookie: ResponseCookie) -> None:
    context.cookies[:] = [other for other in context.cookies if other.name != cookie.name] + [cookie]
