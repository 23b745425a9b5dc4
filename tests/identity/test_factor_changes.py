"""How often second factors change, and what their first one does to other browsers. Over HTTP."""

import threading
from typing import Any
from uuid import uuid4

import pytest
import segno
from sqlalchemy import select, update
from starlette.applications import Starlette

from server.identity import sessions as identity_sessions
from server.identity.factors import service
from server.identity.models import Session, SignInChallenge
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import Unauthenticated
from tests.identity.authenticator import Authenticator
from tests.identity.conftest import MakeUser, Outbox, SignIn
from tests.identity.people import ORIGIN, Person, client_of
from tests.identity.people import app as app


@pytest.fixture
async def ann(app: Starlette, sessions: Sessions, make_user: MakeUser) -> Person:
    await make_user()
    return await signed_in(app, sessions)


async def signed_in(app: Starlette, sessions: Sessions) -> Person:
    """Ann in a browser of her own, by password."""
    person = Person(client_of(app), sessions, "ann@minimal.test")
    assert (await person.sign_in())["__typename"] == "SignedIn"
    return person


async def test_changing_again_and_again_is_mailed_once_and_then_refused(ann: Person, outbox: Outbox) -> None:
    await ann.turn_codes_on()
    outcome = "__typename ... on TooManyAttempts { message retryAfter }"
    renew = "mutation { " + " ".join(f"a{n}: renewRecoveryCodes {{ {outcome} }}" for n in range(25)) + " }"

    answer = await ann.ask(renew)

    mails = [mail.text_body for mail in await outbox(ann.email) if "New recovery codes" in mail.text_body]
    assert 1 <= len(mails) <= 2, "one in each window of ten minutes"
    refused = [each for each in answer["data"].values() if each["__typename"] == "TooManyAttempts"]
    assert refused
    assert 3_000 < refused[-1]["retryAfter"] <= 3_600
    assert refused[-1]["message"] == "Too many attempts. Please try again in 60 minutes."
    for name in (
        "disableCodes",
        "startCodeSetup",
        "startPasskeyRegistration",
        f'removePasskey(id: "{uuid4()}")',
        f'renamePasskey(id: "{uuid4()}", name: "Phone")',
        'addPasskey(challenge: "x", credential: "{}", name: "Phone")',
    ):
        assert await ann.do(f"mutation {{ {name} {{ __typename }} }}") == {"__typename": "TooManyAttempts"}, name


async def test_the_first_second_factor_signs_out_whoever_came_in_without_it(
    app: Starlette, ann: Person, sessions: Sessions
) -> None:
    by_password = await signed_in(app, sessions)

    await ann.turn_codes_on()

    viewer = await ann.do("{ viewer { sessions { method secondFactor } } }")
    assert await by_password.code("mutation { disableCodes { __typename } }") == "UNAUTHENTICATED"
    assert viewer["sessions"] == [{"method": "PASSWORD", "secondFactor": "CODE"}]
    assert await ann.do("mutation { disableCodes { __typename } }") == {"__typename": "SecondFactorsChanged"}


async def test_a_first_passkey_does_so_too_and_a_second_one_signs_nobody_out(
    app: Starlette, ann: Person, sessions: Sessions
) -> None:
    by_password = await signed_in(app, sessions)
    phone = await ann.new_passkey()
    there = Person(client_of(app), sessions, ann.email)
    request = await there.passkey_request()
    await there.sign_in_with_passkey(request["challenge"], phone.get(request["options"]))

    await ann.turn_codes_on()

    assert (await by_password.ask("{ viewer { email } }"))["data"] == {"viewer": None}
    assert await there.do("{ viewer { email } }") == {"email": ann.email}
    assert await there.do("mutation { disableCodes { __typename } }") == {"__typename": "SecondFactorsChanged"}


async def test_a_session_that_did_not_use_the_second_factor_changes_nothing_until_it_has(
    ann: Person, sessions: Sessions
) -> None:
    await ann.turn_codes_on()
    async with begin(sessions) as session:
        await session.execute(update(Session).values(second_factor=None))
    off = "mutation { disableCodes { __typename } }"

    before = await ann.code(off)
    await ann.reauthenticate(code=ann.code_at())

    assert before == "REAUTHENTICATION_REQUIRED"
    assert await ann.do(off) == {"__typename": "SecondFactorsChanged"}


async def test_a_request_that_was_under_way_when_its_session_ended_changes_no_factor(
    make_user: MakeUser, sign_in: SignIn, sessions: Sessions
) -> None:
    user = await make_user()
    stranger, owner = await sign_in(user), await sign_in(user)
    async with begin(sessions) as session:
        await identity_sessions.end_others(session, owner.signed_in)

    with pytest.raises(Unauthenticated):
        async with begin(sessions) as session:
            await service.turn_codes_off(session, stranger.signed_in, shop_url="http://localhost")


async def test_setting_up_codes_is_limited_and_draws_its_picture_off_the_event_loop(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_by: list[int] = []

    def draw(uri: str, **how: Any) -> object:
        drawn_by.append(threading.get_ident())
        return make(uri, **how)

    make = segno.make
    monkeypatch.setattr(segno, "make", draw)
    begin_again = (
        "mutation { "
        + " ".join(f"a{n}: startCodeSetup {{ __typename ... on CodeSetup {{ qrCode }} }}" for n in range(25))
        + " }"
    )

    answer = await ann.ask(begin_again)

    assert len(drawn_by) == 20
    assert threading.get_ident() not in drawn_by
    assert [each["__typename"] for each in answer["data"].values()] == ["CodeSetup"] * 20 + ["TooManyAttempts"] * 5


async def test_a_session_has_one_open_challenge_of_each_purpose(ann: Person, sessions: Sessions) -> None:
    phone, first = Authenticator(ORIGIN), await ann.registration()
    await ann.registration()
    last = await ann.registration()
    for _ in range(3):
        await ann.passkey_request()

    async with sessions() as session:
        purposes = (await session.scalars(select(SignInChallenge.purpose).order_by(SignInChallenge.purpose))).all()
    older = await ann.add_passkey(first["challenge"], phone.create(first["options"]))
    newest = await ann.add_passkey(last["challenge"], phone.create(last["options"]))

    assert purposes == ["passkey", "registration"]
    assert (older["__typename"], newest["__typename"]) == ("ChallengeExpired", "SecondFactorsChanged")
