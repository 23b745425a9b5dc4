"""Bulk changes: previewed first, then applied exactly as previewed or not at all."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import Enum
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.service import AuditSubject
from server.catalog import admin_queries, discounts, drafts, fields, service, stock
from server.catalog.drafts import MOST_STOCK
from server.catalog.errors import ChangedMeanwhile
from server.catalog.models import Product, Variant
from server.catalog.stock import Reason, StockMove
from server.platform.core import clock, money
from server.platform.core.errors import InvalidInput
from server.platform.core.rules import NumberRule
from server.platform.core.viewer import Viewer

MOST_PRODUCTS = 1_000
PERCENT = NumberRule(1, 99, "A discount is 1 to 99 percent", is_optional=True)
PRICE_FIELDS = ("price_cents", "discounted_price_cents", "discount_starts_at", "discount_ends_at")
"""Fields of products that changes of prices and discounts write."""


@dataclass(frozen=True)
class BulkSelection:
    """Products by their ids, or else all that a filter of the list matches."""

    ids: tuple[UUID, ...] = ()
    criteria: admin_queries.AdminListFilter | None = None


class PriceOperation(Enum):
    """How a price changes: to an amount, or by a percentage or amount."""

    SET = "set"
    RAISE_PERCENT = "raise_percent"
    LOWER_PERCENT = "lower_percent"
    RAISE_AMOUNT = "raise_amount"
    LOWER_AMOUNT = "lower_amount"


@dataclass(frozen=True)
class PriceChange:
    """`amount` is cents or percent, depending on the step; prices are rounded to multiples of `round_to` cents."""

    step: PriceOperation
    amount: Decimal
    round_to: int = 1


@dataclass(frozen=True)
class DiscountChange:
    """`percent` off the price between two times; None ends the discount."""

    percent: int | None
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    round_to: int = 1


@dataclass(frozen=True)
class BulkStockChange:
    """Every variant gets `pieces` items: added (or removed, below 0), or as its new stock."""

    pieces: int
    replaces: bool = False
    reason: Reason = "adjustment"
    note: str = ""


@dataclass(frozen=True)
class RetireChange:
    """Takes products off sale or puts them back."""

    retired: bool


Change = PriceChange | DiscountChange | BulkStockChange | RetireChange


@dataclass(frozen=True)
class ProductSnapshot:
    """What a change can change of a product. `stock` is by variant."""

    price_cents: int
    discounted_price_cents: int | None
    discount_starts_at: datetime | None
    discount_ends_at: datetime | None
    is_retired: bool
    stock: dict[str, int] = field(default_factory=dict)

    def charged_at(self, moment: datetime) -> int:
        """The price in cents that a shopper pays for one item at a moment."""
        has_begun = self.discount_starts_at is None or self.discount_starts_at <= moment
        has_ended = self.discount_ends_at is not None and self.discount_ends_at <= moment
        applies = has_begun and not has_ended
        return money.charged(self.price_cents, self.discounted_price_cents if applies else None)

    @property
    def pieces(self) -> int:
        """Items in stock over all variants."""
        return sum(self.stock.values())


@dataclass(frozen=True)
class BulkChangeRow:
    """A product that would change, or that cannot, with the `problem`."""

    product_id: UUID
    name: str
    version: int
    before: ProductSnapshot
    after: ProductSnapshot
    problem: str = ""

    @property
    def changes(self) -> bool:
        """Whether the change can be applied and has an effect."""
        return not self.problem and self.before != self.after

    def raises_price(self, now: datetime) -> bool:
        """Whether shoppers would pay more than without the change: now, or when its discount begins."""
        begins = self.after.discount_starts_at
        moments = (now, begins) if begins is not None and begins > now else (now,)
        return any(self.after.charged_at(moment) > self.before.charged_at(moment) for moment in moments)


@dataclass(frozen=True)
class BulkChangePreview:
    """`rows` are the products that would change or cannot; `token` identifies exactly this preview."""

    rows: list[BulkChangeRow]
    unchanged: int
    token: str

    @property
    def changing(self) -> list[BulkChangeRow]:
        """The products that would change."""
        return [row for row in self.rows if row.changes]


async def preview(session: AsyncSession, selection: BulkSelection, change: Change) -> BulkChangePreview:
    """What the change would do now. Raises InvalidInput for an invalid change or selection."""
    _check(change)
    return _plan(await _states(session, await _ids(session, selection)), change)


async def apply(
    session: AsyncSession, selection: BulkSelection, change: Change, token: str, *, actor: Viewer
) -> list[UUID]:
    """Applies the change that the preview with this token showed. Returns the ids of the changed products.

    Raises ChangedMeanwhile, with no effect, when the preview would differ now. Products and variants are locked in the
    order of their ids.
    """
    _check(change)
    rows = await _states(session, await _ids(session, selection), lock=True)
    plan = _plan(rows, change)
    if plan.token != token:
        raise ChangedMeanwhile("Some of these products have changed since the preview. Nothing is done yet.")
    changing = plan.changing
    if isinstance(change, BulkStockChange):
        await _write_stock(session, changing, change, actor)
    else:
        await _write_products(session, changing)
    for row in changing:
        before, after = _readable(row.before), _readable(row.after)
        await audit.record(
            session, actor, _VERBS[type(change)](change), AuditSubject("product", row.product_id, row.name),
            before=before, after=after,
        )  # fmt: skip
    return [row.product_id for row in changing]


_VERBS: dict[type, Any] = {
    PriceChange: lambda _: "price changed",
    DiscountChange: lambda _: "discount changed",
    BulkStockChange: lambda _: "stock changed",
    RetireChange: lambda change: "retired" if change.retired else "restored",
}


def _check(change: Change) -> None:
    if isinstance(change, PriceChange):
        percent = change.step in (PriceOperation.RAISE_PERCENT, PriceOperation.LOWER_PERCENT)
        if not 0 < change.amount <= (1_000 if percent else money.MAX_CENTS):
            raise InvalidInput({"amount": "Invalid percentage value" if percent else fields.PRICE.message})
    elif isinstance(change, DiscountChange):
        if problem := PERCENT.problem(change.percent):
            raise InvalidInput({"percent": problem})
        if problem := drafts.window_problem(change.starts_at, change.ends_at):
            raise InvalidInput({"endsAt": problem})
    elif isinstance(change, BulkStockChange):
        if abs(change.pieces) > MOST_STOCK or (change.replaces and change.pieces < 0):
            raise InvalidInput({"pieces": "Invalid stock value"})
        if not change.replaces and change.pieces == 0:
            raise InvalidInput({"pieces": "Invalid stock value"})
    if isinstance(change, PriceChange | DiscountChange) and change.round_to not in (1, 10, 100):
        raise InvalidInput({"roundTo": "Prices are rounded to 1, 10 or 100 cents"})


async def _ids(session: AsyncSession, selection: BulkSelection) -> list[UUID]:
    if selection.criteria is None:
        ids = list(dict.fromkeys(selection.ids))
    else:
        ids = await admin_queries.matching_ids(session, selection.criteria, MOST_PRODUCTS + 1)
    if not ids:
        raise InvalidInput({"selection": "No product is selected"})
    if len(ids) > MOST_PRODUCTS:
        raise InvalidInput({"selection": f"At most {MOST_PRODUCTS:,} products at once; narrow the list first"})
    return ids


async def _states(session: AsyncSession, ids: Sequence[UUID], *, lock: bool = False) -> list[BulkChangeRow]:
    columns = (Product.id, Product.name, Product.version, Product.retired_at)
    products = select(*columns, *(getattr(Product, name) for name in PRICE_FIELDS)).where(Product.id.in_(ids))
    variants = select(Variant.id, Variant.product_id, Variant.stock).where(
        Variant.product_id.in_(ids), Variant.retired_at.is_(None)
    )
    products, variants = products.order_by(Product.id), variants.order_by(Variant.id)
    if lock:
        products, variants = products.with_for_update(key_share=True), variants.with_for_update(key_share=True)
    product_rows = (await session.execute(products)).all()
    pieces: dict[UUID, dict[str, int]] = {row.id: {} for row in product_rows}
    for variant_id, product_id, left in await session.execute(variants):
        pieces.get(product_id, {})[str(variant_id)] = left
    rows = []
    for row in product_rows:
        prices = {name: getattr(row, name) for name in PRICE_FIELDS}
        state = ProductSnapshot(**prices, is_retired=row.retired_at is not None, stock=pieces[row.id])
        rows.append(BulkChangeRow(row.id, row.name, row.version, state, state))
    return rows


def _plan(rows: Iterable[BulkChangeRow], change: Change) -> BulkChangePreview:
    planned = [_planned(row, change) for row in rows]
    shown = [row for row in planned if row.changes or row.problem]
    return BulkChangePreview(shown, len(planned) - len(shown), _token(change, planned))


def _planned(row: BulkChangeRow, change: Change) -> BulkChangeRow:
    before = row.before
    if not isinstance(change, BulkStockChange):
        before = replace(before, stock={})
        row = replace(row, before=before)
    try:
        return replace(row, after=_changed(before, change))
    except ValueError as problem:
        return replace(row, after=before, problem=str(problem))


def _changed(state: ProductSnapshot, change: Change) -> ProductSnapshot:
    """Raises ValueError with the reason why this product cannot be changed."""
    if isinstance(change, PriceChange):
        return replace(state, price_cents=_new_price(state.price_cents, change))
    if isinstance(change, DiscountChange):
        if change.percent is None:
            return replace(state, discounted_price_cents=None, discount_starts_at=None, discount_ends_at=None)
        off = _rounded(state.price_cents * (100 - Decimal(change.percent)) / 100, change.round_to)
        if not 0 < off < state.price_cents:
            raise ValueError("The price is too low for this discount")
        return replace(
            state,
            discounted_price_cents=off,
            discount_starts_at=change.starts_at,
            discount_ends_at=change.ends_at,
        )
    if isinstance(change, BulkStockChange):
        stock = {
            variant: change.pieces if change.replaces else left + change.pieces for variant, left in state.stock.items()
        }
        if any(left < 0 for left in stock.values()):
            raise ValueError("There are not that many pieces of every variant")
        if any(left > MOST_STOCK for left in stock.values()):
            raise ValueError("That is more stock than the shop can hold")
        return replace(state, stock=stock)
    return replace(state, is_retired=change.retired)


def _new_price(price: int, change: PriceChange) -> int:
    amount = change.amount
    exact = {
        PriceOperation.SET: amount,
        PriceOperation.RAISE_PERCENT: price * (100 + amount) / 100,
        PriceOperation.LOWER_PERCENT: price * (100 - amount) / 100,
        PriceOperation.RAISE_AMOUNT: price + amount,
        PriceOperation.LOWER_AMOUNT: price - amount,
    }[change.step]
    new = _rounded(exact, change.round_to)
    if not 0 < new <= money.MAX_CENTS:
        raise ValueError("The price would be nothing" if new <= 0 else "The price would be too high")
    return new


def _rounded(cents: Decimal, multiple: int) -> int:
    return int((cents / multiple).quantize(Decimal(1), ROUND_HALF_UP)) * multiple


def _token(change: Change, rows: Iterable[BulkChangeRow]) -> str:
    seen = [[row.product_id, row.name, asdict(row.before), asdict(row.after), row.problem] for row in rows]
    fingerprint_input = orjson.dumps(
        [type(change).__name__, asdict(change), seen], default=str, option=orjson.OPT_SORT_KEYS
    )
    return sha256(fingerprint_input).hexdigest()


async def _write_products(session: AsyncSession, rows: Sequence[BulkChangeRow]) -> None:
    now = clock.now()
    values = [
        {
            "id": row.product_id,
            **{name: getattr(row.after, name) for name in PRICE_FIELDS},
            "discount_percentage": discounts.percentage(row.after.price_cents, row.after.discounted_price_cents),
            "version": row.version + 1,
            "updated_at": now,
        }
        for row in rows
    ]
    if values:
        await session.execute(update(Product), values)
    for retired in (True, False):
        ids = [row.product_id for row in rows if row.after.is_retired is retired is not row.before.is_retired]
        if ids:
            moment = func.now() if retired else None
            await session.execute(update(Product).where(Product.id.in_(ids)).values(retired_at=moment))


async def _write_stock(
    session: AsyncSession, rows: Sequence[BulkChangeRow], change: BulkStockChange, actor: Viewer
) -> None:
    stock_by_variant = {variant: left for row in rows for variant, left in row.after.stock.items()}
    moves = [
        StockMove(UUID(variant), left - row.before.stock[variant])
        for row in rows
        for variant, left in row.after.stock.items()
        if left != row.before.stock[variant]
    ]
    moves.sort()
    changed = [{"id": move.variant_id, "stock": stock_by_variant[str(move.variant_id)]} for move in moves]
    if changed:
        await session.execute(update(Variant), changed)
    await stock.record(session, moves, change.reason, note=change.note, actor=actor)
    await service.announce_restock(session, [move.variant_id for move in moves if move.quantity > 0])


def _readable(state: ProductSnapshot) -> dict[str, Any]:
    prices = [each for each in fields.FACTS if each.name in PRICE_FIELDS]
    return {
        **{each.audit_name: each.audit_value(getattr(state, each.name)) for each in prices if each.audit_name},
        "retired": state.is_retired,
        "stock": state.pieces,
    }
