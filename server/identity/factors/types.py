"""GraphQL types that signing in and second factors share."""

from enum import Enum

import strawberry

from server.identity.errors import SecondFactorNeeded
from server.identity.factors.held import FactorMethod
from server.platform.gql.types import UserError, enum_value


@strawberry.enum(description="A way to prove who one is.")
class SignInMethod(Enum):
    PASSWORD = enum_value(FactorMethod.PASSWORD.value, "The account's password.")
    GOOGLE = enum_value(FactorMethod.GOOGLE.value, "The linked Google account.")
    PASSKEY = enum_value(FactorMethod.PASSKEY.value, "A passkey: unlocked by a fingerprint, a face or a PIN.")
    CODE = enum_value(FactorMethod.CODE.value, "A six-digit code of an authenticator app.")
    RECOVERY_CODE = enum_value(FactorMethod.RECOVERY_CODE.value, "One of ten codes kept for the loss of the others.")


@strawberry.type(
    description="The first factor was right, and the account has a second one: `confirmSignIn` ends the sign-in."
)
class SecondFactorRequired(UserError):
    challenge: str = strawberry.field(
        default="",
        description="For `confirmSignIn`, within five minutes and from the same browser, which has a cookie for it.",
    )
    methods: list[SignInMethod] = strawberry.field(
        default_factory=list, description="What the account can give now, the simplest first."
    )
    passkey_options: str | None = strawberry.field(
        default=None,
        description="`PublicKeyCredentialRequestOptionsJSON`, when PASSKEY is among `methods`; for "
        "`PublicKeyCredential.parseRequestOptionsFromJSON` after `JSON.parse`.",
    )

    @classmethod
    def of(cls, needed: SecondFactorNeeded) -> "SecondFactorRequired":
        """From the service's error."""
        return cls(
            message="Please confirm your sign-in with your second factor.",
            challenge=needed.challenge,
            methods=[SignInMethod(each) for each in needed.methods],
            passkey_options=needed.passkey_options,
        )
