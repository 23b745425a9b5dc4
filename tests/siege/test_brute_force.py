"""Brute force against passwords, reset links, accounts and codes, through two processes at once."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from server.identity import service as identity
from server.identity import sessions as identity_sessions
from server.identity.models import PasswordReset, User
from server.identity.passwords import PasswordHashing
from server.mail.models import Mail
from server.platform.core.db import Sessions, begin
from server.platform.core.models import Job
from server.pricing.models import DiscountCode
from server.pricing.promotions import PercentOff, Promotion
from tests.ports import free_port
from tests.session_tokens import session_token
from tests.siege.servers import WORKER, Server, browser, serving

PASSWORD = "Linen&Shirt4"
ALIASES = 10
TRIES = 30
IN, REFUSED, LIMITED = "in", "refused", "limited"
TOLD = {
    **dict.fromkeys((200, 201, 204, "SignedIn", "Success", "Cart"), IN),
    **dict.fromkeys((400, 401, 409, "InvalidCredentials", "LinkExpired", "EmailTaken", "DiscountCodeRefused"), REFUSED),
    **dict.fromkeys((429, "TooManyAttempts"), LIMITED),
}
_numbers, _addresses = count(1), count(1)

Guess = dict[str, str]


@dataclass(frozen=True)
class Door:
    """One thing to guess at: a mutation, and the call of REST that does the same."""

    mutation: str
    arguments: Sequence[str]
    path: str | None = None
    names: dict[str, str] | None = None

    async def rest(self, client: httpx.AsyncClient, guess: Guess) -> str:
        assert self.path is not None
        body = {(self.names or {}).get(name, name): value for name, value in guess.items()}
        answer = await answered(client, self.path, body)
        outcome = TOLD[answer.status_code]
        assert (outcome == LIMITED) == (int(answer.headers.get("retry-after", 0)) > 0)
        return outcome

    async def graphql(self, client: httpx.AsyncClient, guesses: Sequence[Guess]) -> list[str]:
        """Many in one document."""
        fields = [
            f"a{number}: {self.mutation}({', '.join(f'{name}: {json.dumps(guess[name])}' for name in self.arguments)})"
            " { __typename ... on TooManyAttempts { retryAfter } }"
            for number, guess in enumerate(guesses)
        ]
        answer = await answered(client, "/graphql", {"query": f"mutation {{ {' '.join(fields)} }}"})
        results: list[dict[str, Any]] = list(answer.json()["data"].values())
        assert all(result["retryAfter"] > 0 for result in results if result["__typename"] == "TooManyAttempts")
        return [TOLD[result["__typename"]] for result in results]


async def answered(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> httpx.Response:
    """The answer of a shop that has time: what is refused because it is busy is asked again."""
    for _ in range(TRIES):
        answer = await client.post(path, json=body, headers=forged())
        if answer.status_code != 503:
            return answer
        await asyncio.sleep(int(answer.headers["retry-after"]))
    raise AssertionError(f"{path} was still busy after {TRIES} tries")


SIGN_IN = Door("signIn", ("email", "password"), "/api/auth/signin")
SIGN_UP = Door("signUp", ("name", "email", "password"), "/api/auth/signup")
ASK_FOR_RESET = Door("forgotPassword", ("email",), "/api/auth/forgot-password")
RESET = Door("resetPassword", ("token", "newPassword"), "/api/auth/reset-password", {"token": "resetToken"})
CODE = Door("applyDiscountCode", ("code",))


@dataclass(frozen=True)
class Attacker:
    """Somebody with one address of the network and a connection to each process."""

    doors: Sequence[httpx.AsyncClient]
    cookie: str

    def become(self, token: str) -> None:
        """Whose session it is."""
        for client in self.doors:
            client.cookies.set(self.cookie, token)

    async def guess(self, door: Door, guesses: Sequence[Guess]) -> Counter[str]:
        """All at once: half of them as documents of ten aliases, half as calls of REST, over all processes."""
        batches = await asyncio.gather(
            *(
                self._some(door, guesses[first : first + ALIASES], turn)
                for turn, first in enumerate(range(0, len(guesses), ALIASES))
            )
        )
        return Counter(each for some in batches for each in some)

    async def once(self, door: Door, **guess: str) -> str:
        [outcome] = await self.guess(door, [guess])
        return outcome

    async def _some(self, door: Door, guesses: Sequence[Guess], turn: int) -> list[str]:
        client = self.doors[turn % len(self.doors)]
        if door.path is None or turn // len(self.doors) % 2 == 0:
            return await door.graphql(client, guesses)
        return await asyncio.gather(*(door.rest(client, guess) for guess in guesses))


@asynccontextmanager
async def attacker(servers: Sequence[Server], token: str | None = None) -> AsyncIterator[Attacker]:
    """From an address that nobody has used before; signed in when a token is given."""
    address = f"127.0.7.{next(_addresses)}"
    async with browser(servers[0], address=address) as one, browser(servers[-1], address=address) as other:
        thief = Attacker([one, other], f"accessToken-{servers[0].port}")
        if token:
            thief.become(token)
        yield thief


def forged() -> dict[str, str]:
    """Another address each time, from somebody who is not the shop's proxy."""
    return {"x-forwarded-for": f"203.0.113.{next(_numbers) % 256}"}


async def make_account(books: Sessions) -> User:
    hashed = await PasswordHashing().hash(PASSWORD)
    async with begin(books) as session:
        email = f"victim{next(_numbers)}@minimal.test"
        return await identity.create(session, name="Ann Shopper", email=email, password_hash=hashed)


async def signed_in(books: Sessions, user: User) -> str:
    async with begin(books) as session:
        return await session_token(session, user.id)


async def make_reset_link(books: Sessions, user: User) -> str:
    """Its token."""
    token = identity_sessions.new_token()
    async with begin(books) as session:
        session.add(
            PasswordReset(
                user_id=user.id,
                token_hash=identity_sessions.token_hash(token),
                expires_at=datetime.now(UTC) + timedelta(hours=1),
            )
        )
    return token


async def mails_to(books: Sessions, user: User) -> int:
    """How many, once nothing is left to be done for them."""
    open_jobs = select(func.count()).where(Job.kind == "password-reset")
    for _ in range(300):
        async with books() as session:
            if not await session.scalar(open_jobs):
                return await session.scalar(select(func.count()).where(Mail.recipient == user.email)) or 0
        await asyncio.sleep(0.1)
    raise AssertionError("Jobs were left undone.")


async def accounts_like(books: Sessions, word: str) -> int:
    async with books() as session:
        return await session.scalar(select(func.count()).where(User.email.contains(word))) or 0


def wrong_passwords(email: str, number: int) -> list[Guess]:
    return [{"email": email, "password": f"Wrong&Guess{each}"} for each in range(number)]


def wrong_codes(number: int) -> list[Guess]:
    return [{"code": f"SALE{each}"} for each in range(number)]


@pytest.fixture(scope="module")
def unguarded(database: str, folder: Path) -> Iterator[list[Server]]:
    """A server that counts nothing, and hashes as many passwords as it is sent."""
    with serving(database, folder, free_port(), without="limits,costly hashes", beside=WORKER) as server:
        yield [server]


async def guess_a_password(servers: list[Server], books: Sessions) -> tuple[Counter[str], str]:
    victim = await make_account(books)
    async with attacker(servers) as thief:
        outcomes = await thief.guess(SIGN_IN, wrong_passwords(victim.email, 40))
        return outcomes, await thief.once(SIGN_IN, email=victim.email, password=PASSWORD)


async def test_forty_guesses_at_a_password_are_ten_and_then_the_right_one_is_not_heard(
    servers: list[Server], books: Sessions
) -> None:
    assert await guess_a_password(servers, books) == ({REFUSED: 10, LIMITED: 30}, LIMITED)


async def test_without_limits_the_forty_first_guess_is_in(unguarded: list[Server], books: Sessions) -> None:
    assert await guess_a_password(unguarded, books) == ({REFUSED: 40}, IN)


async def test_guesses_at_one_account_do_not_close_the_others(servers: list[Server], books: Sessions) -> None:
    victim, neighbour = await make_account(books), await make_account(books)

    async with attacker(servers) as thief:
        await thief.guess(SIGN_IN, wrong_passwords(victim.email, 20))

        assert await thief.once(SIGN_IN, email=neighbour.email, password=PASSWORD) == IN


async def guess_a_link(servers: list[Server], books: Sessions) -> tuple[Counter[str], str]:
    """Mixed with guesses at passwords of many accounts, which count for the same address."""
    victim = await make_account(books)
    token = await make_reset_link(books, victim)
    nobodies = [{"email": f"nobody{each}@minimal.test", "password": PASSWORD} for each in range(40)]
    made_up = [{"token": f"{each:043}", "newPassword": "Denim&Jacket5"} for each in range(80)]
    async with attacker(servers) as thief:
        outcomes = sum(await asyncio.gather(thief.guess(SIGN_IN, nobodies), thief.guess(RESET, made_up)), Counter())
        return outcomes, await thief.once(RESET, token=token, newPassword="Denim&Jacket5")


async def test_one_address_has_a_hundred_guesses_at_links_and_passwords_together(
    servers: list[Server], books: Sessions
) -> None:
    assert await guess_a_link(servers, books) == ({REFUSED: 100, LIMITED: 20}, LIMITED)


async def test_without_limits_a_link_is_guessed_at_until_it_is_found(unguarded: list[Server], books: Sessions) -> None:
    assert await guess_a_link(unguarded, books) == ({REFUSED: 120}, IN)


async def ask_for_mails(servers: list[Server], books: Sessions) -> tuple[Counter[str], int]:
    victim = await make_account(books)
    async with attacker(servers) as thief:
        outcomes = await thief.guess(ASK_FOR_RESET, [{"email": victim.email}] * 40)
    return outcomes, await mails_to(books, victim)


async def test_forty_askings_for_a_reset_are_answered_alike_and_mail_five(
    servers: list[Server], books: Sessions
) -> None:
    assert await ask_for_mails(servers, books) == ({IN: 40}, 5)


async def test_without_limits_every_asking_mails(unguarded: list[Server], books: Sessions) -> None:
    assert await ask_for_mails(unguarded, books) == ({IN: 40}, 40)


async def make_many_accounts(servers: list[Server], books: Sessions) -> tuple[Counter[str], int]:
    word = f"army{next(_numbers)}of"
    guesses = [
        {"name": "Ann Nobody", "email": f"{word}{each}@minimal.test", "password": PASSWORD} for each in range(30)
    ]
    async with attacker(servers) as thief:
        outcomes = await thief.guess(SIGN_UP, guesses)
    return outcomes, await accounts_like(books, word)


async def test_one_address_makes_twenty_accounts_where_the_shop_allows_twenty_an_hour(
    servers: list[Server], books: Sessions
) -> None:
    assert await make_many_accounts(servers, books) == ({IN: 20, LIMITED: 10}, 20)


async def test_without_limits_it_makes_as_many_as_it_likes(unguarded: list[Server], books: Sessions) -> None:
    assert await make_many_accounts(unguarded, books) == ({IN: 30}, 30)


async def guess_a_code(servers: list[Server], books: Sessions) -> tuple[Counter[str], str]:
    shopper = await make_account(books)
    word = f"FRIENDS{next(_numbers)}"
    async with begin(books) as session:
        session.add(DiscountCode(code=word, promotion=Promotion(PercentOff(50))))
    async with attacker(servers, await signed_in(books, shopper)) as thief:
        return await thief.guess(CODE, wrong_codes(40)), await thief.once(CODE, code=word)


async def test_forty_guesses_at_a_code_are_ten_and_then_the_right_one_is_not_heard(
    servers: list[Server], books: Sessions
) -> None:
    assert await guess_a_code(servers, books) == ({REFUSED: 10, LIMITED: 30}, LIMITED)


async def test_without_limits_a_code_is_found(unguarded: list[Server], books: Sessions) -> None:
    assert await guess_a_code(unguarded, books) == ({REFUSED: 40}, IN)


async def test_many_accounts_of_one_address_have_fifty_guesses_at_codes_together(
    servers: list[Server], books: Sessions
) -> None:
    outcomes: Counter[str] = Counter()
    tokens = [await signed_in(books, await make_account(books)) for _ in range(7)]
    async with attacker(servers) as thief:
        for token in tokens:
            thief.become(token)
            outcomes += await thief.guess(CODE, wrong_codes(10))

    assert outcomes == {REFUSED: 50, LIMITED: 20}
