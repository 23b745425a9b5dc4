"""Accounts: creation, changes by their owners, and reads by other domains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from sqlalchemy import Text, Uuid, bindparam, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.identity import credentials, devices, recovery, sessions, sign_in_log, verification
from server.identity.account_contents import AccountContentsPort
from server.identity.errors import EmailTaken, InvalidCredentials
from server.identity.models import User
from server.mail import service as mail
from server.mail.messages import EmailChanged, EmailDenied, PasswordChanged
from server.platform.core import clock, notify
from server.platform.core.db import any_of
from server.platform.core.errors import Unauthenticated
from server.platform.core.viewer import Viewer

NO_MAILBOX = "no-mailbox.invalid"
"""Domain of the placeholder address of an account whose e-mail was disowned; reserved by RFC 2606."""


@dataclass(frozen=True)
class ProfileChanges:
    """What a profile update changes; None for what stays. Values have passed the rules."""

    name: str | None = None
    email: str | None = None
    password_hash: str | None = None

    @property
    def ends_sessions(self) -> bool:
        """Whether the change signs the account out everywhere."""
        return self.email is not None or self.password_hash is not None


@dataclass(frozen=True)
class SignInAccount:
    """What a sign-in by password compares. An unknown e-mail has one too, with a hash that no password has."""

    id: UUID
    email: str
    password_hash: str


_SIGN_IN_ACCOUNT = text(
    """
    SELECT coalesce(users.id, :no_id) AS id, coalesce(users.password_hash, :dummy_hash) AS password_hash
    FROM (SELECT) AS always LEFT JOIN users ON users.email = :email
    """
).bindparams(bindparam("no_id", UUID(int=0), Uuid), bindparam("dummy_hash", type_=Text))


async def create(
    session: AsyncSession,
    *,
    name: str,
    email: str,
    password_hash: str | None,
    google_sub: str | None = None,
    email_verified: bool = False,
) -> User:
    """Creates an account with the role user. `email` must be in lower case. Raises EmailTaken."""
    values = {
        "name": name,
        "email": email,
        "password_hash": password_hash,
        "google_sub": google_sub,
        "email_verified_at": clock.now() if email_verified else None,
    }
    user: User | None = await session.scalar(insert(User).values(**values).on_conflict_do_nothing().returning(User))
    if user is None:
        raise EmailTaken
    return user


async def by_email(session: AsyncSession, email: str) -> User | None:
    """The account with this e-mail (lower case); None when there is none."""
    return await session.scalar(select(User).where(User.email == email))


async def sign_in_account(session: AsyncSession, email: str, dummy_hash: str) -> SignInAccount:
    """The account with this e-mail (lower case); `dummy_hash` replaces the hash of a missing account or password.

    One statement with one row for any e-mail, so that its duration does not reveal whether the account exists.
    """
    row = (await session.execute(_SIGN_IN_ACCOUNT, {"email": email, "dummy_hash": dummy_hash})).one()
    return SignInAccount(row.id, email, row.password_hash)


async def by_ids(session: AsyncSession, ids: Sequence[UUID]) -> Mapping[UUID, User]:
    """Accounts by id; unknown ids are missing."""
    users = await session.scalars(select(User).where(any_of(User.id, ids)))
    return {user.id: user for user in users}


async def email_of(session: AsyncSession, user_id: UUID) -> tuple[str, bool] | None:
    """The account's present e-mail (lower case), and whether it has been confirmed; None without an account."""
    email = select(User.email, User.email_verified_at.is_not(None)).where(User.id == user_id)
    row = (await session.execute(email)).one_or_none()
    return (row[0], row[1]) if row else None


async def own_account(session: AsyncSession, user_id: UUID) -> User:
    """The viewer's account. Raises Unauthenticated when it was deleted meanwhile."""
    user = await session.get(User, user_id)
    if user is None:
        raise Unauthenticated
    return user


async def locked(session: AsyncSession, user_id: UUID) -> User:
    """The account, locked until the transaction ends. Raises Unauthenticated when it was deleted."""
    statement = select(User).where(User.id == user_id).with_for_update().execution_options(populate_existing=True)
    user = await session.scalar(statement)
    if user is None:
        raise Unauthenticated
    return user


async def locked_by(session: AsyncSession, viewer: Viewer) -> User:
    """The viewer's account, locked, for a change to its credentials.

    Ending all sessions locks the account first too, so a request that began before a reset link was used cannot change
    the account afterwards. Raises Unauthenticated when the session has ended.
    """
    user = await locked(session, viewer.user_id)
    if not await sessions.stands(session, viewer.session_id):
        raise Unauthenticated
    return user


async def confirm_credentials(session: AsyncSession, user: User | SignInAccount, new_hash: str | None) -> User:
    """Locks the account as it was when its password was checked; stores `new_hash`, with current costs, if given.

    Returns it as it is now. Raises InvalidCredentials when the password has changed since, so that no session survives
    a reset.
    """
    now = await locked(session, user.id)
    if now.password_hash != user.password_hash or now.email != user.email:
        raise InvalidCredentials
    if new_hash:
        now.password_hash = new_hash
    return now


async def change_profile(
    session: AsyncSession, user_id: UUID, changes: ProfileChanges, *, shop_url: str, device: str | None = None
) -> User:
    """Changes the account. A new e-mail or password ends all its sessions and is mailed to the old address.

    A new password keeps only this device known, if it was. Raises EmailTaken.
    """
    user = await locked(session, user_id)
    old_email = user.email
    user.name = changes.name or user.name
    if changes.email:
        await _change_email(session, user, changes.email, shop_url)
    if changes.password_hash:
        user.password_hash = changes.password_hash
        await recovery.forget(session, user.id)
        await devices.forget(session, user.id, but=device)
        await tell_password_changed(session, user.id, old_email, shop_url)
    if changes.ends_sessions:
        await sessions.end_all(session, user.id)
        await _record(session, user, old_email, changes)
    await session.flush()
    return user


async def _record(session: AsyncSession, user: User, old_email: str, changes: ProfileChanges) -> None:
    """Writes to the audit log when it is an admin's account."""
    actor = audit.AuditActor(user.id, old_email)
    if changes.email:
        before, after = {"email": old_email}, {"email": changes.email}
        await sign_in_log.changed(session, user, "email changed", actor=actor, before=before, after=after)
    if changes.password_hash:
        await sign_in_log.changed(session, user, "password changed", actor=actor)


async def _change_email(session: AsyncSession, user: User, email: str, shop_url: str) -> None:
    old_email, was_verified = user.email, user.email_verified_at is not None
    user.email, user.email_verified_at = email, None
    try:
        await session.flush()
    except IntegrityError as error:
        raise EmailTaken from error
    await recovery.forget(session, user.id)
    previous = old_email if was_verified else None
    await verification.ask_to_verify(session, user, shop_url=shop_url, is_new=False, previous_email=previous)
    key = f"email-changed:{user.id}:{sessions.new_token()}"
    await mail.enqueue(session, EmailChanged(), key=key, to=old_email, shop_url=shop_url)


async def reset_password(
    session: AsyncSession,
    token: str,
    password_hash: str,
    *,
    device: str | None,
    contents: AccountContentsPort,
    shop_url: str,
) -> User:
    """Uses a reset link in the browser `device`. The link proves the e-mail address, so all earlier sessions and
    credentials end.

    Raises LinkExpired.
    """
    user = await recovery.use_reset_link(session, token)
    ended = await credentials.end_unproven(session, user, device=device, contents=contents)
    user.password_hash = password_hash
    await session.flush()
    await sign_in_log.changed(session, user, "password reset by mail", actor=audit.VISITOR)
    message = PasswordChanged(replace(ended, password=False).named, ended.removed)
    await tell_password_changed(session, user.id, user.email, shop_url, message)
    return user


async def give_up_email(
    session: AsyncSession, user: User, previous_email: str | None, *, has_bought: bool, shop_url: str
) -> None:
    """Removes an unverified address from an account, because its mailbox's owner has disowned the account.

    The account gets its earlier verified address back, or keeps its other credentials: a Google account or a passkey.
    Without any it is deleted, unless it has bought or has a role: then its password is removed, and only the shop can
    return it to its owner. The caller has locked the account's row.
    """
    await sessions.end_all(session, user.id)
    await recovery.forget(session, user.id)
    if previous_email and await _took_back(session, user, previous_email):
        key = f"email-denied:{user.id}:{sessions.new_token()}"
        await mail.enqueue(session, EmailDenied(), key=key, to=previous_email, shop_url=shop_url)
    elif user.google_sub or has_bought or user.role != "user" or await credentials.has_passkey(session, user.id):
        user.email, user.password_hash = f"{user.id}@{NO_MAILBOX}", None
        await devices.forget(session, user.id)
    else:
        await session.delete(user)
    await session.flush()


async def _took_back(session: AsyncSession, user: User, email: str) -> bool:
    """Gives the account its earlier address again, unless another account has that by now."""
    try:
        async with session.begin_nested():
            taking = update(User).where(User.id == user.id)
            await session.execute(taking.values(email=email, email_verified_at=clock.now()))
    except IntegrityError:
        return False
    return True


async def tell_password_changed(
    session: AsyncSession, user_id: UUID, email: str, shop_url: str, message: PasswordChanged | None = None
) -> None:
    """Mails that the password was changed."""
    key = f"password-changed:{user_id}:{sessions.new_token()}"
    await mail.enqueue(session, message or PasswordChanged(), key=key, to=email, shop_url=shop_url)


async def request_admin_access(session: AsyncSession, user_id: UUID) -> None:
    """Adds the account to the pending requests; no effect when it is there or is an admin."""
    asking = update(User).where(User.id == user_id, User.role == "user", User.admin_requested_at.is_(None))
    requested_id = await session.scalar(asking.values(admin_requested_at=clock.now()).returning(User.id))
    if requested_id is not None:
        await notify.announce(session, "admin_requested", str(requested_id))
