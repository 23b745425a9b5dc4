"""Accounts in the GraphQL schema.

`IdentityViewerFields` is this domain's part of the type Viewer; domains above add theirs, server.schema combines them,
and results here refer to the whole type by name.
"""

from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated, TypeAlias

import strawberry

from server.identity import authentication, errors, models, profiles
from server.identity import service as identity
from server.identity.factors.types import SecondFactorRequired, SignInMethod
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.text import parse_id
from server.platform.core.viewer import Viewer as Account
from server.platform.gql.permissions import Anyone, RecentSignInForCredentials, SignedInOnly
from server.platform.gql.types import (
    FORM_ERRORS,
    Info,
    InvalidInput,
    Success,
    TooManyAttempts,
    UserError,
    enum_value,
    form_error,
)

MODULE = "server.schema"


@strawberry.enum(name="Role", description="What an account may do.")
class RoleName(Enum):
    USER = enum_value("user", "Shops.")
    ADMIN = enum_value("admin", "Sees and works in the back office.")


@strawberry.type(description="A browser that is signed in.")
class Session:
    id: strawberry.ID = strawberry.field(description="For `revokeSession`; no secret.")
    is_current: bool = strawberry.field(description="Whether it is the one that asks.")
    user_agent: str = strawberry.field(description="What the browser calls itself.")
    created_at: datetime = strawberry.field(description="When it signed in.")
    last_seen_at: datetime = strawberry.field(description="When it last asked for something, to five minutes.")
    expires_at: datetime = strawberry.field(description="24 hours after it signed in.")
    method: SignInMethod = strawberry.field(description="How it signed in.")
    second_factor: SignInMethod | None = strawberry.field(
        description="What was given beside a password or Google; null for nothing, and for a passkey alone."
    )

    @classmethod
    def of(cls, row: models.Session, viewer: Account) -> "Session":
        """From the row of a session."""
        return cls(
            id=strawberry.ID(str(row.id)),
            is_current=row.id == viewer.session_id,
            user_agent=row.user_agent,
            created_at=row.created_at,
            last_seen_at=row.last_seen_at,
            expires_at=row.expires_at,
            method=SignInMethod(row.method),
            second_factor=SignInMethod(row.second_factor) if row.second_factor else None,
        )


async def _account(info: Info) -> models.User:
    """The viewer's row, read once per request. Raises Unauthenticated when it was deleted meanwhile."""
    row = await info.context.load(identity.by_ids, info.context.signed_in.user_id)
    if row is None:
        raise refusals.Unauthenticated
    return row


@strawberry.type
class IdentityViewerFields:
    """The identity fields of the type Viewer."""

    @strawberry.field(description="The account's id.")
    def id(self, info: Info) -> strawberry.ID:
        return strawberry.ID(str(info.context.signed_in.user_id))

    @strawberry.field(description="As it was typed at sign-up or last saved.")
    def name(self, info: Info) -> str:
        return info.context.signed_in.name

    @strawberry.field(description="In lower case.")
    def email(self, info: Info) -> str:
        return info.context.signed_in.email

    @strawberry.field(description="Whether the link mailed to this address was opened.")
    async def email_verified(self, info: Info) -> bool:
        return (await _account(info)).email_verified_at is not None

    @strawberry.field(description="Read anew at each request: a promotion counts at once.")
    def role(self, info: Info) -> RoleName:
        return RoleName(info.context.signed_in.role.value)

    @strawberry.field(description="Whether this is the one admin who may create products and change roles.")
    def is_primary_admin(self, info: Info) -> bool:
        return info.context.signed_in.is_primary

    @strawberry.field(description="Asked for admin access and waits.")
    async def admin_request(self, info: Info) -> bool:
        return (await _account(info)).admin_requested_at is not None

    @strawberry.field(description="Whether a password is set; accounts made with Google have none.")
    async def has_password(self, info: Info) -> bool:
        return (await _account(info)).password_hash is not None

    @strawberry.field(description="Whether a Google account signs in to this one.")
    async def google_linked(self, info: Info) -> bool:
        return (await _account(info)).google_sub is not None

    @strawberry.field(description="When this session ends: 24 hours after sign-in.")
    def session_expires_at(self, info: Info) -> datetime:
        return info.context.signed_in.expires_at

    @strawberry.field(description="Browsers that are signed in, this one first.")
    async def sessions(self, info: Info) -> list[Session]:
        viewer = info.context.signed_in
        async with reading(info.context) as session:
            rows = await identity.sessions_of(session, viewer)
        return [Session.of(row, viewer) for row in rows]


if TYPE_CHECKING:
    Viewer: TypeAlias = IdentityViewerFields

WholeViewer = Annotated["Viewer", strawberry.lazy(MODULE)]


@strawberry.type(description="The account is signed in; the session is in the cookie.")
class SignedIn:
    viewer: WholeViewer = strawberry.field(description="Who is signed in now.")


@strawberry.type(description="Unknown e-mail or wrong password: which of them is never told.")
class InvalidCredentials(UserError):
    pass


@strawberry.type(description="Google's credential was not accepted.")
class GoogleRefused(UserError):
    pass


@strawberry.type(description="Another account has this e-mail.")
class EmailTaken(UserError):
    pass


@strawberry.type(description="The profile is saved.")
class ProfileUpdated:
    viewer: WholeViewer | None = strawberry.field(description="Null when the change signed out.")
    signed_out: bool = strawberry.field(
        description="E-mail or password changed: every session has ended, this one too."
    )


SignInResult = Annotated[
    SignedIn | SecondFactorRequired | InvalidCredentials | InvalidInput | TooManyAttempts,
    strawberry.union("SignInResult", description="Signed in, or why not."),
]
SignUpResult = Annotated[
    SignedIn | EmailTaken | InvalidInput | TooManyAttempts,
    strawberry.union("SignUpResult", description="A new account, signed in, or why not."),
]
SignInWithGoogleResult = Annotated[
    SignedIn | SecondFactorRequired | GoogleRefused | TooManyAttempts,
    strawberry.union("SignInWithGoogleResult", description="Signed in, or why not."),
]
UpdateProfileResult = Annotated[
    ProfileUpdated | EmailTaken | InvalidInput | TooManyAttempts,
    strawberry.union("UpdateProfileResult", description="The saved profile, or why not."),
]


@strawberry.input(description="Changes to the viewer's profile; what is left out or null stays.")
class UpdateProfileInput:
    name: str | None = strawberry.field(default=None, description="Full name, 5 characters or more.")
    email: str | None = strawberry.field(default=None, description="A new one is unverified, and signs out.")
    password: str | None = strawberry.field(
        default=None, description="A new one signs out; an empty one changes nothing."
    )


Email = Annotated[str, strawberry.argument(description="Case does not matter.")]
Password = Annotated[str, strawberry.argument(description="As it is typed.")]


@strawberry.type
class IdentityQuery:
    """The entry to the viewer's data."""

    @strawberry.field(permission_classes=[Anyone], description="The signed-in account; null for a visitor.")
    def viewer(self, info: Info) -> WholeViewer | None:
        return IdentityViewerFields() if info.context.viewer else None


@strawberry.type
class IdentityMutations:
    """Signing in, up and out; changes to the viewer's profile."""

    @strawberry.mutation(permission_classes=[Anyone], description="Makes an account and signs it in.")
    async def sign_up(
        self,
        info: Info,
        name: Annotated[str, strawberry.argument(description="Full name, 5 characters or more.")],
        email: Email,
        password: Annotated[
            str,
            strawberry.argument(description="8 to 128 of A-Z, a-z, 0-9 and !@#$%^&*, at least one of each group."),
        ],
    ) -> SignUpResult:
        try:
            await authentication.sign_up(info.context, name, email, password)
        except errors.EmailTaken as error:
            return EmailTaken(message=str(error), field="email")
        except FORM_ERRORS as error:
            return form_error(error)
        return SignedIn(viewer=IdentityViewerFields())

    @strawberry.mutation(permission_classes=[Anyone], description="Signs in with a password, for 24 hours.")
    async def sign_in(self, info: Info, email: Email, password: Password) -> SignInResult:
        try:
            await authentication.sign_in(info.context, email, password)
        except errors.SecondFactorNeeded as needed:
            return SecondFactorRequired.of(needed)
        except errors.InvalidCredentials as error:
            return InvalidCredentials(message=str(error))
        except FORM_ERRORS as error:
            return form_error(error)
        return SignedIn(viewer=IdentityViewerFields())

    @strawberry.mutation(permission_classes=[Anyone], description="Signs in with Google; new people get an account.")
    async def sign_in_with_google(
        self,
        info: Info,
        token: Annotated[
            str, strawberry.argument(description="The credential that Google's button hands over; it works once.")
        ],
    ) -> SignInWithGoogleResult:
        try:
            await authentication.sign_in_with_google(info.context, token)
        except errors.SecondFactorNeeded as needed:
            return SecondFactorRequired.of(needed)
        except errors.GoogleRefused as error:
            return GoogleRefused(message=str(error))
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return SignedIn(viewer=IdentityViewerFields())

    @strawberry.mutation(permission_classes=[Anyone], description="Ends this session and deletes its cookie.")
    async def sign_out(self, info: Info) -> Success:
        await authentication.sign_out(info.context)
        return Success()

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignInForCredentials], description="Only what is given changes."
    )
    async def update_profile(
        self,
        info: Info,
        input: Annotated[UpdateProfileInput, strawberry.argument(description="What changes.")],
    ) -> UpdateProfileResult:
        try:
            await profiles.update_profile(info.context, input.name, input.email, input.password)
        except errors.EmailTaken as error:
            return EmailTaken(message=str(error), field="email")
        except FORM_ERRORS as error:
            return form_error(error)
        is_signed_in = info.context.viewer is not None
        return ProfileUpdated(viewer=IdentityViewerFields() if is_signed_in else None, signed_out=not is_signed_in)

    @strawberry.mutation(
        permission_classes=[SignedInOnly], description="Asks to become an admin; asking twice changes nothing."
    )
    async def request_admin_access(self, info: Info) -> WholeViewer:
        async with transaction(info.context) as session:
            await identity.request_admin_access(session, info.context.signed_in.user_id)
        return IdentityViewerFields()

    @strawberry.mutation(permission_classes=[SignedInOnly], description="Ends another session of the viewer.")
    async def revoke_session(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="Any but the current one.")]
    ) -> WholeViewer:
        async with transaction(info.context) as session:
            await identity.end_other_session(session, info.context.signed_in, parse_id(id, "This session"))
        return IdentityViewerFields()

    @strawberry.mutation(
        permission_classes=[SignedInOnly],
        description="Ends every other session of the viewer, and sign-ins that have begun elsewhere.",
    )
    async def revoke_other_sessions(self, info: Info) -> WholeViewer:
        async with transaction(info.context) as session:
            await identity.end_other_sessions(session, info.context.signed_in)
        return IdentityViewerFields()
