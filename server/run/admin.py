"""Changes to accounts from the command line: the primary admin, and an admin's lost second factor."""

from collections.abc import Callable

from server.identity import rules
from server.identity import service as identity
from server.identity.factors import administration
from server.identity.passwords import PasswordHashing
from server.platform.core.db import begin, create_engine, sessionmaker
from server.platform.processes.console import say

_NAME = "Shop Owner"


async def make_admin(url: str, email: str, ask_password: Callable[[], str]) -> None:
    """Makes this account the only primary admin, creating it with the requested password when it does not exist.

    Raises InvalidInput when e-mail or password break the rules of sign-up.
    """
    engine = create_engine(url)
    sessions = sessionmaker(engine)
    email = rules.email_of_account(email)
    async with begin(sessions) as session:
        is_new = await identity.by_email(session, email) is None
    password_hash = None
    if is_new:
        form = rules.sign_up(_NAME, email, ask_password())
        password_hash = await PasswordHashing(threads=1).hash(form.password)
    async with begin(sessions) as session:
        if is_new:
            await identity.create(session, name=_NAME, email=email, password_hash=password_hash, email_verified=True)
        await identity.make_primary_admin(session, email)
    await engine.dispose()
    say(f"{email} is the primary admin{' of a new account' if is_new else ''}.")


async def end_second_factor(url: str, email: str, shop_url: str) -> None:
    """Ends the account's passkeys, codes, recovery codes and sessions. Raises InvalidInput for an unknown one."""
    engine = create_engine(url)
    email = rules.email_of_account(email)
    async with begin(sessionmaker(engine)) as session:
        has_ended = await administration.end_by_email(session, email, shop_url=shop_url)
    await engine.dispose()
    say(f"{email} signs in without a second factor now." if has_ended else f"{email} has no second factor.")
