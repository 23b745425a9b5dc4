"""The benchmark's reports over a million orders, in the report language and as plain SQL over the raw tables."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from server.analytics.reports.language import (
    MEASURES,
    SOURCE_OF,
    BaseMeasure,
    Dimension,
    Measure,
    Source,
    source_dimensions,
)

PAID = "orders.paid_at IS NOT NULL AND orders.payment_status IN ('paid', 'refunded', 'partially_refunded')"
CHARGED = "order_lines.quantity * order_lines.unit_price_cents - order_lines.discount_cents"


@dataclass(frozen=True)
class Case:
    """A question and its goal. `times` is how much quicker than `raw` it has to be."""

    name: str
    document: str
    raw: str
    milliseconds: int
    times: float | None = None


def between(start: date, end: date, clock: str = "orders.paid_at") -> str:
    """Days of the shop's zone, which of the big shop is UTC; `end` is not one of them."""
    return f"{clock} >= '{start}' AND {clock} < '{end}'"


def dates(start: date, end: date) -> str:
    return f'{{ dates: {{ from: "{start}", to: "{end - timedelta(days=1)}" }} }}'


def report(arguments: str, selection: str) -> str:
    return f"{{ admin {{ analytics {{ report({arguments}) {{ {selection} meta {{ cost source }} }} }} }} }}"


def named(today: date) -> Iterator[Case]:
    """The questions that have a goal of their own."""
    two_years, year, quarter = (today - timedelta(days=days) for days in (730, 365, 90))
    before = year - timedelta(days=365)
    yield Case(
        "sales by day by category, two years",
        report(
            f"range: {dates(two_years, today)}, by: [DAY, CATEGORY]",
            "rowCount rows { d: dim(is: DAY) { label } c: dim(is: CATEGORY) { label }"
            " s: measure(is: NET_SALES) { formatted } } totals { s: measure(is: NET_SALES) { formatted } }",
        ),
        f"SELECT orders.paid_at::date, products.category, sum({CHARGED}) FROM orders"
        " JOIN order_lines ON order_lines.order_id = orders.id JOIN products ON products.id = order_lines.product_id"
        f" WHERE {PAID} AND {between(two_years, today)} GROUP BY 1, 2",
        milliseconds=40,
        times=40,
    )
    yield Case(
        "top 20 products of a year, with the year before",
        report(
            f"range: {dates(year, today)}, by: [PRODUCT], first: 20",
            "rows { p: dim(is: PRODUCT) { label } s: measure(is: NET_SALES) { formatted share rank"
            " versus(period: PREVIOUS_YEAR) { formattedChange } } u: measure(is: UNITS) { formatted } }",
        ),
        f"SELECT product_id, sum({CHARGED}) FILTER (WHERE {between(year, today)}) AS now,"
        f" sum({CHARGED}) FILTER (WHERE {between(before, year)}) AS then, sum(quantity) FROM orders"
        " JOIN order_lines ON order_lines.order_id = orders.id"
        f" WHERE {PAID} AND {between(before, today)} GROUP BY 1 ORDER BY now DESC LIMIT 20",
        milliseconds=400,
    )
    yield Case(
        "cohorts of 24 months",
        "{ admin { analytics { cohorts(range: { last: { months: 24 } }) {"
        " label customers periods { number retention perCustomer } } } } }",
        f"""WITH firsts AS (
            SELECT lower(email) AS customer, date_trunc('month', min(paid_at)) AS began FROM orders
            WHERE {PAID} GROUP BY 1
        ),
        spent AS (
            SELECT lower(orders.email) AS customer, date_trunc('month', orders.paid_at) AS month,
                sum({CHARGED}) AS cents
            FROM orders JOIN order_lines ON order_lines.order_id = orders.id WHERE {PAID} GROUP BY 1, 2
        )
        SELECT began, month, count(*), sum(cents) FROM firsts JOIN spent USING (customer) GROUP BY 1, 2""",
        milliseconds=1_000,
    )
    yield Case(
        "basket pairs of a year",
        f"{{ admin {{ analytics {{ basketPairs(range: {dates(year, today)}) {{"
        " first second orders support confidence lift } } } }",
        f"""WITH bought AS (
            SELECT DISTINCT order_id, product_id FROM orders JOIN order_lines ON order_lines.order_id = orders.id
            WHERE {PAID} AND {between(year, today)}
        ),
        alone AS (SELECT product_id, count(*) AS orders FROM bought GROUP BY 1)
        SELECT a.product_id, b.product_id, count(*), min(mine.orders), min(theirs.orders)
        FROM bought a JOIN bought b ON b.order_id = a.order_id AND b.product_id > a.product_id
        JOIN alone mine ON mine.product_id = a.product_id JOIN alone theirs ON theirs.product_id = b.product_id
        GROUP BY 1, 2 HAVING count(*) >= 3""",
        milliseconds=1_000,
        times=5,
    )
    for name, start, goal in (("90 days", quarter, 250), ("a year", year, 500)):
        yield Case(
            f"funnel of {name}",
            f"{{ admin {{ analytics {{ funnel(range: {dates(start, today)}) {{"
            " steps { name visits ofFirst } } } } }",
            _funnel(between(start, today, "shop_events.at")),
            milliseconds=goal,
            times=3,
        )


def _funnel(within: str) -> str:
    steps = ["seen0 AS (SELECT visit, min(at) AS at, min(at) AS begun FROM shop_events"]
    steps[0] += f" WHERE kind = 'viewed' AND {within} GROUP BY 1)"
    for number, kind in enumerate(("added", "checkout", "paid"), start=1):
        steps.append(
            f"seen{number} AS (SELECT visit, min(shop_events.at) AS at, begun"
            f" FROM seen{number - 1} before JOIN shop_events USING (visit) WHERE kind = '{kind}'"
            " AND shop_events.at BETWEEN before.at AND begun + interval '1 day' GROUP BY visit, begun)"
        )
    counts = ", ".join(f"(SELECT count(*) FROM seen{number})" for number in range(4))
    return f"WITH {', '.join(steps)} SELECT {counts}"


def at_random(dice: random.Random, today: date) -> Iterator[Case]:
    """Reports of 90 days: one to three dimensions and one to three measures that fit, without end."""
    start = today - timedelta(days=90)
    while True:
        by = tuple(dice.sample(list(Dimension), dice.randint(1, 3)))
        fitting = [measure for measure in Measure if set(by) <= source_dimensions(measure)]
        measures = dice.sample(fitting, min(len(fitting), dice.randint(1, 3)))
        selected = " ".join(f"m{n}: measure(is: {each.name}) {{ formatted }}" for n, each in enumerate(measures))
        dims = " ".join(f"d{n}: dim(is: {each.name}) {{ label }}" for n, each in enumerate(by))
        names = [each.name for each in by]
        yield Case(
            f"{', '.join(each.value for each in measures)} by {', '.join(each.value for each in by)}",
            report(
                f"range: {dates(start, today)}, by: [{', '.join(names)}], rowsOf: [{rows_of(by, measures)}]",
                f"rowCount rows {{ {dims} {selected} }} totals {{ {selected} }}",
            ),
            raw(by, measures, start, today),
            milliseconds=250,
        )


def rows_of(by: tuple[Dimension, ...], measures: list[Measure]) -> str:
    sources = {SOURCE_OF[base] for measure in measures for base in MEASURES[measure].needs}
    return (
        Source.SALES if Source.SALES in sources else Source.STOCK if Source.STOCK in sources else Source.EVENTS
    ).name


_GRAIN = "date_trunc('{grain}', {clock})"
_KEYS = {
    Dimension.WEEKDAY: "extract(isodow FROM {clock})",
    Dimension.HOUR_OF_DAY: "extract(hour FROM {clock})",
    Dimension.CATEGORY: "products.category",
    Dimension.GENDER: "products.gender",
    Dimension.SUBCATEGORY: "products.subcategory",
    Dimension.PRODUCT: "products.id",
    Dimension.VARIANT: "order_lines.variant_id",
    Dimension.COLOR: "order_lines.color",
    Dimension.SIZE: "order_lines.size",
    Dimension.PRICE_BAND: "width_bucket(order_lines.unit_price_cents, ARRAY[5000, 10000, 15000]::bigint[])",
    Dimension.DISCOUNTED: "order_lines.unit_price_cents < order_lines.list_price_cents",
    Dimension.DISCOUNT_CODE: "orders.discount_code",
    Dimension.COUNTRY: "orders.shipping_address ->> 'country'",
    Dimension.CITY: "orders.shipping_address ->> 'city'",
    Dimension.CUSTOMER_KIND: "orders.paid_at = first_value(orders.paid_at) OVER (PARTITION BY orders.email)",
    Dimension.PAYMENT_STATUS: "orders.payment_status",
}
_SUMS = {
    BaseMeasure.ORDERS: "count(DISTINCT orders.id)",
    BaseMeasure.UNITS: "sum(order_lines.quantity)",
    BaseMeasure.GROSS: "sum(order_lines.quantity * order_lines.list_price_cents)",
    BaseMeasure.DISCOUNTS: "sum(order_lines.quantity * (order_lines.list_price_cents - order_lines.unit_price_cents))",
    BaseMeasure.TAX: "sum(order_lines.tax_cents)",
    BaseMeasure.SHIPPING: "sum(orders.shipping_cents) / count(*)",
    **dict.fromkeys(
        (BaseMeasure.CUSTOMERS, BaseMeasure.NEW_CUSTOMERS, BaseMeasure.RETURNING_CUSTOMERS),
        "count(DISTINCT lower(orders.email))",
    ),
    **dict.fromkeys((BaseMeasure.VIEWS, BaseMeasure.ADDS, BaseMeasure.CHECKOUTS), "count(*)"),
    **dict.fromkeys((BaseMeasure.VISITS, BaseMeasure.PAID_VISITS), "count(DISTINCT shop_events.visit)"),
}


def raw(by: tuple[Dimension, ...], measures: list[Measure], start: date, end: date) -> str:
    """The same by hand, as far as it goes simply: refunds, stock, and who was new before, are left out."""
    bases = dict.fromkeys(base for measure in measures for base in MEASURES[measure].needs)
    of_visits = rows_of(by, measures) == Source.EVENTS.name
    clock = "shop_events.at" if of_visits else "orders.paid_at"
    keys = [_KEYS[each].format(clock=clock) if each in _KEYS else _grain(each, clock) for each in by]
    keys = [key for key in keys if " OVER " not in key] or ["1"]
    sums = dict.fromkeys(_SUMS[base] for base in bases if base in _SUMS and ("shop_events" in _SUMS[base]) == of_visits)
    tables = (
        "shop_events JOIN products ON products.id = shop_events.product_id WHERE true"
        if of_visits
        else "orders JOIN order_lines ON order_lines.order_id = orders.id"
        f" LEFT JOIN products ON products.id = order_lines.product_id WHERE {PAID}"
    )
    columns, places = (
        ", ".join([*keys, *(sums or ["count(*)"])]),
        ", ".join(str(place + 1) for place in range(len(keys))),
    )
    return f"SELECT {columns} FROM {tables} AND {between(start, end, clock)} GROUP BY {places}"


def _grain(dimension: Dimension, clock: str) -> str:
    return _GRAIN.format(grain=dimension.name.lower(), clock=clock)
