"""Changes to one's own account, shared by GraphQL and REST."""

from dataclasses import replace

from server.identity import accounts, attempts, browser_sessions, rules
from server.identity import service as identity
from server.identity.errors import InvalidCredentials
from server.identity.models import User
from server.identity.passwords import PasswordHashing
from server.platform.core.context import Context, reading, transaction
from server.platform.core.limits import attempt
from server.platform.core.viewer import Viewer


async def update_profile(context: Context, name: str | None, email: str | None, password: str | None) -> User:
    """Changes what is given and differs. A new e-mail or password signs out everywhere, here too.

    Raises InvalidInput, EmailTaken, TooManyRequests, and ReauthenticationRequired for a new e-mail or password of an
    admin, or of an account with a second factor, without a recent sign-in.
    """
    viewer, shop_url = context.signed_in, context.site.public_url
    changes = await _changes(context, viewer, name, email, password)
    if changes.ends_sessions:
        viewer.require_recent_sign_in_for_credentials()
    async with transaction(context) as session:
        await accounts.locked_by(session, viewer)
        user = await identity.change_profile(session, viewer.user_id, changes, device=context.device, shop_url=shop_url)
    if changes.ends_sessions:
        browser_sessions.leave(context)
    else:
        context.viewer = replace(viewer, name=user.name)
    return user


async def confirm_password(context: Context, password: str | None) -> User:
    """The viewer's account as it was when its password was checked, for `identity.confirm_credentials`.

    An account without a password needs none. Raises InvalidCredentials, and TooManyRequests, counted together with
    failed sign-ins.
    """
    viewer = context.signed_in
    async with attempts.password_attempt(context, viewer.email):
        async with reading(context) as session:
            user = await identity.own_account(session, viewer.user_id)
        if user.password_hash is not None:
            typed = (password or "")[: rules.PASSWORD_MOST + 1]
            passwords, client = context.resources.get(PasswordHashing), attempts.hash_client(context)
            if not (await passwords.verify(user.password_hash, typed, client)).is_right:
                raise InvalidCredentials
    return user


async def confirm_owner(context: Context, password: str | None) -> User:
    """As `confirm_password`; of an account without a password, a recent sign-in is asked for.

    Raises InvalidCredentials, TooManyRequests, ReauthenticationRequired.
    """
    user = await confirm_password(context, password)
    if user.password_hash is None:
        context.signed_in.require_recent_sign_in()
    return user


async def _changes(
    context: Context, viewer: Viewer, name: str | None, email: str | None, password: str | None
) -> identity.ProfileChanges:
    """What differs. Checks rules first, then limits, then what costs CPU time."""
    name = None if name is None else name.strip()
    email = None if email is None or rules.clean_email(email) == viewer.email else rules.clean_email(email)
    if password:
        await rules.load_common_passwords()
    rules.profile(name, email, password if password and not rules.may_be_present(password) else None)
    if password:
        context.resources.get(PasswordHashing).require_room(attempts.hash_client(context))
    limits = list(attempts.email_changes(context) if email else ())
    limits += attempts.password_changes(context) if password else ()
    if not limits:
        return identity.ProfileChanges(name, email, None)
    # What a comparison reveals counts, so the block ends with it.
    async with attempt(context.sessions, *limits, always=attempts.hashing(context) if password else ()):
        if not password or await _is_present(context, viewer, password):
            return identity.ProfileChanges(name, email, None)
    return identity.ProfileChanges(name, email, await _new_hash(context, password))


async def _is_present(context: Context, viewer: Viewer, password: str) -> bool:
    """Whether it is the account's present password."""
    passwords, client = context.resources.get(PasswordHashing), attempts.hash_client(context)
    async with reading(context) as session:
        user = await identity.own_account(session, viewer.user_id)
    if not user.password_hash:
        return False
    return (await passwords.verify(user.password_hash, password, client)).is_right


async def _new_hash(context: Context, password: str) -> str:
    """Raises InvalidInput."""
    rules.profile(None, None, password)
    return await context.resources.get(PasswordHashing).hash(password, attempts.hash_client(context))
