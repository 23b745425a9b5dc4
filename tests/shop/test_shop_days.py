"""The shop has one day: lists, the audit log, reports and files put a moment on the same one."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text

from server.platform.core.db import begin
from tests.analytics.caught_up import facts_caught_up
from tests.analytics.reports import books
from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.api.conftest import shop as shop

DAYS = (
    ("UTC", date(2025, 1, 10)),
    ("Europe/Berlin", date(2025, 3, 30)),
    ("Europe/Berlin", date(2025, 10, 26)),
    ("America/New_York", date(2025, 3, 9)),
    ("America/New_York", date(2025, 11, 2)),
    ("Australia/Lord_Howe", date(2025, 4, 6)),
    ("Australia/Lord_Howe", date(2025, 10, 5)),
    ("Pacific/Kiritimati", date(2025, 12, 31)),
    ("Asia/Beirut", date(2026, 3, 29)),
)
"""Among them days of 23, 23.5, 24.5 and 25 hours, and one that begins at one o'clock."""
STEP = timedelta(minutes=15)
ANSWERS = """
query Day($day: Date!, $zone: String!) {
  admin {
    settings { timeZone }
    orders(filter: { from: $day, to: $day }) { totalCount }
    since: orders(filter: { from: $day }) { totalCount }
    auditLog(filter: { kind: "sample", from: $day, to: $day }) { totalCount }
    analytics {
      report(range: { dates: { from: $day, to: $day } }, timeZone: $zone) { totals { orders } }
    }
  }
}
"""


def moments_around(day: date, zone: ZoneInfo) -> Iterator[datetime]:
    """The quarters of an hour beside each change of the date, and one in between."""
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone).astimezone(UTC)
    yield noon
    for number in range(-160, 160):
        moment = noon + STEP * number
        dates = [at.astimezone(zone).date() for at in (moment - STEP, moment, moment + STEP)]
        if len(set(dates)) > 1:
            yield moment


async def change_zone(shop: Shop, zone: str) -> None:
    document = "mutation Move($zone: String!) { updateSettings(input: { timeZone: $zone }) { __typename } }"
    assert await ask(shop, "primary", document, zone=zone) == {"updateSettings": {"__typename": "ShopSettings"}}


@pytest.fixture
async def moments(shop: Shop) -> list[datetime]:
    """When orders were placed and paid, and entries written, beside midnights of all the days."""
    dice = random.Random(7)
    pieces = books.some_pieces(dice)
    at = sorted({moment for zone, day in DAYS for moment in moments_around(day, ZoneInfo(zone))})
    orders = [
        replace(order, at=moment, refunds=())
        for order, moment in zip(books.some_orders(dice, pieces, len(at)), at, strict=True)
    ]
    async with begin(shop.sessions) as session:
        await books.stock_range(session, pieces, "UTC")
        for order in orders:
            await books.enter(session, order)
        for moment in at:
            await session.execute(
                text(
                    "INSERT INTO audit_entries (created_at, actor_email, action, subject_kind, subject_id,"
                    " subject_label, before, after) VALUES (:at, 'a@shop.test', 'x', 'sample', '1', 'X', '{}', '{}')"
                ),
                {"at": moment},
            )
    await facts_caught_up(shop.sessions)
    return at


async def test_lists_log_and_reports_count_the_same_day(shop: Shop, moments: list[datetime]) -> None:
    for name, day in DAYS:
        zone = ZoneInfo(name)
        dates = [moment.astimezone(zone).date() for moment in moments]
        await change_zone(shop, name)

        admin = (await ask(shop, "admin", ANSWERS, day=day.isoformat(), zone=name))["admin"]

        count = dates.count(day)
        assert count >= 3
        assert admin["settings"] == {"timeZone": name}
        assert admin["orders"]["totalCount"] == count, (name, day)
        assert admin["auditLog"]["totalCount"] == count, (name, day)
        assert admin["analytics"]["report"]["totals"]["orders"] == count, (name, day)
        # One more stands in every shop of these tests, and was placed now.
        assert admin["since"]["totalCount"] == sum(each >= day for each in dates) + 1, (name, day)


async def test_the_ends_of_the_calendar_are_days_too(shop: Shop) -> None:
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        await change_zone(shop, zone)
        document = """{ admin {
          orders(filter: { from: "0001-01-01", to: "9999-12-31" }) { totalCount }
          auditLog(filter: { from: "0001-01-01", to: "9999-12-31", kind: "settings" }) { totalCount }
        } }"""

        admin = (await ask(shop, "admin", document))["admin"]

        assert admin["orders"]["totalCount"] == 1
        assert admin["auditLog"]["totalCount"] >= 1


async def test_files_are_named_by_the_day_of_the_shop(shop: Shop) -> None:
    now = datetime.now(UTC)
    zone = next(each for each in ("Pacific/Kiritimati", "Pacific/Pago_Pago") if day_in(each, now) != now.date())
    await change_zone(shop, zone)

    products = await shop.clients["admin"].get("/exports/products.csv")
    own = await shop.clients["shopper"].get("/account/data")

    today = day_in(zone, now)
    assert products.headers["content-disposition"] == f'attachment; filename="minimal-products-{today}.csv"'
    assert own.headers["content-disposition"] == f'attachment; filename="minimal-my-data-{today}.json"'


def day_in(zone: str, moment: datetime) -> date:
    return moment.astimezone(ZoneInfo(zone)).date()
