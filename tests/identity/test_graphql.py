"""Accounts through the schema."""

from typing import Any, Protocol

import pytest

from server.config import Settings
from server.identity import service as identity
from server.identity.errors import TAKEN, LinkExpired
from server.platform.core.context import Context
from server.platform.core.cursors import FOREIGN_CURSOR
from server.platform.core.db import Sessions, begin
from server.schema import Schema, build
from tests.blanks import ADDRESS_MISSING, BLANKS
from tests.identity.conftest import OTHER_PASSWORD, PASSWORD, MakeUser, Outbox, RunJobs, SignIn, Visit, link_in

SIGN_IN = """
mutation ($email: String!, $password: String!) {
  signIn(email: $email, password: $password) {
    __typename
    ... on SignedIn { viewer { email role isPrimaryAdmin adminRequest hasPassword emailVerified addresses { id } } }
    ... on UserError { message field }
    ... on InvalidInput { errors { field message } }
    ... on TooManyAttempts { retryAfter }
  }
}
"""
ADD_ADDRESS = """
mutation ($address: AddressInput!) {
  createAddress(input: $address) {
    __typename
    ... on Addresses { addresses { city isDefault } saved { city } }
    ... on UserError { message field }
    ... on InvalidInput { errors { field message } }
    ... on AddressLimitReached { limit }
  }
}
"""
HOME = {"name": "Ann", "address1": "1 High St", "city": "Leeds", "country": "UK", "phone": "0113 496 0000"}


class Ask(Protocol):
    """The data of an answer without errors."""

    async def __call__(self, context: Context, document: str, **variables: Any) -> dict[str, Any]: ...


@pytest.fixture(scope="module")
def schema() -> Schema:
    return build()


@pytest.fixture
def ask(schema: Schema) -> Ask:
    async def ask(context: Context, document: str, **variables: Any) -> dict[str, Any]:
        result = await schema.execute(document, variables, context_value=context)
        assert result.errors is None
        assert result.data is not None
        return result.data

    return ask


async def refused(schema: Schema, context: Context, document: str) -> tuple[str, object]:
    """Message and code of the one error."""
    result = await schema.execute(document, context_value=context)
    assert result.errors is not None
    [error] = result.errors
    return error.message, (error.extensions or {}).get("code")


async def test_signing_in_answers_the_viewer_of_the_new_session(ask: Ask, visit: Visit, make_user: MakeUser) -> None:
    await make_user(verified=True)

    data = await ask(await visit(), SIGN_IN, email="ann@minimal.test", password=PASSWORD)

    assert data["signIn"] == {
        "__typename": "SignedIn",
        "viewer": {
            "email": "ann@minimal.test",
            "role": "USER",
            "isPrimaryAdmin": False,
            "adminRequest": False,
            "hasPassword": True,
            "emailVerified": True,
            "addresses": [],
        },
    }


async def test_refusals_are_data(ask: Ask, visit: Visit, make_user: MakeUser) -> None:
    await make_user()
    context = await visit()
    context.resources.get(Settings).limits.sign_in_failures_per_account = 1

    answers = [
        (await ask(context, SIGN_IN, email=email, password=password))["signIn"]
        for email, password in (("nobody", ""), ("ann@minimal.test", OTHER_PASSWORD), ("ann@minimal.test", PASSWORD))
    ]

    assert answers[0] == {
        "__typename": "InvalidInput",
        "message": "Please enter a valid email",
        "field": "email",
        "errors": [
            {"field": "email", "message": "Please enter a valid email"},
            {"field": "password", "message": "Please enter your password to signin"},
        ],
    }
    assert answers[1] == {"__typename": "InvalidCredentials", "message": "Invalid credentials", "field": None}
    assert answers[2]["__typename"] == "TooManyAttempts"
    assert 290 <= answers[2]["retryAfter"] <= 300


async def test_guesses_in_one_document_count_one_by_one(ask: Ask, visit: Visit, make_user: MakeUser) -> None:
    await make_user()
    context = await visit()
    context.resources.get(Settings).limits.sign_in_failures_per_account = 4
    guesses = " ".join(
        f'g{number}: signIn(email: "ann@minimal.test", password: "Wrong{number}") {{ __typename }}'
        for number in range(10)
    )

    data = await ask(context, f"mutation {{ {guesses} }}")

    kinds = [answer["__typename"] for answer in data.values()]
    assert kinds == ["InvalidCredentials"] * 4 + ["TooManyAttempts"] * 6


async def test_a_sign_up_signs_in_and_a_second_says_that_the_email_is_taken(ask: Ask, visit: Visit) -> None:
    document = """
    mutation ($password: String!) {
      signUp(name: "Ann Shopper", email: "ann@minimal.test", password: $password) {
        ... on SignedIn { viewer { name } }
        ... on EmailTaken { message field }
      }
    }
    """

    first = await ask(await visit(), document, password=PASSWORD)
    second = await ask(await visit(), document, password=PASSWORD)

    assert first == {"signUp": {"viewer": {"name": "Ann Shopper"}}}
    assert second == {
        "signUp": {"message": TAKEN, "field": "email"},
    }


async def test_a_visitor_has_no_viewer_and_no_back_office(ask: Ask, visit: Visit) -> None:
    data = await ask(await visit(), "{ viewer { id } admin { users { totalCount } } }")

    assert data == {"viewer": None, "admin": None}


@pytest.mark.spec("roles.admin")
async def test_a_shopper_has_no_back_office(ask: Ask, make_user: MakeUser, sign_in: SignIn) -> None:
    context = await sign_in(await make_user())

    assert await ask(context, "{ admin { users { totalCount } } }") == {"admin": None}


async def test_a_password_change_signs_out_within_the_same_document(
    ask: Ask, make_user: MakeUser, sign_in: SignIn
) -> None:
    context = await sign_in(await make_user())

    data = await ask(
        context,
        'mutation ($p: String!) { updateProfile(input: { name: "Ann Renamed", password: $p })'
        " { ... on ProfileUpdated { signedOut viewer { id } } } }",
        p=OTHER_PASSWORD,
    )

    assert data == {"updateProfile": {"signedOut": True, "viewer": None}}


async def test_a_new_name_is_in_the_answer(ask: Ask, make_user: MakeUser, sign_in: SignIn) -> None:
    context = await sign_in(await make_user())

    data = await ask(
        context,
        'mutation { updateProfile(input: { name: "Ann Renamed" }) {'
        " ... on ProfileUpdated { signedOut viewer { name } } } }",
    )

    assert data == {"updateProfile": {"signedOut": False, "viewer": {"name": "Ann Renamed"}}}


async def test_addresses_answer_the_list_until_there_are_ten(ask: Ask, make_user: MakeUser, sign_in: SignIn) -> None:
    context = await sign_in(await make_user())
    context.resources.get(Settings).limits.max_addresses = 2

    first = await ask(context, ADD_ADDRESS, address=HOME)
    second = await ask(context, ADD_ADDRESS, address={**HOME, "city": "York", "isDefault": True})
    third = await ask(context, ADD_ADDRESS, address=HOME)
    bad = await ask(context, ADD_ADDRESS, address={**HOME, "phone": " "})

    assert first["createAddress"]["addresses"] == [{"city": "Leeds", "isDefault": True}]
    assert second["createAddress"]["addresses"] == [
        {"city": "Leeds", "isDefault": False},
        {"city": "York", "isDefault": True},
    ]
    assert [each["createAddress"]["saved"] for each in (first, second)] == [{"city": "Leeds"}, {"city": "York"}]
    assert third["createAddress"] == {
        "__typename": "AddressLimitReached",
        "message": "You have reached the maximum number of addresses.",
        "field": None,
        "limit": 2,
    }
    assert bad["createAddress"]["errors"] == [{"field": "phone", "message": "Phone number is required"}]


@pytest.mark.spec("validation.address")
@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
async def test_address_of_blanks_names_every_missing_line(
    ask: Ask, make_user: MakeUser, sign_in: SignIn, blank: str
) -> None:
    context = await sign_in(await make_user())

    answer = await ask(context, ADD_ADDRESS, address=dict.fromkeys(ADDRESS_MISSING, blank))

    missing = [{"field": line, "message": message} for line, message in ADDRESS_MISSING.items()]
    assert answer["createAddress"]["errors"] == missing


async def test_recovery_goes_through_the_schema(
    ask: Ask, visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox
) -> None:
    await make_user()
    context = await visit()
    await ask(context, 'mutation { forgotPassword(email: "ann@minimal.test") { __typename } }')
    await run_jobs()
    [link] = await outbox("ann@minimal.test")
    reset = (
        'mutation ($t: String!) { resetPassword(token: $t, newPassword: "Linen?Shirt42")'
        " { __typename ... on LinkExpired { message } } }"
    )

    first = await ask(context, reset, t=link_in(link))
    second = await ask(context, reset, t=link_in(link))

    assert first == {"resetPassword": {"__typename": "Success"}}
    assert second == {"resetPassword": {"__typename": "LinkExpired", "message": str(LinkExpired())}}


async def test_sessions_are_listed_and_ended(ask: Ask, make_user: MakeUser, sign_in: SignIn, visit: Visit) -> None:
    user = await make_user()
    here, there = await sign_in(user), await sign_in(user)

    listed = (await ask(here, "{ viewer { sessions { id isCurrent userAgent } } }"))["viewer"]["sessions"]
    left = await ask(
        here, "mutation ($id: ID!) { revokeSession(id: $id) { sessions { isCurrent } } }", id=listed[1]["id"]
    )

    assert [(each["isCurrent"], each["userAgent"]) for each in listed] == [
        (True, "Test browser"),
        (False, "Test browser"),
    ]
    assert left == {"revokeSession": {"sessions": [{"isCurrent": True}]}}
    assert (await visit(there.token)).viewer is None


async def test_all_other_sessions_end_at_once_and_no_other_account_s(
    ask: Ask, make_user: MakeUser, sign_in: SignIn, visit: Visit
) -> None:
    user, other = await make_user(), await make_user("bob@minimal.test")
    here, *elsewhere = [await sign_in(user) for _ in range(3)]
    stranger = await sign_in(other)

    left = await ask(here, "mutation { revokeOtherSessions { sessions { isCurrent } } }")

    assert left == {"revokeOtherSessions": {"sessions": [{"isCurrent": True}]}}
    assert [(await visit(each.token)).viewer for each in elsewhere] == [None, None]
    assert (await visit(here.token)).viewer is not None
    assert (await visit(stranger.token)).viewer is not None


async def test_the_primary_admin_pages_through_users_and_changes_roles(
    ask: Ask, make_user: MakeUser, sign_in: SignIn, sessions: Sessions
) -> None:
    owner = await make_user("owner@minimal.test", name="Olga Owner")
    ann = await make_user()
    async with begin(sessions) as session:
        await identity.make_primary_admin(session, "owner@minimal.test")
        await identity.request_admin_access(session, ann.id)
    context = await sign_in(owner)
    users = """
    query ($after: String) {
      admin { users(first: 1, after: $after) {
        nodes { email role isPrimaryAdmin adminRequest orderCount } totalCount pageInfo { hasNextPage endCursor }
      } }
    }
    """

    first = (await ask(context, users))["admin"]["users"]
    second = (await ask(context, users, after=first["pageInfo"]["endCursor"]))["admin"]["users"]
    pending = await ask(context, "{ admin { adminRequests { email emailVerified } } }")
    grant = """
    mutation ($id: ID!, $accept: Boolean) { toggleAdmin(id: $id, acceptUnconfirmed: $accept) {
      ... on RoleChanged { user { role adminRequest } } ... on UserError { message }
    } }
    """
    answer = await ask(context, grant, id=str(ann.id))
    changed = await ask(context, grant, id=str(ann.id), accept=True)

    assert first["nodes"] == [
        {"email": "ann@minimal.test", "role": "USER", "isPrimaryAdmin": False, "adminRequest": True, "orderCount": 0}
    ]
    assert (first["totalCount"], first["pageInfo"]["hasNextPage"]) == (2, True)
    assert [node["email"] for node in second["nodes"]] == ["owner@minimal.test"]
    assert second["pageInfo"]["hasNextPage"] is False
    assert pending == {"admin": {"adminRequests": [{"email": "ann@minimal.test", "emailVerified": False}]}}
    whose = "Nobody has confirmed that ann@minimal.test belongs to whoever uses this account."
    assert answer == {"toggleAdmin": {"message": whose}}
    assert changed == {"toggleAdmin": {"user": {"role": "ADMIN", "adminRequest": False}}}


@pytest.mark.parametrize("cursor", ["", "!!", "YQ", "YR9i", "MjAyNi0wMS0wMR94"])
async def test_a_made_up_cursor_is_said_to_be_one(
    schema: Schema, make_user: MakeUser, sign_in: SignIn, sessions: Sessions, cursor: str
) -> None:
    owner = await make_user("owner@minimal.test")
    async with begin(sessions) as session:
        await identity.make_primary_admin(session, "owner@minimal.test")

    message, code = await refused(
        schema, await sign_in(owner), f'{{ admin {{ users(after: "{cursor}") {{ totalCount }} }} }}'
    )

    assert (message, code) == (FOREIGN_CURSOR, "BAD_USER_INPUT")


MADE_UP = '"00000000-0000-0000-0000-000000000000"'


@pytest.mark.parametrize(
    ("mutation", "role", "code"),
    [
        (f"toggleAdmin(id: {MADE_UP}) {{ __typename }}", None, "UNAUTHENTICATED"),
        (f"toggleAdmin(id: {MADE_UP}) {{ __typename }}", "user", "FORBIDDEN"),
        (f"toggleAdmin(id: {MADE_UP}) {{ __typename }}", "admin", "FORBIDDEN"),
        (f"rejectAdminRequest(id: {MADE_UP}) {{ user {{ id }} }}", "admin", "FORBIDDEN"),
        (f"deleteUser(id: {MADE_UP}) {{ ok }}", "admin", "FORBIDDEN"),
        ("requestAdminAccess { id }", None, "UNAUTHENTICATED"),
        (f"deleteAddress(id: {MADE_UP}) {{ ... on Addresses {{ addresses {{ id }} }} }}", "user", "NOT_FOUND"),
        ('deleteAddress(id: "x") { ... on Addresses { addresses { id } } }', "user", "NOT_FOUND"),
        (f"revokeSession(id: {MADE_UP}) {{ id }}", "user", "NOT_FOUND"),
    ],
)
async def test_what_nobody_can_act_on_is_an_error_with_a_code(
    schema: Schema,
    visit: Visit,
    make_user: MakeUser,
    sign_in: SignIn,
    sessions: Sessions,
    mutation: str,
    role: str | None,
    code: str,
) -> None:
    context = await visit()
    if role:
        user = await make_user()
        if role == "admin":
            async with begin(sessions) as session:
                await identity.toggle_admin(session, None, user.id)
        context = await sign_in(user)

    assert (await refused(schema, context, f"mutation {{ {mutation} }}"))[1] == code
