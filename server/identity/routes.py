"""The specification's REST calls for accounts. `user_json` is the form of a user wherever REST shows one."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from starlette.responses import Response
from starlette.routing import Route

from server.config import Settings
from server.identity import authentication, password_reset, profiles
from server.identity import service as identity
from server.identity.errors import SecondFactorNeeded
from server.identity.factors import steps
from server.identity.factors.service import ChallengeAnswer
from server.identity.models import Address, User
from server.identity.order_history import OrderHistoryPort
from server.identity.rules import AddressForm
from server.identity.rules import address as address_rules
from server.platform.core import countries
from server.platform.core.context import reading, transaction
from server.platform.core.viewer import Access
from server.platform.web.rest import Body, Call, answer, list_answer, nothing, route


class SignInBody(Body):
    """Credentials; `code` is a one-time or recovery code of an account with a second factor."""

    email: str = ""
    password: str = ""
    code: str | None = None


class SignUpBody(Body):
    """The sign-up form."""

    name: str = ""
    email: str = ""
    password: str = ""


class GoogleBody(Body):
    """A Google credential; `code` as in SignInBody."""

    token: str = ""
    code: str | None = None


class ForgotBody(Body):
    """The e-mail whose password is to be reset."""

    email: str = ""


class ResetBody(Body):
    """The mailed token and the new password."""

    resetToken: str = ""
    newPassword: str = ""


class ProfileBody(Body):
    """What changes; None for what stays."""

    name: str | None = None
    email: str | None = None
    password: str | None = None


class AddressBody(Body):
    """An address under the specification's names."""

    name: str = ""
    address1: str = ""
    address2: str | None = ""
    city: str = ""
    country: str = ""
    postalCode: str | None = ""
    phone: str = ""
    isDefault: bool | None = False

    def form(self) -> AddressForm:
        """The form for the service. Raises InvalidInput."""
        return address_rules(
            AddressForm(
                name=self.name,
                address1=self.address1,
                address2=self.address2 or "",
                city=self.city,
                country=self.country,
                state=None,
                postal_code=self.postalCode or "",
                phone=self.phone,
                is_default=bool(self.isDefault),
            )
        )


def address_json(address: Address) -> dict[str, Any]:
    """The specification's address."""
    return {
        "_id": str(address.id),
        "name": address.name,
        "address1": address.address1,
        "address2": address.address2,
        "city": address.city,
        "country": countries.name_of(address.country),
        "postalCode": address.postal_code,
        "phone": address.phone,
        "isDefault": address.is_default,
    }


def user_json(
    user: User, addresses: Sequence[Address], orders: Sequence[Any], expires_at: datetime | None = None
) -> dict[str, Any]:
    """A user with whole addresses. `expires_at` is the session's end, on the viewer's own record."""
    shown: dict[str, Any] = {
        "_id": str(user.id),
        "name": user.name,
        "email": user.email,
        "role": user.role,
        "adminRequest": user.admin_requested_at is not None,
        "addresses": [address_json(address) for address in addresses],
        "orders": list(orders),
    }
    if expires_at is not None:
        shown["expiresAt"] = int(expires_at.timestamp() * 1000)
    return shown


async def users_json(call: Call, ids: Sequence[UUID]) -> list[dict[str, Any]]:
    """Users as lists show them, with ids of addresses and orders. Deleted ones are missing."""
    async with reading(call.context) as session:
        users_by_id = await identity.by_ids(session, ids)
        users = [users_by_id[each] for each in ids if each in users_by_id]
        addresses = await identity.addresses_of_users(session, ids)
        orders = await call.context.resources.get(OrderHistoryPort).ids(session, ids)
    shown = [user_json(user, [], [str(order) for order in orders.get(user.id, ())]) for user in users]
    for user, each in zip(users, shown, strict=True):
        each["addresses"] = [str(address.id) for address in addresses.get(user.id, ())]
    return shown


async def own_json(call: Call) -> dict[str, Any]:
    """The viewer's own record in full."""
    viewer = call.context.signed_in
    async with reading(call.context) as session:
        user = await identity.own_account(session, viewer.user_id)
    return await _in_full(call, user, viewer.expires_at)


async def _in_full(call: Call, user: User, expires_at: datetime | None) -> dict[str, Any]:
    async with reading(call.context) as session:
        addresses = await identity.addresses_of(session, user.id)
        orders = await call.context.resources.get(OrderHistoryPort).whole(session, user.id)
    return user_json(user, addresses, orders, expires_at)


@asynccontextmanager
async def _code_given(call: Call, code: str | None) -> AsyncIterator[None]:
    """Completes the sign-in of an account with a second factor if the request contains its code."""
    try:
        yield
    except SecondFactorNeeded as needed:
        if code is None:
            raise
        await steps.confirm(call.context, needed.challenge, ChallengeAnswer(code))


async def sign_in(call: Call) -> Response:
    """Signs in by password; responds with the user."""
    body = await call.body(SignInBody)
    async with _code_given(call, body.code):
        await authentication.sign_in(call.context, body.email, body.password)
    return answer(await own_json(call))


async def sign_up(call: Call) -> Response:
    """Creates an account; responds 201 with the user."""
    body = await call.body(SignUpBody)
    await authentication.sign_up(call.context, body.name, body.email, body.password)
    return answer(await own_json(call), 201)


async def google(call: Call) -> Response:
    """Signs in by a Google credential; responds with the user."""
    body = await call.body(GoogleBody)
    async with _code_given(call, body.code):
        await authentication.sign_in_with_google(call.context, body.token)
    return answer(await own_json(call))


async def sign_out(call: Call) -> Response:
    """Ends the session; responds 204."""
    await authentication.sign_out(call.context)
    return nothing()


async def forgot_password(call: Call) -> Response:
    """Requests a reset mail; responds 204 for any e-mail."""
    body = await call.body(ForgotBody)
    await password_reset.forgot_password(call.context, body.email)
    return nothing()


async def reset_password(call: Call) -> Response:
    """Sets a new password by a mailed token; responds 204."""
    body = await call.body(ResetBody)
    await password_reset.reset_password(call.context, body.resetToken, body.newPassword)
    return nothing()


async def profile(call: Call) -> Response:
    """The viewer's own record."""
    return answer(await own_json(call))


async def update_profile(call: Call) -> Response:
    """Changes the viewer's profile; responds with the record."""
    body = await call.body(ProfileBody)
    user = await profiles.update_profile(call.context, body.name, body.email, body.password)
    still_here = call.context.viewer
    return answer(await _in_full(call, user, still_here.expires_at if still_here else None))


async def request_admin_access(call: Call) -> Response:
    """Asks for admin access; responds 204."""
    async with transaction(call.context) as session:
        await identity.request_admin_access(session, call.context.signed_in.user_id)
    return nothing()


async def add_address(call: Call) -> Response:
    """Adds an address; responds 201 with all addresses."""
    form = (await call.body(AddressBody)).form()
    limit = call.context.resources.get(Settings).limits.max_addresses
    async with transaction(call.context) as session:
        await identity.add_address(session, call.context.signed_in.user_id, form, limit=limit)
    return await _addresses(call, 201)


async def update_address(call: Call) -> Response:
    """Replaces an address; responds with all addresses."""
    address_id, form = call.path_id(), (await call.body(AddressBody)).form()
    async with transaction(call.context) as session:
        await identity.change_address(session, call.context.signed_in.user_id, address_id, form)
    return await _addresses(call)


async def delete_address(call: Call) -> Response:
    """Deletes an address; responds with the others."""
    address_id = call.path_id()
    async with transaction(call.context) as session:
        await identity.delete_address(session, call.context.signed_in.user_id, address_id)
    return await _addresses(call)


async def _addresses(call: Call, status: int = 200) -> Response:
    async with reading(call.context) as session:
        addresses = await identity.addresses_of(session, call.context.signed_in.user_id)
    return answer([address_json(address) for address in addresses], status)


async def users(call: Call) -> Response:
    """All users, newest first, by `limit` and `offset`."""
    limit, offset = call.page()
    async with reading(call.context) as session:
        ids = await identity.all_user_ids(session, limit=limit, offset=offset)
    return await list_answer(ids, partial(users_json, call))


async def admin_requests(call: Call) -> Response:
    """Users that wait for admin access."""
    async with reading(call.context) as session:
        ids = [user.id for user in await identity.admin_requests(session)]
    return await list_answer(ids, partial(users_json, call))


async def reject_admin(call: Call) -> Response:
    """Rejects a request for admin access; responds with the user."""
    async with transaction(call.context) as session:
        user = await identity.reject_admin_request(session, call.context.signed_in, call.path_id())
    return answer(await _in_full(call, user, None))


async def toggle_admin(call: Call) -> Response:
    """Makes a user an admin or an admin a user; responds with the new role."""
    async with transaction(call.context) as session:
        user = await identity.toggle_admin(session, call.context.signed_in, call.path_id())
    return answer({"role": user.role})


async def delete_user(call: Call) -> Response:
    """Deletes a user; responds 204."""
    async with transaction(call.context) as session:
        await identity.delete_user(session, call.context.signed_in, call.path_id())
    return nothing()


routes: list[Route] = [
    route("POST", "/auth/signin", sign_in, allows=Access.ANYONE),
    route("POST", "/auth/signup", sign_up, allows=Access.ANYONE),
    route("POST", "/auth/google", google, allows=Access.ANYONE),
    route("POST", "/auth/logout", sign_out, allows=Access.ANYONE),
    route("POST", "/auth/forgot-password", forgot_password, allows=Access.ANYONE),
    route("POST", "/auth/reset-password", reset_password, allows=Access.ANYONE),
    route("GET", "/user/profile", profile, allows=Access.SIGNED_IN),
    route("PUT", "/user/profile", update_profile, allows=Access.SIGNED_IN),
    route("POST", "/user/request-admin-access", request_admin_access, allows=Access.SIGNED_IN),
    route("POST", "/user/address", add_address, allows=Access.SIGNED_IN),
    route("PUT", "/user/address/{id}", update_address, allows=Access.SIGNED_IN),
    route("DELETE", "/user/address/{id}", delete_address, allows=Access.SIGNED_IN),
    route("GET", "/user", users, allows=Access.ADMIN),
    route("GET", "/user/admin-requests", admin_requests, allows=Access.ADMIN),
    route("POST", "/user/{id}/reject-admin", reject_admin, allows=Access.PRIMARY_ADMIN),
    route("PUT", "/user/{id}/toggle-admin", toggle_admin, allows=Access.PRIMARY_ADMIN, recent=True),
    route("DELETE", "/user/{id}", delete_user, allows=Access.PRIMARY_ADMIN, recent=True),
]
