"""Mails in the outbox, and when they are due."""

from sqlalchemy import func, select, update

from server.mail import service as mail
from server.mail.messages import PasswordResetLink
from server.mail.models import Mail
from server.platform.core.db import Sessions, begin
from server.platform.core.models import Job

SHOP = "http://localhost:22500"
SENDER = "Minimal <shop@minimal.test>"


async def put(sessions: Sessions, key: str = "k", to: str = "ann@minimal.test") -> bool:
    async with begin(sessions) as session:
        return await mail.enqueue(
            session, PasswordResetLink("/reset-password?token=secret"), key=key, to=to, shop_url=SHOP
        )


async def make_due(sessions: Sessions) -> None:
    async with begin(sessions) as session:
        await session.execute(update(Job).values(run_at=func.now(), leased_until=None))


async def the_mail(sessions: Sessions) -> Mail:
    async with sessions() as session:
        return (await session.scalars(select(Mail))).one()
