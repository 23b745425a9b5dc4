"""Google accounts: which account they sign in to, linking and unlinking."""

from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import accounts, credentials, devices, sessions, sign_in_log
from server.identity.account_contents import AccountContentsPort
from server.identity.errors import EmailTaken, GoogleRefused, GoogleTaken, LastCredential
from server.identity.gateway import GoogleIdentity
from server.identity.models import GoogleToken, User
from server.identity.rules import LINE_MOST
from server.mail import service as mail
from server.mail.messages import GoogleLinked, GoogleUnlinked


async def use_token(session: AsyncSession, token: str, identity: GoogleIdentity) -> None:
    """Marks a credential as used. Raises GoogleRefused when it was used before."""
    once = insert(GoogleToken).values(token_hash=sessions.token_hash(token), expires_at=identity.expires_at)
    if await session.scalar(once.on_conflict_do_nothing().returning(GoogleToken.token_hash)) is None:
        raise GoogleRefused


async def account_of(
    session: AsyncSession,
    identity: GoogleIdentity,
    *,
    device: str | None,
    contents: AccountContentsPort,
    shop_url: str,
) -> User:
    """The account of this identity: known by its subject, else linked by its e-mail, else new.

    Google has verified the e-mail, so linking proves it. The account's password stays valid only when the e-mail was
    verified here before and this browser has signed in with it; all other credentials end, and a mail says so. What was
    put into an account with an unverified e-mail goes too, unless this browser has signed in to it. Raises
    GoogleRefused when the e-mail's account, verified here, is linked to another subject.
    """
    existing = await _existing(session, identity, device, contents, shop_url)
    if existing is not None:
        return existing
    try:
        return await _new(session, identity)
    except EmailTaken:
        # The insert waited for another request, which has created the account and committed.
        existing = await _existing(session, identity, device, contents, shop_url)
        if existing is None:
            raise GoogleRefused from None
        return existing


async def _existing(
    session: AsyncSession,
    identity: GoogleIdentity,
    device: str | None,
    contents: AccountContentsPort,
    shop_url: str,
) -> User | None:
    either = or_(User.google_sub == identity.subject, User.email == identity.email)
    by_subject_first = (User.google_sub == identity.subject).is_(True).desc()
    statement = select(User).where(either).order_by(by_subject_first).limit(1).with_for_update()
    user = await session.scalar(statement)
    if user is None or user.google_sub == identity.subject:
        return user
    is_verified = user.email_verified_at is not None
    if user.google_sub is not None and is_verified:
        raise GoogleRefused
    ended = credentials.EndedCredentials()
    if not (is_verified and await devices.is_known(session, device, user.id, by_password=True)):
        ended = await credentials.end_unproven(session, user, device=device, contents=contents)
    user.google_sub = identity.subject
    await session.flush()
    await tell_linked(session, user, shop_url, ended)
    return user


async def link(session: AsyncSession, user_id: UUID, identity: GoogleIdentity, *, shop_url: str) -> None:
    """Links a Google account in place of an earlier one; idempotent. Raises GoogleTaken."""
    user = await accounts.locked(session, user_id)
    if user.google_sub == identity.subject:
        return
    user.google_sub = identity.subject
    try:
        await session.flush()
    except IntegrityError as error:
        raise GoogleTaken from error
    await tell_linked(session, user, shop_url)


async def unlink(session: AsyncSession, user_id: UUID, *, shop_url: str) -> None:
    """Unlinks the Google account, if there is one. Raises LastCredential."""
    user = await accounts.locked(session, user_id)
    if user.google_sub is None:
        return
    if not await credentials.signs_in_without_google(session, user):
        raise LastCredential
    user.google_sub = None
    await session.flush()
    await sign_in_log.changed(session, user, "Google account unlinked")
    key = f"google-unlinked:{user.id}:{sessions.new_token()}"
    await mail.enqueue(session, GoogleUnlinked(), key=key, to=user.email, shop_url=shop_url)


async def tell_linked(
    session: AsyncSession, user: User, shop_url: str, ended: credentials.EndedCredentials | None = None
) -> None:
    """Mails that a Google account was linked, and logs it for an admin."""
    message = GoogleLinked(ended.named, ended.removed) if ended else GoogleLinked()
    key = f"google-linked:{user.id}:{sessions.new_token()}"
    await sign_in_log.changed(session, user, "Google account linked")
    await mail.enqueue(session, message, key=key, to=user.email, shop_url=shop_url)


async def _new(session: AsyncSession, identity: GoogleIdentity) -> User:
    name = "".join(char for char in identity.name if char.isprintable()).strip()
    return await accounts.create(
        session,
        name=(name or identity.email.partition("@")[0])[:LINE_MOST],
        email=identity.email,
        password_hash=None,
        google_sub=identity.subject,
        email_verified=True,
    )
