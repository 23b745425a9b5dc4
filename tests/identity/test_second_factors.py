"""Codes, recovery codes and passkeys: how they are set up, and how they sign in. Over HTTP, with real signatures."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import text
from starlette.applications import Starlette

from server.mail.messages import PasswordChanged, SignInChanged
from server.platform.core.db import Sessions, begin
from tests.identity.authenticator import Authenticator
from tests.identity.conftest import OTHER_PASSWORD, PASSWORD, MakeUser, Outbox, link_in
from tests.identity.people import ORIGIN, Person, bent, client_of, run_jobs
from tests.identity.people import app as app

SignUp = Callable[..., Awaitable[Person]]


@pytest.fixture
def person(app: Starlette, sessions: Sessions, make_user: MakeUser) -> SignUp:
    """Somebody with an account, signed in."""

    async def person(email: str = "ann@minimal.test") -> Person:
        await make_user(email)
        person_signed_in = Person(client_of(app), sessions, email)
        assert (await person_signed_in.sign_in())["__typename"] == "SignedIn"
        return person_signed_in

    return person


@pytest.fixture
async def ann(person: SignUp) -> Person:
    return await person()


async def elsewhere(app: Starlette, who: Person) -> Person:
    """The same person at another browser."""
    return Person(client_of(app), who.sessions, who.email, who.secret, who.recovery_codes)


async def own_sessions(who: Person) -> list[tuple[str, str | None]]:
    viewer = await who.do("{ viewer { sessions { method secondFactor } } }")
    return [(each["method"], each["secondFactor"]) for each in viewer["sessions"]]


async def test_with_codes_on_a_password_is_not_enough_and_a_code_ends_the_sign_in(
    app: Starlette, ann: Person, outbox: Outbox
) -> None:
    changed = await ann.turn_codes_on()
    there = await elsewhere(app, ann)

    step = await there.sign_in()
    before = await there.ask("{ viewer { email } }")
    code = ann.code_at()
    entered = await there.confirm(step["challenge"], code=f" {code[:3]} {code[3:]} ")

    assert len(set(changed["recoveryCodes"])) == 10
    assert (step["__typename"], step["methods"]) == ("SecondFactorRequired", ["CODE", "RECOVERY_CODE"])
    assert before["data"]["viewer"] is None
    assert entered == {"__typename": "SignedIn", "viewer": {"email": "ann@minimal.test"}}
    assert await own_sessions(there) == [("PASSWORD", "CODE"), ("PASSWORD", "CODE")]
    assert [mail.subject for mail in await outbox("ann@minimal.test")] == [SignInChanged.subject]


@pytest.mark.spec("guards.once")
async def test_a_code_works_once_and_so_does_none_before_it(app: Starlette, ann: Person) -> None:
    await ann.turn_codes_on()
    first, second = await elsewhere(app, ann), await elsewhere(app, ann)
    step, again = await first.sign_in(), await second.sign_in()
    code = ann.code_at()

    entered = await first.confirm(step["challenge"], code=code)
    replayed = await second.confirm(again["challenge"], code=code)
    older = await second.confirm(again["challenge"], code=ann.code_at(0))

    assert entered["__typename"] == "SignedIn"
    assert {replayed["__typename"], older["__typename"]} == {"FactorRefused"}


async def test_of_two_requests_with_one_code_at_once_one_enters(app: Starlette, ann: Person) -> None:
    await ann.turn_codes_on()
    browsers = [await elsewhere(app, ann) for _ in range(5)]
    steps = [await each.sign_in() for each in browsers]
    code = ann.code_at()

    answers = await asyncio.gather(
        *(each.confirm(step["challenge"], code=code) for each, step in zip(browsers, steps, strict=True))
    )

    assert sorted(answer["__typename"] for answer in answers) == ["FactorRefused"] * 4 + ["SignedIn"]


async def test_a_recovery_code_works_once_in_any_spelling_and_renewal_voids_the_others(
    app: Starlette, ann: Person
) -> None:
    await ann.turn_codes_on()
    there, code = await elsewhere(app, ann), ann.recovery_codes[0]
    entered = await there.confirm((await there.sign_in())["challenge"], code=code.upper().replace("-", " "))
    left = await there.do("{ viewer { recoveryCodesLeft } }")
    await there.leave()
    again = await there.confirm((await there.sign_in())["challenge"], code=code)
    renewed = await ann.do("mutation { renewRecoveryCodes { ... on SecondFactorsChanged { recoveryCodes } } }")
    old = await there.confirm((await there.sign_in())["challenge"], code=ann.recovery_codes[1])
    new = await there.confirm((await there.sign_in())["challenge"], code=renewed["recoveryCodes"][1])

    assert (entered["__typename"], left) == ("SignedIn", {"recoveryCodesLeft": 9})
    assert [again["__typename"], old["__typename"], new["__typename"]] == ["FactorRefused", "FactorRefused", "SignedIn"]
    assert await own_sessions(there) == [("PASSWORD", "RECOVERY_CODE"), ("PASSWORD", "CODE")]


async def test_a_passkey_alone_is_a_whole_sign_in(app: Starlette, ann: Person, outbox: Outbox) -> None:
    phone = await ann.new_passkey()
    there = await elsewhere(app, ann)
    request = await there.passkey_request()

    entered = await there.sign_in_with_passkey(request["challenge"], phone.get(request["options"]))

    options = json.loads(request["options"])
    assert (options["rpId"], options["userVerification"], options["allowCredentials"]) == ("localhost", "required", [])
    assert entered == {"__typename": "SignedIn", "viewer": {"email": "ann@minimal.test"}}
    assert await own_sessions(there) == [("PASSKEY", None), ("PASSWORD", "PASSKEY")]
    [used] = (await there.do("{ viewer { passkeys { name lastUsedAt } } }"))["passkeys"]
    assert (used["name"], used["lastUsedAt"] is not None) == ("Phone", True)
    assert [mail.subject for mail in await outbox("ann@minimal.test")] == [SignInChanged.subject]


async def test_a_passkey_is_a_second_factor_as_well(app: Starlette, ann: Person) -> None:
    phone = await ann.new_passkey()
    there = await elsewhere(app, ann)
    step = await there.sign_in()

    entered = await there.confirm(step["challenge"], passkey=phone.get(step["passkeyOptions"]))

    assert step["methods"] == ["PASSKEY", "RECOVERY_CODE"]
    assert entered["__typename"] == "SignedIn"
    assert await own_sessions(there) == [("PASSWORD", "PASSKEY"), ("PASSWORD", "PASSKEY")]


BENT: dict[str, Callable[[Authenticator], None]] = {
    "another site's page": lambda phone: setattr(phone, "origin", "https://minimal.evil.example"),
    "another relying party": lambda phone: setattr(phone, "party", "evil.example"),
    "a user who was not verified": lambda phone: setattr(phone, "is_verified", False),
    "another key": lambda phone: setattr(phone, "key", Authenticator(ORIGIN).key),
    "a copy with an older counter": lambda phone: setattr(phone, "count", -1),
    "somebody else's handle": lambda phone: setattr(phone, "handle", bytes(16)),
    "an unknown credential": lambda phone: setattr(phone, "credential_id", bytes(16)),
}


@pytest.mark.parametrize("how", BENT)
async def test_an_answer_that_is_not_the_passkeys_own_signs_nobody_in(app: Starlette, ann: Person, how: str) -> None:
    phone = await ann.new_passkey()
    there = await elsewhere(app, ann)
    right = await there.passkey_request()
    await there.sign_in_with_passkey(right["challenge"], phone.get(right["options"]))
    await there.leave()
    request = await there.passkey_request()

    BENT[how](phone)
    refused = await there.sign_in_with_passkey(request["challenge"], phone.get(request["options"]))

    assert refused == {"__typename": "FactorRefused", "message": "This passkey was not accepted."}


@pytest.mark.parametrize("how", ["another site's page", "another relying party", "a user who was not verified"])
async def test_a_registration_that_is_not_the_shops_own_adds_nothing(ann: Person, how: str) -> None:
    phone, registration = Authenticator(ORIGIN), await ann.registration()

    BENT[how](phone)
    refused = await ann.add_passkey(registration["challenge"], phone.create(registration["options"]))

    assert refused == {"__typename": "FactorRefused", "message": "This passkey could not be added."}
    assert await ann.do("{ viewer { hasSecondFactor } }") == {"hasSecondFactor": False}


GARBAGE = (
    *(
        "",
        "{}",
        "[]",
        "null",
        '{"rawId": 7}',
        '{"rawId": "AA", "response": null}',
        "x" * 30_000,
        '{"rawId": "\\ud800"}',
    ),
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {"attestationObject": "g", "clientDataJSON": ""}}',
)


@pytest.mark.parametrize("garbage", GARBAGE)
async def test_what_no_authenticator_says_is_refused_in_words(ann: Person, garbage: str) -> None:
    registration, request = await ann.registration(), await ann.passkey_request()

    added = await ann.add_passkey(registration["challenge"], garbage)
    entered = await ann.sign_in_with_passkey(request["challenge"], garbage)

    assert (added["__typename"], entered["__typename"]) == ("FactorRefused", "FactorRefused")


async def test_bent_parts_of_a_right_answer_are_refused_in_words(app: Starlette, ann: Person) -> None:
    phone = await ann.new_passkey()
    there = await elsewhere(app, ann)
    for changes in ({"signature": ""}, {"authenticatorData": "AA"}, {"clientDataJSON": "e30"}, {"userHandle": 7}):
        request = await there.passkey_request()
        refused = await there.sign_in_with_passkey(request["challenge"], bent(phone.get(request["options"]), **changes))

        assert refused["__typename"] == "FactorRefused", changes


async def test_an_answer_works_once(app: Starlette, ann: Person) -> None:
    phone = await ann.new_passkey()
    there = await elsewhere(app, ann)
    request = await there.passkey_request()
    answer = phone.get(request["options"])
    await there.sign_in_with_passkey(request["challenge"], answer)
    await there.leave()

    replayed = await there.sign_in_with_passkey(request["challenge"], answer)

    assert replayed["__typename"] == "ChallengeExpired"


@pytest.mark.spec("guards.once")
async def test_a_pending_sign_in_is_void_in_another_browser_or_step(app: Starlette, ann: Person) -> None:
    await ann.turn_codes_on()
    here, there = await elsewhere(app, ann), await elsewhere(app, ann)
    step = await here.sign_in()
    await there.sign_in()

    stolen = await there.confirm(step["challenge"], code=ann.code_at())
    misused = await here.sign_in_with_passkey(step["challenge"], "{}")
    own = await here.confirm(step["challenge"], code=ann.code_at())

    assert stolen["__typename"] == "ChallengeExpired"
    assert misused["__typename"] == "ChallengeExpired"
    assert own["__typename"] == "SignedIn"


async def test_a_sign_in_under_way_ends_after_five_minutes_and_with_a_new_password(
    app: Starlette, ann: Person, sessions: Sessions
) -> None:
    await ann.turn_codes_on()
    here, there = await elsewhere(app, ann), await elsewhere(app, ann)
    late = await here.sign_in()
    async with begin(sessions) as session:
        await session.execute(text("UPDATE sign_in_challenges SET expires_at = expires_at - interval '5 minutes'"))
    voided = await there.sign_in()
    await ann.client.put("/api/user/profile", json={"password": OTHER_PASSWORD})

    answers = [
        await here.confirm(late["challenge"], code=ann.code_at()),
        await there.confirm(voided["challenge"], code=ann.code_at()),
    ]

    assert [each["__typename"] for each in answers] == ["ChallengeExpired"] * 2


@pytest.mark.spec("guards.once")
async def test_five_wrong_codes_end_a_sign_in_and_ten_make_the_account_wait(app: Starlette, ann: Person) -> None:
    await ann.turn_codes_on()
    there, answers = await elsewhere(app, ann), []
    for _ in range(2):
        step = await there.sign_in()
        answers += [(await there.confirm(step["challenge"], code="000000"))["__typename"] for _ in range(6)]
    step = await there.sign_in()
    answers.append((await there.confirm(step["challenge"], code=ann.code_at()))["__typename"])

    once = ["FactorRefused"] * 5 + ["ChallengeExpired"]
    assert answers == [*once, *once, "TooManyAttempts"]


async def test_who_guesses_elsewhere_does_not_lock_the_owners_browser(app: Starlette, ann: Person) -> None:
    await ann.turn_codes_on()
    stranger = await elsewhere(app, ann)
    for _ in range(2):
        step = await stranger.sign_in()
        for _ in range(5):
            await stranger.confirm(step["challenge"], code="000000")
    await ann.leave()

    step = await ann.sign_in()
    entered = await ann.confirm(step["challenge"], code=ann.code_at())

    assert entered["__typename"] == "SignedIn"


async def test_nobody_ends_a_sign_in_with_what_is_somebody_elses(app: Starlette, person: SignUp) -> None:
    ann, eve = await person(), await person("eve@minimal.test")
    eves_phone = await eve.new_passkey()
    await eve.turn_codes_on()
    await ann.new_passkey()
    await ann.turn_codes_on()
    there = await elsewhere(app, ann)
    step = await there.sign_in()

    answers = [
        await there.confirm(step["challenge"], passkey=eves_phone.get(step["passkeyOptions"])),
        await there.confirm(step["challenge"], passkey=bent(eves_phone.get(step["passkeyOptions"]), userHandle=None)),
        await there.confirm(step["challenge"], code=eve.code_at()),
        await there.confirm(step["challenge"], code=eve.recovery_codes[0]),
    ]

    assert {each["__typename"] for each in answers} == {"FactorRefused"}


async def test_removing_the_last_factor_removes_recovery_codes(app: Starlette, ann: Person) -> None:
    await ann.new_passkey()
    await ann.turn_codes_on()
    [passkey] = (await ann.do("{ viewer { passkeys { id } } }"))["passkeys"]
    left = "... on SecondFactorsChanged { viewer { hasSecondFactor hasCodes recoveryCodesLeft } }"
    remove = f"mutation ($id: ID!) {{ removePasskey(id: $id) {{ {left} }} }}"

    one_left = await ann.do(remove, id=passkey["id"])
    none_left = await ann.do(f"mutation {{ disableCodes {{ {left} }} }}")

    assert one_left["viewer"] == {"hasSecondFactor": True, "hasCodes": True, "recoveryCodesLeft": 10}
    assert none_left["viewer"] == {"hasSecondFactor": False, "hasCodes": False, "recoveryCodesLeft": 0}
    assert (await (await elsewhere(app, ann)).sign_in())["__typename"] == "SignedIn"


async def test_a_passkey_is_renamed_by_its_owner_alone(person: SignUp) -> None:
    ann, eve = await person(), await person("eve@minimal.test")
    await ann.new_passkey()
    [passkey] = (await ann.do("{ viewer { passkeys { id } } }"))["passkeys"]
    rename = (
        "mutation ($id: ID!, $name: String!) { renamePasskey(id: $id, name: $name) {"
        " __typename ... on UserError { message } ... on SecondFactorsChanged { viewer { passkeys { name } } } } }"
    )

    nameless = await ann.do(rename, id=passkey["id"], name=" ")
    renamed = await ann.do(rename, id=passkey["id"], name=" Blue key ")

    assert nameless == {"__typename": "InvalidInput", "message": "Give the passkey a name"}
    assert renamed["viewer"] == {"passkeys": [{"name": "Blue key"}]}
    assert await eve.code(rename, id=passkey["id"], name="Mine") == "NOT_FOUND"
    assert (
        await eve.code("mutation ($id: ID!) { removePasskey(id: $id) { __typename } }", id=passkey["id"]) == "NOT_FOUND"
    )


async def test_rest_says_what_to_do_and_takes_a_code(app: Starlette, ann: Person) -> None:
    await ann.turn_codes_on()
    there, body = client_of(app), {"email": ann.email, "password": PASSWORD}

    answer = await there.post("/api/auth/signin", json=body)
    wrong = await there.post("/api/auth/signin", json={**body, "code": "000000"})
    nobody = await there.get("/api/user/profile")
    right = await there.post("/api/auth/signin", json={**body, "code": ann.code_at()})

    say = "This account has a second factor. Please send one of its codes as `code` too."
    assert (answer.status_code, answer.json()) == (401, {"message": say})
    assert (wrong.status_code, wrong.json()) == (401, {"message": "This code is wrong or was used already."})
    assert nobody.status_code == 401
    assert (right.status_code, right.json()["email"]) == (200, ann.email)
    assert (await there.get("/api/user/profile")).status_code == 200


async def test_a_wrong_password_is_told_as_before_whatever_the_account_has(app: Starlette, ann: Person) -> None:
    await ann.turn_codes_on()

    refused: Any = await (await elsewhere(app, ann)).sign_in(OTHER_PASSWORD)

    assert refused == {"__typename": "InvalidCredentials", "message": "Invalid credentials"}


async def test_the_database_does_not_hold_what_a_thief_of_it_could_use(ann: Person, sessions: Sessions) -> None:
    await ann.turn_codes_on()
    async with sessions() as session:
        held = [
            str(row)
            for table in ("totp_secrets", "recovery_codes", "sign_in_challenges", "mails", "jobs", "audit_entries")
            for row in await session.scalars(text(f"SELECT t::text FROM {table} t"))
        ]

    dump = "".join(held)
    hexed = [
        ann.secret,
        ann.secret.encode().hex(),
        *ann.recovery_codes,
        *(c.encode().hex() for c in ann.recovery_codes),
    ]
    assert [secret for secret in hexed if secret in dump] == []


async def test_a_secret_moved_to_another_account_opens_nothing(app: Starlette, person: SignUp) -> None:
    ann, eve = await person(), await person("eve@minimal.test")
    await ann.turn_codes_on()
    await eve.turn_codes_on()
    moved = "SELECT sealed FROM totp_secrets JOIN users ON users.id = user_id WHERE email = 'eve@minimal.test'"
    whose = "SELECT id FROM users WHERE email = 'ann@minimal.test'"
    async with begin(eve.sessions) as session:
        await session.execute(
            text(f"UPDATE totp_secrets SET last_step = 0, sealed = ({moved}) WHERE user_id = ({whose})")
        )
    there = await elsewhere(app, ann)

    refused = await there.confirm((await there.sign_in())["challenge"], code=eve.code_at())

    assert refused["__typename"] == "FactorRefused"


@pytest.mark.spec("guards.proof")
async def test_a_reset_by_mail_ends_every_second_factor_and_says_so(
    app: Starlette, ann: Person, outbox: Outbox
) -> None:
    phone = await ann.new_passkey()
    await ann.turn_codes_on()
    there = await elsewhere(app, ann)
    await there.client.post("/api/auth/forgot-password", json={"email": ann.email})
    await run_jobs(app)
    link = link_in((await outbox(ann.email))[-1])
    reset = await there.client.post("/api/auth/reset-password", json={"resetToken": link, "newPassword": "Wool!Coat99"})
    request = await there.passkey_request()

    by_passkey = await there.sign_in_with_passkey(request["challenge"], phone.get(request["options"]))
    by_password = await there.sign_in("Wool!Coat99")

    left = await there.do("{ viewer { hasSecondFactor hasCodes recoveryCodesLeft passkeys { name } } }")
    assert reset.status_code == 204
    assert (by_passkey["__typename"], by_password["__typename"]) == ("FactorRefused", "SignedIn")
    assert left == {"hasSecondFactor": False, "hasCodes": False, "recoveryCodesLeft": 0, "passkeys": []}
    mail = (await outbox(ann.email))[-1]
    assert mail.subject == PasswordChanged.subject
    assert "Passkeys, codes of an authenticator app" in mail.text_body
