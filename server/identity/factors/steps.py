"""Sign-in steps with second factors and passkeys, shared by GraphQL and REST."""

from dataclasses import dataclass, replace
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import accounts, attempts, browser_sessions, devices, sessions, sign_in_log
from server.identity.browser_sessions import StartedSession
from server.identity.errors import ChallengeExpired, FactorRefused, SecondFactorNeeded
from server.identity.factors import challenges, held, one_time_codes, passkeys
from server.identity.factors import service as factors
from server.identity.factors.challenges import ChallengeOwner, ChallengePurpose
from server.identity.factors.held import FactorMethod
from server.identity.factors.passkeys import RelyingParty
from server.identity.factors.service import ChallengeAnswer
from server.identity.models import User
from server.platform.core import clock
from server.platform.core.context import Context, reading, transaction
from server.platform.core.errors import InvalidInput, Unauthenticated
from server.platform.core.limits import Limit, failures, take
from server.platform.core.sealing import Sealer
from server.platform.core.security import browser_cookie
from server.platform.core.viewer import Viewer
from server.shop import service as shop


@dataclass(frozen=True)
class PasskeyRequest:
    """A challenge, and the options for the browser's WebAuthn call."""

    challenge: str
    options: str


async def after_first_factor(
    context: Context, session: AsyncSession, user: User, method: FactorMethod
) -> StartedSession | SecondFactorNeeded:
    """A session, or a challenge when the account has a second factor; the caller commits, then raises it."""
    own = await held.of_user(session, user.id)
    if not own.exist:
        return await browser_sessions.start(context, session, user, method)
    _ensure_browser(context)
    begun = await challenges.begin(
        session, ChallengePurpose.SECOND_FACTOR, _visitor(context), user_id=user.id, method=method.value
    )
    options = None
    if own.passkeys:
        options = await passkeys.request_options(_party(context), begun.webauthn, own.passkeys)
    return SecondFactorNeeded(begun.token, [each.value for each in own.methods], options)


def enter(context: Context, entered: StartedSession | SecondFactorNeeded) -> Viewer:
    """After the commit: signs in. Raises SecondFactorNeeded when that was the result of the first factor."""
    if isinstance(entered, SecondFactorNeeded):
        raise entered
    return browser_sessions.enter(context, entered)


async def confirm(context: Context, token: str, proof: ChallengeAnswer) -> Viewer:
    """Completes a sign-in by its second factor.

    Raises ChallengeExpired, FactorRefused, InvalidInput, TooManyRequests.
    """
    _one_of(proof)
    async with failures(context.sessions, ChallengeExpired, attempts.of_network(context)):
        async with reading(context) as session:
            user_id = (await challenges.find(session, token, ChallengePurpose.SECOND_FACTOR, _visitor(context))).user_id
            named = await session.get(User, user_id) if user_id else None
        if named is None:
            raise ChallengeExpired
    async with failures(context.sessions, FactorRefused, *await _limits(context, named.id, named.email)):
        async with transaction(context) as session:
            user = await _account(session, named.id)
            challenge = await challenges.find(
                session, token, ChallengePurpose.SECOND_FACTOR, _visitor(context), lock=True
            )
            second = await _proven(context, session, user.id, challenge.webauthn_challenge, proof)
            entered = None
            if second is None:
                await challenges.fail(session, challenge)
                how = f"{challenge.method} and {'passkey' if proof.passkey else 'code'}"
                await sign_in_log.failed(session, user.email, how, context.ip)
            else:
                method = FactorMethod(challenge.method)
                await challenges.close(session, challenge)
                entered = await browser_sessions.start(context, session, user, method, second)
        if entered is None:
            raise FactorRefused(passkeys.REFUSED) if proof.passkey else FactorRefused
    return browser_sessions.enter(context, entered)


async def start_passkey(context: Context) -> PasskeyRequest:
    """Begins a sign-in by passkey, or a signed-in viewer's reauthentication. Raises TooManyRequests."""
    await take(context.sessions, attempts.of_network(context, "passkey"))
    if context.viewer is None:
        _ensure_browser(context)
    async with transaction(context) as session:
        own = await passkeys.of_user(session, context.viewer.user_id) if context.viewer else ()
        user_id = context.viewer.user_id if context.viewer else None
        begun = await challenges.begin(session, ChallengePurpose.PASSKEY, _bearer(context), user_id=user_id)
    return PasskeyRequest(begun.token, await passkeys.request_options(_party(context), begun.webauthn, own))


async def sign_in_with_passkey(context: Context, token: str, credential: str) -> Viewer:
    """Signs in by a passkey alone. Raises ChallengeExpired, FactorRefused, TooManyRequests."""
    async with failures(context.sessions, FactorRefused, attempts.of_network(context)):
        async with reading(context) as session:
            user_id = await passkeys.owner_of(session, credential)
        entered = None
        async with transaction(context) as session:
            user = await _account(session, user_id) if user_id else None
            challenge = await challenges.find(session, token, ChallengePurpose.PASSKEY, _bearer(context), lock=True)
            proof = ChallengeAnswer(passkey=credential)
            if user and await _proven(context, session, user.id, challenge.webauthn_challenge, proof):
                await challenges.close(session, challenge)
                entered = await browser_sessions.start(context, session, user, FactorMethod.PASSKEY)
            else:
                await challenges.fail(session, challenge)
                if user:
                    await sign_in_log.failed(session, user.email, FactorMethod.PASSKEY.value, context.ip)
        if entered is None:
            raise FactorRefused(passkeys.REFUSED)
    return browser_sessions.enter(context, entered)


async def start_registration(context: Context) -> PasskeyRequest:
    """Begins to add a passkey to the viewer's account. Raises TooManyRequests."""
    viewer = context.signed_in
    await take(context.sessions, attempts.second_factor_changes(context))
    shop_name = (await shop.current(context)).name
    async with transaction(context) as session:
        user = await accounts.locked_by(session, viewer)
        existing = await passkeys.of_user(session, user.id)
        begun = await challenges.begin(session, ChallengePurpose.REGISTRATION, _bearer(context), user_id=user.id)
    return PasskeyRequest(
        begun.token, await passkeys.registration_options(_party(context), shop_name, user, begun.webauthn, existing)
    )


async def start_codes(context: Context) -> one_time_codes.TotpSetup:
    """Begins to set up one-time codes. Raises Conflict, TooManyRequests."""
    await take(context.sessions, attempts.second_factor_changes(context))
    shop_name = (await shop.current(context)).name
    async with transaction(context) as session:
        user = await accounts.locked_by(session, context.signed_in)
        return await one_time_codes.start_setup(session, context.resources.get(Sealer), user, shop_name)


async def turn_codes_on(context: Context, code: str) -> factors.ChangedFactors:
    """Completes the setup of one-time codes. Raises FactorRefused, Conflict, TooManyRequests."""
    viewer = context.signed_in
    await take(context.sessions, attempts.second_factor_changes(context))
    async with failures(context.sessions, FactorRefused, *await _limits(context, viewer.user_id, viewer.email)):
        async with transaction(context) as session:
            sealer, shop_url = context.resources.get(Sealer), context.site.public_url
            changed = await factors.turn_codes_on(session, viewer, sealer, code, shop_url=shop_url)
        if changed is None:
            raise FactorRefused("This code is wrong. Please wait for the next one.")
    return changed


async def reauthenticate_with_factor(context: Context, token: str | None, proof: ChallengeAnswer) -> None:
    """Reauthenticates by a second factor; a passkey answers the challenge `token`.

    Raises ChallengeExpired, FactorRefused, InvalidInput, TooManyRequests.
    """
    _one_of(proof)
    viewer = context.signed_in
    async with failures(context.sessions, FactorRefused, *await _limits(context, viewer.user_id, viewer.email)):
        second = None
        async with transaction(context) as session:
            await accounts.locked(session, viewer.user_id)
            if proof.passkey is None:
                second = await _proven(context, session, viewer.user_id, b"", proof)
            else:
                challenge = await challenges.find(
                    session, token or "", ChallengePurpose.PASSKEY, _bearer(context), lock=True
                )
                second = await _proven(context, session, viewer.user_id, challenge.webauthn_challenge, proof)
                await (challenges.close if second else challenges.fail)(session, challenge)
            if second is not None:
                await renew(context, session, second)
        if second is None:
            raise FactorRefused(passkeys.REFUSED) if proof.passkey else FactorRefused


async def renew(context: Context, session: AsyncSession, second: FactorMethod | None = None) -> None:
    """Records that the session has just authenticated, by the second factor if given."""
    viewer = context.signed_in
    await sessions.prove(session, viewer.session_id)
    if second is not None:
        await sessions.note_second_factor(session, viewer.session_id, second.value)
    used, now = viewer.used_second_factor or second is not None, clock.now()
    context.viewer = replace(viewer, authenticated_at=now, active_at=now, used_second_factor=used)


async def _proven(
    context: Context, session: AsyncSession, user_id: UUID, webauthn_challenge: bytes, proof: ChallengeAnswer
) -> FactorMethod | None:
    sealer = context.resources.get(Sealer)
    try:
        return await factors.prove(session, sealer, _party(context), user_id, webauthn_challenge, proof)
    except FactorRefused:
        return None


async def _account(session: AsyncSession, user_id: UUID) -> User:
    """Raises ChallengeExpired when the account was deleted."""
    try:
        return await accounts.locked(session, user_id)
    except Unauthenticated:
        raise ChallengeExpired from None


def _one_of(proof: ChallengeAnswer) -> None:
    """Raises InvalidInput."""
    if (proof.code is None) is (proof.passkey is None):
        raise InvalidInput({"code": "Give either a code or a passkey"})


def _party(context: Context) -> RelyingParty:
    return RelyingParty.of(context.site)


def _ensure_browser(context: Context) -> None:
    """Ties a visitor's sign-in in progress to the browser, by a cookie of its own."""
    if context.browser is None:
        context.browser = sessions.new_token()
        context.cookies.append(browser_cookie(context.site, context.browser))


def _visitor(context: Context) -> ChallengeOwner:
    return ChallengeOwner(None, context.browser)


def _bearer(context: Context) -> ChallengeOwner:
    return ChallengeOwner(context.viewer.session_id, None) if context.viewer else _visitor(context)


async def _limits(context: Context, user_id: UUID, email: str) -> tuple[Limit, ...]:
    async with reading(context) as session:
        device = await devices.find(session, context.device, email)
    return attempts.at_second_factor(context, user_id, device)
