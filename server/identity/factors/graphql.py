"""Second factors in the GraphQL schema: setup, and their use in a sign-in or reauthentication.

`FactorsViewerFields` is this module's part of the type Viewer; server.schema combines the parts.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Annotated

import strawberry

from server.identity import attempts, authentication, browser_sessions, errors, models
from server.identity import graphql as identity_graphql
from server.identity import service as identity
from server.identity.factors import held, one_time_codes, passkeys, service, steps
from server.identity.factors.held import AccountFactors
from server.identity.factors.service import ChallengeAnswer, ChangedFactors
from server.identity.factors.types import SignInMethod
from server.identity.graphql import GoogleRefused, InvalidCredentials, SignedIn, WholeViewer
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.limits import take
from server.platform.core.text import parse_id
from server.platform.gql.permissions import Anyone, RecentSignIn, SignedInOnly
from server.platform.gql.types import FORM_ERRORS, Info, InvalidInput, TooManyAttempts, UserError, form_error


@strawberry.type(description="A passkey of the viewer.")
class Passkey:
    id: strawberry.ID = strawberry.field(description="For `renamePasskey` and `removePasskey`; no secret.")
    name: str = strawberry.field(description="In the viewer's own words.")
    created_at: datetime = strawberry.field(description="When it was added.")
    last_used_at: datetime | None = strawberry.field(description="When it last proved who the viewer is.")

    @classmethod
    def of(cls, row: models.Passkey) -> "Passkey":
        """From the row of a passkey."""
        return cls(
            id=strawberry.ID(str(row.id)), name=row.name, created_at=row.created_at, last_used_at=row.last_used_at
        )


async def _factors(info: Info) -> AccountFactors:
    """The viewer's factors, read once per request."""
    return await info.context.load(held.of_users, info.context.signed_in.user_id) or held.NONE


@strawberry.type
class FactorsViewerFields:
    """The second factors' fields of the type Viewer."""

    @strawberry.field(description="Whether a password alone no longer signs in.")
    def has_second_factor(self, info: Info) -> bool:
        return info.context.signed_in.has_second_factor

    @strawberry.field(
        description="Whether the back office is closed until a second factor is set up: this shop asks admins for one."
    )
    def second_factor_missing(self, info: Info) -> bool:
        return info.context.signed_in.lacks_second_factor

    @strawberry.field(description="Oldest first; twenty at most.")
    async def passkeys(self, info: Info) -> list[Passkey]:
        return [Passkey.of(row) for row in (await _factors(info)).passkeys]

    @strawberry.field(description="Whether codes of an authenticator app are turned on.")
    async def has_codes(self, info: Info) -> bool:
        return (await _factors(info)).has_codes

    @strawberry.field(description="Recovery codes that were not used yet; ten at first.")
    async def recovery_codes_left(self, info: Info) -> int:
        return (await _factors(info)).recovery_codes

    @strawberry.field(description="What `reauthenticate` takes of this account now, the simplest first.")
    async def reauthentication_methods(self, info: Info) -> list[SignInMethod]:
        factors = await _factors(info)
        if factors.exist:
            return [SignInMethod(each.value) for each in factors.methods]
        row = await info.context.load(identity.by_ids, info.context.signed_in.user_id)
        ways = {SignInMethod.PASSWORD: row and row.password_hash, SignInMethod.GOOGLE: row and row.google_sub}
        return [method for method, there in ways.items() if there]


@strawberry.type(description="A code or passkey that is wrong, or was used already.")
class FactorRefused(UserError):
    pass


@strawberry.type(description="It was begun too long ago, in another browser, or failed too often: start again.")
class ChallengeExpired(UserError):
    pass


@strawberry.type(description="There are as many passkeys as an account may keep.")
class PasskeyLimitReached(UserError):
    limit: int = strawberry.field(default=0, description="How many that is.")


@strawberry.type(description="What the browser needs to ask an authenticator.")
class PasskeyRequest:
    challenge: str = strawberry.field(
        description="Names this step; to be sent back with the answer, within five minutes."
    )
    options: str = strawberry.field(
        description="JSON for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`, "
        "after `JSON.parse`."
    )


@strawberry.type(description="What an authenticator app needs; shown once.")
class CodeSetup:
    secret: str = strawberry.field(description="To be typed into the app, in base 32.")
    uri: str = strawberry.field(description="The same as an `otpauth:` link.")
    qr_code: str = strawberry.field(description="The link as a picture: a `data:` URL of an SVG.")


@strawberry.type(description="Codes are on already, or no setup of them was begun.")
class CodeSetupRefused(UserError):
    pass


@strawberry.type(description="The second factors are changed; a mail to the account says so.")
class SecondFactorsChanged:
    viewer: WholeViewer = strawberry.field(description="With its factors as they are now.")
    recovery_codes: list[str] | None = strawberry.field(
        description="New ones, shown this once: with the first second factor, or when asked for. Null otherwise."
    )


@strawberry.type(
    description="The session has proven who it is, which is good until a pause of 15 minutes, for eight hours at most."
)
class Reauthenticated:
    viewer: WholeViewer = strawberry.field(description="Who is signed in.")


ConfirmSignInResult = Annotated[
    SignedIn | FactorRefused | ChallengeExpired | InvalidInput | TooManyAttempts,
    strawberry.union("ConfirmSignInResult", description="Signed in, or why not."),
]
StartPasskeyResult = Annotated[
    PasskeyRequest | TooManyAttempts,
    strawberry.union("StartPasskeyResult", description="What to ask an authenticator, or when."),
]
SignInWithPasskeyResult = Annotated[
    SignedIn | FactorRefused | ChallengeExpired | TooManyAttempts,
    strawberry.union("SignInWithPasskeyResult", description="Signed in, or why not."),
]
ReauthenticateResult = Annotated[
    Reauthenticated
    | InvalidCredentials
    | GoogleRefused
    | FactorRefused
    | ChallengeExpired
    | InvalidInput
    | TooManyAttempts,
    strawberry.union("ReauthenticateResult", description="The sign-in is recent again, or why not."),
]
AddPasskeyResult = Annotated[
    SecondFactorsChanged | FactorRefused | ChallengeExpired | PasskeyLimitReached | InvalidInput | TooManyAttempts,
    strawberry.union("AddPasskeyResult", description="The passkey is added, or why not."),
]
RenamePasskeyResult = Annotated[
    SecondFactorsChanged | InvalidInput | TooManyAttempts,
    strawberry.union("RenamePasskeyResult", description="The passkey is renamed, or why not."),
]
StartCodeSetupResult = Annotated[
    CodeSetup | CodeSetupRefused | TooManyAttempts,
    strawberry.union("StartCodeSetupResult", description="What an authenticator app needs, or why nothing was begun."),
]
EnableCodesResult = Annotated[
    SecondFactorsChanged | FactorRefused | CodeSetupRefused | TooManyAttempts,
    strawberry.union("EnableCodesResult", description="Codes are turned on, or why not."),
]
SecondFactorsResult = Annotated[
    SecondFactorsChanged | TooManyAttempts,
    strawberry.union("SecondFactorsResult", description="The second factors are changed, or why not."),
]


@strawberry.input(description="A proof of who the viewer is: a password, Google's credential, a code or a passkey.")
class ReauthenticateInput:
    password: str | None = strawberry.field(default=None, description="As it is typed.")
    google_token: str | None = strawberry.field(
        default=None, description="A new credential of Google's button; it works once."
    )
    code: str | None = strawberry.field(
        default=None, description="Six digits of the authenticator app, or a recovery code; each works once."
    )
    passkey: str | None = strawberry.field(
        default=None, description="What `navigator.credentials` gave, through `JSON.stringify`."
    )
    challenge: str | None = strawberry.field(default=None, description="Of `startPasskey`, for a passkey.")


Challenge = Annotated[str, strawberry.argument(description="Of the step that this one ends.")]
Code = Annotated[
    str | None,
    strawberry.argument(description="Six digits of the authenticator app, or a recovery code; each works once."),
]
Credential = Annotated[
    str, strawberry.argument(description="What `navigator.credentials` gave, through `JSON.stringify`.")
]
OptionalCredential = Annotated[
    str | None, strawberry.argument(description="What `navigator.credentials` gave, through `JSON.stringify`.")
]
PasskeyName = Annotated[
    str, strawberry.argument(description='In the viewer\'s own words: "Phone". Up to 60 characters.')
]
PasskeyId = Annotated[strawberry.ID, strawberry.argument(description="One of `viewer.passkeys`.")]


@strawberry.type
class FactorsMutations:
    """Sign-in with second factors, and changes to them."""

    @strawberry.mutation(
        permission_classes=[Anyone],
        description="Ends a sign-in that was answered with `SecondFactorRequired`: with a code or a passkey.",
    )
    async def confirm_sign_in(
        self, info: Info, challenge: Challenge, code: Code = None, passkey: OptionalCredential = None
    ) -> ConfirmSignInResult:
        try:
            await steps.confirm(info.context, challenge, ChallengeAnswer(code, passkey))
        except errors.FactorRefused as error:
            return FactorRefused(message=str(error), field="passkey" if code is None else "code")
        except errors.ChallengeExpired as error:
            return ChallengeExpired(message=str(error))
        except FORM_ERRORS as error:
            return form_error(error)
        return SignedIn(viewer=identity_graphql.IdentityViewerFields())

    @strawberry.mutation(
        permission_classes=[Anyone],
        description="Begins a sign-in by passkey. For who is signed in, a reauthentication by one of their own.",
    )
    async def start_passkey(self, info: Info) -> StartPasskeyResult:
        try:
            step = await steps.start_passkey(info.context)
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return PasskeyRequest(challenge=step.challenge, options=step.options)

    @strawberry.mutation(
        permission_classes=[Anyone],
        description="Signs in with a passkey alone, for 24 hours: it is two factors in one.",
    )
    async def sign_in_with_passkey(
        self, info: Info, challenge: Challenge, credential: Credential
    ) -> SignInWithPasskeyResult:
        try:
            await steps.sign_in_with_passkey(info.context, challenge, credential)
        except errors.FactorRefused as error:
            return FactorRefused(message=str(error))
        except errors.ChallengeExpired as error:
            return ChallengeExpired(message=str(error))
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return SignedIn(viewer=identity_graphql.IdentityViewerFields())

    @strawberry.mutation(
        permission_classes=[SignedInOnly],
        description="Proves anew who the viewer is, for what answers REAUTHENTICATION_REQUIRED: with one of "
        "`viewer.reauthenticationMethods`. A passkey needs the `challenge` of `startPasskey`.",
    )
    async def reauthenticate(
        self, info: Info, input: Annotated[ReauthenticateInput, strawberry.argument(description="One proof.")]
    ) -> ReauthenticateResult:
        try:
            if input.password is not None:
                await authentication.reauthenticate_with_password(info.context, input.password)
            elif input.google_token is not None:
                await authentication.reauthenticate_with_google(info.context, input.google_token)
            else:
                answer = ChallengeAnswer(input.code, input.passkey)
                await steps.reauthenticate_with_factor(info.context, input.challenge, answer)
        except errors.InvalidCredentials as error:
            return InvalidCredentials(message=str(error), field="password")
        except errors.GoogleRefused as error:
            return GoogleRefused(message=str(error))
        except errors.FactorRefused as error:
            return FactorRefused(message=str(error), field="passkey" if input.code is None else "code")
        except errors.ChallengeExpired as error:
            return ChallengeExpired(message=str(error))
        except FORM_ERRORS as error:
            return form_error(error)
        return Reauthenticated(viewer=identity_graphql.IdentityViewerFields())

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignIn], description="Begins to add a passkey to the account."
    )
    async def start_passkey_registration(self, info: Info) -> StartPasskeyResult:
        try:
            step = await steps.start_registration(info.context)
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return PasskeyRequest(challenge=step.challenge, options=step.options)

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignIn],
        description="Adds the passkey that answers `startPasskeyRegistration`. From then on a password alone no longer "
        "signs in.",
    )
    async def add_passkey(
        self, info: Info, challenge: Challenge, credential: Credential, name: PasskeyName
    ) -> AddPasskeyResult:
        context = info.context
        party, shop_url = passkeys.RelyingParty.of(context.site), context.site.public_url
        try:
            name = passkeys.name_of(name)
            await take(context.sessions, attempts.second_factor_changes(context))
            async with transaction(context) as session:
                changed = await service.add_passkey(
                    session, context.signed_in, party, challenge, credential, name, shop_url=shop_url
                )
        except errors.FactorRefused as error:
            return FactorRefused(message=str(error))
        except errors.ChallengeExpired as error:
            return ChallengeExpired(message=str(error))
        except errors.PasskeyLimitReached as error:
            return PasskeyLimitReached(message=str(error), limit=error.limit)
        except FORM_ERRORS as error:
            return form_error(error)
        return await _changed(info, changed)

    @strawberry.mutation(permission_classes=[SignedInOnly, RecentSignIn], description="Gives a passkey another name.")
    async def rename_passkey(self, info: Info, id: PasskeyId, name: PasskeyName) -> RenamePasskeyResult:
        context, passkey_id = info.context, parse_id(id, "This passkey")
        try:
            name = passkeys.name_of(name)
            await take(context.sessions, attempts.second_factor_changes(context))
        except FORM_ERRORS as error:
            return form_error(error)
        async with transaction(context) as session:
            changed = await service.rename_passkey(
                session, context.signed_in, passkey_id, name, shop_url=context.site.public_url
            )
        return await _changed(info, changed)

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignIn],
        description="Removes a passkey. Without the last second factor the recovery codes end too.",
    )
    async def remove_passkey(self, info: Info, id: PasskeyId) -> SecondFactorsResult:
        passkey_id = parse_id(id, "This passkey")
        return await _change(info, partial(service.remove_passkey, passkey_id=passkey_id))

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignIn],
        description="Begins to set up codes of an authenticator app; `enableCodes` ends it. Starting again makes a new "
        "secret.",
    )
    async def start_code_setup(self, info: Info) -> StartCodeSetupResult:
        try:
            setup = await steps.start_codes(info.context)
        except refusals.Conflict as error:
            return CodeSetupRefused(message=str(error))
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return CodeSetup(secret=setup.secret, uri=setup.uri, qr_code=await one_time_codes.qr_code(setup.uri))

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignIn],
        description="Turns codes on, given one that shows that the app knows the secret. From then on a password alone "
        "no longer signs in.",
    )
    async def enable_codes(
        self, info: Info, code: Annotated[str, strawberry.argument(description="Six digits of the authenticator app.")]
    ) -> EnableCodesResult:
        try:
            changed = await steps.turn_codes_on(info.context, code)
        except errors.FactorRefused as error:
            return FactorRefused(message=str(error), field="code")
        except refusals.Conflict as error:
            return CodeSetupRefused(message=str(error))
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return await _changed(info, changed)

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignIn],
        description="Turns codes off. Without the last second factor the recovery codes end too.",
    )
    async def disable_codes(self, info: Info) -> SecondFactorsResult:
        return await _change(info, service.turn_codes_off)

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignIn],
        description="Ten new recovery codes instead of the old ones; none for an account without a second factor.",
    )
    async def renew_recovery_codes(self, info: Info) -> SecondFactorsResult:
        return await _change(info, service.renew_recovery_codes)


async def _change(info: Info, verb: Callable[..., Awaitable[ChangedFactors]]) -> SecondFactorsResult:
    """Runs a change of the viewer's factors in a transaction of its own, within the limit of such changes."""
    context = info.context
    try:
        await take(context.sessions, attempts.second_factor_changes(context))
    except refusals.TooManyRequests as error:
        return TooManyAttempts.of(error)
    async with transaction(context) as session:
        changed = await verb(session, context.signed_in, shop_url=context.site.public_url)
    return await _changed(info, changed)


async def _changed(info: Info, changed: ChangedFactors) -> SecondFactorsChanged:
    """Reports the change; the rest of the request reads the factors anew."""
    context = info.context
    if context.token:
        async with reading(context) as session:
            context.viewer = await browser_sessions.viewer_of(context, session, context.token)
    return SecondFactorsChanged(
        viewer=identity_graphql.IdentityViewerFields(), recovery_codes=changed.new_recovery_codes
    )
