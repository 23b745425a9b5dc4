"""Reports over GraphQL: selection look-ahead, refusals, the guide, drill-through, saved reports."""

import csv
import io
import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import delete, insert, text, update

from server.analytics import facts
from server.analytics.models import AnalyticsOutbox, ShopEvent
from server.analytics.reports import cost, pool, saved
from server.catalog.category_models import SizeSystem
from server.catalog.sizes import SizeValue, stored_axes
from server.platform.core import jobs, locks
from server.platform.core.cursors import encode_cursor
from server.platform.core.db import begin
from server.platform.core.locks import Lock
from tests.analytics.caught_up import facts_caught_up
from tests.analytics.reports import books
from tests.api.conftest import Shop
from tests.catalog.size_systems import system

RANGE = '{ dates: { from: "2024-11-01", to: "2026-04-30" } }'


UNTIL = datetime(2025, 5, 1, tzinfo=UTC)
"""The end of the same range a year earlier."""


async def ask(shop: Shop, query: str, role: str = "admin") -> dict[str, Any]:
    answer: dict[str, Any] = (await shop.clients[role].post("/graphql", content=json.dumps({"query": query}))).json()
    return answer


async def report(shop: Shop, arguments: str, selection: str) -> dict[str, Any]:
    document = f"{{ admin {{ analytics {{ report({arguments}) {{ {selection} }} }} }} }}"
    answer = await ask(shop, document)
    assert "errors" not in answer, answer["errors"]
    answered: dict[str, Any] = answer["data"]["admin"]["analytics"]["report"]
    return answered


async def refusal(shop: Shop, arguments: str, selection: str = "rows { orders }") -> str:
    answer = await ask(shop, f"{{ admin {{ analytics {{ report({arguments}) {{ {selection} }} }} }} }}")
    assert answer["data"]["admin"]["analytics"]["report"] is None
    return str(answer["errors"][0]["message"])


@pytest.fixture
async def sold(shop: Shop) -> list[books.BookOrder]:
    """Thirty orders in a shop that kept none before them in these months."""
    dice = random.Random(5)
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, 30)
    async with begin(shop.sessions) as session:
        await books.stock_range(session, pieces, "UTC")
        for order in orders:
            await books.enter(session, order)
    await facts_caught_up(shop.sessions)
    return orders


async def test_selecting_more_adds_values_and_never_rows(shop: Shop, sold: list[books.BookOrder]) -> None:
    arguments = f"range: {RANGE}, by: [COUNTRY, SIZE]"

    few = await report(shop, arguments, "rowCount rows { c: dim(is: COUNTRY) { key } s: dim(is: SIZE) { key } }")
    many = await report(
        shop,
        arguments,
        "rowCount rows { c: dim(is: COUNTRY) { key } s: dim(is: SIZE) { key } refunds: measure(is: REFUNDS) { amount }"
        " returning: measure(is: RETURNING_CUSTOMERS) { amount versus(period: PREVIOUS_YEAR) { amount } } }",
    )

    def keys(answer: dict[str, Any]) -> set[tuple[str, str]]:
        return {(row["c"]["key"], row["s"]["key"]) for row in answer["rows"]}

    assert keys(few) == keys(many)
    assert few["rowCount"] == many["rowCount"] == len({(o.country, line.piece.size) for o in sold for line in o.lines})


async def test_aliases_fragments_and_variables_name_the_columns(shop: Shop, sold: list[books.BookOrder]) -> None:
    document = """
        query Sales($what: ReportMeasure!, $with: ComparisonPeriod!) {
          admin { analytics { report(range: { dates: { from: "2024-11-01", to: "2026-04-30" } }) {
            totals { ...Figures units: measure(is: UNITS) { amount } }
          } } }
        }
        fragment Figures on ReportRow { wanted: measure(is: $what) { formatted versus(period: $with) { formatted } } }
    """
    body = {"query": document, "variables": {"what": "GROSS_SALES", "with": "PREVIOUS_YEAR"}}

    answer = (await shop.clients["admin"].post("/graphql", content=json.dumps(body))).json()

    totals = answer["data"]["admin"]["analytics"]["report"]["totals"]
    gross = sum(line.quantity * line.full for order in sold for line in order.lines)
    before = sum(line.quantity * line.full for order in sold if order.at < UNTIL for line in order.lines)
    assert totals["wanted"] == {
        "formatted": f"${gross // 100:,}.{gross % 100:02d}",
        "versus": {"formatted": f"${before // 100:,}.{before % 100:02d}"},
    }
    assert totals["units"]["amount"] == str(sum(line.quantity for order in sold for line in order.lines))


async def test_a_value_says_what_it_measures(shop: Shop, sold: list[books.BookOrder]) -> None:
    answered = await report(shop, f"range: {RANGE}", "totals { measure(is: UNITS) { measure unit } }")

    assert answered["totals"] == {"measure": {"measure": "UNITS", "unit": "COUNT"}}


async def test_a_value_says_what_it_measures_and_in_what_unit(shop: Shop, sold: list[books.BookOrder]) -> None:
    answer = await report(shop, f"range: {RANGE}", "totals { measure(is: REPEAT_RATE) { measure unit } }")

    assert answer["totals"]["measure"] == {"measure": "REPEAT_RATE", "unit": "PERCENT"}


async def test_a_report_says_how_far_the_facts_are(shop: Shop, sold: list[books.BookOrder]) -> None:
    fields = "until lagSeconds"
    document = f"""{{ admin {{ analytics {{ freshness {{ {fields} }}
      report(range: {RANGE}) {{ meta {{ asOf freshness {{ {fields} }} notes }} totals {{ orders }} }} }} }} }}"""
    new_lines = tuple(replace(line, id=uuid4()) for line in sold[0].lines)

    async def facts_and_report() -> tuple[Any, Any]:
        analytics = (await ask(shop, document))["data"]["admin"]["analytics"]
        return analytics["freshness"], analytics["report"]

    fresh, of_fresh = await facts_and_report()
    minute_ago = datetime.now(UTC) - timedelta(minutes=1)
    async with begin(shop.sessions) as elsewhere:
        await locks.acquire(elsewhere, Lock.FACTS_FOLLOWER)
        async with begin(shop.sessions) as session:
            await books.enter(session, replace(sold[0], id=uuid4(), lines=new_lines))
            await session.execute(text("SET CONSTRAINTS ALL IMMEDIATE"))
            await session.execute(update(AnalyticsOutbox).values(at=minute_ago))
        behind, of_behind = await facts_and_report()

    assert fresh["lagSeconds"] == 0
    assert of_fresh["meta"]["freshness"] == {"until": of_fresh["meta"]["asOf"], "lagSeconds": 0}
    assert not any("Counted until" in note for note in of_fresh["meta"]["notes"])
    assert behind["lagSeconds"] >= 60
    assert datetime.fromisoformat(of_behind["meta"]["freshness"]["until"]) == minute_ago
    assert of_behind["meta"]["notes"][0] == (
        f"Counted until {minute_ago:%Y-%m-%d %H:%M:%S}: what happened since is still being counted."
    )
    assert of_behind["totals"] == of_fresh["totals"]


async def test_a_report_says_what_it_does_not_show_while_facts_are_made_anew(shop: Shop) -> None:
    async def told() -> tuple[str | None, str | None]:
        fields = f"missing report(range: {RANGE}) {{ meta {{ missing }} }}"
        answer = await ask(shop, f"{{ admin {{ analytics {{ {fields} }} }} }}")
        analytics = answer["data"]["admin"]["analytics"]
        return analytics["missing"], analytics["report"]["meta"]["missing"]

    async def come_to(**progress: Any) -> None:
        async with begin(shop.sessions) as session:
            await session.execute(text("UPDATE analytics_state SET rebuilt_at = NULL"))
            await jobs.close(session, facts.JOB)
            await jobs.enqueue(session, facts.JOB, progress, key=facts.JOB, delay=timedelta(days=365))

    whole = await told()
    await come_to()
    sentence = await told()
    await come_to(stage="orders", file=1, of=1_200, done=500)
    orders = await told()
    await come_to(stage="events", file=1, of=9_000, done=2_000)
    events = await told()

    begun = "The facts behind reports are being made anew:"
    assert whole == (None, None)
    assert sentence == ("The facts behind reports are about to be made anew. Until then orders may be missing.",) * 2
    assert orders == (f"{begun} 500 of 1,200 orders are done, the others are missing.",) * 2
    assert events == (f"{begun} 2,000 of 9,000 events of visits are done, and all orders.",) * 2


async def test_what_does_not_fit_is_refused_with_what_would(shop: Shop) -> None:
    shipping = await refusal(shop, f"range: {RANGE}, by: [SIZE]", "rows { measure(is: SHIPPING) { amount } }")
    stock = await refusal(shop, f"range: {RANGE}, by: [COUNTRY]", "rows { measure(is: STOCK_ON_HAND) { amount } }")
    place = await refusal(shop, f'range: {RANGE}, timeZone: "Mars/Olympus"')
    value = await refusal(shop, f'range: {RANGE}, where: {{ category: ["hats"] }}')
    order = await refusal(shop, f"range: {RANGE}, by: [MONTH], orderBy: [{{ dimension: SIZE }}]")
    backwards = await refusal(shop, 'range: { dates: { from: "2026-02-01", to: "2026-01-01" } }')

    assert shipping.startswith("SHIPPING cannot be split or filtered by SIZE. It goes with HOUR, DAY,")
    assert stock.startswith("STOCK_ON_HAND cannot be split or filtered by COUNTRY. It goes with CATEGORY,")
    assert place == '"Mars/Olympus" is no IANA time zone. Examples: Europe/Stockholm, America/New_York.'
    assert value == (
        "CATEGORY has no 'hats'. There are men_shirts, men_jeans, women_shirts, women_jeans, women_trousers."
    )
    assert order == "Rows can be ordered by SIZE only when it is in `by`."
    assert backwards == "The range ends on 2026-01-01, before it begins on 2026-02-01."


async def test_what_is_too_dear_is_refused_before_it_runs_and_says_how_to_make_it_cheaper(
    shop: Shop, sold: list[books.BookOrder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cost, "COST_LIMIT", 20)
    document = f"{{ admin {{ analytics {{ report(range: {RANGE}, by: [DAY, CITY]) {{ rows {{ orders }} }} }} }} }}"

    [error] = (await ask(shop, document))["errors"]

    assert error["extensions"]["code"] == "TOO_COSTLY"
    assert "the limit is 20" in error["message"]
    assert "Choose a shorter range" in error["message"]


async def test_gaps_that_would_be_too_many_rows_are_left_and_said(shop: Shop, sold: list[books.BookOrder]) -> None:
    selection = "rowCount meta { notes } rows { measure(is: ORDERS) { amount } }"
    [filled, left] = [
        await report(shop, f"range: {RANGE}, by: [{by}], first: 1", selection) for by in ("DAY", "DAY, CITY, VARIANT")
    ]

    assert filled["rowCount"] == 546
    assert [note.split(":")[0] for note in filled["meta"]["notes"]] == ["Orders"]
    assert left["rowCount"] < 200
    assert [note.split(":")[0] for note in left["meta"]["notes"]] == ["Gaps are left", "Orders"]


async def test_gaps_are_filled_with_times_that_there_were(shop: Shop, sold: list[books.BookOrder]) -> None:
    arguments = 'range: { dates: { from: "2025-05-30", to: "2025-06-08" } }'

    async def times(*by: str) -> list[list[str]]:
        selection = " ".join(f"{each.lower()}: dim(is: {each}) {{ key }}" for each in by)
        answer = await report(shop, f"{arguments}, by: [{', '.join(by)}]", f"rows {{ {selection} }}")
        return [[dim["key"] for dim in row.values()] for row in answer["rows"]]

    assert await times("WEEK", "MONTH") == [
        ["2025-05-26", "2025-05-01"],
        ["2025-05-26", "2025-06-01"],
        ["2025-06-02", "2025-06-01"],
    ]
    assert await times("DAY", "WEEKDAY") == [
        [f"2025-{day}", weekday]
        for day, weekday in zip(
            ("05-30", "05-31", *(f"06-0{number}" for number in range(1, 9))), "5671234567", strict=True
        )
    ]


async def test_one_refused_report_leaves_the_others_standing(shop: Shop, sold: list[books.BookOrder]) -> None:
    answer = await ask(
        shop,
        f"{{ admin {{ analytics {{ good: report(range: {RANGE}) {{ totals {{ orders }} }}"
        " bad: report(range: { last: { days: 0 } }) { totals { orders } } } } }",
    )

    assert answer["data"]["admin"]["analytics"] == {"good": {"totals": {"orders": len(sold)}}, "bad": None}
    assert [error["path"][-1] for error in answer["errors"]] == ["bad"]


async def test_pages_follow_each_other_without_a_gap(shop: Shop, sold: list[books.BookOrder]) -> None:
    arguments = f"range: {RANGE}, by: [VARIANT], first: 7"
    selection = "rowCount pageInfo { hasNextPage endCursor } rows { dim(is: VARIANT) { key } }"
    keys: list[str] = []
    after = ""
    while True:
        page = await report(shop, arguments + after, selection)
        keys += [row["dim"]["key"] for row in page["rows"]]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = f', after: "{page["pageInfo"]["endCursor"]}"'

    assert len(keys) == len(set(keys)) == page["rowCount"]


@pytest.mark.parametrize(
    "arguments",
    [
        "by: [MONTH, SIZE]",
        "by: [SIZE, MONTH], orderBy: [{ dimension: SIZE }, { measure: UNITS, direction: ASCENDING }]",
        "by: [PRODUCT]",
        "by: [COUNTRY, COLOR], orderBy: [{ measure: UNITS }]",
        "by: [VARIANT, WEEKDAY], orderBy: [{ measure: REFUND_RATE, direction: ASCENDING }]",
        "by: [QUARTER, PRODUCT], top: { n: 2, of: PRODUCT, by: UNITS }, fillGaps: false",
        "by: [], having: [{ measure: UNITS, atLeast: 1000000 }]",
    ],
)
async def test_a_page_shows_the_rows_that_stand_there_in_the_whole_list(
    shop: Shop, sold: list[books.BookOrder], arguments: str
) -> None:
    by = [part for part in arguments.split("]")[0].removeprefix("by: [").split(", ") if part]
    dims = " ".join(f"{each.lower()}: dim(is: {each}) {{ key label }}" for each in by)
    selection = (
        f"rowCount rows {{ {dims} u: measure(is: UNITS) {{ amount rank }} r: measure(is: REFUND_RATE) {{ amount }} }}"
    )
    whole = await report(shop, f"range: {RANGE}, {arguments}, first: 1000", selection)
    size = 3

    pages = []
    for start in range(0, whole["rowCount"] + size, size):
        after = f', after: "{encode_cursor(start - 1)}"' if start else ""
        page = await report(shop, f"range: {RANGE}, {arguments}, first: {size}{after}", selection)
        pages += page["rows"]

    assert pages == whole["rows"]
    assert len(pages) == whole["rowCount"]


async def test_an_order_of_several_other_categories_is_one_order(shop: Shop, sold: list[books.BookOrder]) -> None:
    answer = await report(
        shop,
        f"range: {RANGE}, by: [CATEGORY], top: {{ n: 1, of: CATEGORY, by: UNITS }}",
        "rows { dim(is: CATEGORY) { key isOther } measure(is: ORDERS) { amount } }",
    )

    best = next(row["dim"]["key"] for row in answer["rows"] if not row["dim"]["isOther"])
    others = [{line.piece.category for line in order.lines} - {best} for order in sold]
    assert any(len(each) > 1 for each in others)
    counted = {row["dim"]["isOther"]: int(row["measure"]["amount"]) for row in answer["rows"]}
    assert counted[True] == sum(bool(each) for each in others)


async def test_a_row_leads_to_the_orders_behind_it(shop: Shop, sold: list[books.BookOrder]) -> None:
    answer = await report(
        shop,
        f"range: {RANGE}, by: [CITY], top: {{ n: 1, of: CITY, by: ORDERS }}, first: 9",
        "rows { dim(is: CITY) { label isOther } orders behind(first: 100) { totalCount nodes { id } } }",
    )

    best = next(row["dim"]["label"] for row in answer["rows"] if not row["dim"]["isOther"])
    assert len(answer["rows"]) == 2
    for row in answer["rows"]:
        behind = {str(order.id) for order in sold if (order.city == best) is not row["dim"]["isOther"]}
        assert {node["id"] for node in row["behind"]["nodes"]} == behind
        assert row["orders"] == row["behind"]["totalCount"] == len(behind)


async def test_price_bands_and_sizes_are_listed_in_their_order(shop: Shop, sold: list[books.BookOrder]) -> None:
    async def keys(dimension: str, order: str = "") -> list[str]:
        selection = f"rows {{ dim(is: {dimension}) {{ key }} measure(is: AVERAGE_ORDER_VALUE) {{ amount }} }}"
        rows = (await report(shop, f"range: {RANGE}, by: [{dimension}]{order}", selection))["rows"]
        return [row["dim"]["key"] for row in rows]

    rising = ", orderBy: [{ dimension: %s, direction: ASCENDING }]"

    bands = ["under-50", "50-to-100", "100-to-150", "150-up"]
    assert await keys("PRICE_BAND") == bands
    assert await keys("PRICE_BAND", rising % "PRICE_BAND") == bands
    assert await keys("PRICE_BAND", ", orderBy: [{ dimension: PRICE_BAND }]") == bands[::-1]
    assert await keys("SIZE", rising % "SIZE") == ["S", "M", "L"]
    turned = system("letters", ("Size", [*map(SizeValue, ("XL", "L", "M", "S", "XS"))]))
    async with begin(shop.sessions) as session:
        await session.execute(update(SizeSystem).values(axes=stored_axes(turned.axes), version=2))
    assert await keys("SIZE", rising % "SIZE") == ["L", "M", "S"]


async def test_other_has_no_rank_and_takes_none(shop: Shop, sold: list[books.BookOrder]) -> None:
    arguments = f"range: {RANGE}, by: [PRODUCT], top: {{ n: 3, of: PRODUCT, by: NET_SALES }}"

    answer = await report(shop, arguments, "rows { dim(is: PRODUCT) { isOther } measure(is: NET_SALES) { rank } }")

    assert [(row["dim"]["isOther"], row["measure"]["rank"]) for row in answer["rows"]] == [
        (False, 1),
        (False, 2),
        (False, 3),
        (True, None),
    ]


async def test_visits_have_no_figures_before_they_were_recorded(shop: Shop, sold: list[books.BookOrder]) -> None:
    product = sold[0].lines[0].piece.product
    at = datetime(2025, 11, 20, 12, tzinfo=UTC)
    event = {"at": at, "local_at": at.replace(tzinfo=None), "visit": uuid4(), "kind": "viewed", "product_id": product}
    async with begin(shop.sessions) as session:
        await session.execute(delete(ShopEvent))
        await session.execute(insert(ShopEvent).values(event))
    figures = (
        "views: measure(is: VIEWS) { amount formatted share rank cumulative versus(period: PREVIOUS_YEAR) { amount } }"
    )
    conversion = "conversion: measure(is: CONVERSION) { amount }"
    dates = '{ dates: { from: "2025-10-01", to: "2025-12-31" } }'

    answer = await report(
        shop,
        f"range: {dates}, by: [MONTH], rowsOf: [EVENTS]",
        f"rows {{ {figures} {conversion} }} totals {{ {figures} }} meta {{ notes }} export",
    )

    rows = [row["views"] for row in answer["rows"]]
    assert [row["amount"] for row in rows] == [None, "1", "0"]
    assert [row["formatted"] for row in rows] == ["\N{EN DASH}", "1", "0"]
    assert [row["share"] for row in rows] == [None, "100.00", "0.00"]
    assert [row["rank"] for row in rows] == [None, 1, 2]
    assert [row["cumulative"] for row in rows] == [None, "1", "1"]
    assert [row["versus"]["amount"] for row in [*rows, answer["totals"]["views"]]] == [None, None, None, None]
    assert [row["conversion"]["amount"] for row in answer["rows"]] == [None, "0.00", None]
    assert (
        answer["meta"]["notes"][0] == "Visits are recorded since 2025-11-20 12:00: before that, they have no figures."
    )
    lines = list(csv.DictReader(io.StringIO(answer["export"].removeprefix("\N{BYTE ORDER MARK}"))))
    assert [line["Views"] for line in lines] == ["", "1", "0", "1"]


async def test_an_export_holds_every_row_and_the_totals(shop: Shop, sold: list[books.BookOrder]) -> None:
    answer = await report(
        shop,
        f"range: {RANGE}, by: [COUNTRY], first: 1",
        "export(format: CSV) rowCount"
        " totals { measure(is: NET_SALES) { amount versus(period: PREVIOUS_YEAR) { amount } } }",
    )

    rows = list(csv.reader(io.StringIO(answer["export"].lstrip("\N{BYTE ORDER MARK}"))))
    assert rows[0] == [
        "Country",
        "Net sales",
        "Net sales, previous year (2023-11-01 to 2025-04-30)",
        "Net sales, change in %",
    ]
    assert len(rows) == answer["rowCount"] + 2
    assert rows[-1][:2] == ["Total", answer["totals"]["measure"]["amount"]]


async def test_every_example_of_the_guide_runs(shop: Shop, sold: list[books.BookOrder]) -> None:
    guide = (
        await ask(
            shop,
            "{ admin { analytics { catalogue { measures { name example goesWith rowsOf } dimensions { name example }"
            " questions { name splitBy notBy notRecorded note example } examples { title query } } } } }",
        )
    )["data"]["admin"]["analytics"]["catalogue"]
    queries = [each["example"] for each in (*guide["measures"], *guide["dimensions"])]
    queries += [each["query"] for each in guide["examples"]] + [each["example"] for each in guide["questions"]]

    answers = [await ask(shop, query) for query in queries]

    assert len(queries) == 22 + 22 + 5 + 4
    assert [answer["errors"] for answer in answers if "errors" in answer] == []


async def test_the_guide_says_what_each_question_can_and_cannot_be_split_by(shop: Shop) -> None:
    query = "{ admin { analytics { catalogue { questions { name splitBy notBy notRecorded note } } } } }"
    guides = (await ask(shop, query))["data"]["admin"]["analytics"]["catalogue"]["questions"]
    questions = {guide["name"]: guide for guide in guides}

    assert [*questions] == ["report", "funnel", "cohorts", "basketPairs"]
    assert questions["report"]["notBy"] == questions["basketPairs"]["splitBy"] == []
    assert questions["cohorts"]["splitBy"] == ["WEEK", "MONTH", "QUARTER", "YEAR"]
    funnel = questions["funnel"]
    assert funnel["notRecorded"] == ["device", "traffic source", "customer"]
    assert {*funnel["splitBy"]}.isdisjoint(funnel["notBy"])
    arguments = f"range: {RANGE}, by:"
    for dimension in funnel["splitBy"] + funnel["notBy"]:
        answer = await ask(
            shop, f"{{ admin {{ analytics {{ funnel({arguments} {dimension}) {{ rows {{ key }} }} }} }} }}"
        )
        assert ("errors" in answer) is (dimension in funnel["notBy"])
        if "errors" in answer:
            message = answer["errors"][0]["message"]
            assert message.startswith(f"A funnel cannot be split by {dimension}. It can be by HOUR, DAY, ")
            assert message.endswith(funnel["note"].split(". ", 1)[1])


@pytest.mark.parametrize("unknown", ["DEVICE", "TRAFFIC_SOURCE", "CUSTOMER"])
async def test_what_is_not_recorded_is_refused_with_where_it_says_what_is(shop: Shop, unknown: str) -> None:
    written = await ask(
        shop, f"{{ admin {{ analytics {{ funnel(range: {RANGE}, by: {unknown}) {{ rows {{ key }} }} }} }} }}"
    )
    funnel = f"funnel(range: {RANGE}, by: $by) {{ rows {{ key }} }}"
    query = f"query F($by: ReportDimension) {{ admin {{ analytics {{ {funnel} }} }} }}"
    body = json.dumps({"query": query, "variables": {"by": unknown}})
    sent = (await shop.clients["admin"].post("/graphql", content=body)).json()

    for answer in (written, sent):
        message = answer["errors"][0]["message"]
        assert f"Value '{unknown}' does not exist in 'ReportDimension' enum." in message
        assert "`catalogue.questions` says what each question of analytics can be split by" in message


async def test_only_admins_compose_reports(shop: Shop) -> None:
    document = f"{{ admin {{ analytics {{ report(range: {RANGE}) {{ totals {{ orders }} }} }} }} }}"

    assert (await ask(shop, document, "visitor"))["data"] == {"admin": None}
    assert (await ask(shop, document, "shopper"))["data"] == {"admin": None}


async def test_reports_are_kept_for_all_admins(shop: Shop) -> None:
    fields = "{ ... on SavedReport { id name owner } }"
    answer = await ask(
        shop, f'mutation {{ createSavedReport(input: {{name: " By  month ", definition: "by=MONTH"}}) {fields} }}'
    )
    report_saved = answer["data"]["createSavedReport"]
    same = f'id: "{report_saved["id"]}"'
    changed = f'mutation {{ updateSavedReport({same}, input: {{name: "Monthly", definition: "by=MONTH"}}) {fields} }}'

    renamed = await ask(shop, changed, "primary")
    seen = await ask(shop, "{ admin { analytics { savedReports { id name definition owner } } } }", "primary")
    gone = await ask(shop, f'mutation {{ deleteSavedReport(id: "{report_saved["id"]}") {{ ok }} }}')
    left = await ask(shop, "{ admin { analytics { savedReports { id } } } }")

    assert report_saved["name"] == "By month"
    assert renamed["data"]["updateSavedReport"] == {**report_saved, "name": "Monthly"}
    assert seen["data"]["admin"]["analytics"]["savedReports"] == [
        {"id": report_saved["id"], "name": "Monthly", "definition": "by=MONTH", "owner": report_saved["owner"]}
    ]
    assert gone["data"]["deleteSavedReport"] == {"ok": True}
    assert left["data"]["admin"]["analytics"]["savedReports"] == []


async def test_a_report_needs_a_name_and_there_is_an_end_to_them(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved, "MOST", 0)
    selection = "{ __typename ... on UserError { message field } }"

    nameless = await ask(
        shop, f'mutation {{ createSavedReport(input: {{name: " ", definition: "by=DAY"}}) {selection} }}'
    )
    full = await ask(
        shop, f'mutation {{ createSavedReport(input: {{name: "One more", definition: "by=DAY"}}) {selection} }}'
    )

    assert nameless["data"]["createSavedReport"] == {
        "__typename": "InvalidInput",
        "message": "Give it a name",
        "field": "name",
    }
    assert full["data"]["createSavedReport"]["__typename"] == "TooManyReports"


async def test_reports_have_a_connection_of_their_own_and_cannot_write(database_url: str) -> None:
    warehouse = pool.ReportsPool(database_url)
    async with warehouse.snapshot() as (session, _):
        with pytest.raises(Exception, match="read-only transaction"):
            await session.execute(text("DELETE FROM sale_facts"))
    await warehouse.close()
