"""How often an account may be tried, and by whom: the rate limits of this domain.

A browser that signed in to an account before has counts of its own. All others share the account's count and their
network's, so guesses from elsewhere make strangers wait and never the owner.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from server.core.context import Context, reading, transaction
from server.core.limits import Limit, failures
from server.identity import devices, lockout
from server.identity.errors import InvalidCredentials
from server.identity.models import KnownDevice

FIVE_MINUTES, HOUR, DAY = 300, 3_600, 86_400
HASHES_PER_FAILURE = 3
"""A network may have so many times more passwords hashed than it may guess wrongly."""
DEVICES_SHARE = 3
"""The known devices of a network together have so many times the hashes of one."""
TIMES_A_DAY = 10
"""How many times the limit of five minutes a day has, at second factors."""
SECOND_FACTOR_CHANGES_PER_HOUR = 20
PASSWORD_CHANGES_PER_HOUR = 10


@asynccontextmanager
async def password_attempt(context: Context, email: str) -> AsyncIterator[None]:
    """Limits how often the block may raise InvalidCredentials, and writes to the account when that locks it.

    Raises TooManyRequests. Does the same for an e-mail without an account.
    """
    async with reading(context) as session:
        device = await devices.find(session, context.device, email)
    own, *others = _at_password(context, email, device)
    counted: dict[str, int] = {}
    try:
        async with failures(
            context.sessions, InvalidCredentials, own, *others, always=hashing(context, device)
        ) as counted:
            yield
    except InvalidCredentials:
        if counted.get(own.bucket) == own.most:
            async with transaction(context) as session:
                await lockout.report(session, email, shop_url=context.settings.public_url)
        raise


def at_second_factor(context: Context, user_id: UUID, device: KnownDevice | None) -> tuple[Limit, ...]:
    """For wrong codes and passkeys after a right password. Six digits can be guessed with patience, so a day has its
    limit too."""
    most = context.settings.sign_in_failures_per_account
    whose = f"{user_id}:{device.token_hash.hex()[:32]}" if device else str(user_id)
    return (
        Limit(f"second-factor:{whose}", most, FIVE_MINUTES),
        Limit(f"second-factor-day:{whose}", most * TIMES_A_DAY, DAY),
        of_network(context),
    )


def of_network(context: Context, what: str = "address") -> Limit:
    """For failures of any kind from one network."""
    return Limit(f"{what}:{context.network}", context.settings.sign_in_failures_per_address, FIVE_MINUTES)


def hashing(context: Context, device: KnownDevice | None = None) -> tuple[Limit, ...]:
    """For every run of argon2, whatever comes of it: each takes 20 ms of a processor.

    Every sign-in makes a device anew, so the devices of a network share a count of their own.
    """
    most = context.settings.sign_in_failures_per_address * HASHES_PER_FAILURE
    if device is None:
        return (Limit(f"hashes:{context.network}", most, FIVE_MINUTES),)
    return (
        Limit(f"hashes:{_name(device)}", most, FIVE_MINUTES),
        Limit(f"hashes-devices:{context.network}", most * DEVICES_SHARE, FIVE_MINUTES),
    )


def sign_ups(context: Context) -> Limit:
    """For answers to the question whether an e-mail has an account, and mails to whoever it belongs to."""
    return Limit(f"sign-up:{context.network}", context.settings.sign_ups_per_hour, HOUR)


def email_changes(context: Context) -> tuple[Limit, Limit]:
    """A new e-mail mails and answers as sign-up does, so both share the network's count."""
    account = f"email-change:{context.signed_in.user_id}"
    return Limit(account, context.settings.email_changes_per_hour, HOUR), sign_ups(context)


def password_changes(context: Context) -> tuple[Limit, ...]:
    """A typed password is compared with the present one, and a new one is mailed to the account's address."""
    user_id, most = context.signed_in.user_id, context.settings.sign_in_failures_per_account
    return (
        Limit(f"password-change:{user_id}", most, FIVE_MINUTES),
        Limit(f"password-change-hour:{user_id}", PASSWORD_CHANGES_PER_HOUR, HOUR),
        *hashing(context),
    )


def second_factor_changes(context: Context) -> Limit:
    """For every step of setting second factors up and of changing them: each costs work, and most are mailed."""
    return Limit(f"second-factor-change:{context.signed_in.user_id}", SECOND_FACTOR_CHANGES_PER_HOUR, HOUR)


def resets(context: Context, email: str, device: KnownDevice | None) -> Limit:
    """For reset mails to one e-mail, asked for from one network or by one known device."""
    asked_by = _name(device) if device else context.network
    return Limit(f"reset:{email}:{asked_by}", context.settings.resets_per_day, DAY)


def _at_password(context: Context, email: str, device: KnownDevice | None) -> tuple[Limit, ...]:
    most = context.settings.sign_in_failures_per_account
    if device is not None:
        return (Limit(f"sign-in:{_name(device)}", most, FIVE_MINUTES),)
    return Limit(f"sign-in:{email}", most, FIVE_MINUTES), of_network(context)


def _name(device: KnownDevice) -> str:
    return f"{device.user_id}:{device.token_hash.hex()[:32]}"
