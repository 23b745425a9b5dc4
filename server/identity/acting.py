"""The rights of an account in work that goes on after its request."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.factors import administration
from server.identity.models import User
from server.platform.core import clock
from server.platform.core.viewer import Role, Viewer


async def viewer_now(session: AsyncSession, user_id: UUID, *, second_factor_required: bool) -> Viewer | None:
    """The account with its rights of this moment, as a request would have them; None when it was deleted.

    A job that an admin has started reads it when it runs, and again before it commits. It belongs to no session and
    counts as no recent sign-in.
    """
    query = select(User).where(User.id == user_id).execution_options(populate_existing=True)
    user = await session.scalar(query)
    if user is None:
        return None
    has_second_factor = user.id in await administration.of_users(session, [user.id])
    return Viewer(
        user_id=user.id,
        session_id=user.id,
        email=user.email,
        name=user.name,
        role=Role(user.role),
        is_primary=user.is_primary,
        expires_at=clock.now(),
        has_second_factor=has_second_factor,
        lacks_second_factor=second_factor_required and user.role == Role.ADMIN.value and not has_second_factor,
    )
