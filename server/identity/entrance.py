"""What GraphQL and REST share where an account is entered, recovered or changed.

Each verb here takes several steps that one transaction must not span: attempts are counted in a transaction of
their own, passwords are hashed and Google is asked outside any.
"""

from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncSession

from server.core.context import Context, reading, transaction
from server.core.errors import TooManyRequests
from server.core.limits import Limit, failures, take
from server.core.security import session_cookie
from server.core.viewer import Viewer
from server.identity import rules
from server.identity import service as identity
from server.identity.errors import GoogleRefused, InvalidCredentials, LinkExpired
from server.identity.gateway import GoogleVerifier
from server.identity.models import User
from server.identity.passwords import Passwords

FIVE_MINUTES, HOUR, DAY = 300, 3_600, 86_400


async def sign_up(context: Context, name: str, email: str, password: str) -> Viewer:
    """Makes an account, mails it a link and signs it in. Raises InvalidInput, EmailTaken, TooManyRequests."""
    form = rules.sign_up(name, email, password)
    await take(context.sessions, Limit(f"sign-up:{context.network}", context.settings.sign_ups_per_hour, HOUR))
    hashed = await context.resources.get(Passwords).hash(form.password)
    async with transaction(context) as session:
        user = await identity.create(session, name=form.name, email=form.email, password_hash=hashed)
        await identity.ask_to_verify(session, user, shop_url=context.settings.public_url, is_new=True)
        token, viewer = await _start_session(context, session, user)
    return _enter(context, token, viewer)


async def sign_in(context: Context, email: str, password: str) -> Viewer:
    """Raises InvalidInput, InvalidCredentials, TooManyRequests. An unknown e-mail takes as long as a wrong password."""
    email = rules.sign_in(email, password)
    passwords = context.resources.get(Passwords)
    account = Limit(f"sign-in:{email}", context.settings.sign_in_failures_per_account, FIVE_MINUTES)
    async with failures(context.sessions, InvalidCredentials, account, _per_address(context)):
        async with reading(context) as session:
            user = await identity.by_email(session, email)
        verdict = await passwords.verify(user.password_hash if user else None, password)
        if user is None or not verdict.is_right:
            raise InvalidCredentials
        fresh = await passwords.hash(password) if verdict.is_outdated else None
        async with transaction(context) as session:
            await identity.confirm_credentials(session, user, fresh)
            token, viewer = await _start_session(context, session, user)
    return _enter(context, token, viewer)


async def sign_in_with_google(context: Context, token: str) -> Viewer:
    """Raises GoogleRefused, TooManyRequests, Unavailable."""
    async with failures(context.sessions, GoogleRefused, _per_address(context)):
        google = await context.resources.get(GoogleVerifier).verify(token)
        async with transaction(context) as session:
            await identity.use_google_token(session, token, google)
            user = await identity.account_of_google(session, google)
            session_token, viewer = await _start_session(context, session, user)
    return _enter(context, session_token, viewer)


async def sign_out(context: Context) -> None:
    """Ends this session; a visitor has none to end."""
    if context.token:
        async with transaction(context) as session:
            await identity.end_session(session, context.token)
    leave(context)


async def forgot_password(context: Context, email: str) -> None:
    """Answers the same whether or not there is such an account. Raises InvalidInput, TooManyRequests."""
    email = rules.email_only(email)
    await take(context.sessions, replace(_per_address(context), bucket=f"forgot:{context.network}"))
    per_email = Limit(f"reset:{email}", context.settings.resets_per_day, DAY)
    try:
        await take(context.sessions, per_email)
    except TooManyRequests:
        return
    async with transaction(context) as session:
        await identity.request_reset(session, email, shop_url=context.settings.public_url)


async def reset_password(context: Context, token: str, new_password: str) -> None:
    """Raises InvalidInput, LinkExpired, TooManyRequests. All sessions of the account end."""
    rules.new_password(new_password)
    async with failures(context.sessions, LinkExpired, _per_address(context)):
        async with reading(context) as session:
            await identity.check_reset_link(session, token)
        hashed = await context.resources.get(Passwords).hash(new_password)
        async with transaction(context) as session:
            user = await identity.reset_password(session, token, hashed)
            await identity.tell_password_changed(session, user.id, user.email, context.settings.public_url)
    if context.viewer and context.viewer.user_id == user.id:
        leave(context)


async def update_profile(context: Context, name: str | None, email: str | None, password: str | None) -> User:
    """Changes what is given and differs. A new e-mail or password signs out everywhere, here too.

    Raises InvalidInput, EmailTaken.
    """
    viewer = context.signed_in
    changes = await _changes(context, viewer, name, email, password)
    async with transaction(context) as session:
        user = await identity.change_profile(session, viewer.user_id, changes, shop_url=context.settings.public_url)
    if changes.ends_sessions:
        leave(context)
    else:
        context.viewer = replace(viewer, name=user.name)
    return user


async def confirm_password(context: Context, password: str | None) -> User:
    """The viewer's account as it was when its password was checked, for `identity.confirm_credentials`.

    An account without a password needs none. Raises InvalidCredentials, and TooManyRequests together with sign-in's
    failures.
    """
    viewer = context.signed_in
    account = Limit(f"sign-in:{viewer.email}", context.settings.sign_in_failures_per_account, FIVE_MINUTES)
    async with failures(context.sessions, InvalidCredentials, account, _per_address(context)):
        async with reading(context) as session:
            user = await identity.own_account(session, viewer.user_id)
        if user.password_hash is not None:
            typed = (password or "")[: rules.PASSWORD_MOST + 1]
            if not (await context.resources.get(Passwords).verify(user.password_hash, typed)).is_right:
                raise InvalidCredentials
    return user


async def _changes(
    context: Context, viewer: Viewer, name: str | None, email: str | None, password: str | None
) -> identity.Changes:
    passwords = context.resources.get(Passwords)
    name = None if name is None else name.strip()
    email = None if email is None or rules.clean_email(email) == viewer.email else rules.clean_email(email)
    if password:
        async with reading(context) as session:
            user = await identity.own_account(session, viewer.user_id)
        if (await passwords.verify(user.password_hash, password)).is_right:
            password = None
    rules.profile(name, email, password or None)
    return identity.Changes(name, email, await passwords.hash(password) if password else None)


def _per_address(context: Context) -> Limit:
    return Limit(f"address:{context.network}", context.settings.sign_in_failures_per_address, FIVE_MINUTES)


async def _start_session(context: Context, session: AsyncSession, user: User) -> tuple[str, Viewer]:
    token = await identity.start_session(
        session, user.id, ip=context.ip, user_agent=context.user_agent, instead_of=context.token
    )
    viewer = await identity.viewer_of_token(session, token)
    assert viewer is not None  # noqa: S101 - made in this transaction
    return token, viewer


def _enter(context: Context, token: str, viewer: Viewer) -> Viewer:
    """After the commit: the answer sets the cookie, and what is left of the request is the new viewer's."""
    context.viewer, context.token = viewer, token
    _set_cookie(context, token)
    return viewer


def leave(context: Context) -> None:
    """After the commit: the answer deletes the cookie, and what is left of the request is a visitor's."""
    context.viewer = context.token = None
    _set_cookie(context, None)


def _set_cookie(context: Context, token: str | None) -> None:
    cookie = session_cookie(context.settings, token)
    context.cookies[:] = [other for other in context.cookies if other.name != cookie.name] + [cookie]
