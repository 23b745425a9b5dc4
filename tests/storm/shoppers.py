"""Simulated shoppers who buy at random and continue after every error."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID

import httpx

from tests.payments.checkout_documents import ADD, COMPLETE, START
from tests.storm.books import Told

CANCEL = "mutation ($id: ID!) { cancelOrder(id: $id) { __typename ... on Order { id } ... on UserError { message } } }"
PAYS, DECLINED, PAYS_LATER, FAILS_LATER = "4242424242424242", "4000000000000002", "4000000000000077", "4000000000000341"
PLANS = {"pay": 12, "decline, then pay": 2, "decline": 1, "abandon": 3, "pay later": 1, "fail later": 1}
MOST_LINES = 3
BREATH, PATIENCE = (0.02, 0.15), (0.2, 0.6)
"""Seconds before an answer is followed by the next question, and before an unanswered one is asked again."""


@dataclass
class Crowd:
    """What all shoppers share. `surprises` are answers that nobody should ever get."""

    told: Told = field(default_factory=Told)
    did: Counter[str] = field(default_factory=Counter)
    surprises: list[str] = field(default_factory=list)
    is_over: bool = False


@dataclass(frozen=True)
class Habits:
    """How likely a shopper leaves without seeing the return page, and cancels what was ordered."""

    leaves: float = 0.3
    cancels: float = 0.25
    vanish: int = 0
    """How many of the shoppers never come again when they have left."""


USUAL = Habits()


@dataclass
class Buyer:
    """One of them, with a browser; `payer` types into the provider's card form."""

    email: str
    browser: httpx.AsyncClient
    payer: httpx.AsyncClient
    variants: list[UUID]
    dice: Random
    crowd: Crowd
    habits: Habits
    number: int
    is_gone: bool = False

    async def shop(self) -> None:
        """Buys and buys until it is over."""
        while not (self.crowd.is_over or self.is_gone):
            await self.fill_the_cart()
            form = await self.start()
            if form is not None:
                await self.carry_out(self.dice.choices(list(PLANS), list(PLANS.values()))[0], form)

    async def settle(self) -> None:
        """Pays for what is in the cart, which ends the checkout that was left, or replaces it."""
        form = await self.start()
        if form is not None:
            self.crowd.did["settle"] += 1
            await self.type_card(form, PAYS)
            await self.come_back(form)

    async def fill_the_cart(self) -> None:
        for variant_id in self.dice.sample(self.variants, self.dice.randint(1, MOST_LINES)):
            pieces = self.dice.randint(1, 2)
            self.crowd.told.perhaps[self.email][variant_id] += pieces
            answer = await self.ask(ADD, variant=str(variant_id), quantity=pieces)
            if answer is not None:
                self.crowd.told.perhaps[self.email][variant_id] -= pieces
                self.expect(answer["addToCart"], "Cart")
                self.crowd.told.put[self.email][variant_id] += pieces

    async def start(self) -> str | None:
        """Presses the button until there is a card form; None when it is over before, or all in the cart is bought."""
        while not self.crowd.is_over:
            answer = await self.ask(START)
            if answer is None:
                continue
            started = answer["startCheckout"]
            self.expect(started, "Checkout", "PaymentUnavailable", "CartNotReady")
            if started["__typename"] == "Checkout":
                return str(started["sessionId"])
            if started["__typename"] == "CartNotReady" and started["cart"]["count"] == 0:
                return None
        return None

    async def carry_out(self, plan: str, form: str) -> None:
        self.crowd.did[plan] += 1
        if plan == "abandon":
            return
        if plan.startswith("decline"):
            await self.type_card(form, DECLINED)
        if plan == "decline":
            return
        await self.type_card(form, {"pay later": PAYS_LATER, "fail later": FAILS_LATER}.get(plan, PAYS))
        if self.dice.random() < self.habits.leaves:
            self.crowd.did["leave"] += 1
            self.is_gone = self.number < self.habits.vanish
            self.crowd.did["vanish"] += self.is_gone
            return
        order_id = await self.come_back(form)
        if order_id and self.dice.random() < self.habits.cancels:
            await self.cancel(order_id)

    async def type_card(self, form: str, card: str) -> None:
        """Until the provider has taken or refused it, or the form is closed."""
        while not self.crowd.is_over:
            try:
                answer = await self.payer.post(f"/_control/sessions/{form}/pay", json={"card": card})
                if answer.status_code not in (200, 402, 409):
                    self.crowd.surprises.append(f"The card form answered {answer.status_code}: {answer.text[:200]}")
                return
            except httpx.TransportError:
                await self.wait()

    async def come_back(self, form: str) -> UUID | None:
        """The return page, opened until it says what became of the payment; the order, if there is one."""
        for _ in range(40):
            answer = await self.ask(COMPLETE, session=form)
            if answer is None:
                continue
            outcome = answer["completeCheckout"]
            if outcome["__typename"] == "CheckoutCompleted":
                order_id = UUID(outcome["order"]["id"])
                self.crowd.told.ordered.add(order_id)
                return order_id
            refusals = ("PaymentNotCompleted", "PaymentProcessing", "PaymentUnavailable")
            self.expect(outcome, *refusals)
            if outcome["__typename"] == "PaymentNotCompleted" or self.crowd.is_over:
                return None
        return None

    async def cancel(self, order_id: UUID) -> None:
        while not self.crowd.is_over:
            answer = await self.ask(CANCEL, id=str(order_id))
            if answer is not None:
                self.expect(answer["cancelOrder"], "Order")
                self.crowd.told.canceled.add(order_id)
                self.crowd.did["cancel"] += 1
                return

    async def ask(self, document: str, **variables: object) -> Any:
        """The data of an answer; None when the shop could not be reached, or said that it is away."""
        await asyncio.sleep(self.dice.uniform(*BREATH))
        try:
            answer = await self.browser.post("/graphql", json={"query": document, "variables": variables})
        except httpx.TransportError:
            self.crowd.did["ask in vain"] += 1
            await self.wait()
            return None
        if answer.status_code == 503:
            self.crowd.did["be put off"] += 1
            if "retry-after" not in answer.headers:
                self.crowd.surprises.append(f"Put off without a word for how long: {answer.text[:200]}")
            await self.wait()
            return None
        body = answer.json() if answer.status_code == 200 else {"errors": answer.text[:300]}
        if "errors" in body:
            self.crowd.surprises.append(f"The shop answered {answer.status_code}: {body['errors']}")
            return None
        return body["data"]

    def expect(self, answer: dict[str, Any], *names: str) -> bool:
        """Whether it is one of these; notes any other."""
        if answer["__typename"] in names:
            return True
        self.crowd.surprises.append(f"The shop answered {answer['__typename']}: {answer.get('message')}")
        return False

    async def wait(self) -> None:
        await asyncio.sleep(self.dice.uniform(*PATIENCE))
