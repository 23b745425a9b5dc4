"""Links in confirmation mails: the recipient confirms that the account is theirs, or disowns it."""

from server.identity import accounts, attempts, browser_sessions, devices, verification
from server.identity import service as identity
from server.identity.errors import InvalidCredentials, LinkExpired, ProofRequired
from server.identity.models import User
from server.identity.order_history import OrderHistoryPort
from server.identity.passwords import PasswordHashing
from server.platform.core.context import Context, reading, transaction
from server.platform.core.limits import failures, take


async def confirm(context: Context, token: str, password: str | None) -> None:
    """Marks the address as verified. Idempotent.

    The link proves the mailbox but not the account, which another person may have created with this address. So it
    counts in a browser where the account is or was signed in, and elsewhere together with the account's password.
    Raises LinkExpired, ProofRequired, InvalidCredentials, TooManyRequests.
    """
    user = await _account_of(context, token)
    if user.email_verified_at is not None:
        return
    if await _is_at_home(context, user):
        async with transaction(context) as session:
            await verification.confirm(session, token)
    elif password and user.password_hash is not None:
        await _confirm_by_password(context, token, user, password)
    else:
        raise ProofRequired(has_password=user.password_hash is not None)


async def deny(context: Context, token: str) -> None:
    """Removes the address from an account that its mailbox's owner disowns. Raises LinkExpired, TooManyRequests."""
    have_bought, shop_url = context.resources.get(OrderHistoryPort).have_bought, context.site.public_url
    limit = attempts.of_network(context)
    async with failures(context.sessions, LinkExpired, limit), transaction(context) as session:
        user, previous = await verification.use_up(session, token)
        has_bought = await have_bought(session, user.id)
        await identity.give_up_email(session, user, previous, has_bought=has_bought, shop_url=shop_url)
    if context.viewer and context.viewer.user_id == user.id:
        browser_sessions.leave(context)


async def send_link(context: Context) -> None:
    """Mails the viewer's address a new link, unless it is confirmed; an older link ends.

    Raises TooManyRequests, counted together with changes of the e-mail, which send the same mail.
    """
    viewer = context.signed_in
    await take(context.sessions, *attempts.email_changes(context))
    async with transaction(context) as session:
        user = await accounts.locked_by(session, viewer)
        if user.email_verified_at is None:
            await verification.ask_to_verify(session, user, shop_url=context.site.public_url, is_new=False)


async def _account_of(context: Context, token: str) -> User:
    async with failures(context.sessions, LinkExpired, attempts.of_network(context)), reading(context) as session:
        return await verification.account_of(session, token)


async def _is_at_home(context: Context, user: User) -> bool:
    """Whether this browser is signed in to the account or was before."""
    if context.viewer is not None and context.viewer.user_id == user.id:
        return True
    async with reading(context) as session:
        return await devices.is_known(session, context.device, user.id)


async def _confirm_by_password(context: Context, token: str, user: User, password: str) -> None:
    async with attempts.password_attempt(context, user.email):
        passwords, client = context.resources.get(PasswordHashing), attempts.hash_client(context)
        if not (await passwords.verify(user.password_hash or passwords.dummy_hash, password, client)).is_right:
            raise InvalidCredentials
        async with transaction(context) as session:
            await identity.confirm_credentials(session, user, None)
            await verification.confirm(session, token)
            device = await devices.remember(session, user.id, context.device, knows_password=True)
    browser_sessions.recognise(context, device)
