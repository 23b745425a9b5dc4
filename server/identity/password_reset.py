"""Password reset by mail, shared by GraphQL and REST."""

from server.config import Settings
from server.identity import attempts, browser_sessions, devices, rules
from server.identity import service as identity
from server.identity.account_contents import AccountContentsPort
from server.identity.errors import LinkExpired
from server.identity.passwords import PasswordHashing
from server.platform.core.context import Context, reading, transaction
from server.platform.core.errors import TooManyRequests
from server.platform.core.limits import Limit, failures, take

NETWORKS_SHARE = 2
"""All unknown networks together may cause this many times the mails of one."""


async def forgot_password(context: Context, email: str) -> None:
    """Requests a reset link. The same result for any e-mail. Raises InvalidInput, TooManyRequests.

    Each network and each of the account's known devices has its own count, so others cannot use it up. Many networks
    together cause at most one mail an hour beyond their share, and the last link is valid that long.
    """
    email = rules.email_of_account(email)
    await take(context.sessions, attempts.of_network(context, "forgot"))
    async with reading(context) as session:
        device = await devices.find(session, context.device, email)
    if await _is_over(context, attempts.resets(context, email, device)):
        return
    everybody = Limit(
        f"reset:{email}", context.resources.get(Settings).limits.resets_per_day * NETWORKS_SHARE, attempts.DAY
    )
    unless_open = device is None and await _is_over(context, everybody)
    shop_url = context.site.public_url
    async with transaction(context) as session:
        await identity.request_reset(session, email, shop_url=shop_url, unless_open=unless_open)


async def _is_over(context: Context, limit: Limit) -> bool:
    try:
        await take(context.sessions, limit)
    except TooManyRequests:
        return True
    return False


async def check_link(context: Context, token: str) -> None:
    """Raises LinkExpired unless the link works now, and TooManyRequests where a network has tried too many."""
    async with failures(context.sessions, LinkExpired, attempts.of_network(context)), reading(context) as session:
        await identity.check_reset_link(session, token)


async def reset_password(context: Context, token: str, new_password: str) -> None:
    """Sets the password and ends all earlier sessions; this browser becomes a known device.

    Raises InvalidInput, LinkExpired, TooManyRequests.
    """
    await rules.load_common_passwords()
    rules.new_password(new_password)
    contents, shop_url = context.resources.get(AccountContentsPort), context.site.public_url
    passwords, client = context.resources.get(PasswordHashing), attempts.hash_client(context)
    passwords.require_room(client)
    async with failures(context.sessions, LinkExpired, attempts.of_network(context)):
        async with reading(context) as session:
            await identity.check_reset_link(session, token)
        await take(context.sessions, *attempts.hashing(context))
        hashed = await passwords.hash(new_password, client)
        async with transaction(context) as session:
            user = await identity.reset_password(
                session, token, hashed, device=context.device, contents=contents, shop_url=shop_url
            )
            device = await devices.remember(session, user.id, context.device, knows_password=True)
    if context.viewer and context.viewer.user_id == user.id:
        browser_sessions.leave(context)
    browser_sessions.recognise(context, device)
