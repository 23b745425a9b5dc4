"""Limits on the events that browsers report."""

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select, text

from server.analytics.behaviour import intake
from server.analytics.behaviour.events import VisitEvent
from server.analytics.behaviour.intake import Intake
from server.analytics.models import ShopEvent
from server.platform.core import disk
from server.platform.core.db import begin
from server.platform.core.disk import DiskSpace
from server.platform.core.models import RateLimit
from tests.api.conftest import Shop
from tests.api.conftest import shop as shop


async def rows(shop: Shop) -> int:
    async with shop.sessions() as session:
        return await session.scalar(select(func.count()).select_from(ShopEvent)) or 0


async def report(shop: Shop, *events: dict[str, Any], visit: UUID | None = None) -> int:
    batch = {"visit": str(visit or uuid4()), "events": events}
    return (await shop.clients["visitor"].post("/events", content=json.dumps(batch))).status_code


def dropped(shop: Shop) -> dict[str, int]:
    return dict(shop.app.state.shop.resources.get(Intake).dropped)


def of_settings(shop: Shop, **values: int) -> None:
    for name, value in values.items():
        setattr(shop.app.state.shop.settings.limits, name, value)


async def many_products(shop: Shop, number: int) -> list[str]:
    """Copies of the one there is."""
    async with begin(shop.sessions) as session:
        names = await session.scalars(
            text("SELECT column_name FROM information_schema.columns WHERE table_name = 'products'"
                 " AND column_name NOT IN ('id', 'created_at') AND is_generated = 'NEVER'"
                 " AND is_identity = 'NO'")
        )  # fmt: skip
        columns = ", ".join(names)
        ids = await session.scalars(
            text(
                f"INSERT INTO products ({columns}) SELECT {columns} FROM products, generate_series(1, :number)"
                " WHERE id = :id RETURNING id"
            ),
            {"number": number, "id": shop.people.product},
        )
        return [str(each) for each in ids]


async def test_a_visit_tells_of_each_step_once_a_day(shop: Shop) -> None:
    product, visit = str(shop.people.product), uuid4()
    seen, added = {"kind": "viewed", "products": [product]}, {"kind": "added", "products": [product]}

    statuses = [await report(shop, *[seen, added] * 20, visit=visit) for _ in range(3)]

    assert statuses == [204] * 3
    assert await rows(shop) == 2
    assert dropped(shop) == {"bounds": 3 * 38}


async def test_a_view_is_of_one_product_and_a_checkout_of_a_full_cart(shop: Shop) -> None:
    products = await many_products(shop, 150)
    async with begin(shop.sessions) as session:
        await session.execute(
            text(
                "INSERT INTO checkouts (email, status, fingerprint, total_cents, currency, shipping_address,"
                " stripe_session_id, expires_at, check_at)"
                " VALUES ('a@shop.test', 'open', '', 100, 'usd', '{}', 'cs_1', now(), now())"
            )
        )

    await report(shop, {"kind": "viewed", "products": products})
    after_view = await rows(shop)
    await report(shop, {"kind": "checkout", "products": products, "session": "cs_1"})

    assert after_view == 1
    assert await rows(shop) == 1 + 90


async def test_a_checkout_that_there_never_was_is_not_believed(shop: Shop) -> None:
    step = {"kind": "checkout", "products": [str(shop.people.product)]}

    await report(shop, step)
    await report(shop, {**step, "session": "cs_made_up"})

    assert await rows(shop) == 0


async def test_one_request_writes_a_hundred_rows_at_most(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MAX_PRODUCTS", {"viewed": 50, "added": 50, "checkout": 50})
    products = await many_products(shop, 150)
    parts = [products[first : first + 50] for first in range(0, 150, 50)]

    await report(shop, *({"kind": "viewed", "products": part} for part in parts))

    assert await rows(shop) == 100


async def test_a_visit_is_taken_so_far(shop: Shop) -> None:
    of_settings(shop, events_per_visit=5)
    products, visit = await many_products(shop, 8), uuid4()

    for product in products:
        await report(shop, {"kind": "viewed", "products": [product]}, visit=visit)

    assert await rows(shop) == 5
    assert dropped(shop) == {"bounds": 3}


async def test_an_address_is_taken_so_far_and_leaves_the_days_room_to_others(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "ROWS_PER_MINUTE", 3)
    of_settings(shop, events_per_day=4)
    seen = {"kind": "viewed", "products": [str(shop.people.product)]}

    for _ in range(20):
        await report(shop, seen)
    from_one_address = await rows(shop)
    async with begin(shop.sessions) as session:
        await session.execute(text("UPDATE rate_limits SET bucket = bucket || '1' WHERE bucket LIKE 'event rows:%'"))
    for _ in range(20):
        await report(shop, seen)

    assert from_one_address == 3
    assert await rows(shop) == 4
    async with shop.sessions() as session:
        of_the_day = await session.scalar(select(RateLimit.hits).where(RateLimit.bucket == "event rows"))
    assert of_the_day == 3 + 3, "what an address has no room for uses up nobody else's"


async def test_an_address_has_a_day_as_well(shop: Shop) -> None:
    of_settings(shop, events_per_address_per_day=2)

    for _ in range(5):
        await report(shop, {"kind": "viewed", "products": [str(shop.people.product)]})

    assert await rows(shop) == 2


async def test_with_little_disk_space_visits_are_not_recorded_and_one_line_is_logged(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    space = shop.app.state.shop.resources.get(DiskSpace)
    monkeypatch.setattr(disk, "CHECK_SECONDS", 0.0)
    seen = {"kind": "viewed", "products": [str(shop.people.product)]}

    monkeypatch.setattr(space, "_low", 10**18)
    while_low = [await report(shop, seen) for _ in range(3)]
    not_taken = await rows(shop)
    monkeypatch.setattr(space, "_low", 0)
    await report(shop, seen)

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"disk.' in line]
    assert while_low == [204] * 3
    assert not_taken == 0
    assert dropped(shop) == {"disk": 3}
    assert await rows(shop) == 1
    assert sorted((line["event"], line["folder"]) for line in lines) == [
        ("disk.enough", "database"),
        ("disk.enough", "images"),
        ("disk.low", "database"),
        ("disk.low", "images"),
    ]


async def test_what_was_dropped_is_in_the_log_once_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(intake, "LOG_SECONDS", 0.0)
    taken = Intake()

    taken.drop(3, "bounds")
    taken.drop(4, "bounds")
    taken.drop(5, "disk")
    taken._tell()

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "events.dropped" in line]
    assert [(line["kind"], line["count"]) for line in lines] == [("bounds", 7), ("disk", 5)]
    assert taken.dropped == {"bounds": 7, "disk": 5}


def test_rows_of_a_batch_are_told_apart_by_step_and_product() -> None:
    one, other = uuid4(), uuid4()
    batch = [VisitEvent("viewed", (one,)), VisitEvent("added", (one,)), VisitEvent("viewed", (one, other, other))]

    assert intake.first_rows(batch, 9) == [
        VisitEvent("viewed", (one,)),
        VisitEvent("added", (one,)),
        VisitEvent("viewed", (other,)),
    ]
    assert intake.first_rows(batch, 2) == batch[:2]
    assert intake.first_rows(batch, 0) == []
