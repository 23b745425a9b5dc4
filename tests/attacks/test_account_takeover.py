"""Accounts that two people can sign in to: what one keeps after the other has proven the e-mail address."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, func, select, update
from starlette.applications import Starlette

from server.app import create_app
from server.config import Settings
from server.identity import credentials, devices, email_confirmation
from server.identity import service as identity
from server.identity.credentials import EndedCredentials
from server.identity.gateway import GoogleVerifier
from server.mail.messages import (
    EmailDenied,
    GoogleLinked,
    PasswordChanged,
    PasswordResetLink,
    SignInLocked,
    VerifyEmail,
)
from server.mail.models import Mail
from server.orders.models import Order
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.models import Job, RateLimit
from tests.due_jobs import run_all_due
from tests.identity.conftest import link_in
from tests.identity.google_keys import CLIENT_ID, Certificates, Key, serving

VICTIM = "victim@minimal.test"
WELCOME = "Welcome to Minimal"
STRANGER = "stranger@minimal.test"
THEIR_PASSWORD, OWN_PASSWORD = "Stranger&Shirt4", "Victim&Jacket5"
VERIFY = "mutation ($token: String!) { verifyEmail(token: $token) { __typename } }"
WITH_PASSWORD = "mutation ($t: String!, $p: String!) { verifyEmail(token: $t, password: $p) { __typename } }"
DENY = "mutation ($token: String!) { denyEmail(token: $token) { __typename } }"
VERIFIED = "{ viewer { emailVerified } }"


@dataclass
class Person:
    """Somebody with a browser and, perhaps, a Google account."""

    client: httpx.AsyncClient
    key: Key

    async def sign_up(self, email: str, password: str) -> None:
        body = {"name": "Ann Shopper", "email": email, "password": password}
        assert (await self.client.post("/api/auth/signup", json=body)).status_code == 201

    async def sign_in(self, email: str, password: str) -> int:
        return (await self.client.post("/api/auth/signin", json={"email": email, "password": password})).status_code

    async def google(self, subject: str, email: str) -> httpx.Response:
        token = self.key.token(sub=subject, email=email, jti=str(next(_numbers)))
        return await self.client.post("/api/auth/google", json={"token": token})

    async def change(self, **changes: str) -> None:
        assert (await self.client.put("/api/user/profile", json=changes)).status_code == 200

    async def ask_for_reset(self, email: str) -> None:
        assert (await self.client.post("/api/auth/forgot-password", json={"email": email})).status_code == 204

    async def reset(self, token: str, password: str) -> int:
        body = {"resetToken": token, "newPassword": password}
        return (await self.client.post("/api/auth/reset-password", json=body)).status_code

    async def graphql(self, document: str, **variables: Any) -> Any:
        answer = await self.client.post("/graphql", json={"query": document, "variables": variables})
        return answer.json()["data"]

    async def verify(self, token: str, password: str | None = None) -> str:
        """What it comes to."""
        if password is None:
            data = await self.graphql(VERIFY, token=token)
        else:
            data = await self.graphql(WITH_PASSWORD, t=token, p=password)
        return str(data["verifyEmail"]["__typename"])

    async def deny(self, token: str) -> str:
        return str((await self.graphql(DENY, token=token))["denyEmail"]["__typename"])

    async def is_verified(self) -> bool:
        return bool((await self.graphql(VERIFIED))["viewer"] == {"emailVerified": True})

    async def account(self) -> str | None:
        """The id of the account that the browser is signed in to."""
        answer = await self.client.get("/api/user/profile")
        return answer.json()["_id"] if answer.status_code == 200 else None


_numbers = iter(range(1_000_000))


@dataclass
class Street:
    """The shop and what it mails."""

    app: Starlette
    key: Key

    def person(self) -> Person:
        transport = httpx.ASGITransport(self.app)
        headers = {"content-type": "application/json", "sec-fetch-site": "same-origin"}
        return Person(
            httpx.AsyncClient(transport=transport, base_url="http://localhost:22500", headers=headers), self.key
        )

    async def mails(self, to: str) -> list[Mail]:
        """Oldest first, once nothing is left to be done for them."""
        shop = self.app.state.shop
        async with begin(shop.sessions) as session:
            await session.execute(update(Job).values(run_at=func.now()))
        worker = Worker(JobEnvironment(shop.sessions, shop.resources), identity.HANDLERS)
        await run_all_due(worker)
        async with shop.sessions() as session:
            return list(await session.scalars(select(Mail).where(Mail.recipient == to).order_by(Mail.id)))

    async def link(self, to: str, subject: str) -> str:
        """The token in the newest mail of that subject."""
        return link_in([mail for mail in await self.mails(to) if mail.subject == subject][-1])


@pytest.fixture(scope="module")
def key() -> Key:
    return Key("current")


@pytest.fixture(scope="module")
def google(key: Key) -> Iterator[Certificates]:
    with serving(key) as certificates:
        yield certificates


@pytest.fixture
async def street(database_url: str, sessions: Sessions, google: Certificates, key: Key) -> AsyncIterator[Street]:
    app = create_app(Settings(_env_file=None, port=22_500, database_url=database_url))  # type: ignore[call-arg]
    app.state.shop.resources.add(GoogleVerifier(CLIENT_ID, google.url))
    yield Street(app, key)
    await app.state.shop.engine.dispose()


async def take_the_address(street: Street) -> Person:
    """A stranger with a Google account, whose profile says the victim's e-mail; signed in again after it did."""
    stranger = street.person()
    await stranger.google("666", STRANGER)
    await stranger.change(email=VICTIM)
    await stranger.google("666", STRANGER)
    return stranger


async def reset_by_mail(street: Street, person: Person, password: str = OWN_PASSWORD) -> None:
    await person.ask_for_reset(VICTIM)
    assert await person.reset(await street.link(VICTIM, PasswordResetLink.subject), password) == 204


@pytest.mark.spec("guards.proof")
async def test_a_reset_by_the_owner_unlinks_another_persons_google_account(
    street: Street,
) -> None:
    stranger, victim = await take_the_address(street), street.person()
    await reset_by_mail(street, victim)
    assert await victim.sign_in(VICTIM, OWN_PASSWORD) == 200

    still_signed_in = await stranger.account()
    await stranger.google("666", STRANGER)

    assert still_signed_in is None
    assert await stranger.account() not in (None, await victim.account())
    [notice] = [mail for mail in await street.mails(VICTIM) if mail.subject == PasswordChanged.subject]
    assert "- The link to a Google account" in notice.text_body


async def test_the_owners_google_sign_in_replaces_another_google_account(street: Street) -> None:
    stranger, victim = await take_the_address(street), street.person()

    entered = await victim.google("777", VICTIM)
    still_signed_in = await stranger.account()
    await stranger.google("666", STRANGER)

    assert (entered.status_code, still_signed_in) == (200, None)
    assert await stranger.account() not in (None, await victim.account())


@pytest.mark.spec("guards.proof")
async def test_what_a_stranger_set_before_the_owner_came_with_google_is_void(street: Street) -> None:
    stranger, victim = street.person(), street.person()
    await stranger.sign_up(VICTIM, THEIR_PASSWORD)
    await stranger.ask_for_reset(VICTIM)
    link = await street.link(VICTIM, PasswordResetLink.subject)

    await victim.google("777", VICTIM)

    assert await stranger.account() is None
    assert await stranger.sign_in(VICTIM, THEIR_PASSWORD) == 401
    assert await stranger.reset(link, THEIR_PASSWORD) == 400
    [notice] = [mail for mail in await street.mails(VICTIM) if mail.subject == GoogleLinked.subject]
    assert "- The password that was set before" in notice.text_body


async def test_google_sign_in_from_an_unknown_browser_voids_the_password(
    street: Street,
) -> None:
    """Even though the address has been confirmed: somebody else may have set the password."""
    first, elsewhere = street.person(), street.person()
    await first.sign_up(VICTIM, OWN_PASSWORD)
    await reset_by_mail(street, first)
    await first.sign_in(VICTIM, OWN_PASSWORD)

    await elsewhere.google("777", VICTIM)

    assert await first.account() is None
    assert await first.sign_in(VICTIM, OWN_PASSWORD) == 401


async def test_google_sign_in_from_the_passwords_browser_keeps_the_password(street: Street) -> None:
    owner, at_home = street.person(), street.person()
    await owner.sign_up(VICTIM, OWN_PASSWORD)
    await reset_by_mail(street, owner)
    await owner.sign_in(VICTIM, OWN_PASSWORD)
    await at_home.sign_in(VICTIM, OWN_PASSWORD)

    await owner.google("777", VICTIM)

    assert await at_home.account() == await owner.account()
    assert await at_home.sign_in(VICTIM, OWN_PASSWORD) == 200


@pytest.mark.spec("guards.device")
async def test_a_password_stays_for_nobody_where_the_address_was_never_confirmed(street: Street) -> None:
    """Also in the browser that set it: a stranger may have used the owner's."""
    owner = street.person()
    await owner.sign_up(VICTIM, OWN_PASSWORD)

    await owner.google("777", VICTIM)

    assert await owner.account() is not None
    assert await owner.sign_in(VICTIM, OWN_PASSWORD) == 401


async def test_a_new_password_is_unknown_to_every_browser_but_the_one_that_set_it(street: Street) -> None:
    here, elsewhere = street.person(), street.person()
    await here.sign_up(VICTIM, OWN_PASSWORD)
    await reset_by_mail(street, here)
    for person in (here, elsewhere):
        await person.sign_in(VICTIM, OWN_PASSWORD)
    await here.change(password=THEIR_PASSWORD)

    await elsewhere.google("777", VICTIM)

    assert await here.sign_in(VICTIM, THEIR_PASSWORD) == 401


@pytest.mark.spec("guards.link")
async def test_a_victim_who_opens_a_strangers_confirmation_link_confirms_nothing(street: Street) -> None:
    stranger, victim = street.person(), street.person()
    await stranger.sign_up(VICTIM, THEIR_PASSWORD)
    link = await street.link(VICTIM, WELCOME)

    assert await victim.verify(link) == "ProofRequired"
    assert not await stranger.is_verified()
    await victim.google("777", VICTIM)

    assert await stranger.account() is None
    assert await stranger.sign_in(VICTIM, THEIR_PASSWORD) == 401


async def test_a_link_works_in_the_browser_that_signed_up_and_elsewhere_with_the_password(street: Street) -> None:
    for at_home in (True, False):
        laptop, phone = street.person(), street.person()
        email = f"ann{at_home}@minimal.test".lower()
        await laptop.sign_up(email, OWN_PASSWORD)
        link = await street.link(email, WELCOME)
        if at_home:
            outcomes = [await laptop.verify(link)]
        else:
            outcomes = [await phone.verify(link, "Wrong&Guess1"), await phone.verify(link, OWN_PASSWORD)]

        assert outcomes == (["Success"] if at_home else ["InvalidCredentials", "Success"])
        assert await laptop.is_verified()
        assert await phone.account() is None
        assert await phone.verify(link) == "Success"


async def test_a_link_counts_after_signing_out_in_the_browser_that_signed_up(street: Street) -> None:
    laptop = street.person()
    await laptop.sign_up(VICTIM, OWN_PASSWORD)
    await laptop.client.post("/api/auth/logout", json={})

    assert await laptop.verify(await street.link(VICTIM, WELCOME)) == "Success"


async def test_an_account_that_was_not_its_receivers_is_deleted_and_the_address_is_free(street: Street) -> None:
    stranger, victim = street.person(), street.person()
    await stranger.sign_up(VICTIM, THEIR_PASSWORD)
    link = await street.link(VICTIM, WELCOME)

    assert [await victim.deny(link), await victim.deny(link)] == ["Success", "LinkExpired"]

    assert await stranger.account() is None
    assert await stranger.sign_in(VICTIM, THEIR_PASSWORD) == 401
    await victim.sign_up(VICTIM, OWN_PASSWORD)


async def test_an_account_with_orders_is_kept_for_the_shop_and_opened_by_nobody(street: Street) -> None:
    stranger, victim = street.person(), street.person()
    await stranger.sign_up(VICTIM, THEIR_PASSWORD)
    account = await stranger.account()
    await buy(street, account)

    assert await victim.deny(await street.link(VICTIM, WELCOME)) == "Success"

    assert await stranger.sign_in(f"{account}@no-mailbox.invalid", THEIR_PASSWORD) == 401
    await victim.sign_up(VICTIM, OWN_PASSWORD)
    async with street.app.state.shop.sessions() as session:
        assert str(await session.scalar(select(Order.user_id))) == account


async def test_an_account_whose_new_address_was_mistyped_gets_its_verified_one_back(street: Street) -> None:
    clumsy, neighbour = street.person(), street.person()
    await clumsy.sign_up(STRANGER, OWN_PASSWORD)
    await clumsy.verify(await street.link(STRANGER, WELCOME))
    await clumsy.change(email="mistyped@minimal.test")
    await clumsy.sign_in("mistyped@minimal.test", OWN_PASSWORD)
    await clumsy.change(email=VICTIM)

    assert await neighbour.deny(await street.link(VICTIM, VerifyEmail.subject)) == "Success"

    assert await clumsy.sign_in(STRANGER, OWN_PASSWORD) == 200
    assert await clumsy.is_verified()
    assert EmailDenied.subject in [mail.subject for mail in await street.mails(STRANGER)]


async def test_a_confirmed_address_cannot_be_denied(street: Street) -> None:
    owner = street.person()
    await owner.sign_up(VICTIM, OWN_PASSWORD)
    link = await street.link(VICTIM, WELCOME)
    await owner.verify(link)

    assert await street.person().deny(link) == "LinkExpired"
    assert await owner.account() is not None


async def test_an_account_without_a_password_is_confirmed_where_it_is_signed_in(street: Street) -> None:
    owner = street.person()
    await owner.google("666", STRANGER)
    await owner.change(email=VICTIM)
    link = await street.link(VICTIM, VerifyEmail.subject)

    assert await street.person().verify(link, "Any&Password1") == "ProofRequired"
    assert await owner.verify(link) == "Success"


LOCKED_OUT = {"email": VICTIM, "password": "Wrong&Guess1"}


async def lock_out(street: Street) -> list[int]:
    """What the owner's browser and a new one of hers are told, once a stranger has guessed eleven times."""
    at_home, elsewhere, stranger = street.person(), street.person(), street.person()
    await at_home.sign_up(VICTIM, OWN_PASSWORD)
    for _ in range(11):
        await stranger.client.post("/api/auth/signin", json=LOCKED_OUT)
    return [await person.sign_in(VICTIM, OWN_PASSWORD) for person in (at_home, elsewhere)]


async def test_a_stranger_who_guesses_makes_strangers_wait_and_not_the_owner(street: Street) -> None:
    assert await lock_out(street) == [200, 429]
    assert SignInLocked.subject in [mail.subject for mail in await street.mails(VICTIM)]


async def test_patient_guesses_meet_a_days_limit_that_the_owner_does_not(street: Street) -> None:
    """Ten guesses in each five minutes, from a network of its own each time."""
    at_home, elsewhere, patient = street.person(), street.person(), street.person()
    await at_home.sign_up(VICTIM, OWN_PASSWORD)
    answers = []
    for _ in range(11):
        answers += [(await patient.client.post("/api/auth/signin", json=LOCKED_OUT)).status_code for _ in range(10)]
        async with begin(street.app.state.shop.sessions) as session:
            briefly = RateLimit.bucket.not_like("sign-in-day:%")
            await session.execute(delete(RateLimit).where(briefly))
    refused = await patient.client.post("/api/auth/signin", json=LOCKED_OUT)

    assert answers == [401] * 100 + [429] * 10
    assert int(refused.headers["retry-after"]) > 86_000
    assert [await at_home.sign_in(VICTIM, OWN_PASSWORD), await elsewhere.sign_in(VICTIM, OWN_PASSWORD)] == [200, 429]
    assert (await street.person().google("777", "victim2@minimal.test")).status_code == 200
    await reset_by_mail(street, elsewhere, "Another&Jacket6")
    assert await elsewhere.sign_in(VICTIM, "Another&Jacket6") == 200


async def test_without_known_devices_a_stranger_locks_the_owner_out(
    street: Street, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nobody(*_: object) -> None:
        return None

    monkeypatch.setattr(devices, "find", nobody)

    assert await lock_out(street) == [429, 429]


async def test_a_locked_out_owner_gets_in_by_mail(street: Street) -> None:
    await lock_out(street)
    owner = street.person()

    await reset_by_mail(street, owner, "Another&Jacket6")

    assert await owner.sign_in(VICTIM, "Another&Jacket6") == 200


async def test_nothing_is_proved_where_nothing_ends(street: Street, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first attack again, in a shop whose one place for it has been emptied."""

    async def nothing_ends(*_: object, **__: object) -> EndedCredentials:
        return EndedCredentials()

    monkeypatch.setattr(credentials, "end_unproven", nothing_ends)
    stranger, victim = await take_the_address(street), street.person()
    await reset_by_mail(street, victim)
    await victim.sign_in(VICTIM, OWN_PASSWORD)

    await stranger.google("666", STRANGER)

    assert await stranger.account() == await victim.account()


async def test_a_link_that_proves_an_account_makes_a_strangers_account_the_victims(
    street: Street, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the link alone is taken for a proof of the account as well."""

    async def everywhere(*_: object) -> bool:
        return True

    monkeypatch.setattr(email_confirmation, "_is_at_home", everywhere)
    stranger, victim = street.person(), street.person()
    await stranger.sign_up(VICTIM, THEIR_PASSWORD)

    assert await victim.verify(await street.link(VICTIM, WELCOME)) == "Success"
    assert await stranger.is_verified()


async def buy(street: Street, account: str | None) -> None:
    async with begin(street.app.state.shop.sessions) as session:
        session.add(
            Order(
                user_id=account,
                email=VICTIM,
                payment_status="paid",
                total_cents=100,
                shipping_address={},
                currency="usd",
            )
        )
