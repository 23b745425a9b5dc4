"""Accounts in the schema.

`ViewerFields`, `AdminFields` and `UserFields` are this domain's share of the types Viewer, Admin and User: domains
above add theirs, server.schema puts the shares together, and what is returned here finds the whole by its name.
"""

from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated, TypeAlias
from uuid import UUID

import strawberry

from server.core import errors as refusals
from server.core.context import reading, transaction
from server.core.graphql import (
    Anyone,
    Connection,
    Done,
    Edge,
    Info,
    InvalidInput,
    PrimaryAdminOnly,
    SignedInOnly,
    TooManyAttempts,
    UserError,
    decode_cursor,
    encode_cursor,
    page_info,
    page_size,
    parse_id,
)
from server.core.viewer import Viewer as Account
from server.identity import entrance, errors, models, rules
from server.identity import service as identity

MODULE = "server.schema"


@strawberry.enum(name="Role", description="What an account may do.")
class RoleName(Enum):
    USER = strawberry.enum_value("user", description="Shops.")
    ADMIN = strawberry.enum_value("admin", description="Sees and works in the back office.")


@strawberry.type(description="Where parcels go.")
class Address:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    name: str = strawberry.field(description="Who gets the parcel.")
    address1: str = strawberry.field(description="Street and number.")
    address2: str = strawberry.field(description="What the street does not say: floor, care of. Often empty.")
    city: str = strawberry.field(description="Town.")
    country: str = strawberry.field(description="Country, in the shopper's words.")
    postal_code: str = strawberry.field(description="Empty where there is none.")
    phone: str = strawberry.field(description="For the carrier.")
    is_default: bool = strawberry.field(description="Chosen beforehand at checkout; at most one is.")

    @classmethod
    def of(cls, row: models.Address) -> "Address":
        return cls(
            id=strawberry.ID(str(row.id)),
            name=row.name,
            address1=row.address1,
            address2=row.address2,
            city=row.city,
            country=row.country,
            postal_code=row.postal_code,
            phone=row.phone,
            is_default=row.is_default,
        )


@strawberry.input(description="An address as it is typed. Up to 200 characters in each line.")
class AddressInput:
    name: str = strawberry.field(description="Who gets the parcel.")
    address1: str = strawberry.field(description="Street and number.")
    address2: str = strawberry.field(default="", description="Floor, care of, and so on.")
    city: str = strawberry.field(description="Town.")
    country: str = strawberry.field(description="Country.")
    postal_code: str = strawberry.field(default="", description="Postal code, where there is one.")
    phone: str = strawberry.field(description="For the carrier.")
    is_default: bool = strawberry.field(
        default=False, description="Makes it the default instead of the present one; the first always is."
    )

    def form(self) -> rules.AddressForm:
        """Raises InvalidInput."""
        return rules.address(
            rules.AddressForm(
                name=self.name,
                address1=self.address1,
                address2=self.address2,
                city=self.city,
                country=self.country,
                postal_code=self.postal_code,
                phone=self.phone,
                is_default=self.is_default,
            )
        )


@strawberry.type(description="A browser that is signed in.")
class Session:
    id: strawberry.ID = strawberry.field(description="For `endSession`; no secret.")
    is_current: bool = strawberry.field(description="Whether it is the one that asks.")
    user_agent: str = strawberry.field(description="What the browser calls itself.")
    created_at: datetime = strawberry.field(description="When it signed in.")
    last_seen_at: datetime = strawberry.field(description="When it last asked for something, to five minutes.")
    expires_at: datetime = strawberry.field(description="24 hours after it signed in.")

    @classmethod
    def of(cls, row: models.Session, viewer: Account) -> "Session":
        return cls(
            id=strawberry.ID(str(row.id)),
            is_current=row.id == viewer.session_id,
            user_agent=row.user_agent,
            created_at=row.created_at,
            last_seen_at=row.last_seen_at,
            expires_at=row.expires_at,
        )


async def _account(info: Info) -> models.User:
    """The viewer's row, read once per request. Raises Unauthenticated when it was deleted meanwhile."""
    row = await info.context.load(identity.by_ids, info.context.signed_in.user_id)
    if row is None:
        raise refusals.Unauthenticated
    return row


@strawberry.type
class ViewerFields:
    """What identity knows of who asks; everything follows from the request's context."""

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

    @strawberry.field(description="When this session ends: 24 hours after sign-in.")
    def session_expires_at(self, info: Info) -> datetime:
        return info.context.signed_in.expires_at

    @strawberry.field(description="Oldest first; ten at most.")
    async def addresses(self, info: Info) -> list[Address]:
        rows = await info.context.load(identity.addresses_of_users, info.context.signed_in.user_id)
        return [Address.of(row) for row in rows or []]

    @strawberry.field(description="Browsers that are signed in, this one first.")
    async def sessions(self, info: Info) -> list[Session]:
        viewer = info.context.signed_in
        async with reading(info.context) as session:
            rows = await identity.sessions_of(session, viewer)
        return [Session.of(row, viewer) for row in rows]


@strawberry.type
class UserFields:
    """What identity knows of an account, for admins."""

    id: strawberry.ID = strawberry.field(description="The account's id.")
    name: str = strawberry.field(description="Full name.")
    email: str = strawberry.field(description="In lower case.")
    role: RoleName = strawberry.field(description="What the account may do.")
    is_primary_admin: bool = strawberry.field(description="Cannot be demoted or deleted by anybody.")
    admin_request: bool = strawberry.field(description="Asked for admin access and waits.")
    created_at: datetime = strawberry.field(description="When the account was made.")


if TYPE_CHECKING:
    Viewer: TypeAlias = ViewerFields
    User: TypeAlias = UserFields
    Admin: TypeAlias = "AdminFields"

WholeViewer = Annotated["Viewer", strawberry.lazy(MODULE)]
WholeUser = Annotated["User", strawberry.lazy(MODULE)]
WholeAdmin = Annotated["Admin", strawberry.lazy(MODULE)]


def user_of(row: models.User) -> UserFields:
    return UserFields(
        id=strawberry.ID(str(row.id)),
        name=row.name,
        email=row.email,
        role=RoleName(row.role),
        is_primary_admin=row.is_primary,
        admin_request=row.admin_requested_at is not None,
        created_at=row.created_at,
    )


Search = Annotated[str | None, strawberry.argument(description="Part of a name or e-mail; all accounts without it.")]
First = Annotated[int, strawberry.argument(description="How many, 1 to 100.")]
After = Annotated[str | None, strawberry.argument(description="Goes on behind this cursor; begins without it.")]


@strawberry.type
class AdminFields:
    """The people's part of the back office. `Query.admin` gives it to admins only."""

    @strawberry.field(description="Accounts, newest first.")
    async def users(
        self, info: Info, search: Search = None, first: First = 50, after: After = None
    ) -> Connection[WholeUser]:
        place = _place(after)
        async with reading(info.context) as session:
            page = await identity.users(session, search=search, first=page_size(first), after=place)
        cursors = [encode_cursor(row.created_at, row.id) for row in page.users]
        nodes = [user_of(row) for row in page.users]
        return Connection(
            nodes=nodes,
            edges=[Edge(node=node, cursor=cursor) for node, cursor in zip(nodes, cursors, strict=True)],
            page_info=page_info(cursors, has_next=page.has_next, has_previous=after is not None),
            total_count=page.total,
        )

    @strawberry.field(description="Everybody who asked for admin access and is no admin yet, longest waiting first.")
    async def admin_requests(self, info: Info) -> list[WholeUser]:
        async with reading(info.context) as session:
            rows = await identity.admin_requests(session)
        return [user_of(row) for row in rows]

    @strawberry.field(description="How many `adminRequests` there are.")
    async def admin_request_count(self, info: Info) -> int:
        async with reading(info.context) as session:
            return await identity.admin_request_count(session)


def _place(after: str | None) -> tuple[datetime, UUID] | None:
    """Raises InvalidInput for a cursor that is not one of ours."""
    parts = decode_cursor(after, 2)
    if parts is None:
        return None
    try:
        return datetime.fromisoformat(parts[0]), UUID(parts[1])
    except ValueError as error:
        raise refusals.InvalidInput({"after": "This cursor is not one of ours."}) from error


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


@strawberry.type(description="The link is too old, was used, or was replaced by a newer one.")
class LinkExpired(UserError):
    pass


@strawberry.type(description="There are as many addresses as an account may keep.")
class AddressLimitReached(UserError):
    limit: int = strawberry.field(default=0, description="How many that is.")


@strawberry.type(description="The profile is saved.")
class ProfileUpdated:
    viewer: WholeViewer | None = strawberry.field(description="Null when the change signed out.")
    signed_out: bool = strawberry.field(
        description="E-mail or password changed: every session has ended, this one too."
    )


@strawberry.type(description="The viewer's addresses after the change.")
class Addresses:
    addresses: list[Address] = strawberry.field(description="All of them, oldest first.")


@strawberry.type(description="The account after the change.")
class RoleChanged:
    user: WholeUser = strawberry.field(description="With its new role and request.")


SignInResult = Annotated[
    SignedIn | InvalidCredentials | InvalidInput | TooManyAttempts,
    strawberry.union("SignInResult", description="Signed in, or why not."),
]
SignUpResult = Annotated[
    SignedIn | EmailTaken | InvalidInput | TooManyAttempts,
    strawberry.union("SignUpResult", description="A new account, signed in, or why not."),
]
GoogleSignInResult = Annotated[
    SignedIn | GoogleRefused | TooManyAttempts,
    strawberry.union("GoogleSignInResult", description="Signed in, or why not."),
]
ForgotPasswordResult = Annotated[
    Done | InvalidInput | TooManyAttempts,
    strawberry.union("ForgotPasswordResult", description="Done, also when there is no such account."),
]
ResetPasswordResult = Annotated[
    Done | LinkExpired | InvalidInput | TooManyAttempts,
    strawberry.union("ResetPasswordResult", description="The password is set, or why not."),
]
VerifyEmailResult = Annotated[
    Done | LinkExpired, strawberry.union("VerifyEmailResult", description="The address is proven, or why not.")
]
UpdateProfileResult = Annotated[
    ProfileUpdated | EmailTaken | InvalidInput,
    strawberry.union("UpdateProfileResult", description="The saved profile, or why not."),
]
SaveAddressResult = Annotated[
    Addresses | InvalidInput | AddressLimitReached,
    strawberry.union("SaveAddressResult", description="The addresses after saving, or why not."),
]
DeleteAddressResult = Annotated[
    Addresses, strawberry.union("DeleteAddressResult", description="The addresses that are left.")
]

Email = Annotated[str, strawberry.argument(description="Case does not matter.")]
Password = Annotated[str, strawberry.argument(description="As it is typed.")]
UserId = Annotated[strawberry.ID, strawberry.argument(description="The account's id.")]
AddressId = Annotated[strawberry.ID, strawberry.argument(description="One of the viewer's addresses.")]
AddressArgument = Annotated[AddressInput, strawberry.argument(description="The whole address.")]


@strawberry.type
class Query:
    @strawberry.field(permission_classes=[Anyone], description="The signed-in account; null for a visitor.")
    def viewer(self, info: Info) -> WholeViewer | None:
        return ViewerFields() if info.context.viewer else None

    @strawberry.field(permission_classes=[Anyone], description="The back office; null unless an admin asks.")
    def admin(self, info: Info) -> WholeAdmin | None:
        viewer = info.context.viewer
        return AdminFields() if viewer and viewer.is_admin else None


@strawberry.type
class Mutation:
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
            await entrance.sign_up(info.context, name, email, password)
        except errors.EmailTaken as error:
            return EmailTaken(message=str(error), field="email")
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return SignedIn(viewer=ViewerFields())

    @strawberry.mutation(permission_classes=[Anyone], description="Signs in with a password, for 24 hours.")
    async def sign_in(self, info: Info, email: Email, password: Password) -> SignInResult:
        try:
            await entrance.sign_in(info.context, email, password)
        except errors.InvalidCredentials as error:
            return InvalidCredentials(message=str(error))
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return SignedIn(viewer=ViewerFields())

    @strawberry.mutation(permission_classes=[Anyone], description="Signs in with Google; new people get an account.")
    async def sign_in_with_google(
        self,
        info: Info,
        token: Annotated[
            str, strawberry.argument(description="The credential that Google's button hands over; it works once.")
        ],
    ) -> GoogleSignInResult:
        try:
            await entrance.sign_in_with_google(info.context, token)
        except errors.GoogleRefused as error:
            return GoogleRefused(message=str(error))
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return SignedIn(viewer=ViewerFields())

    @strawberry.mutation(permission_classes=[Anyone], description="Ends this session and deletes its cookie.")
    async def sign_out(self, info: Info) -> Done:
        await entrance.sign_out(info.context)
        return Done()

    @strawberry.mutation(
        permission_classes=[Anyone],
        description="Mails a link that sets a new password. Answers the same whether or not there is such an account.",
    )
    async def forgot_password(self, info: Info, email: Email) -> ForgotPasswordResult:
        try:
            await entrance.forgot_password(info.context, email)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return Done()

    @strawberry.mutation(
        permission_classes=[Anyone], description="Sets a new password and ends every session of the account."
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
            await entrance.reset_password(info.context, token, new_password)
        except errors.LinkExpired as error:
            return LinkExpired(message=str(error))
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return Done()

    @strawberry.mutation(permission_classes=[Anyone], description="Proves an e-mail address. Opening twice is fine.")
    async def verify_email(
        self,
        info: Info,
        token: Annotated[str, strawberry.argument(description="From the mailed link; works for a week.")],
    ) -> VerifyEmailResult:
        try:
            async with transaction(info.context) as session:
                await identity.verify_email(session, token)
        except errors.LinkExpired as error:
            return LinkExpired(message=str(error))
        return Done()

    @strawberry.mutation(permission_classes=[SignedInOnly], description="Only what is given changes.")
    async def update_profile(
        self,
        info: Info,
        name: Annotated[str | None, strawberry.argument(description="Full name, 5 characters or more.")] = None,
        email: Annotated[str | None, strawberry.argument(description="A new one is unverified, and signs out.")] = None,
        password: Annotated[str | None, strawberry.argument(description="A new one signs out; empty is none.")] = None,
    ) -> UpdateProfileResult:
        try:
            await entrance.update_profile(info.context, name, email, password)
        except errors.EmailTaken as error:
            return EmailTaken(message=str(error), field="email")
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        is_signed_in = info.context.viewer is not None
        return ProfileUpdated(viewer=ViewerFields() if is_signed_in else None, signed_out=not is_signed_in)

    @strawberry.mutation(
        permission_classes=[SignedInOnly], description="Asks to become an admin; asking twice changes nothing."
    )
    async def request_admin_access(self, info: Info) -> WholeViewer:
        async with transaction(info.context) as session:
            await identity.request_admin_access(session, info.context.signed_in.user_id)
        return ViewerFields()

    @strawberry.mutation(permission_classes=[SignedInOnly], description="Ends another session of the viewer.")
    async def end_session(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="Any but the current one.")]
    ) -> WholeViewer:
        async with transaction(info.context) as session:
            await identity.end_other_session(session, info.context.signed_in, parse_id(id, "This session"))
        return ViewerFields()

    @strawberry.mutation(permission_classes=[SignedInOnly], description="Keeps an address; the first is the default.")
    async def add_address(self, info: Info, address: AddressArgument) -> SaveAddressResult:
        user_id, limit = info.context.signed_in.user_id, info.context.settings.max_addresses
        try:
            async with transaction(info.context) as session:
                await identity.add_address(session, user_id, address.form(), limit=limit)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        except errors.AddressLimitReached as error:
            return AddressLimitReached(message=str(error), limit=error.limit)
        return await _addresses(info)

    @strawberry.mutation(permission_classes=[SignedInOnly], description="Replaces the whole address.")
    async def update_address(self, info: Info, id: AddressId, address: AddressArgument) -> SaveAddressResult:
        address_id = parse_id(id, "This address")
        try:
            async with transaction(info.context) as session:
                await identity.change_address(session, info.context.signed_in.user_id, address_id, address.form())
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return await _addresses(info)

    @strawberry.mutation(
        permission_classes=[SignedInOnly],
        description="Forgets an address. Without the default, the newest that is left becomes the default.",
    )
    async def delete_address(self, info: Info, id: AddressId) -> DeleteAddressResult:
        async with transaction(info.context) as session:
            await identity.delete_address(session, info.context.signed_in.user_id, parse_id(id, "This address"))
        return await _addresses(info)

    @strawberry.mutation(
        permission_classes=[PrimaryAdminOnly],
        description="Makes a user an admin, which grants a pending request, or an admin a user.",
    )
    async def toggle_admin(self, info: Info, user_id: UserId) -> RoleChanged:
        async with transaction(info.context) as session:
            row = await identity.toggle_admin(session, parse_id(user_id, "This user"))
        return RoleChanged(user=user_of(row))

    @strawberry.mutation(permission_classes=[PrimaryAdminOnly], description="Turns a request for admin access down.")
    async def reject_admin_request(self, info: Info, user_id: UserId) -> RoleChanged:
        async with transaction(info.context) as session:
            row = await identity.reject_admin_request(session, parse_id(user_id, "This user"))
        return RoleChanged(user=user_of(row))

    @strawberry.mutation(
        permission_classes=[PrimaryAdminOnly], description="Deletes an account. Its orders stay, without the buyer."
    )
    async def delete_user(self, info: Info, id: UserId) -> Done:
        async with transaction(info.context) as session:
            await identity.delete_user(session, parse_id(id, "This user"))
        return Done()


async def _addresses(info: Info) -> Addresses:
    async with reading(info.context) as session:
        rows = await identity.addresses_of(session, info.context.signed_in.user_id)
    return Addresses(addresses=[Address.of(row) for row in rows])
