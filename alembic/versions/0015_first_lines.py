"""first lines"""

import runpy
from pathlib import Path
from types import SimpleNamespace

import sqlalchemy as sa

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

earlier = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("0013_facts_of_some_orders.py"))))
sums = earlier.earlier
facts = sums.earlier

# A line is the first of its order with some of these in common, or it is not: a bit for each choice of them, whose
# number has the bits of those chosen. Sixty-four choices fill a number; a second one has them with the price band.
IN_COMMON = ("gender", "subcategory", "product", "color", "size", "discounted")
FIRSTS = ("firsts", "firsts_in_band")
BAND = "(unit_price_cents >= 5000)::int + (unit_price_cents >= 10000)::int + (unit_price_cents >= 15000)::int"


def _without(place: int) -> int:
    """The choices that leave this one out."""
    return sum(1 << choice for choice in range(1 << len(IN_COMMON)) if not choice >> place & 1)


# Of two lines of an order, the choices in which the later is like the earlier: those without what differs.
ALIKE = " & ".join(
    f"CASE WHEN line.{name} = before.{name} THEN -1 ELSE {_without(place)} END" for place, name in enumerate(IN_COMMON)
)


def _keep(source: str) -> str:
    """Facts as before; sold lines say besides in what they are the first of their order."""
    columns = (*facts.CALENDAR, *facts.NUMBERED, *facts.PLAIN, *(f"order_{name}" for name in sums.OF_LINES))
    numbers = ", ".join(f"coalesce(the_{name}.number, 0) AS {name}" for name in facts.NUMBERED)
    known = "\n".join(
        f"            LEFT JOIN sale_members the_{name} ON the_{name}.member = {text}"
        for name, text in facts.NUMBERED.items()
    )
    totals = ", ".join(
        f"CASE WHEN is_sale THEN order_mark * sum({name}) FILTER (WHERE is_sale) OVER whole ELSE {name} END"
        for name in sums.OF_LINES
    )
    return f"""
    WITH numbered AS (
        SELECT orders.number AS order_number, told.at AT TIME ZONE (SELECT time_zone FROM analytics_state) AS local_at,
            row_number() OVER (PARTITION BY told.order_id ORDER BY told.is_sale DESC, line_id, refund_id) AS place,
            {", ".join(f"told.{name}" for name in facts.PLAIN)}, {BAND} AS band, {numbers}
        FROM {source} AS told JOIN orders ON orders.id = told.order_id
{known}
    ),
    again AS (
        SELECT line.order_number, line.place, bit_or({ALIKE}) AS alike,
            bit_or({ALIKE}) FILTER (WHERE line.band = before.band) AS alike_in_band
        FROM numbered line JOIN numbered before ON before.order_number = line.order_number
        WHERE line.is_sale AND before.is_sale AND before.place < line.place
        GROUP BY line.order_number, line.place
    )
    INSERT INTO sale_facts (order_number, place, {", ".join((*columns, *FIRSTS))})
        SELECT order_number, place, local_at, local_at::date, extract(hour FROM local_at),
            first_value(order_number) OVER own = order_number, first_value(local_at::date) OVER own,
            {", ".join((*facts.NUMBERED, *facts.PLAIN))}, {totals},
            CASE WHEN is_sale THEN ~coalesce(alike, 0) ELSE 0 END,
            CASE WHEN is_sale THEN ~coalesce(alike_in_band, 0) ELSE 0 END
        FROM numbered LEFT JOIN again USING (order_number, place)
        WINDOW own AS (PARTITION BY customer ORDER BY is_sale DESC, at, order_number),
            whole AS (PARTITION BY order_number)
        ORDER BY at, order_number, place;
    """


def _renewed(function: str, source: str) -> str:
    """A function of before that keeps facts as they are kept now."""
    return str(earlier._changed(function, {sums._keep(source).strip(): _keep(source).strip()}))


FOLLOWED_BEFORE = earlier.FOLLOW
BUILT_BEFORE = sums._renewed(facts.BUILD, "all_sale_rows")


def upgrade() -> None:
    op.execute(_renewed(FOLLOWED_BEFORE, "unnest(rows)"))
    op.execute(_renewed(BUILT_BEFORE, "all_sale_rows"))
    op.execute("DROP VIEW sales")
    op.drop_table("sale_facts")
    _facts()
    op.execute(facts.IN_WORDS)
    facts._start_over()


def _facts() -> None:
    """What most reports read comes first: what it takes to read a column grows with those before it."""
    integer, short, boolean = sa.Integer(), sa.SmallInteger(), sa.Boolean()
    goods = ("product", "gender", "subcategory", "category", "color", "size")
    op.create_table(
        "sale_facts",
        sa.Column("local_at", sa.TIMESTAMP(timezone=False), nullable=False),
        # Those that an order which was being written meanwhile does not tell are made anew with all others.
        *(sa.Column(name, sa.BigInteger(), server_default=sa.text("0"), nullable=False) for name in FIRSTS),
        sa.Column("order_number", integer, autoincrement=False, nullable=False),
        *(sa.Column(name, integer, nullable=False) for name in ("customer", *goods, "unit_price_cents")),
        *(sa.Column(name, boolean, nullable=False) for name in ("discounted", "is_new")),
        sa.Column("hour", short, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        *(sa.Column(name, integer, nullable=False) for name in facts.SUMS[2:]),
        *(sa.Column(name, integer, nullable=False) for name in ("country", "city", "code", "payment_status")),
        sa.Column("variant", integer, nullable=False),
        sa.Column("is_sale", boolean, nullable=False),
        sa.Column("order_mark", short, nullable=False),
        sa.Column("place", short, autoincrement=False, nullable=False),
        *(sa.Column(f"order_{name}", integer, nullable=False) for name in sums.OF_LINES),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("order_number", "place", name=op.f("pk_sale_facts")),
    )
    op.create_index("ix_sale_facts_local_at", "sale_facts", ["local_at"])
    op.create_index("ix_sale_facts_customer", "sale_facts", ["customer"])
    _index_orders("first_day")


def _index_orders(*more: str) -> None:
    op.create_index(
        "ix_sale_facts_orders",
        "sale_facts",
        ["local_at"],
        postgresql_include=[
            *("day", "hour", "customer", "code", "country", "city", "payment_status", "refund_cents", "shipping_cents"),
            *(f"order_{name}" for name in sums.OF_LINES),
            *("order_mark", "is_sale", "is_new"),
            *more,
        ],
        postgresql_where=sa.text("order_mark = 1 OR NOT is_sale"),
    )


def downgrade() -> None:
    op.execute(FOLLOWED_BEFORE)
    op.execute(BUILT_BEFORE)
    op.execute("TRUNCATE sale_facts")
    for name in FIRSTS:
        op.drop_column("sale_facts", name)
    op.drop_index("ix_sale_facts_orders", "sale_facts")
    _index_orders()
    facts._start_over()
