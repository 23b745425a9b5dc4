"""The rate limits of identity: how often an account, network or device may attempt something.

A known device has counts of its own. All other browsers share the account's counts and their network's, so guesses from
elsewhere delay unknown browsers and never the owner's. Over a day's count a password signs in only where it did before;
passkeys, Google and a reset by mail, which makes the browser a known device, do not meet it.
"""

from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from uuid import UUID

from server.config import Settings
from server.identity import devices, lockout
from server.identity.errors import InvalidCredentials
from server.identity.models import KnownDevice
from server.identity.passwords import PasswordHashing
from server.platform.core.context import Context, reading, transaction
from server.platform.core.limits import Limit, failures

FIVE_MINUTES, HOUR, DAY = 300, 3_600, 86_400
HASHES_PER_FAILURE = 3
"""How many times more passwords than wrong ones a network may have hashed."""
DEVICES_SHARE = 3
"""All known devices of a network together may have this many times the hashes of one."""
TIMES_A_DAY = 10
"""A day's limit at passwords and second factors, as a multiple of the five minutes' limit."""
SECOND_FACTOR_CHANGES_PER_HOUR = 20
PASSWORD_CHANGES_PER_HOUR = 10


@asynccontextmanager
async def password_attempt(context: Context, email: str) -> AsyncIterator[None]:
    """Limits how often the block may raise InvalidCredentials, and mails the account when that locks it.

    Raises TooManyRequests, and Unavailable while too many passwords wait to be hashed. Behaves the same for an e-mail
    without an account.
    """
    context.resources.get(PasswordHashing).require_room(hash_client(context))
    async with reading(context) as session:
        device = await devices.find(session, context.device, email)
    limits = _at_password(context, email, device)
    network = () if device else (of_network(context),)
    counted: dict[str, int] = {}
    try:
        async with failures(
            context.sessions, InvalidCredentials, *limits, *network, always=hashing(context, device)
        ) as counted:
            yield
    except InvalidCredentials:
        if any(counted.get(limit.bucket) == limit.most for limit in limits):
            async with transaction(context) as session:
                await lockout.report(session, email, shop_url=context.site.public_url)
        raise


def hash_client(context: Context) -> Hashable:
    """Whose turn it is when a password is hashed for this request: the account that is signed in, or the network."""
    return context.viewer.user_id if context.viewer else context.network


def at_second_factor(context: Context, user_id: UUID, device: KnownDevice | None) -> tuple[Limit, ...]:
    """Limits wrong codes and passkeys after a right password.

    A day has a limit too, since six digits could be guessed over time.
    """
    most = context.resources.get(Settings).limits.sign_in_failures_per_account
    whose = f"{user_id}:{device.token_hash.hex()[:32]}" if device else str(user_id)
    return (
        Limit(f"second-factor:{whose}", most, FIVE_MINUTES),
        Limit(f"second-factor-day:{whose}", most * TIMES_A_DAY, DAY),
        of_network(context),
    )


def of_network(context: Context, what: str = "address") -> Limit:
    """Limits failures of any kind from one network."""
    return Limit(
        f"{what}:{context.network}", context.resources.get(Settings).limits.sign_in_failures_per_address, FIVE_MINUTES
    )


def hashing(context: Context, device: KnownDevice | None = None) -> tuple[Limit, ...]:
    """Limits runs of argon2, whatever their result: each takes 20 ms of CPU time.

    Every sign-in creates a device, so the devices of a network share a count of their own.
    """
    most = context.resources.get(Settings).limits.sign_in_failures_per_address * HASHES_PER_FAILURE
    if device is None:
        return (Limit(f"hashes:{context.network}", most, FIVE_MINUTES),)
    return (
        Limit(f"hashes:{_name(device)}", most, FIVE_MINUTES),
        Limit(f"hashes-devices:{context.network}", most * DEVICES_SHARE, FIVE_MINUTES),
    )


def sign_ups(context: Context) -> Limit:
    """Limits responses that reveal whether an e-mail has an account, and mails to its owner."""
    return Limit(f"sign-up:{context.network}", context.resources.get(Settings).limits.sign_ups_per_hour, HOUR)


def email_changes(context: Context) -> tuple[Limit, Limit]:
    """Limits new e-mails. They send mails and reveal accounts as sign-up does, so both share the network's count."""
    account = f"email-change:{context.signed_in.user_id}"
    return Limit(account, context.resources.get(Settings).limits.email_changes_per_hour, HOUR), sign_ups(context)


def password_changes(context: Context) -> tuple[Limit, ...]:
    """Limits new passwords: each is compared with the present one, and mailed to the account's address."""
    user_id, most = context.signed_in.user_id, context.resources.get(Settings).limits.sign_in_failures_per_account
    return (
        Limit(f"password-change:{user_id}", most, FIVE_MINUTES),
        Limit(f"password-change-hour:{user_id}", PASSWORD_CHANGES_PER_HOUR, HOUR),
    )


def second_factor_changes(context: Context) -> Limit:
    """Limits all steps of setting up and changing second factors: each costs work, and most send a mail."""
    return Limit(f"second-factor-change:{context.signed_in.user_id}", SECOND_FACTOR_CHANGES_PER_HOUR, HOUR)


def resets(context: Context, email: str, device: KnownDevice | None) -> Limit:
    """Limits reset mails to one e-mail, from one network or one known device."""
    asked_by = _name(device) if device else context.network
    return Limit(f"reset:{email}:{asked_by}", context.resources.get(Settings).limits.resets_per_day, DAY)


def _at_password(context: Context, email: str, device: KnownDevice | None) -> tuple[Limit, ...]:
    most = context.resources.get(Settings).limits.sign_in_failures_per_account
    if device is not None:
        return (Limit(f"sign-in:{_name(device)}", most, FIVE_MINUTES),)
    return (
        Limit(f"sign-in:{email}", most, FIVE_MINUTES),
        Limit(f"sign-in-day:{email}", most * TIMES_A_DAY, DAY),
    )


def _name(device: KnownDevice) -> str:
    return f"{device.user_id}:{device.token_hash.hex()[:32]}"
