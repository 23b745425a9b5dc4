"""Credentials in the GraphQL schema: mailed links, verification of an address, linked providers."""

from typing import Annotated

import strawberry

from server.identity import email_confirmation, errors, password_reset, providers
from server.identity.graphql import Email, GoogleRefused, IdentityViewerFields, InvalidCredentials, WholeViewer
from server.platform.core import errors as refusals
from server.platform.gql.permissions import Anyone, RecentSignInForCredentials, SignedInOnly
from server.platform.gql.types import FORM_ERRORS, Info, InvalidInput, Success, TooManyAttempts, UserError, form_error


@strawberry.type(description="The link is too old, was used, or was replaced by a newer one.")
class LinkExpired(UserError):
    pass


@strawberry.type(
    description="The link alone is no proof that the account and the address are the same person's. Ask for the "
    "account's password and send the mutation again with it; or offer `denyEmail`."
)
class ProofRequired(UserError):
    has_password: bool = strawberry.field(
        default=True, description="False for an account that signs in without one: sign in first, then open the link."
    )


ForgotPasswordResult = Annotated[
    Success | InvalidInput | TooManyAttempts,
    strawberry.union("ForgotPasswordResult", description="Done, also when there is no such account."),
]
ResetPasswordResult = Annotated[
    Success | LinkExpired | InvalidInput | TooManyAttempts,
    strawberry.union("ResetPasswordResult", description="The password is set, or why not."),
]
CheckPasswordResetResult = Annotated[
    Success | LinkExpired | TooManyAttempts,
    strawberry.union("CheckPasswordResetResult", description="The link works, or why not."),
]
VerifyEmailResult = Annotated[
    Success | ProofRequired | InvalidCredentials | LinkExpired | TooManyAttempts,
    strawberry.union("VerifyEmailResult", description="The address is proven, or why not."),
]
SendEmailVerificationResult = Annotated[
    Success | TooManyAttempts,
    strawberry.union("SendEmailVerificationResult", description="The mail is on its way, or why not."),
]
DenyEmailResult = Annotated[
    Success | LinkExpired | TooManyAttempts,
    strawberry.union("DenyEmailResult", description="The address is no account's any more, or why it still is."),
]


@strawberry.type(description="The ways to sign in are as the viewer shows them now.")
class ProvidersChanged:
    viewer: WholeViewer = strawberry.field(description="After the change.")


@strawberry.type(description="The Google account signs in to another account of the shop.")
class GoogleTaken(UserError):
    pass


@strawberry.type(description="Nothing else would sign in to the account: set a password first.")
class LastCredential(UserError):
    pass


LinkGoogleResult = Annotated[
    ProvidersChanged | GoogleRefused | GoogleTaken | TooManyAttempts,
    strawberry.union("LinkGoogleResult", description="The Google account signs in, or why not."),
]
UnlinkGoogleResult = Annotated[
    ProvidersChanged | LastCredential,
    strawberry.union("UnlinkGoogleResult", description="No Google account signs in any more, or why it still does."),
]

MailedToken = Annotated[str, strawberry.argument(description="From the mailed link; works for a week.")]


@strawberry.type
class CredentialsMutations:
    """Changes to credentials."""

    @strawberry.mutation(
        permission_classes=[Anyone],
        description="Mails a link that sets a new password. Answers the same whether or not there is such an account.",
    )
    async def forgot_password(self, info: Info, email: Email) -> ForgotPasswordResult:
        try:
            await password_reset.forgot_password(info.context, email)
        except FORM_ERRORS as error:
            return form_error(error)
        return Success()

    @strawberry.mutation(
        permission_classes=[Anyone],
        description="Whether `resetPassword` would accept the link now; changes nothing. A mutation, since no address "
        "and no cache should hold the token.",
    )
    async def check_password_reset(
        self,
        info: Info,
        token: Annotated[str, strawberry.argument(description="From the mailed link.")],
    ) -> CheckPasswordResetResult:
        try:
            await password_reset.check_link(info.context, token)
        except errors.LinkExpired as error:
            return LinkExpired(message=str(error))
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return Success()

    @strawberry.mutation(
        permission_classes=[Anyone],
        description="Sets a new password. Everything else that signed in to the account ends: sessions and a linked "
        "Google account too.",
    )
    async def reset_password(
        self,
        info: Info,
        token: Annotated[str, strawberry.argument(description="From the mailed link; works once, for an hour.")],
        new_password: Annotated[
            str,
            strawberry.argument(
                description="8 to 128 characters: a lowercase, an uppercase, a digit and one of @$!%*?&."
            ),
        ],
    ) -> ResetPasswordResult:
        try:
            await password_reset.reset_password(info.context, token, new_password)
        except errors.LinkExpired as error:
            return LinkExpired(message=str(error))
        except FORM_ERRORS as error:
            return form_error(error)
        return Success()

    @strawberry.mutation(
        permission_classes=[Anyone],
        description="Proves an e-mail address, at once in a browser that has signed in to the account; elsewhere with "
        "its password. Opening twice is fine.",
    )
    async def verify_email(
        self,
        info: Info,
        token: MailedToken,
        password: Annotated[
            str | None, strawberry.argument(description="The account's; needed after `ProofRequired`.")
        ] = None,
    ) -> VerifyEmailResult:
        try:
            await email_confirmation.confirm(info.context, token, password)
        except errors.ProofRequired as error:
            return ProofRequired(message=str(error), field="password", has_password=error.has_password)
        except errors.InvalidCredentials as error:
            return InvalidCredentials(message=str(error), field="password")
        except errors.LinkExpired as error:
            return LinkExpired(message=str(error))
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return Success()

    @strawberry.mutation(
        permission_classes=[SignedInOnly],
        description="Mails the viewer a new link for `verifyEmail`; an older one ends. Nothing once it is proven.",
    )
    async def send_email_verification(self, info: Info) -> SendEmailVerificationResult:
        try:
            await email_confirmation.send_link(info.context)
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return Success()

    @strawberry.mutation(
        permission_classes=[Anyone],
        description="Says that the account with this address is somebody else's. An account that never bought is "
        "deleted, unless it had another verified address, which it gets back.",
    )
    async def deny_email(self, info: Info, token: MailedToken) -> DenyEmailResult:
        try:
            await email_confirmation.deny(info.context, token)
        except errors.LinkExpired as error:
            return LinkExpired(message=str(error))
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return Success()

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignInForCredentials],
        description="Lets a Google account sign in to the viewer's, instead of one that did. A mail says so.",
    )
    async def link_google(
        self,
        info: Info,
        token: Annotated[
            str, strawberry.argument(description="The credential that Google's button hands over; it works once.")
        ],
    ) -> LinkGoogleResult:
        try:
            await providers.link_google(info.context, token)
        except errors.GoogleRefused as error:
            return GoogleRefused(message=str(error))
        except errors.GoogleTaken as error:
            return GoogleTaken(message=str(error))
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return ProvidersChanged(viewer=IdentityViewerFields())

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignInForCredentials],
        description="Ends the link to a Google account while something else signs in. A mail says so.",
    )
    async def unlink_google(self, info: Info) -> UnlinkGoogleResult:
        try:
            await providers.unlink_google(info.context)
        except errors.LastCredential as error:
            return LastCredential(message=str(error))
        return ProvidersChanged(viewer=IdentityViewerFields())
