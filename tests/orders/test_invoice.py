"""The invoice as a PDF: who gets it, and what it says."""

import asyncio
import re
import threading
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from pypdf import PdfReader
from sqlalchemy import update

from server.orders import invoice_pages, invoices
from server.orders.models import Order
from server.orders.queries import PlacedOrder, SoldLine
from server.platform.core.db import begin
from tests.api.asking import ask
from tests.api.conftest import Shop

MADE_UP = "6f1d3c1e-8a57-4c39-9d6e-2b7f0c5a9e14"
UTC_ZONE = ZoneInfo("UTC")
SELLER = ("Minimal Clothing, Inc.", "48 Greene Street", "New York, NY 10013")
HOME = {
    "name": "Zoë Ångström-Łukasiewicz",
    "address1": "ul. Świętego Marka 7",
    "address2": "",
    "city": "Kraków",
    "country": "Polska",
    "postal_code": "31-012",
    "phone": "+48 1",
}


def line(name: str = "Oxford Shirt", quantity: int = 2, cents: int = 8_900) -> SoldLine:
    return SoldLine(uuid4(), uuid4(), name, "Sky", "M", quantity, cents, None)


def order(*lines: SoldLine, refunded: int = 0, canceled: bool = False, address: dict[str, str] = HOME) -> PlacedOrder:
    placed = datetime(2026, 11, 21, 23, 59, tzinfo=UTC)
    return PlacedOrder(
        id=uuid4(),
        number="M-10001",
        created_at=placed,
        email="zoe@example.test",
        payment_status="paid",
        total_cents=sum(each.unit_price_cents * each.quantity for each in lines),
        refunded_cents=refunded,
        shipping_address=address,
        paid_at=datetime(2026, 11, 22, tzinfo=UTC),
        failed_at=None,
        canceled_at=datetime(2026, 11, 23, tzinfo=UTC) if canceled else None,
        lines=lines,
    )


async def pages_of(placed: PlacedOrder, zone: str = "UTC") -> list[str]:
    """What a reader reads, page by page, without the breaks between its pieces."""
    pdf = await invoices.render(placed, seller=SELLER, zone=ZoneInfo(zone), shop_url="https://minimal.example")
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(pdf)).pages]


async def test_its_days_are_those_of_the_shop() -> None:
    placed = replace(order(line()), created_at=datetime(2026, 11, 21, 22, 30, tzinfo=UTC))

    [in_berlin] = await pages_of(placed, "Europe/Berlin")
    [in_kiritimati] = await pages_of(placed, "Pacific/Kiritimati")
    [in_honolulu] = await pages_of(placed, "Pacific/Honolulu")

    assert "Ordered November 21, 2026 Paid November 22, 2026" in in_berlin
    assert "Ordered November 22, 2026 Paid November 22, 2026" in in_kiritimati
    assert "Ordered November 21, 2026 Paid November 21, 2026" in in_honolulu


async def test_it_names_seller_buyer_dates_lines_and_total() -> None:
    [page] = await pages_of(order(line(), line("Selvedge Jeans", 1, 129_000)))

    facts = [
        *SELLER,
        "Invoice M-10001",
        "November 21, 2026",
        "November 22, 2026, by card",
        "Zoë Ångström-Łukasiewicz",
        "ul. Świętego Marka 7",
        "31-012 Kraków",
        "Polska",
        "zoe@example.test",
        "2 $89.00 $178.00",
        "1 $1,290.00 $1,290.00",
        "Sky, M",
        "Total $1,468.00",
        "minimal.example",
    ]
    assert [fact for fact in facts if fact not in page] == []
    assert "Paid back" not in page
    assert "Canceled" not in page


async def test_it_says_what_was_paid_back_and_that_it_was_canceled() -> None:
    [page] = await pages_of(order(line(), refunded=17_800, canceled=True))

    assert "Canceled November 23, 2026" in page
    assert "Paid back -$178.00 After refunds $0.00" in page


async def test_names_in_other_letters_are_written_out() -> None:
    [page] = await pages_of(order(line(), address={**HOME, "name": "Мария Ковалёва", "city": "Αθήνα"}))

    assert "Мария Ковалёва" in page
    assert "Αθήνα" in page


async def test_a_long_order_goes_on_with_the_tables_head_on_each_page() -> None:
    pages = await pages_of(order(*(line(f"Shirt {number}", 1, 100) for number in range(90))))

    assert len(pages) == 7
    assert all("Item Quantity Price Total" in page for page in pages)
    assert [page for number, page in enumerate(pages, 1) if f"M-10001, page {number}" not in page] == []
    assert re.findall(r"Shirt (\d+)", " ".join(pages)) == [str(number) for number in range(90)]
    assert "Total $90.00" in pages[-1]


@pytest.mark.parametrize("name", ["W" * 200, "wide words " * 18, "", "漢字のシャツ"])
async def test_no_text_leaves_its_column(name: str) -> None:
    pdf = await invoices.render(order(line(name)), seller=SELLER, zone=UTC_ZONE, shop_url="https://minimal.example")

    drawn: list[tuple[float, str]] = []

    def note(text: str, _cm: object, matrix: list[float], _font: object, _size: object) -> None:
        if text.strip():
            drawn.append((matrix[4], text.strip()))

    PdfReader(BytesIO(pdf)).pages[0].extract_text(visitor_text=note)
    prices = [x for x, text in drawn if text.startswith("$89.00")]
    assert drawn
    assert prices == pytest.approx(
        [invoice_pages.PRICE - invoice_pages._width("$89.00", invoice_pages.TEXT, invoice_pages.BODY)], abs=0.1
    )
    if set(name) == {"W"}:
        widths = [
            invoice_pages._width(text, invoice_pages.STRONG, invoice_pages.BODY) for _, text in drawn if "WW" in text
        ]
        assert len(widths) > 5
        assert max(widths) <= invoice_pages.QUANTITY - invoice_pages.LEFT


async def test_event_loop_goes_on_while_an_invoice_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()
    monkeypatch.setattr(invoices, "_draw", lambda *_: may_go_on.wait(30))

    drawing = asyncio.create_task(
        invoices.render(order(line("Shirt")), seller=SELLER, zone=UTC_ZONE, shop_url="https://minimal.example")
    )
    await asyncio.sleep(0)
    may_go_on.set()

    assert await drawing


@pytest.mark.parametrize(
    ("role", "status"), [("other", 200), ("admin", 200), ("primary", 200), ("shopper", 404), ("visitor", 401)]
)
async def test_the_buyer_and_admins_get_it_and_nobody_else(shop: Shop, role: str, status: int) -> None:
    answer = await shop.clients[role].get(f"/orders/{shop.people.others_order}/invoice.pdf")

    assert answer.status_code == status
    if status == 200:
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-disposition"] == 'inline; filename="minimal-invoice-M-10001.pdf"'
        assert "Oxford Shirt" in PdfReader(BytesIO(answer.content)).pages[0].extract_text()


@pytest.mark.parametrize("order_id", ["made-up", MADE_UP])
async def test_a_made_up_order_has_none(shop: Shop, order_id: str) -> None:
    answer = await shop.clients["admin"].get(f"/orders/{order_id}/invoice.pdf")

    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("status", "has_one"),
    [("paid", True), ("refunded", True), ("partially_refunded", True), ("processing", False), ("failed", False)],
)
async def test_there_is_one_once_the_money_has_come(shop: Shop, status: str, has_one: bool) -> None:
    async with begin(shop.sessions) as session:
        await session.execute(update(Order).values(payment_status=status))
    path = f"/orders/{shop.people.others_order}/invoice.pdf"

    viewer_answer = await ask(shop, "other", "{ viewer { orders { nodes { invoiceUrl } } } }")
    answer = await shop.clients["other"].get(path)

    assert viewer_answer["viewer"]["orders"]["nodes"] == [{"invoiceUrl": path if has_one else None}]
    assert answer.status_code == (200 if has_one else 404)
