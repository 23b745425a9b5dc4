"""Signing in, up and out, shared by GraphQL and REST.

Each function needs steps that one transaction must not span: attempts are counted in a transaction of their own,
passwords are hashed and Google is asked outside any.
"""

from server.identity import attempts, browser_sessions, profiles, rules, sign_in_log
from server.identity import service as identity
from server.identity.account_contents import AccountContentsPort
from server.identity.errors import GoogleRefused, InvalidCredentials
from server.identity.factors import steps
from server.identity.factors.held import FactorMethod
from server.identity.gateway import GoogleVerifier
from server.identity.passwords import PasswordHashing
from server.platform.core.context import Context, reading, transaction
from server.platform.core.limits import attempt, failures
from server.platform.core.viewer import Viewer


async def sign_up(context: Context, name: str, email: str, password: str) -> Viewer:
    """Creates an account, mails a verification link and signs in. Raises InvalidInput, EmailTaken, TooManyRequests."""
    await rules.load_common_passwords()
    form = rules.sign_up(name, email, password)
    passwords, client = context.resources.get(PasswordHashing), attempts.hash_client(context)
    passwords.require_room(client)
    async with attempt(context.sessions, attempts.sign_ups(context), always=attempts.hashing(context)):
        hashed = await passwords.hash(form.password, client)
    async with transaction(context) as session:
        user = await identity.create(session, name=form.name, email=form.email, password_hash=hashed)
        await identity.ask_to_verify(session, user, shop_url=context.site.public_url, is_new=True)
        started = await browser_sessions.start(context, session, user, FactorMethod.PASSWORD)
    return browser_sessions.enter(context, started)


async def sign_in(context: Context, email: str, password: str) -> Viewer:
    """Signs in by password. Raises InvalidInput, InvalidCredentials, TooManyRequests, SecondFactorNeeded.

    An unknown e-mail takes as long as a wrong password.
    """
    email = rules.sign_in(email, password)
    async with attempts.password_attempt(context, email):
        checked, fresh_hash = await _checked(context, email, password)
        async with transaction(context) as session:
            user = await identity.confirm_credentials(session, checked, fresh_hash)
            entered = await steps.after_first_factor(context, session, user, FactorMethod.PASSWORD)
    return steps.enter(context, entered)


async def sign_in_with_google(context: Context, token: str) -> Viewer:
    """Signs in by a Google credential. Raises GoogleRefused, TooManyRequests, Unavailable, SecondFactorNeeded."""
    contents, shop_url = context.resources.get(AccountContentsPort), context.site.public_url
    async with failures(context.sessions, GoogleRefused, attempts.of_network(context)):
        google = await context.resources.get(GoogleVerifier).verify(token)
        async with transaction(context) as session:
            await identity.use_google_token(session, token, google)
            user = await identity.account_of_google(
                session, google, device=context.device, contents=contents, shop_url=shop_url
            )
            entered = await steps.after_first_factor(context, session, user, FactorMethod.GOOGLE)
    return steps.enter(context, entered)


async def reauthenticate_with_password(context: Context, password: str) -> None:
    """Renews the sign-in of an account without a second factor; with one, only that is accepted.

    Raises InvalidCredentials, TooManyRequests.
    """
    if context.signed_in.has_second_factor:
        raise InvalidCredentials
    user = await profiles.confirm_password(context, password)
    if user.password_hash is None:
        raise InvalidCredentials
    async with transaction(context) as session:
        await identity.confirm_credentials(session, user, None)
        await steps.renew(context, session)


async def reauthenticate_with_google(context: Context, token: str) -> None:
    """As `reauthenticate_with_password`, by a new credential of the linked Google account.

    Raises GoogleRefused, TooManyRequests, Unavailable.
    """
    viewer = context.signed_in
    async with failures(context.sessions, GoogleRefused, attempts.of_network(context)):
        if viewer.has_second_factor:
            raise GoogleRefused
        google = await context.resources.get(GoogleVerifier).verify(token)
        async with transaction(context) as session:
            await identity.use_google_token(session, token, google)
            if (await identity.own_account(session, viewer.user_id)).google_sub != google.subject:
                raise GoogleRefused
            await steps.renew(context, session)


async def sign_out(context: Context) -> None:
    """Ends this session; no effect for a visitor."""
    if context.token:
        async with transaction(context) as session:
            await identity.end_session(session, context.token)
    browser_sessions.leave(context)


async def _checked(context: Context, email: str, password: str) -> tuple[identity.SignInAccount, str | None]:
    """The account, and a new hash if the old one has outdated costs. Raises InvalidCredentials.

    The same statements, rows and hash for an e-mail without an account, or of one without a password.
    """
    passwords, client = context.resources.get(PasswordHashing), attempts.hash_client(context)
    async with reading(context) as session:
        account = await identity.sign_in_account(session, email, passwords.dummy_hash)
    verdict = await passwords.verify(account.password_hash, password, client)
    if not verdict.is_right:
        async with transaction(context) as session:
            await sign_in_log.failed(session, email, FactorMethod.PASSWORD.value, context.ip)
        raise InvalidCredentials
    return account, await passwords.hash(password, client) if verdict.is_outdated else None
