"""A shop that requires a second factor of its admins, and what the audit log says of how admins sign in."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLObjectType
from sqlalchemy import select, text
from starlette.applications import Starlette

from server import schema
from server.app import create_app
from server.audit.models import AuditEntry
from server.identity import recovery
from server.identity.factors import administration
from server.identity.models import User
from server.mail.messages import PasswordResetLink
from server.mail.models import Mail
from server.platform.core.context import Context
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import InvalidInput
from server.platform.core.viewer import Access
from tests.api.documents import asking_for
from tests.api.permissions_table import FIELDS, OUTSIDE_API, ROUTES
from tests.identity.conftest import OTHER_PASSWORD, PASSWORD, MakeUser, link_in
from tests.identity.people import Person, client_of, run_jobs, settings_of

BACK_OFFICE = {Access.ADMIN, Access.PRIMARY_ADMIN}
MISSING = "Admins of this shop sign in with a second factor. Please set one up in your account first."


@pytest.fixture
def required() -> bool:
    return True


@pytest.fixture
async def app(database_url: str, tmp_path: Path, required: bool) -> AsyncIterator[Starlette]:
    app = create_app(settings_of(database_url, tmp_path, admin_second_factor_required=required))
    yield app
    await app.state.shop.engine.dispose()


@pytest.fixture
async def owner(app: Starlette, sessions: Sessions, make_user: MakeUser) -> Person:
    """The primary admin, signed in."""
    await make_user("owner@minimal.test")
    async with begin(sessions) as session:
        await session.execute(text("UPDATE users SET role = 'admin', is_primary = true"))
    person = Person(client_of(app), sessions, "owner@minimal.test")
    await person.sign_in()
    return person


async def context_of(app: Starlette, who: Person) -> Context:
    cookie = "; ".join(f"{name}={value}" for name, value in who.client.cookies.items())
    headers = [(b"cookie", cookie.encode()), (b"host", b"localhost:22500")]
    context: Context = await app.state.shop.context({"type": "websocket", "headers": headers})
    return context


async def refused(app: Starlette, who: Person) -> dict[str, Any]:
    """What each call of the back office answers that is not a refusal for want of a second factor."""
    answered: dict[str, Any] = {}
    mutations = schema.build()._schema.type_map["Mutation"]
    assert isinstance(mutations, GraphQLObjectType)
    for name, access in FIELDS.items():
        root, _, field = name.partition(".")
        if root == "Mutation" and access in BACK_OFFICE:
            code = await who.code(f"mutation {{ {asking_for(mutations.fields[field], field)} }}")
            answered |= {} if code == "SECOND_FACTOR_MISSING" else {name: code}
    for name, access in ROUTES.items():
        if access in BACK_OFFICE:
            method, _, path = name.partition(" ")
            path = path.replace("{id}", "00000000-0000-7000-8000-000000000000")
            prefix = "" if name in OUTSIDE_API else "/api"
            answer = await who.client.request(method, prefix + path, content=b"{}")
            outcome = (answer.status_code, answer.text)
            answered |= {} if outcome == (403, f'{{"message":"{MISSING}"}}') else {name: outcome}
    state = app.state.shop.graphql.schema
    results = await state.subscribe(
        "subscription { adminEvents { __typename } }", context_value=await context_of(app, who)
    )
    first = await anext(results)
    code = first.errors[0].extensions["code"]
    return answered | ({} if code == "SECOND_FACTOR_MISSING" else {"Subscription.adminEvents": code})


async def test_without_one_an_admin_reaches_nothing_of_the_back_office_but_the_account(
    app: Starlette, owner: Person
) -> None:
    looked = await owner.ask("{ viewer { role secondFactorMissing } admin { adminRequestCount } }")

    assert looked["data"] == {"viewer": {"role": "ADMIN", "secondFactorMissing": True}, "admin": None}
    assert await refused(app, owner) == {}
    assert (await owner.client.get("/api/user/profile")).json()["role"] == "admin"


async def test_it_is_asked_for_in_the_very_answer_of_the_sign_in(app: Starlette, owner: Person) -> None:
    there = Person(client_of(app), owner.sessions, owner.email)
    document = (
        'mutation { signIn(email: "owner@minimal.test", password: "%s")'
        " { ... on SignedIn { viewer { secondFactorMissing } } } }"
    )

    entered = await there.do(document % PASSWORD)

    assert entered == {"viewer": {"secondFactorMissing": True}}


async def test_with_one_the_back_office_opens_and_without_the_last_it_closes(owner: Person) -> None:
    await owner.new_passkey()
    opened = await owner.ask("{ viewer { secondFactorMissing } admin { adminRequestCount } }")
    rest = await owner.client.get("/api/user")
    [passkey] = (await owner.do("{ viewer { passkeys { id } } }"))["passkeys"]
    await owner.do("mutation ($id: ID!) { removePasskey(id: $id) { __typename } }", id=passkey["id"])

    assert opened["data"] == {"viewer": {"secondFactorMissing": False}, "admin": {"adminRequestCount": 0}}
    assert rest.status_code == 200
    assert (await owner.ask("{ admin { adminRequestCount } }"))["data"] == {"admin": None}


async def test_a_code_that_was_never_confirmed_opens_nothing(owner: Person) -> None:
    await owner.do("mutation { startCodeSetup { __typename } }")

    assert (await owner.client.get("/api/user")).status_code == 403


@pytest.mark.parametrize("required", [False])
async def test_where_it_is_not_required_the_back_office_is_open(owner: Person) -> None:
    looked = await owner.ask("{ viewer { secondFactorMissing } admin { adminRequestCount } }")

    assert looked["data"] == {"viewer": {"secondFactorMissing": False}, "admin": {"adminRequestCount": 0}}


async def log(sessions: Sessions) -> list[tuple[str, str, str, Any]]:
    async with sessions() as session:
        rows = (await session.scalars(select(AuditEntry).order_by(AuditEntry.id))).all()
    return [(row.actor_email, row.action, row.subject_label, row.after or row.before) for row in rows]


@pytest.mark.parametrize("required", [False])
async def test_an_admins_sign_ins_are_in_the_log_and_so_are_those_that_failed(
    app: Starlette, owner: Person, make_user: MakeUser, sessions: Sessions
) -> None:
    await make_user()
    there = Person(client_of(app), sessions, owner.email)
    shopper = Person(client_of(app), sessions, "ann@minimal.test")
    nobody = Person(client_of(app), sessions, "nobody@minimal.test")
    for each in (there, shopper, nobody):
        await each.sign_in(OTHER_PASSWORD)
    await shopper.sign_in()
    await run_jobs(app)
    await owner.turn_codes_on()
    there.secret = owner.secret
    await there.confirm((await there.sign_in())["challenge"], code="000000")
    await run_jobs(app)
    await there.confirm((await there.sign_in())["challenge"], code=there.code_at())

    by, failed = "owner@minimal.test", {"from": "127.0.0.1"}
    assert await log(sessions) == [
        (by, "signed in", by, {"with": "password"}),
        ("visitor", "sign-in failed", by, {"with": "password", **failed}),
        (by, "codes turned on", by, {}),
        ("visitor", "sign-in failed", by, {"with": "password and code", **failed}),
        (by, "signed in", by, {"with": "password and code"}),
    ]


@pytest.mark.parametrize("required", [False])
async def test_an_admins_own_credential_changes_are_in_the_log_and_a_shoppers_are_not(
    app: Starlette, owner: Person, make_user: MakeUser, sessions: Sessions
) -> None:
    await make_user()
    ann = Person(client_of(app), sessions, "ann@minimal.test")
    await ann.sign_in()
    for who in (owner, ann):
        await who.new_passkey()
        await who.do("mutation { renewRecoveryCodes { __typename } }")
        [passkey] = (await who.do("{ viewer { passkeys { id } } }"))["passkeys"]
        rename = 'mutation ($id: ID!) { renamePasskey(id: $id, name: "Key") { __typename } }'
        await who.do(rename, id=passkey["id"])
        await who.do("mutation ($id: ID!) { removePasskey(id: $id) { __typename } }", id=passkey["id"])
        assert (await who.client.put("/api/user/profile", json={"password": OTHER_PASSWORD})).status_code == 200

    by = "owner@minimal.test"
    assert [entry for entry in await log(sessions) if entry[1] != "signed in"] == [
        (by, "passkey added", by, {"passkey": "Phone"}),
        (by, "recovery codes renewed", by, {}),
        (by, "passkey renamed", by, {"passkey": "Key"}),
        (by, "passkey removed", by, {"passkey": "Key"}),
        (by, "password changed", by, {}),
    ]


@pytest.mark.parametrize("required", [False])
async def test_reading_a_customer_is_logged_once_in_ten_minutes_and_exports_each_time(
    owner: Person, make_user: MakeUser, sessions: Sessions
) -> None:
    ann = await make_user()
    page = "query ($id: ID!) { admin { user(id: $id) { name email addresses { city } } } }"
    for _ in range(2):
        await owner.do(page, id=str(ann.id))
    await owner.do(page, id="00000000-0000-7000-8000-000000000000")
    for _ in range(2):
        assert (await owner.client.get("/exports/products.csv")).status_code == 200
    report = "report(range: {preset: TODAY}, by: [CATEGORY]) { export totals { measure(is: NET_SALES) { formatted } } }"
    assert "errors" not in await owner.ask(f"{{ admin {{ analytics {{ {report} }} }} }}")

    by = "owner@minimal.test"
    assert [entry[:3] for entry in await log(sessions) if entry[1] != "signed in"] == [
        (by, "customer read", "ann@minimal.test"),
        (by, "exported", "Products and stock as CSV"),
        (by, "exported", "Products and stock as CSV"),
        (by, "exported", "Net sales by category"),
    ]


END = "mutation ($id: ID!) { resetSecondFactors(id: $id) { hasSecondFactor sessions { id } } }"


@pytest.mark.parametrize("required", [False])
async def test_the_primary_admin_can_end_another_admins_second_factor(
    app: Starlette, owner: Person, make_user: MakeUser, sessions: Sessions
) -> None:
    ann = await make_user()
    admin = Person(client_of(app), sessions, ann.email)
    await admin.sign_in()
    await admin.turn_codes_on()
    async with begin(sessions) as session:
        await session.execute(text("UPDATE users SET role = 'admin'"))
        await recovery.request_reset(session, ann.email, shop_url="http://localhost:22500")
    await run_jobs(app)
    async with sessions() as session:
        mails = await session.scalars(select(Mail).where(Mail.recipient == ann.email).order_by(Mail.id))
    token = link_in(next(mail for mail in mails if mail.subject == PasswordResetLink.subject))
    body = {"resetToken": token, "newPassword": "Linen?Shirt42"}
    assert (await admin.client.post("/api/auth/reset-password", json=body)).status_code == 204
    after_reset = await admin.sign_in("Linen?Shirt42")

    ended = await owner.do(END, id=str(ann.id))
    again = await owner.do(END, id=str(ann.id))

    assert after_reset["methods"] == ["CODE", "RECOVERY_CODE"]
    assert ended == again == {"hasSecondFactor": False, "sessions": []}
    assert (await admin.sign_in("Linen?Shirt42"))["viewer"] == {"email": ann.email}
    by = "owner@minimal.test"
    assert [entry[:3] for entry in await log(sessions) if "ended" in entry[1]] == [
        (by, "second factors ended", ann.email)
    ]
    async with sessions() as session:
        written = (await session.scalars(select(Mail.text_body).where(Mail.recipient == ann.email))).all()
    assert sum("and signed it out everywhere" in body for body in written) == 1


@pytest.mark.parametrize("required", [False])
async def test_the_primary_admins_own_second_factor_ends_on_the_command_line_only(
    app: Starlette, owner: Person, make_user: MakeUser, sessions: Sessions
) -> None:
    await owner.turn_codes_on()
    async with sessions() as session:
        own = await session.scalar(select(User.id).where(User.email == owner.email))

    refused = await owner.code(END, id=str(own))
    async with begin(sessions) as session:
        ended = [
            await administration.end_by_email(session, owner.email, shop_url="http://localhost:22500") for _ in range(2)
        ]
    with pytest.raises(InvalidInput):
        async with begin(sessions) as session:
            await administration.end_by_email(session, "nobody@minimal.test", shop_url="http://localhost:22500")

    assert refused == "FORBIDDEN"
    assert ended == [True, False]
    assert ("command line", "second factors ended", owner.email) in [entry[:3] for entry in await log(sessions)]
    assert (await Person(client_of(app), sessions, owner.email).sign_in())["viewer"] == {"email": owner.email}
