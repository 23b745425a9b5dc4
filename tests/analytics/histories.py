"""Histories of a shop, step by step through its tables, and what its facts have to say of any of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import delete, func, insert, select, text, update

from server.analytics import facts
from server.analytics.models import AnalyticsState, ShopEvent
from server.catalog.models import Product
from server.config import Settings
from server.identity.models import User
from server.orders.models import Order
from server.payments.models import Refund, RefundLine
from server.platform.core.db import Sessions, begin
from tests.analytics.caught_up import facts_caught_up
from tests.analytics.reports import books

BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOUR = timedelta(hours=7)
"""Between two steps."""
PEOPLE = ("ann", "bea", "cyd")
ZONES = ("Europe/Stockholm", "Asia/Kolkata", "America/New_York")
CATEGORIES = ("men_shirts", "men_jeans", "women_trousers")


@dataclass(frozen=True)
class Line:
    """`piece` is a place in the range; `off` and `tax` are percent."""

    piece: int
    quantity: int
    unit: int
    off: int
    tax: int


@dataclass(frozen=True)
class Buy:
    person: int
    lines: tuple[Line, ...]
    shipping: int
    shipping_tax: int
    tax_included: bool
    as_guest: bool = False


@dataclass(frozen=True)
class PayBack:
    """A refund of the order at that place, if any is left: all of it, of a line, or of nothing that it names.

    `part` is the percentage of what is left, or of what the line was charged.
    """

    order: int
    kind: str
    part: int = 100
    line: int = 0


@dataclass(frozen=True)
class Fail:
    """The refund at that place fails, though it had succeeded."""

    refund: int


@dataclass(frozen=True)
class Move:
    product: int
    category: int


@dataclass(frozen=True)
class View:
    visit: int
    piece: int


@dataclass(frozen=True)
class ChangeEmail:
    person: int


@dataclass(frozen=True)
class DeleteAccount:
    person: int


@dataclass(frozen=True)
class ChangeZone:
    zone: int


@dataclass(frozen=True)
class CatchUp:
    """The facts catch up in the middle of it."""


Step = Buy | PayBack | Fail | Move | View | ChangeEmail | DeleteAccount | ChangeZone | CatchUp


@dataclass(repr=False)
class Shop:
    """A shop under test. `buyers` has for each order who bought it; a new account is another customer."""

    sessions: Sessions
    pieces: Sequence[books.Piece]
    now: datetime = BEGIN
    zone: str = ZONES[0]
    accounts: dict[int, UUID] = field(default_factory=dict)
    orders: list[books.BookOrder] = field(default_factory=list)
    buyers: list[UUID | str] = field(default_factory=list)
    refunds: list[tuple[UUID, UUID]] = field(default_factory=list)

    async def live(self, history: Sequence[Step]) -> None:
        do: dict[type, Callable[[Any], Any]] = {
            Buy: self.buy,
            PayBack: self.pay_back,
            Fail: self.fail,
            Move: self.move,
            View: self.view,
            ChangeEmail: self.change_email,
            DeleteAccount: self.delete_account,
            ChangeZone: self.change_zone,
            CatchUp: self.catch_up,
        }
        for step in history:
            self.now += HOUR
            await do[type(step)](step)

    async def account(self, person: int) -> UUID:
        if person not in self.accounts:
            self.accounts[person] = uuid4()
            email = f"{PEOPLE[person]}@shop.test"
            async with begin(self.sessions) as session:
                await session.execute(insert(User).values(id=self.accounts[person], email=email, name="A"))
        return self.accounts[person]

    async def buy(self, step: Buy) -> None:
        lines = tuple(self._line(line) for line in step.lines)
        person = None if step.as_guest else await self.account(step.person)
        async with begin(self.sessions) as session:
            email = await session.scalar(select(User.email).where(User.id == person)) if person else None
            order = books.BookOrder(
                id=uuid4(),
                at=self.now,
                customer=person or UUID(int=step.person),
                email=email or f"guest{step.person}@shop.test",
                country="Sweden",
                city="Lund",
                code=None,
                shipping=step.shipping,
                tax=sum(line.tax for line in lines) + step.shipping_tax,
                tax_included=step.tax_included,
                lines=lines,
                refunds=(),
            )
            await books.enter(session, order)
            await session.execute(update(Order).where(Order.id == order.id).values(user_id=person))
        self.orders.append(order)
        self.buyers.append(person or order.email)

    def _line(self, line: Line) -> books.BookLine:
        goods = line.quantity * line.unit
        off = goods * line.off // 100
        piece = self.pieces[line.piece]
        return books.BookLine(uuid4(), piece, line.quantity, line.unit, line.unit, off, (goods - off) * line.tax // 100)

    async def pay_back(self, step: PayBack) -> None:
        if not self.orders:
            return
        order = self.orders[step.order % len(self.orders)]
        line = order.lines[step.line % len(order.lines)]
        left = order.total - await self.paid_back(order.id)
        charged = line.quantity * line.unit - line.discount + (0 if order.tax_included else line.tax)
        amount = {"all": left, "line": charged * step.part // 100, "goodwill": left * step.part // 100}[step.kind]
        amount = min(amount, left)
        if amount <= 0:
            return
        async with begin(self.sessions) as session:
            refund = insert(Refund).values(order_id=order.id, payment_intent_id="pi", amount_cents=amount, reason="")
            refund = refund.values(status="succeeded", created_at=self.now, succeeded_at=self.now)
            refund_id = (await session.execute(refund.returning(Refund.id))).scalar_one()
            if step.kind == "line":
                named = {"refund_id": refund_id, "order_line_id": line.id, "quantity": 1, "amount_cents": amount}
                await session.execute(insert(RefundLine).values(named))
        self.refunds.append((order.id, refund_id))
        await self._set_status(order)

    async def paid_back(self, order_id: UUID) -> int:
        of_order = (Refund.order_id == order_id, Refund.status == "succeeded")
        async with self.sessions() as session:
            return int(
                await session.scalar(select(func.coalesce(func.sum(Refund.amount_cents), 0)).where(*of_order)) or 0
            )

    async def fail(self, step: Fail) -> None:
        if self.refunds:
            order_id, refund_id = self.refunds.pop(step.refund % len(self.refunds))
            async with begin(self.sessions) as session:
                await session.execute(update(Refund).where(Refund.id == refund_id).values(status="failed"))
            await self._set_status(next(order for order in self.orders if order.id == order_id))

    async def _set_status(self, order: books.BookOrder) -> None:
        back = await self.paid_back(order.id)
        status = "paid" if back == 0 else "refunded" if back == order.total else "partially_refunded"
        async with begin(self.sessions) as session:
            changed = update(Order).where(Order.id == order.id).values(refunded_cents=back, payment_status=status)
            await session.execute(changed)

    async def move(self, step: Move) -> None:
        products = list(dict.fromkeys(piece.product for piece in self.pieces))
        gender, kind = CATEGORIES[step.category].split("_")
        changed = update(Product).where(Product.id == products[step.product % len(products)])
        async with begin(self.sessions) as session:
            await session.execute(changed.values(gender=gender, subcategory=kind))

    async def view(self, step: View) -> None:
        product = self.pieces[step.piece].product
        async with begin(self.sessions) as session:
            category = await session.scalar(select(Product.category).where(Product.id == product))
            zone = select(AnalyticsState.time_zone).scalar_subquery()
            seen = {"visit": UUID(int=step.visit), "kind": "viewed", "product_id": product, "category": category}
            local = func.timezone(zone, self.now)
            await session.execute(insert(ShopEvent).values(**seen, at=self.now, local_at=local))

    async def change_email(self, step: ChangeEmail) -> None:
        if step.person in self.accounts:
            changed = update(User).where(User.id == self.accounts[step.person])
            async with begin(self.sessions) as session:
                await session.execute(changed.values(email=f"{PEOPLE[step.person]}{uuid4().hex}@shop.test"))

    async def delete_account(self, step: DeleteAccount) -> None:
        if account := self.accounts.pop(step.person, None):
            async with begin(self.sessions) as session:
                await session.execute(delete(User).where(User.id == account))

    async def change_zone(self, step: ChangeZone) -> None:
        self.zone = ZONES[step.zone]
        await facts.rebuild(self.sessions, Settings(time_zone=self.zone), on_progress=lambda _line: None)

    async def catch_up(self, _step: CatchUp) -> None:
        await facts_caught_up(self.sessions)


async def violations(shop: Shop) -> list[str]:
    """What the facts say that they must not say of any history; empty where all is well."""
    followed = await books.contents(shop.sessions)
    broken = [name for name, query in NEVER.items() if await _rows(shop, query)]
    paid_back = {order.id: await shop.paid_back(order.id) for order in shop.orders}
    for row in await _rows(shop, _OF_ORDERS):
        order = next(order for order in shop.orders if order.id == row.id)
        if row.back != paid_back[order.id]:
            broken.append("an order's refunds are what was paid back")
        if order.total == paid_back[order.id] > 0 and any((row.net, row.tax, row.shipping)):
            broken.append("nothing is left of an order that was paid back")
    if sorted(_groups([row.customer for row in await _rows(shop, _OF_ORDERS)])) != sorted(_groups(shop.buyers)):
        broken.append("a customer is one customer")
    async with begin(shop.sessions) as session:
        await facts.build(session)
    if followed != await books.contents(shop.sessions):
        broken.append("followed facts are rebuilt facts")
    return broken


async def _rows(shop: Shop, query: str) -> Sequence[Any]:
    async with shop.sessions() as session:
        return (await session.execute(text(query))).all()


def _groups(customers: Sequence[Any]) -> list[list[int]]:
    """Which orders, by their places, are of the same customer."""
    return [[place for place, each in enumerate(customers) if each == one] for one in dict.fromkeys(customers)]


_SUMMED = ("lines", "orders", "units", "gross_cents", "discount_cents", "refund_cents", "tax_cents", "shipping_cents")
_SUMS = ", ".join(
    (
        "count(*) AS lines",
        "count(DISTINCT order_number) FILTER (WHERE is_sale) AS orders",
        *(f"sum({name}) AS {name}" for name in _SUMMED[2:]),
    )
)


def _differing(table: str, key: str, member: str) -> str:
    """Rows of a table of sums that its facts do not come to, and the other way round."""
    keys = ", ".join(("day", *([key] if key else [])))
    stored = f"SELECT {keys}, {', '.join(_SUMMED)} FROM {table}"
    named = f", coalesce({member}, '') AS {key}" if key else ""
    facts_of = f"SELECT day{named}, {_SUMS} FROM ({books.FACTS}) AS facts GROUP BY {keys}"
    return f"(({stored}) EXCEPT ({facts_of})) UNION ALL (({facts_of}) EXCEPT ({stored}))"


NEVER = {
    "sums by day are the facts": _differing("sales_by_day", "", ""),
    "sums by category are the facts": _differing("sales_by_day_category", "category", "facts.category"),
    "sums by product are the facts": _differing(
        "(SELECT *, product_id::text AS product FROM sales_by_day_product) AS sums", "product", "facts.product"
    ),
    "a line is not paid back twice": """
        SELECT 1 FROM sale_facts GROUP BY order_number, variant
        HAVING sum(refund_cents) NOT BETWEEN 0 AND sum(gross_cents - discount_cents)
    """,
    "a refund takes nothing": "SELECT 1 FROM sale_facts WHERE NOT is_sale AND (refund_cents < 0 OR shipping_cents > 0)",
    "visits are where their products are": """
        SELECT 1 FROM shop_events JOIN products ON products.id = product_id
        WHERE shop_events.category <> products.category
            OR (SELECT member FROM event_members WHERE number = category_number) <> products.category
            OR (SELECT member FROM event_members WHERE number = gender_number) <> products.gender
            OR (SELECT member FROM event_members WHERE number = subcategory_number) <> products.subcategory
    """,
    "sales are where their products are": f"""
        SELECT 1 FROM ({books.FACTS}) AS facts JOIN products ON products.id::text = product
        WHERE facts.category <> products.category
    """,
}
"""By what has to hold, the query of what breaks it."""

_OF_ORDERS = """
SELECT orders.id, sale_facts.customer, sum(gross_cents - sale_facts.discount_cents - refund_cents) AS net,
    sum(sale_facts.tax_cents) AS tax, sum(sale_facts.shipping_cents) AS shipping,
    coalesce(sum(
        refund_cents - sale_facts.shipping_cents - CASE WHEN tax_included THEN 0 ELSE sale_facts.tax_cents END
    ) FILTER (WHERE NOT is_sale), 0) AS back
FROM sale_facts JOIN orders ON orders.number = order_number
GROUP BY orders.id, orders.number, sale_facts.customer ORDER BY orders.number
"""
