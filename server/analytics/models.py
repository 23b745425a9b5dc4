"""Sales as facts, their sums by day, first-party events, saved reports.

Nobody writes facts and sums by hand. Triggers write an outbox row in the transaction of an order, a refund or a change
of category, and `follower` brings the facts to what the orders are. The view `sales` shows the facts in words.
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

from server.core.db import Base, Created, Id

FIRSTS = {"gender": 1, "subcategory": 2, "product": 4, "color": 8, "size": 16, "discounted": 32}


class AnalyticsState(Base):
    """One row: the time zone whose wall clock `local_at` and `day` show."""

    __tablename__ = "analytics_state"
    __table_args__ = (CheckConstraint("only_row", name="only_row"),)

    only_row: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    time_zone: Mapped[str]
    rebuilt_at: Mapped[datetime | None]


class AnalyticsOutbox(Base):
    """Something that facts are to follow: an order that has changed, or a product whose category has.

    Rows are only added, by trigger, and deleted in the transaction in which the facts have followed: what is here is
    what reports do not show yet. Nothing depends on their order, since an order is counted as it is by then.

    A product's orders are put into the outbox some at a time; those up to `after_order_id` have been. A row that could
    not be followed has `attempts`, and is tried again at `retry_at`.
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
    """A text or an id that facts hold, under the number that they hold it by; 0 stands for none."""

    __tablename__ = "sale_members"

    number: Mapped[int] = mapped_column(Identity(), primary_key=True)
    member: Mapped[str] = mapped_column(unique=True)


class EventMember(Base):
    """The same for events; these keep their numbers when the facts of sales are made anew."""

    __tablename__ = "event_members"

    number: Mapped[int] = mapped_column(Identity(), primary_key=True)
    member: Mapped[str] = mapped_column(unique=True)


class Sale(Base):
    """A line of a paid order, or what one refund gave back of it, with everything a report can split it by.

    A sale stands at the moment of payment, a refund at the moment it was paid back. `order_mark` is 1 on one row of
    each order, 0 elsewhere, so that orders can be summed. `is_new` marks the first order of its customer, and
    `first_day` is that order's day. Reports read hundreds of thousands of these: numbers, all of one width, are read
    several times as quickly as texts and ids, and those that stand first are read more quickly than the last.

    An order is counted once among lines that have something in common, such as the product and the size, by the first
    of them. `firsts` has a bit for each choice of what to have in common, set where the line is the first of its order;
    bit 0 is for nothing, and set on one line. `firsts_in_band` is the same with the price band besides. The number of
    a choice is the sum of its members' in FIRSTS. Refunds have none set.

    What is asked of orders as a whole is read from the index of the rows that stand for an order or a refund; there
    `order_units` and the like are what all lines of the order come to. On other rows they are 0.
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
    """What is summed by day. `orders` counts those of the day that have something in the row; `lines` are facts."""

    lines: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    orders: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    units: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    gross_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    discount_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    refund_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    tax_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    shipping_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))


class SalesDay(_Sums, Base):
    """Sales of a day of the shop's zone."""

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


class ShopEvent(Base):
    """Something a visit did: a product `viewed`, `added` to the cart, taken to `checkout`, `paid`.

    `visit` is a random id of one browser tab. For a day `checkout_id` says which checkout it went to, and the view
    `visit_events` reads from it that it paid; then the payment is written down here, and nothing leads to a person.

    Visits have numbers, and members those of EventMember, by trigger: reports read these from the index alone.
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
"""Events and, as `paid`, payments of visits."""


class SavedReport(Base):
    """A report that admins share: a name for what the report builder shows at an address."""

    __tablename__ = "saved_reports"

    id: Mapped[Id]
    name: Mapped[str]
    definition: Mapped[str]
    owner_id: Mapped[UUID | None]
    owner_name: Mapped[str]
    created_at: Mapped[Created]
    updated_at: Mapped[Created]
