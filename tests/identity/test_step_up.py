"""What needs a recent sign-in, how activity keeps one recent, and how one is renewed."""

import pytest
from graphql import GraphQLObjectType
from sqlalchemy import text, update
from starlette.applications import Starlette
from strawberry.types import get_object_definition

from server import schema, wiring
from server.identity.models import Session
from server.platform.core.db import Sessions, begin
from server.platform.core.viewer import Viewer
from server.platform.gql.permissions import RecentSignIn, RecentSignInForCredentials, RecentSignInWithoutPassword
from tests.api.documents import asking_for
from tests.identity.conftest import OTHER_PASSWORD, PASSWORD, MakeUser
from tests.identity.people import Person, client_of
from tests.identity.people import app as app

ALWAYS = "always"
NO_PASSWORD = "an account without a password"
CREDENTIALS = "a new e-mail, password or provider of an admin, or of an account with a second factor"
FIELDS = {
    "toggleAdmin": ALWAYS,
    "resetSecondFactors": ALWAYS,
    "deleteUser": ALWAYS,
    "createDiscountCode": ALWAYS,
    "updateDiscountCode": ALWAYS,
    "deactivateDiscountCode": ALWAYS,
    "retryJob": ALWAYS,
    "deleteJob": ALWAYS,
    "refundOrder": ALWAYS,
    "refundReturn": ALWAYS,
    "retryRefund": ALWAYS,
    "settleRefund": ALWAYS,
    "cancelOrderAsShop": ALWAYS,
    "updateSettings": ALWAYS,
    "createDeliveryZone": ALWAYS,
    "updateDeliveryZone": ALWAYS,
    "deleteDeliveryZone": ALWAYS,
    "setTaxRate": ALWAYS,
    "deleteTaxRate": ALWAYS,
    "startPasskeyRegistration": ALWAYS,
    "addPasskey": ALWAYS,
    "renamePasskey": ALWAYS,
    "removePasskey": ALWAYS,
    "startCodeSetup": ALWAYS,
    "enableCodes": ALWAYS,
    "disableCodes": ALWAYS,
    "renewRecoveryCodes": ALWAYS,
    "updateProfile": CREDENTIALS,
    "linkGoogle": CREDENTIALS,
    "unlinkGoogle": CREDENTIALS,
    "deleteAccount": NO_PASSWORD,
}
WHEN: dict[type, str] = {
    RecentSignIn: ALWAYS,
    RecentSignInForCredentials: CREDENTIALS,
    RecentSignInWithoutPassword: NO_PASSWORD,
}
ROUTES = {"PUT /user/{id}/toggle-admin", "DELETE /user/{id}"}
REQUIRED = "REAUTHENTICATION_REQUIRED"
RETRY = 'mutation { retryJob(id: "00000000-0000-7000-8000-000000000000") { ok } }'
UNLINK = "mutation { unlinkGoogle { __typename } }"
UPDATE = (
    "mutation ($name: String, $email: String, $password: String) {"
    " updateProfile(input: { name: $name, email: $email, password: $password }) { __typename } }"
)


@pytest.fixture
async def owner(app: Starlette, sessions: Sessions, make_user: MakeUser) -> Person:
    """The primary admin, signed in."""
    await make_user("owner@minimal.test")
    async with begin(sessions) as session:
        await session.execute(text("UPDATE users SET role = 'admin', is_primary = true"))
    person = Person(client_of(app), sessions, "owner@minimal.test")
    await person.sign_in()
    return person


@pytest.fixture
async def ann(app: Starlette, sessions: Sessions, make_user: MakeUser) -> Person:
    await make_user()
    person = Person(client_of(app), sessions, "ann@minimal.test")
    await person.sign_in()
    return person


def documents() -> dict[str, str]:
    """Every mutation that always asks for a recent sign-in, by name."""
    mutations = schema.build()._schema.type_map["Mutation"]
    assert isinstance(mutations, GraphQLObjectType)
    return {
        name: f"mutation {{ {asking_for(mutations.fields[name], name)} }}"
        for name, when in FIELDS.items()
        if when == ALWAYS
    }


def test_the_table_is_the_schema_and_the_routes() -> None:
    built = schema.build()
    declared = {
        built.config.name_converter.get_graphql_name(field): WHEN[permission]
        for field in get_object_definition(schema.Mutation, strict=True).fields
        for permission in field.permission_classes
        if issubclass(permission, RecentSignIn)
    }
    recent = {route.name for route in (*wiring.API_ROUTES, *wiring.OTHER_ROUTES) if getattr(route, "recent", False)}

    assert declared == FIELDS
    assert recent == ROUTES


@pytest.mark.spec("guards.step-up")
async def test_after_a_pause_each_asks_for_a_new_sign_in(owner: Person, subtests: pytest.Subtests) -> None:
    questions = documents()
    await owner.age()
    old = {name: await owner.code(document) for name, document in questions.items()}
    nobody = "/api/user/00000000-0000-7000-8000-000000000000"
    rest = [
        (answer.status_code, answer.json())
        for answer in (
            await owner.client.put(f"{nobody}/toggle-admin", content=b"{}"),
            await owner.client.delete(nobody),
        )
    ]
    renewed = await owner.reauthenticate(password=PASSWORD)

    assert old == dict.fromkeys(questions, REQUIRED)
    assert rest == [(403, {"message": "Please confirm that it is you, by signing in again."})] * 2
    assert renewed == {"__typename": "Reauthenticated"}
    for name, document in questions.items():
        with subtests.test(name):
            assert await owner.code(document) != REQUIRED


async def test_without_the_guard_a_stolen_session_does_all_of_it(
    owner: Person, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.setattr(Viewer, "require_recent_sign_in", lambda viewer: None)
    await owner.age()

    for name, document in documents().items():
        with subtests.test(name):
            assert await owner.code(document) != REQUIRED


async def work(person: Person, minutes: int, *, pause: int, **headers: str) -> None:
    """Makes one request after each pause of so many minutes, for so long."""
    for _ in range(0, minutes, pause):
        await person.age(pause)
        await person.client.post("/graphql", json={"query": "{ viewer { id } }"}, headers=headers)


@pytest.mark.spec("guards.step-up")
async def test_activity_keeps_a_sign_in_recent(owner: Person) -> None:
    await work(owner, 70, pause=14)

    assert await owner.code(RETRY) != REQUIRED


async def test_a_pause_is_not_undone_by_the_next_request(owner: Person) -> None:
    await work(owner, 28, pause=14)
    await work(owner, 17, pause=17)

    assert await owner.code(RETRY) == REQUIRED


@pytest.mark.spec("guards.step-up")
async def test_after_eight_hours_an_active_session_is_asked_too(owner: Person) -> None:
    await work(owner, 8 * 60 - 14, pause=14)
    before = await owner.code(RETRY)
    await work(owner, 28, pause=14)

    assert before != REQUIRED
    assert await owner.code(RETRY) == REQUIRED


async def test_requests_that_a_page_sends_by_itself_are_no_activity(owner: Person) -> None:
    await work(owner, 28, pause=7, **{"x-unattended": "1"})

    assert await owner.code(RETRY) == REQUIRED


async def test_activity_is_written_once_a_minute(owner: Person, sessions: Sessions) -> None:
    async def active_at() -> object:
        async with begin(sessions) as session:
            return await session.scalar(text("SELECT active_at FROM sessions"))

    await work(owner, 2, pause=2)
    first = await active_at()
    await owner.do("{ viewer { id } }")

    assert first is not None
    assert await active_at() == first


async def test_a_sign_in_of_fifteen_minutes_is_recent(owner: Person) -> None:
    await owner.age(15)

    assert await owner.code("mutation { startCodeSetup { __typename } }") is None


@pytest.mark.spec("guards.step-up")
@pytest.mark.parametrize("what", [{"email": "new@minimal.test"}, {"password": OTHER_PASSWORD}])
async def test_an_admin_changes_credentials_after_a_recent_sign_in_only(owner: Person, what: dict[str, str]) -> None:
    await owner.age()

    refused = await owner.code(UPDATE, **what)
    rest = await owner.client.put("/api/user/profile", json=what)
    google = {await owner.code('mutation { linkGoogle(token: "x") { __typename } }'), await owner.code(UNLINK)}
    name_only = await owner.do(UPDATE, name="Olga Owner", email="owner@minimal.test", password=PASSWORD)
    await owner.reauthenticate(password=PASSWORD)

    assert (refused, rest.status_code) == (REQUIRED, 403)
    assert google == {REQUIRED}
    assert name_only == {"__typename": "ProfileUpdated"}
    assert await owner.do(UPDATE, **what) == {"__typename": "ProfileUpdated"}


async def test_a_shopper_without_a_second_factor_changes_credentials_at_any_time(ann: Person) -> None:
    await ann.age()

    assert await ann.do(UPDATE, password=OTHER_PASSWORD) == {"__typename": "ProfileUpdated"}


@pytest.mark.spec("guards.step-up")
async def test_a_shopper_with_a_second_factor_renews_with_it_and_with_nothing_less(ann: Person) -> None:
    phone = await ann.new_passkey()
    await ann.turn_codes_on()
    methods = (await ann.do("{ viewer { reauthenticationMethods } }"))["reauthenticationMethods"]
    await ann.age()
    before = await ann.code(UPDATE, password=OTHER_PASSWORD)

    by_password = await ann.reauthenticate(password=PASSWORD)
    by_nothing = await ann.reauthenticate()
    wrong = await ann.reauthenticate(code="000000")
    still = await ann.code("mutation { disableCodes { __typename } }")
    by_code = await ann.reauthenticate(code=ann.code_at())
    then = await ann.code("mutation { startPasskeyRegistration { __typename } }")
    await ann.age()
    request = await ann.passkey_request()
    by_passkey = await ann.reauthenticate(passkey=phone.get(request["options"]), challenge=request["challenge"])
    await ann.age()
    replayed = await ann.reauthenticate(passkey=phone.get(request["options"]), challenge=request["challenge"])

    assert methods == ["PASSKEY", "CODE", "RECOVERY_CODE"]
    assert (before, still, then) == (REQUIRED, REQUIRED, None)
    assert by_password == {"__typename": "InvalidCredentials", "message": "Invalid credentials"}
    assert (by_nothing["__typename"], wrong["__typename"]) == ("InvalidInput", "FactorRefused")
    assert (by_code["__typename"], by_passkey["__typename"]) == ("Reauthenticated", "Reauthenticated")
    assert replayed["__typename"] == "ChallengeExpired"


@pytest.mark.spec("guards.step-up")
async def test_a_session_that_never_used_the_second_factor_is_not_recent(ann: Person, sessions: Sessions) -> None:
    await ann.turn_codes_on()
    async with begin(sessions) as session:
        await session.execute(update(Session).values(second_factor=None))

    before = await ann.code(UPDATE, password=OTHER_PASSWORD)
    await ann.reauthenticate(code=ann.code_at())

    assert (before, await ann.code(UPDATE, password=OTHER_PASSWORD)) == (REQUIRED, None)


async def test_an_account_without_a_password_is_deleted_after_a_recent_sign_in_only(
    ann: Person, sessions: Sessions
) -> None:
    delete = "mutation { deleteAccount { __typename } }"
    async with begin(sessions) as session:
        await session.execute(text("UPDATE users SET password_hash = NULL, google_sub = 'ann'"))
    await ann.age()
    old = await ann.code(delete)
    await ann.age(-11)

    assert old == REQUIRED
    assert await ann.do(delete) == {"__typename": "Success"}


async def test_an_account_with_a_password_is_deleted_with_it_at_any_time(ann: Person) -> None:
    await ann.age()

    gone = await ann.do(
        "mutation ($password: String) { deleteAccount(password: $password) { __typename } }", password=PASSWORD
    )

    assert gone == {"__typename": "Success"}


async def test_a_wrong_password_renews_nothing_and_is_counted_as_at_sign_in(ann: Person) -> None:
    await ann.age()
    answers = [(await ann.reauthenticate(password=OTHER_PASSWORD))["__typename"] for _ in range(11)]

    assert answers == ["InvalidCredentials"] * 10 + ["TooManyAttempts"]
    assert await ann.code("mutation { startCodeSetup { __typename } }") == REQUIRED


async def test_a_sign_in_by_one_browser_is_recent_in_that_one_alone(
    app: Starlette, ann: Person, sessions: Sessions
) -> None:
    await ann.age()
    there = Person(client_of(app), sessions, ann.email)
    await there.sign_in()

    assert await there.code("mutation { startCodeSetup { __typename } }") is None
    assert await ann.code("mutation { startCodeSetup { __typename } }") == REQUIRED
