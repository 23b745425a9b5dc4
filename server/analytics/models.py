"""Tables of analytics: facts of sales, their sums by day, events of visits, saved reports.

Only triggers and `follower` write facts and sums: a trigger adds an outbox row in the transaction of an order, refund
or category change, and `follower` then updates the facts.
"""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import (
    TIMESTAMP,
    BigInteger,
    CheckConstraint,
    Identity,
    Index,
    Integer,
    SmallInteger,
    Text,
    Uuid,
    column,
    table,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import Base, Created, Id


class AnalyticsState(Base):
    """One row: the time zone of `local_at` and `day`."""

    __tablename__ = "analytics_state"
    __table_args__ = (CheckConstraint("only_row", name="only_row"),)

    only_row: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    time_zone: Mapped[str]
    rebuilt_at: Mapped[datetime | None]


class AnalyticsOutbox(Base):
    """A change that the facts have to follow: of an order, or of a product's category.

    Rows are only inserted, by triggers, and deleted in the transaction that updates the facts: what is here is what
    reports do not contain yet. Their order does not matter, since an order is counted in its present state.

    A product's orders are put into the outbox in batches; those up to `after_order_id` have been. A row that has failed
    has `attempts`, and is retried at `retry_at`.
    """

    __tablename__ = "analytics_outbox"
    __table_args__ = (CheckConstraint("num_nonnulls(order_id, product_id) = 1", name="subject"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=text("clock_timestamp()"))
    order_id: Mapped[UUID | None]
    product_id: Mapped[UUID | None]
    after_order_id: Mapped[UUID | None]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    retry_at: Mapped[datetime | None]
    last_error: Mapped[str | None]


class PopularityChange(Base):
    """Units by which a product's `popularity` lags behind its facts."""

    __tablename__ = "popularity_changes"

    product_id: Mapped[UUID] = mapped_column(primary_key=True)
    units: Mapped[int] = mapped_column(BigInteger)


class SaleMember(Base):
    """A text or id under the number that facts use for it; 0 stands for none."""

    __tablename__ = "sale_members"

    number: Mapped[int] = mapped_column(Identity(), primary_key=True)
    member: Mapped[str] = mapped_column(unique=True)


class EventMember(Base):
    """The same for events, which keep their numbers when the facts of sales are rebuilt."""

    __tablename__ = "event_members"

    number: Mapped[int] = mapped_column(Identity(), primary_key=True)
    member: Mapped[str] = mapped_column(unique=True)


class Sale(Base):
    """A line of a paid order, or what one refund returned of it, with everything that reports split by.

    A sale has the time of the payment, a refund the time it was made. `order_mark` is 1 on one row of each order and 0
    elsewhere, so that orders can be summed. `is_new` marks the first order of its customer, and `first_day` is that
    order's day. Reports read hundreds of thousands of rows: integers of equal width are read several times as fast as
    text and UUIDs, and leading columns faster than trailing ones.

    Reports on whole orders read an index of the rows that stand for an order or refund; in these rows, `order_units`
    and the like are sums over all lines of the order. In other rows they are 0.
    """

    __tablename__ = "sale_facts"
    __table_args__ = (
        Index("ix_sale_facts_local_at", "local_at"),
        Index("ix_sale_facts_customer", "customer"),
        Index(
            "ix_sale_facts_orders",
            "local_at",
            postgresql_include=[
                *("day", "hour", "customer", "code", "country", "city", "payment_status"),
                *("refund_cents", "shipping_cents"),
                *("order_units", "order_gross_cents", "order_discount_cents", "order_tax_cents"),
                *("order_mark", "is_sale", "is_new", "first_day"),
            ],
            postgresql_where=text("order_mark = 1 OR NOT is_sale"),
        ),
    )

    local_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=False))
    firsts: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    """Like the next, read by the version before alone: the next migration drops both."""
    firsts_in_band: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    order_number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    customer: Mapped[int]
    product: Mapped[int]
    gender: Mapped[int]
    subcategory: Mapped[int]
    category: Mapped[int]
    color: Mapped[int]
    size: Mapped[int]
    unit_price_cents: Mapped[int]
    discounted: Mapped[bool]
    is_new: Mapped[bool]
    hour: Mapped[int] = mapped_column(SmallInteger)
    day: Mapped[date]
    units: Mapped[int]
    gross_cents: Mapped[int]
    discount_cents: Mapped[int]
    refund_cents: Mapped[int]
    tax_cents: Mapped[int]
    shipping_cents: Mapped[int]
    country: Mapped[int]
    city: Mapped[int]
    code: Mapped[int]
    payment_status: Mapped[int]
    variant: Mapped[int]
    is_sale: Mapped[bool]
    order_mark: Mapped[int] = mapped_column(SmallInteger)
    place: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    order_units: Mapped[int]
    order_gross_cents: Mapped[int]
    order_discount_cents: Mapped[int]
    order_tax_cents: Mapped[int]
    first_day: Mapped[date]
    at: Mapped[datetime]


class _Sums:
    """Sums by day. `orders` counts that day's orders with a line in the row; `lines` counts facts."""

    lines: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    orders: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    units: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    gross_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    discount_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    refund_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    tax_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    shipping_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))


class SalesDay(_Sums, Base):
    """Sales of a day in the shop's time zone."""

    __tablename__ = "sales_by_day"

    day: Mapped[date] = mapped_column(primary_key=True)


class SalesDayCategory(_Sums, Base):
    """Sales of a day in one category; `''` where the product is unknown."""

    __tablename__ = "sales_by_day_category"

    day: Mapped[date] = mapped_column(primary_key=True)
    category: Mapped[str] = mapped_column(primary_key=True)


class SalesDayProduct(_Sums, Base):
    """Sales of a day of one product; the nil id where the product is unknown."""

    __tablename__ = "sales_by_day_product"

    day: Mapped[date] = mapped_column(primary_key=True)
    product_id: Mapped[UUID] = mapped_column(primary_key=True)


class SalesDayPair(Base):
    """How many orders of a day have both of two products, by their numbers in SaleMember; `first` is the lower number.

    A trigger (`count_pairs`) counts the pairs of every order whose facts are written or deleted. Where none is
    left the row stays, with 0 orders.
    """

    __tablename__ = "sales_by_day_pair"

    day: Mapped[date] = mapped_column(primary_key=True)
    first: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    second: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    orders: Mapped[int]


class VisitsDay(Base):
    """How many visits that viewed something on a day had reached a step of the funnel `minutes` after that view.

    The view is the visit's first on that day: of anything (`split` is empty, `member` 0), or of one member of a split,
    by its number in EventMember; the later steps are of the same member. `viewed` is counted at 0 minutes. Minutes are
    rounded up: within a window are those with at most as many.

    `previous_day` is when the visit viewed the same before, `-infinity` for never. A visit of several days counts in a
    span once: on the day whose `previous_day` lies before the span.
    """

    __tablename__ = "visits_by_day"

    split: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    member: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    previous_day: Mapped[date] = mapped_column(primary_key=True)
    minutes: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    viewed: Mapped[int]
    added: Mapped[int]
    checkout: Mapped[int]
    paid: Mapped[int]


class SettledVisits(Base):
    """Until which day, exclusive, VisitsDay is complete for windows of at most so many minutes.

    Events before that day have visit numbers up to `last_visit`.
    """

    __tablename__ = "settled_visits"

    minutes: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    until: Mapped[date]
    last_visit: Mapped[int]


class ShopEvent(Base):
    """An event of a visit: a product `viewed`, `added` to the cart, taken to `checkout`, `paid`.

    `visit` is a random id of one browser tab. For a day `checkout_id` holds its checkout, from which the view
    `visit_events` derives that it was paid; after that the payment is stored here, and nothing identifies a person.

    Triggers number visits and members (EventMember), so that reports read only an index.
    """

    __tablename__ = "shop_events"
    __table_args__ = (
        CheckConstraint("kind IN ('viewed', 'added', 'checkout', 'paid')", name="kind"),
        Index(
            "ix_shop_events_local_at",
            "local_at",
            postgresql_include=[
                *("visit_number", "product_number", "category_number", "gender_number", "subcategory_number"),
                "kind",
            ],
        ),
        Index("ix_shop_events_visit", "visit", "visit_number"),
        Index("ix_shop_events_unnumbered", "id", postgresql_where=text("visit_number IS NULL")),
        Index(
            "uq_shop_events_checkout",
            "checkout_id",
            "product_id",
            unique=True,
            postgresql_where=text("checkout_id IS NOT NULL"),
        ),
    )

    id: Mapped[Id]
    at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    local_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=False))
    visit: Mapped[UUID]
    kind: Mapped[str]
    product_id: Mapped[UUID | None]
    category: Mapped[str | None]
    checkout_id: Mapped[UUID | None]
    visit_number: Mapped[int | None]
    product_number: Mapped[int | None]
    category_number: Mapped[int | None]
    gender_number: Mapped[int | None]
    subcategory_number: Mapped[int | None]


VisitEvent = table(
    "visit_events",
    column("at", TIMESTAMP(timezone=True)),
    column("local_at", TIMESTAMP(timezone=False)),
    column("visit", Uuid),
    column("kind", Text),
    column("product_id", Uuid),
    column("category", Text),
    column("visit_number", Integer),
    column("product_number", Integer),
    column("category_number", Integer),
    column("gender_number", Integer),
    column("subcategory_number", Integer),
)
"""Events, and payments of visits as `paid`."""


class SavedReport(Base):
    """A report shared by admins: a name and the query string of the report builder."""

    __tablename__ = "saved_reports"

    id: Mapped[Id]
    name: Mapped[str]
    definition: Mapped[str]
    owner_id: Mapped[UUID | None]
    owner_name: Mapped[str]
    created_at: Mapped[Created]
    updated_at: Mapped[Created]
