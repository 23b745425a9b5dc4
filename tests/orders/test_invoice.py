"""The invoice as a PDF: who gets it, and what it says."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from pypdfium2 import PdfDocument
from sqlalchemy import update

from server.orders import totals
from server.orders.documents import contents, rendering
from server.orders.documents.contents import Letterhead
from server.orders.documents.rendering import Template, render
from server.orders.models import Order
from server.orders.queries import PlacedOrder, SentShipment, SoldLine
from server.platform.core.db import begin
from server.platform.core.errors import Unavailable
from server.platform.core.slots import CURRENT
from server.pricing.totals import Allocation, TaxRule, add_up, percent_of, tax_of
from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.orders import pdf

MADE_UP = "6f1d3c1e-8a57-4c39-9d6e-2b7f0c5a9e14"
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


LETTERHEAD = Letterhead("\n".join(SELLER), "", "https://minimal.example")


async def pdf_of(
    placed: PlacedOrder, zone: str = "UTC", *, sent: Sequence[SentShipment] = (), letterhead: Letterhead = LETTERHEAD
) -> bytes:
    return await render(Template.INVOICE, contents.invoice(placed, sent, letterhead, ZoneInfo(zone)))


async def pages_of(placed: PlacedOrder, zone: str = "UTC", **more: Any) -> list[str]:
    """What a reader reads, page by page, without the breaks between its pieces."""
    return pdf.pages(await pdf_of(placed, zone, **more))


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

    assert len(pages) == 6
    assert all("Item Quantity Price Total" in page for page in pages)
    assert [page for number, page in enumerate(pages, 1) if f"M-10001, page {number}" not in page] == []
    assert re.findall(r"Shirt (\d+)", " ".join(pages)) == [str(number) for number in range(90)]
    assert "Total $90.00" in pages[-1]


@pytest.mark.parametrize("name", ["W" * 200, "wide words " * 18, "", "漢字のシャツ", "เสื้อเชิ้ต" * 20])
async def test_no_text_leaves_its_column(name: str) -> None:
    document = PdfDocument(await pdf_of(order(line(name))))

    assert len(document) == 1
    text = document[0].get_textpage()
    rects = [text.get_rect(number) for number in range(text.count_rects())]
    words = [text.get_text_bounded(*rect) for rect in rects]
    prices = [rect for rect, said in zip(rects, words, strict=True) if said.strip() == "$89.00"]
    quantities = [rect for rect, said in zip(rects, words, strict=True) if said.strip() == "2"]
    item_column = [rect for rect in rects if rect[0] < 57]
    assert len(prices) == len(quantities) == 1
    assert max(right for _, _, right, _ in item_column) < quantities[0][0]
    assert max(right for _, _, right, _ in rects) <= 595 - 55


async def test_event_loop_and_slot_are_free_while_an_invoice_is_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on, slot = asyncio.Event(), NotedSlot()

    async def wait(*_: object, **__: object) -> bytes:
        await may_go_on.wait()
        return b"%PDF"

    monkeypatch.setattr(rendering, "run_module", wait)
    token = CURRENT.set(slot)
    drawing = asyncio.create_task(render(Template.INVOICE, {}))
    CURRENT.reset(token)
    await slot.released.wait()
    may_go_on.set()

    assert await drawing == b"%PDF"
    assert not slot.released.is_set()


@dataclass
class NotedSlot:
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        self.released.set()

    async def take_again(self) -> None:
        self.released.clear()


async def test_a_template_that_cannot_be_set_is_an_error_that_says_where() -> None:
    with pytest.raises(RuntimeError, match=r"shop\.typ"):
        await render(Template.INVOICE, {"number": "M-1"})


async def test_a_document_that_takes_too_long_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "MOST_SECONDS", 0.001)

    with pytest.raises(Unavailable):
        await pdf_of(order(line()))


async def test_it_is_tagged_with_language_title_and_tables() -> None:
    document = await pdf_of(order(line()))

    root, about = pdf.root(document), PdfReader(BytesIO(document)).metadata
    assert root["/MarkInfo"]["/Marked"]
    assert (root["/Lang"], about and about.title) == ("en", "Invoice M-10001")
    assert {"/H1", "/Table", "/TH", "/TD"} <= set(kinds_of(root["/StructTreeRoot"]))
    assert b"pdfuaid" in root["/Metadata"].get_data()


def kinds_of(element: Any) -> Iterator[str]:
    """The structure's elements, by the names of their kinds."""
    if not isinstance(element := element.get_object(), dict):
        return
    if kind := element.get("/S"):
        yield str(kind)
    children = element.get("/K", [])
    for child in children if isinstance(children, list) else [children]:
        yield from kinds_of(child)


async def test_it_says_when_it_was_issued_and_sent_and_the_sellers_vat_number() -> None:
    sent = [SentShipment(uuid4(), "UPS", "1Z", "", datetime(2026, 11, 24, 9, tzinfo=UTC), None, {})] * 2
    letterhead = replace(LETTERHEAD, vat_number="DE123456789")

    [page] = await pages_of(order(line()), sent=sent, letterhead=letterhead)
    [without] = await pages_of(order(line()))

    facts = "Issued November 22, 2026 Ordered November 21, 2026 Paid November 22, 2026, by card Sent November 24, 2026"
    assert facts in page
    assert "New York, NY 10013 VAT number DE123456789 Invoice" in page
    assert "VAT number" not in without


async def test_net_amounts_stand_by_rate() -> None:
    taxed: dict[str, Any] = {
        "tax_name": "VAT",
        "tax_basis_points": 1900,
        "shipping_cents": 500,
        "delivery_name": "Germany",
    }
    included = replace(order(line()), total_cents=18_300, tax_cents=2_922, tax_included=True, **taxed)
    added_to_goods = replace(order(line()), total_cents=21_682, tax_cents=3_382, **taxed)

    [one_rate] = await pages_of(included)
    [two_rates] = await pages_of(added_to_goods)
    [no_tax] = await pages_of(order(line()))

    head = "Rate Net Tax Total"
    assert f"{head} VAT 19% $153.78 $29.22 $183.00 All amounts" in one_rate
    assert f"{head} VAT 19% $178.00 $33.82 $211.82 No tax $5.00 $0.00 $5.00 All amounts" in two_rates
    assert head not in no_tax


@given(
    lines=st.lists(st.integers(1, 300_000), min_size=1, max_size=5),
    off=st.integers(0, 100),
    shipping=st.integers(0, 5_000),
    basis_points=st.integers(0, 3_000),
    on_delivery=st.booleans(),
    included=st.booleans(),
)
def test_rates_add_up_to_the_total_and_each_tax_is_its_rate_of_its_net_amount(
    lines: list[int], off: int, shipping: int, basis_points: int, on_delivery: bool, included: bool
) -> None:
    rule = TaxRule("VAT", basis_points, on_delivery, included)
    allocation = Allocation("CODE", tuple(percent_of(off, cents) for cents in lines))
    priced = add_up(lines, allocations=[allocation], shipping_cents=shipping, tax=rule)
    placed = replace(
        order(*(line(cents=cents, quantity=1) for cents in lines)),
        total_cents=priced.total_cents,
        discount_cents=priced.discount_cents,
        shipping_cents=shipping,
        tax_cents=priced.tax_cents,
        tax_included=included,
        tax_basis_points=basis_points,
        tax_name="VAT",
    )

    taxed, *untaxed = totals.by_rate(placed)

    assert sum(row.gross_cents for row in (taxed, *untaxed)) == priced.total_cents
    assert taxed.tax_cents == priced.tax_cents
    assert taxed.tax_cents == tax_of(taxed.gross_cents if included else taxed.net_cents, rule)
    assert [(row.net_cents, row.tax_cents) for row in untaxed] in ([], [(shipping, 0)])
    assert min(row.net_cents for row in (taxed, *untaxed)) >= 0


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
