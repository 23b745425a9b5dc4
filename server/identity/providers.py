"""Linked sign-in providers, shared by GraphQL and REST."""

from server.identity import accounts, attempts, google
from server.identity.errors import GoogleRefused
from server.identity.gateway import GoogleVerifier
from server.platform.core.context import Context, transaction
from server.platform.core.limits import failures


async def link_google(context: Context, token: str) -> None:
    """Links a Google account to the viewer's.

    Raises GoogleRefused, GoogleTaken, TooManyRequests, Unavailable, ReauthenticationRequired.
    """
    viewer, shop_url = context.signed_in, context.site.public_url
    viewer.require_recent_sign_in_for_credentials()
    async with failures(context.sessions, GoogleRefused, attempts.of_network(context)):
        identity = await context.resources.get(GoogleVerifier).verify(token)
        async with transaction(context) as session:
            await google.use_token(session, token, identity)
            await accounts.locked_by(session, viewer)
            await google.link(session, viewer.user_id, identity, shop_url=shop_url)


async def unlink_google(context: Context) -> None:
    """Unlinks the viewer's Google account. Raises LastCredential, ReauthenticationRequired."""
    context.signed_in.require_recent_sign_in_for_credentials()
    async with transaction(context) as session:
        await accounts.locked_by(session, context.signed_in)
        await google.unlink(session, context.signed_in.user_id, shop_url=context.site.public_url)
