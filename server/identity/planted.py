"""What an unproven person put into an account whose e-mail address is another person's.

Such an account was made, or given its address, by a person who never opened a mail sent there. When the mailbox's owner
takes it over from a browser that has never signed in to it, a default address, a cart or a request for admin access
would act in the owner's name.
"""

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import devices
from server.identity.account_contents import AccountContentsPort
from server.identity.models import Address, User


async def is_suspected(session: AsyncSession, user: User, device: str | None) -> bool:
    """Whether another person may have used the account until now: unconfirmed address, unknown browser.

    `device` is the token of the browser that proves the address.
    """
    return user.email_verified_at is None and not await devices.is_known(session, device, user.id)


async def remove(session: AsyncSession, user: User, port: AccountContentsPort) -> tuple[str, ...]:
    """Removes addresses, admin request and the port's contents. Returns the names of what there was, for a mail.

    Orders stay: they are records of payments. The caller has locked the account's row.
    """
    gone = await session.scalars(delete(Address).where(Address.user_id == user.id).returning(Address.id))
    removed = ["Delivery addresses"] if gone.all() else []
    removed += [content.name for content in port.contents if await content.remove(session, user.id)]
    if user.admin_requested_at is not None:
        user.admin_requested_at = None
        removed.append("The request for admin access")
    await session.flush()
    return tuple(removed)
