"""Passkeys: WebAuthn credentials that verify their user, so that each signs in by itself.

The library takes 16 MB and a fifth of a second to load: a thread loads it where a passkey is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import orjson
from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.errors import FactorRefused, PasskeyLimitReached
from server.identity.models import Passkey, User
from server.platform.core import clock
from server.platform.core.errors import NotFound
from server.platform.core.lazy_imports import load
from server.platform.core.security import allowed_origins
from server.platform.core.site import Site
from server.platform.core.text import trimmed

LIBRARY = "webauthn"
MAX_PASSKEYS = 20
MAX_NAME = 60
MAX_CREDENTIAL = 20_000
"""Characters; browsers send about a thousand."""
TIMEOUT_MS = 300_000


@cache
def _bad_answer() -> tuple[type[Exception], ...]:
    """What the library raises for a malformed answer; its parsers validate little."""
    from webauthn.helpers.exceptions import WebAuthnException

    return WebAuthnException, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError


@dataclass(frozen=True)
class RelyingParty:
    """The WebAuthn relying party: the host of PUBLIC_URL, and the origins whose pages may use its passkeys."""

    id: str
    origins: list[str]

    @classmethod
    def of(cls, site: Site) -> "RelyingParty":
        """The relying party of the site's address."""
        return cls(urlsplit(site.public_url).hostname or "localhost", sorted(allowed_origins(site)))


async def of_user(session: AsyncSession, user_id: UUID) -> Sequence[Passkey]:
    """The account's passkeys, oldest first."""
    return (await session.scalars(select(Passkey).where(Passkey.user_id == user_id).order_by(Passkey.id))).all()


async def registration_options(
    party: RelyingParty, shop_name: str, user: User, challenge: bytes, existing: Sequence[Passkey]
) -> str:
    """PublicKeyCredentialCreationOptionsJSON. Authenticators with a passkey of the account are excluded."""
    await load(LIBRARY)
    import webauthn
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name=shop_name,
        user_id=user.id.bytes,
        user_name=user.email,
        user_display_name=user.name,
        challenge=challenge,
        timeout=TIMEOUT_MS,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=each.credential_id) for each in existing],
    )
    return webauthn.options_to_json(options)


async def request_options(party: RelyingParty, challenge: bytes, allowed: Sequence[Passkey] = ()) -> str:
    """PublicKeyCredentialRequestOptionsJSON; without `allowed` the browser offers all its passkeys."""
    await load(LIBRARY)
    import webauthn
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor, UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        timeout=TIMEOUT_MS,
        allow_credentials=[PublicKeyCredentialDescriptor(id=each.credential_id) for each in allowed],
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return webauthn.options_to_json(options)


def name_of(typed: str) -> str:
    """A valid name of a passkey. Raises InvalidInput."""
    return trimmed(typed, "name", MAX_NAME, missing="Give the passkey a name")


async def add(
    session: AsyncSession, party: RelyingParty, user_id: UUID, challenge: bytes, credential: str, name: str
) -> Passkey:
    """Stores the passkey that answers the challenge. Raises FactorRefused, PasskeyLimitReached."""
    await load(LIBRARY)
    import webauthn

    try:
        registration = webauthn.verify_registration_response(
            credential=_parsed(credential),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origins,
            require_user_verification=True,
        )
    except _bad_answer() as error:
        raise FactorRefused("This passkey could not be added.") from error
    count = await session.scalar(select(func.count()).where(Passkey.user_id == user_id)) or 0
    if count >= MAX_PASSKEYS:
        raise PasskeyLimitReached(MAX_PASSKEYS)
    values = {
        "user_id": user_id,
        "credential_id": registration.credential_id,
        "public_key": registration.credential_public_key,
        "sign_count": registration.sign_count,
        "name": name,
    }
    passkey: Passkey | None = await session.scalar(
        insert(Passkey).values(**values).on_conflict_do_nothing().returning(Passkey)
    )
    if passkey is None:
        raise FactorRefused("This passkey is in use already.")
    return passkey


async def owner_of(session: AsyncSession, credential: str) -> UUID | None:
    """The account whose passkey an answer claims to use; not verified yet."""
    await load(LIBRARY)
    import webauthn

    try:
        claimed = webauthn.base64url_to_bytes(_parsed(credential)["rawId"])
    except FactorRefused:
        return None
    except _bad_answer():
        return None
    return await session.scalar(select(Passkey.user_id).where(Passkey.credential_id == claimed))


async def verify(
    session: AsyncSession, party: RelyingParty, user_id: UUID, challenge: bytes, credential: str
) -> Passkey:
    """The account's passkey that answers the challenge, with its counter updated. Raises FactorRefused."""
    await load(LIBRARY)
    import webauthn

    try:
        parsed = _parsed(credential)
        claimed = webauthn.base64url_to_bytes(parsed["rawId"])
        own = select(Passkey).where(Passkey.user_id == user_id, Passkey.credential_id == claimed).with_for_update()
        passkey = await session.scalar(own)
        if passkey is None:
            raise FactorRefused(REFUSED)
        seen = webauthn.verify_authentication_response(
            credential=parsed,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origins,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
        if (handle := parsed["response"].get("userHandle")) and webauthn.base64url_to_bytes(handle) != user_id.bytes:
            raise FactorRefused(REFUSED)
    except _bad_answer() as error:
        raise FactorRefused(REFUSED) from error
    passkey.sign_count, passkey.last_used_at = seen.new_sign_count, clock.now()
    await session.flush()
    return passkey


REFUSED = "This passkey was not accepted."


async def rename(session: AsyncSession, user_id: UUID, passkey_id: UUID, name: str) -> tuple[str, str]:
    """Returns the names before and after. Raises NotFound."""
    own = select(Passkey).where(Passkey.id == passkey_id, Passkey.user_id == user_id).with_for_update()
    passkey = await session.scalar(own)
    if passkey is None:
        raise NotFound("This passkey")
    before, passkey.name = passkey.name, name
    await session.flush()
    return before, name


async def remove(session: AsyncSession, user_id: UUID, passkey_id: UUID) -> str:
    """Deletes a passkey. Returns its name. Raises NotFound."""
    gone = delete(Passkey).where(Passkey.id == passkey_id, Passkey.user_id == user_id).returning(Passkey.name)
    name = await session.scalar(gone)
    if name is None:
        raise NotFound("This passkey")
    return name


def _parsed(credential: str) -> dict[str, Any]:
    """The browser's JSON as an object. Raises FactorRefused."""
    try:
        parsed = orjson.loads(credential) if len(credential) <= MAX_CREDENTIAL else None
    except ValueError:
        parsed = None
    if not isinstance(parsed, dict):
        raise FactorRefused(REFUSED)
    return parsed
