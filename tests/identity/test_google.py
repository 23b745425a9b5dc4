"""Google sign-in: which tokens are believed, and whose account they open."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select

from server.config import Settings
from server.identity import authentication, devices, gateway, password_reset, profiles
from server.identity.errors import GoogleRefused, InvalidCredentials, LinkExpired, SecondFactorNeeded
from server.identity.gateway import GoogleVerifier
from server.identity.models import GoogleToken, Passkey, Session, User
from server.platform.core.context import Context
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import ReauthenticationRequired, TooManyRequests, Unavailable
from server.platform.core.viewer import LONG_AGO
from tests.identity.conftest import OTHER_PASSWORD, PASSWORD, MakeUser, Outbox, RunJobs, SignIn, Visit, link_in
from tests.identity.google_keys import CLIENT_ID, Certificates, Key, serving


@pytest.fixture(scope="module")
def key() -> Key:
    return Key("current")


@pytest.fixture(scope="module")
def stranger() -> Key:
    return Key("stranger")


@pytest.fixture
def google(key: Key) -> Iterator[Certificates]:
    with serving(key) as certificates:
        yield certificates


@pytest.fixture
def verifier(google: Certificates) -> GoogleVerifier:
    return GoogleVerifier(CLIENT_ID, google.url)


@pytest.fixture
def enter(visit: Visit, verifier: GoogleVerifier) -> Visit:
    """Requests of a shop that believes `google`."""

    async def enter(token: str | None = None, *, ip: str = "192.0.2.1", device: str | None = None) -> Context:
        context = await visit(token, ip=ip, device=device)
        context.resources.add(verifier)
        return context

    return enter


async def users(sessions: Sessions) -> list[User]:
    async with sessions() as session:
        return list(await session.scalars(select(User).order_by(User.id)))


async def test_a_good_token_says_who_it_is(verifier: GoogleVerifier, key: Key) -> None:
    identity = await verifier.verify(key.token(email="Ann@Minimal.Test"))

    assert (identity.subject, identity.email, identity.name) == ("1001", "ann@minimal.test", "Ann Google")


@pytest.mark.parametrize("issuer", ["accounts.google.com", "https://accounts.google.com"])
async def test_google_goes_by_two_names(verifier: GoogleVerifier, key: Key, issuer: str) -> None:
    assert (await verifier.verify(key.token(iss=issuer))).subject == "1001"


BAD_CLAIMS: list[dict[str, Any]] = [
    {"aud": "another-shop.apps.googleusercontent.com"},
    {"aud": None},
    {"iss": "https://accounts.google.com.evil.test"},
    {"iss": None},
    {"sub": ""},
    {"sub": None},
    {"sub": 1001},
    {"email": None},
    {"email": 7},
    {"email": "nobody"},
    {"email": ""},
    {"email": "ann@minimal.test\r\nBcc: bob@minimal.test"},
    {"email": "ann@minimal.test\x00"},
    {"email": "a\u200bnn@minimal.test"},
    {"email": "\ud800@minimal.test"},
    {"email": "a" * 250 + "@minimal.test"},
    {"sub": "1\x00"},
    {"sub": "\ud800"},
    {"sub": "1" * 256},
    {"email_verified": False},
    {"email_verified": None},
    {"email_verified": "true"},
    {"email_verified": 1},
    {"exp": 1_000},
    {"exp": None},
    {"exp": "soon"},
    {"exp": 10**30},
    {"exp": 1e30},
    {"exp": 10**400},
    {"exp": float("nan")},
    {"exp": float("inf")},
    {"exp": -1},
    {"exp": 4_000_000_000},
    {"exp": int(time.time()) + 3_600.5},
    {"exp": True},
    {"exp": [int(time.time()) + 3_600]},
    {"iat": 10**400},
    {"iat": float("nan"), "exp": float("nan")},
    {"iat": None},
    {"iat": 4_000_000_000},
]


# By number: some say what time it is, and processes that share the tests must call them alike.
@pytest.mark.parametrize(
    "claims", BAD_CLAIMS, ids=[f"{number} {','.join(each)}" for number, each in enumerate(BAD_CLAIMS)]
)
async def test_a_token_with_a_bad_claim_is_refused(verifier: GoogleVerifier, key: Key, claims: dict[str, Any]) -> None:
    with pytest.raises(GoogleRefused) as refusal:
        await verifier.verify(key.token(**claims))

    assert (str(refusal.value), refusal.value.status) == ("Google authentication failed", 401)


@pytest.mark.parametrize("alg", ["none", "HS256", "RS512", ""])
async def test_only_googles_algorithm_is_accepted(verifier: GoogleVerifier, key: Key, alg: str) -> None:
    with pytest.raises(GoogleRefused):
        await verifier.verify(key.token(alg=alg))


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "..", "é.é.é", "bnVsbA.bnVsbA.eA", "W10.W10.eA"])
async def test_what_is_no_token_is_refused(verifier: GoogleVerifier, token: str) -> None:
    with pytest.raises(GoogleRefused):
        await verifier.verify(token)


async def test_a_changed_token_is_refused(verifier: GoogleVerifier, key: Key) -> None:
    header, _, signature = key.token().split(".")
    _, payload, _ = key.token(sub="2002").split(".")

    with pytest.raises(GoogleRefused):
        await verifier.verify(f"{header}.{payload}.{signature}")


async def test_a_strangers_key_is_refused_also_under_a_known_id(
    verifier: GoogleVerifier, stranger: Key, google: Certificates
) -> None:
    forged = Key("current")

    for each in (stranger, forged):
        with pytest.raises(GoogleRefused):
            await verifier.verify(each.token())

    assert google.asked == 1


async def test_ten_seconds_of_clock_skew_are_forgiven(verifier: GoogleVerifier, key: Key) -> None:
    now = int(time.time())

    assert await verifier.verify(key.token(iat=now + 5, exp=now + 3600))
    assert await verifier.verify(key.token(iat=now - 60, exp=now - 5))


async def test_certificates_are_fetched_once_for_as_long_as_they_may_be_kept(
    verifier: GoogleVerifier, key: Key, google: Certificates
) -> None:
    await asyncio.gather(*(verifier.verify(key.token()) for _ in range(10)))

    assert google.asked == 1


async def test_certificates_that_may_not_be_kept_are_fetched_each_time(
    verifier: GoogleVerifier, key: Key, google: Certificates
) -> None:
    google.max_age = 0
    for _ in range(3):
        await verifier.verify(key.token())

    assert google.asked == 3


async def test_an_unknown_key_refetches_certificates_once_a_minute_at_most(
    verifier: GoogleVerifier, key: Key, stranger: Key, google: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    await verifier.verify(key.token())
    google.keys.append(stranger)
    for _ in range(5):
        with pytest.raises(GoogleRefused):
            await verifier.verify(stranger.token())
    asked_too_soon = google.asked
    monkeypatch.setattr(gateway, "REFETCH_SECONDS", 0)

    identity = await verifier.verify(stranger.token())

    assert asked_too_soon == 1
    assert (identity.subject, google.asked) == ("1001", 2)


@pytest.mark.parametrize("status", [500, 404])
async def test_without_certificates_google_is_unavailable_until_it_answers_again(
    verifier: GoogleVerifier, key: Key, google: Certificates, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    google.status = status
    results = await asyncio.gather(*(verifier.verify(key.token()) for _ in range(10)), return_exceptions=True)
    fetches = google.asked
    google.status = 200
    monkeypatch.setattr(gateway, "RETRY_SECONDS", 0)

    assert [type(result) for result in results] == [Unavailable] * 10
    assert fetches == 1
    assert await verifier.verify(key.token())


async def test_an_address_that_nobody_answers_is_unavailable(key: Key) -> None:
    with pytest.raises(Unavailable):
        await GoogleVerifier(CLIENT_ID, "http://127.0.0.1:9/certs").verify(key.token())


async def test_a_new_person_gets_an_account_without_a_password(enter: Visit, key: Key, sessions: Sessions) -> None:
    context = await enter()

    viewer = await authentication.sign_in_with_google(context, key.token(email="Ann@Minimal.test"))

    [user] = await users(sessions)
    assert (viewer.user_id, viewer.email, viewer.name) == (user.id, "ann@minimal.test", "Ann Google")
    assert (user.password_hash, user.google_sub) == (None, "1001")
    assert user.email_verified_at is not None
    assert context.cookies[0].value == context.token


async def test_a_person_without_a_name_is_called_by_the_address(enter: Visit, key: Key, sessions: Sessions) -> None:
    await authentication.sign_in_with_google(await enter(), key.token(name=None))

    assert [user.name for user in await users(sessions)] == ["ann"]


async def test_an_account_with_a_second_factor_is_asked_for_it_after_google_too(
    enter: Visit, key: Key, sessions: Sessions
) -> None:
    viewer = await authentication.sign_in_with_google(await enter(), key.token())
    async with begin(sessions) as session:
        session.add(Passkey(user_id=viewer.user_id, credential_id=b"c", public_key=b"k", name="Phone"))
    context = await enter()

    with pytest.raises(SecondFactorNeeded) as refusal:
        await authentication.sign_in_with_google(context, key.token(jti="2"))

    assert refusal.value.methods == ["passkey"]
    assert context.viewer is None


async def test_a_google_account_renews_its_sign_in_with_its_own_credential(
    enter: Visit, key: Key, sessions: Sessions
) -> None:
    context = await enter()
    used = key.token()
    viewer = await authentication.sign_in_with_google(context, used)
    context.viewer = replace(viewer, authenticated_at=LONG_AGO)

    for refused in (key.token(sub="2002", email="bob@minimal.test", jti="2"), used):
        with pytest.raises(GoogleRefused):
            await authentication.reauthenticate_with_google(context, refused)
    with pytest.raises(ReauthenticationRequired):
        context.signed_in.require_recent_sign_in()
    await authentication.reauthenticate_with_google(context, key.token(jti="3"))

    context.signed_in.require_recent_sign_in()


async def test_a_known_subject_signs_in_whatever_its_email_is_now(enter: Visit, key: Key, sessions: Sessions) -> None:
    first = await authentication.sign_in_with_google(await enter(), key.token())

    second = await authentication.sign_in_with_google(await enter(), key.token(email="renamed@minimal.test"))

    assert second.user_id == first.user_id
    assert [user.email for user in await users(sessions)] == ["ann@minimal.test"]


@pytest.mark.spec("guards.once")
async def test_a_token_works_once(enter: Visit, key: Key, sessions: Sessions) -> None:
    token = key.token()
    await authentication.sign_in_with_google(await enter(), token)

    with pytest.raises(GoogleRefused):
        await authentication.sign_in_with_google(await enter(), token)

    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(GoogleToken)) == 1


async def test_one_token_presented_many_times_at_once_signs_in_once(enter: Visit, key: Key, sessions: Sessions) -> None:
    token, contexts = key.token(), [await enter() for _ in range(6)]

    results = await asyncio.gather(
        *(authentication.sign_in_with_google(context, token) for context in contexts), return_exceptions=True
    )

    assert sorted(type(result).__name__ for result in results) == ["GoogleRefused"] * 5 + ["Viewer"]
    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Session)) == 1


async def test_two_tokens_of_a_new_person_at_once_make_one_account(enter: Visit, key: Key, sessions: Sessions) -> None:
    contexts = [await enter() for _ in range(6)]

    viewers = await asyncio.gather(
        *(
            authentication.sign_in_with_google(context, key.token(jti=str(number)))
            for number, context in enumerate(contexts)
        )
    )

    assert len({viewer.user_id for viewer in viewers}) == 1
    assert len(await users(sessions)) == 1


async def test_linking_google_in_a_known_browser_keeps_password_and_sessions(
    enter: Visit, key: Key, make_user: MakeUser, sign_in: SignIn, visit: Visit
) -> None:
    user = await make_user(verified=True)
    elsewhere, here = await sign_in(user), await visit()
    await authentication.sign_in(here, "ann@minimal.test", PASSWORD)

    viewer = await authentication.sign_in_with_google(await enter(device=here.device), key.token())

    assert viewer.user_id == user.id
    assert (await visit(elsewhere.token)).viewer is not None
    assert (await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)).user_id == user.id


@pytest.mark.spec("guards.device")
async def test_linking_google_in_a_browser_without_a_password_sign_in_voids_the_password(
    enter: Visit, key: Key, make_user: MakeUser, visit: Visit, sessions: Sessions
) -> None:
    user = await make_user(verified=True)
    async with begin(sessions) as session:
        device = await devices.remember(session, user.id, None, knows_password=False)

    viewer = await authentication.sign_in_with_google(await enter(device=device), key.token())

    assert viewer.user_id == user.id
    with pytest.raises(InvalidCredentials):
        await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)


async def test_a_pre_registered_account_is_locked_when_the_owner_signs_in_with_google(
    enter: Visit, key: Key, make_user: MakeUser, sign_in: SignIn, visit: Visit, run_jobs: RunJobs, outbox: Outbox
) -> None:
    user = await make_user(verified=False)
    attacker = await sign_in(user)
    await password_reset.forgot_password(await visit(), "ann@minimal.test")
    await run_jobs()
    [link] = await outbox("ann@minimal.test")

    viewer = await authentication.sign_in_with_google(await enter(), key.token())

    assert viewer.user_id == user.id
    assert (await visit(attacker.token)).viewer is None
    with pytest.raises(InvalidCredentials):
        await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)
    with pytest.raises(LinkExpired):
        await password_reset.reset_password(await visit(), link_in(link), "Linen?Shirt42")


async def test_another_google_account_with_the_same_email_is_refused(
    enter: Visit, key: Key, sessions: Sessions
) -> None:
    await authentication.sign_in_with_google(await enter(), key.token())

    with pytest.raises(GoogleRefused):
        await authentication.sign_in_with_google(await enter(), key.token(sub="2002"))

    assert [user.google_sub for user in await users(sessions)] == ["1001"]


async def test_a_subject_whose_new_email_is_another_account_opens_its_own(
    enter: Visit, key: Key, make_user: MakeUser, sessions: Sessions
) -> None:
    bob = await make_user("bob@minimal.test", verified=True)
    ann = await authentication.sign_in_with_google(await enter(), key.token())

    again = await authentication.sign_in_with_google(await enter(), key.token(email="bob@minimal.test"))

    assert again.user_id == ann.user_id != bob.id


async def test_a_google_account_may_set_a_password_and_then_signs_in_both_ways(
    enter: Visit, key: Key, visit: Visit
) -> None:
    context = await enter()
    await authentication.sign_in_with_google(context, key.token())

    await profiles.update_profile(context, None, None, OTHER_PASSWORD)

    by_password = await authentication.sign_in(await visit(), "ann@minimal.test", OTHER_PASSWORD)
    by_google = await authentication.sign_in_with_google(await enter(), key.token(jti="2"))
    assert by_password.user_id == by_google.user_id


async def test_signing_in_with_google_ends_the_session_that_the_browser_had(
    enter: Visit, key: Key, make_user: MakeUser, sign_in: SignIn, visit: Visit, verifier: GoogleVerifier
) -> None:
    context = await sign_in(await make_user("bob@minimal.test"))
    context.resources.add(verifier)
    old_token = context.token

    await authentication.sign_in_with_google(context, key.token())

    assert (await visit(old_token)).viewer is None
    assert context.signed_in.email == "ann@minimal.test"


async def test_refused_tokens_count_against_the_address_and_an_outage_does_not(
    enter: Visit, key: Key, google: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "RETRY_SECONDS", 0)
    context = await enter()
    context.resources.get(Settings).limits.sign_in_failures_per_address = 1
    google.status = 500
    for _ in range(2):
        with pytest.raises(Unavailable):
            await authentication.sign_in_with_google(context, key.token())
    google.status = 200

    with pytest.raises(GoogleRefused):
        await authentication.sign_in_with_google(context, key.token(aud="elsewhere"))
    with pytest.raises(TooManyRequests):
        await authentication.sign_in_with_google(context, key.token())
