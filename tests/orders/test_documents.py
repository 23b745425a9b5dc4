"""Packing slips and address labels; and that each document writes every script."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from server.orders.documents import contents
from server.orders.documents.contents import Contents, Shipments
from server.orders.documents.rendering import Template, render
from server.orders.queries import PlacedOrder, SentShipment
from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.orders import pdf
from tests.orders.test_fulfilment import ship
from tests.orders.test_invoice import HOME, LETTERHEAD, line, order

UTC_ZONE = ZoneInfo("UTC")
NAMES = {
    "Chinese": "王小明",
    "Arabic": "محمد عبد الله",
    "Hebrew": "משה כהן",
    "Thai": "สมชาย ใจดี",
    "Hindi": "कृष्णा श्रीवास्तव",
    "Korean": "김민수",
    "Japanese": "高橋さくら",
    "Urdu": "پرویز گِل",
    "Bengali": "রবীন্দ্রনাথ ঠাকুর",
    "Tamil": "கிருஷ்ணன்",
    "Vietnamese": "Nguyễn Thị Hường",
    "Greek and Russian": "Αθηνά Ковалёва",
    "Georgian": "ნინო ბერიძე",
    "Amharic": "አበበ ቢቂላ",
    "signs": "Ada ♥ ✓ 😀",
}
DOUBLED = {"Bengali", "Urdu"}
"""Where Typst draws the parts of a syllable one by one, each is read as the whole syllable."""


def packing_slip(placed: PlacedOrder, *sent: SentShipment, is_choice: bool = False) -> Contents:
    return contents.packing_slip(placed, Shipments(sent, is_choice), LETTERHEAD, UTC_ZONE)


def address_label(placed: PlacedOrder, *sent: SentShipment, is_choice: bool = False) -> Contents:
    return contents.address_label(placed, Shipments(sent, is_choice), LETTERHEAD)


def invoice(placed: PlacedOrder) -> Contents:
    return contents.invoice(placed, (), LETTERHEAD, UTC_ZONE)


def sent_on(day: int, placed: PlacedOrder, *counts: int) -> SentShipment:
    """A shipment of that many pieces of each line."""
    pieces = {each.id: count for each, count in zip(placed.lines, counts, strict=True) if count}
    return SentShipment(uuid4(), "UPS", f"1Z {day}", "", datetime(2026, 11, day, 9, tzinfo=UTC), None, pieces)


async def said(template: Template, texts: Contents) -> str:
    return " ".join(pdf.pages(await render(template, texts)))


@pytest.mark.parametrize(
    ("template", "contents_of"),
    [
        (Template.INVOICE, invoice),
        (Template.PACKING_SLIP, packing_slip),
        (Template.ADDRESS_LABEL, address_label),
    ],
)
async def test_every_script_is_written_without_a_missing_glyph(
    template: Template, contents_of: Callable[[PlacedOrder], Contents]
) -> None:

    placed = order(*(line(name) for name in NAMES.values()), address=HOME)
    texts = {**contents_of(placed), "address": [*NAMES.values()], "buyer": [*NAMES.values()]}

    document = await render(template, texts)

    assert pdf.missing_glyphs(document) == []
    read = "".join(" ".join(pdf.pages(document)).split())
    assert [name for script, name in NAMES.items() if "".join(name.split()) not in read and script not in DOUBLED] == []


async def test_a_letter_that_no_font_has_costs_no_document() -> None:
    document = await render(Template.ADDRESS_LABEL, {**address_label(order(line())), "phone": "Ada \U00012000"})

    assert len(pdf.missing_glyphs(document)) == 1
    assert pdf.root(document)["/MarkInfo"]["/Marked"]


@pytest.mark.parametrize(("country", "form"), [("JP", "JP"), ("TW", "TC"), ("CN", "SC"), ("", "SC")])
async def test_chinese_characters_have_the_forms_of_the_addresss_country(country: str, form: str) -> None:
    placed = order(line(), address={**HOME, "name": "直", "country_code": country})

    assert address_label(placed)["han"] == form
    assert pdf.fonts(await render(Template.ADDRESS_LABEL, address_label(placed))) & {
        f"NotoSansCJK{other.lower()}" for other in ("JP", "TC", "SC")
    } == {f"NotoSansCJK{form.lower()}"}


async def test_a_slip_lists_what_is_to_be_sent() -> None:
    whole = replace(line("Oxford Shirt", 2), sku="OX")
    partly = replace(line("Selvedge Jeans", 3), shipped=1, called_off=1, sku="SJ")
    placed = order(whole, partly, replace(line("Sent Belt", 1), shipped=1))

    slip = await said(Template.PACKING_SLIP, packing_slip(placed, sent_on(23, placed, 0, 1, 1)))

    assert "Packing slip M-10001 Goes to Zoë Ångström-Łukasiewicz ul. Świętego Marka 7 31-012 Kraków Polska" in slip
    assert "Ordered November 21, 2026" in slip
    assert "Oxford Shirt OX Sky M 2 Selvedge Jeans SJ Sky M 1 Pieces in all 3" in slip
    assert "Belt" not in slip
    assert "Sent November" not in slip
    assert "$" not in slip


async def test_the_slip_of_a_sent_order_says_what_was_sent_and_when() -> None:
    placed = order(replace(line("Oxford Shirt", 2), shipped=2), replace(line("Belt", 1), shipped=1))
    first, second = sent_on(23, placed, 1, 0), sent_on(25, placed, 1, 1)

    slip = await said(Template.PACKING_SLIP, packing_slip(placed, first, second))
    of_one = await said(Template.PACKING_SLIP, packing_slip(placed, second, is_choice=True))

    head = "Packed Item SKU Color Size Pieces"
    first_parcel = f"Sent November 23, 2026, UPS 1Z 23 {head} Oxford Shirt Sky M 1 Pieces in all 1"
    second_parcel = f"Sent November 25, 2026, UPS 1Z 25 {head} Oxford Shirt Sky M 1 Belt Sky M 1 Pieces in all 2"
    assert f"{first_parcel} {second_parcel}" in slip
    assert second_parcel in of_one
    assert "November 23" not in of_one


async def test_the_slip_of_a_canceled_order_says_that_nothing_waits() -> None:
    slip = await said(Template.PACKING_SLIP, packing_slip(order(replace(line(quantity=2), called_off=2))))

    assert "Nothing of this order is waiting to be sent." in slip


async def test_a_label_names_seller_address_phone_and_parcel() -> None:
    placed = order(line())

    before = await said(Template.ADDRESS_LABEL, address_label(placed))
    sent = await said(Template.ADDRESS_LABEL, address_label(placed, sent_on(23, placed, 2), is_choice=True))

    assert before.startswith("Minimal Clothing, Inc. 48 Greene Street New York, NY 10013 To Zoë Ångström-Łukasiewicz")
    assert before.endswith("31-012 Kraków Polska +48 1 M-10001")
    assert sent.endswith("+48 1 M-10001 UPS 1Z 23")


@pytest.mark.parametrize("name", ["packing-slip", "address-label"])
@pytest.mark.parametrize(
    ("role", "status"), [("admin", 200), ("primary", 200), ("other", 403), ("shopper", 403), ("visitor", 401)]
)
async def test_admins_get_slips_and_labels_and_nobody_else(shop: Shop, name: str, role: str, status: int) -> None:
    answer = await shop.clients[role].get(f"/orders/{shop.people.others_order}/{name}.pdf")

    assert answer.status_code == status
    if status == 200:
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.headers["content-disposition"] == f'inline; filename="minimal-{name}-M-10001.pdf"'


async def test_slip_and_label_of_a_shipment_are_those_of_its_order(shop: Shop) -> None:
    shipped = await ship(shop)
    [shipment] = shipped["order"]["shipments"]
    fields = "order(id: $id) { packingSlipUrl addressLabelUrl }"
    answer = await ask(shop, "admin", f"query ($id: ID!) {{ admin {{ {fields} }} }}", id=str(shop.people.others_order))
    urls = answer["admin"]["order"]

    whole, slip, label = [
        " ".join(pdf.pages((await shop.clients["admin"].get(url)).content))
        for url in (
            urls["packingSlipUrl"],
            f"{urls['packingSlipUrl']}?shipment={shipment['id']}",
            f"{urls['addressLabelUrl']}?shipment={shipment['id']}",
        )
    ]
    strange = [
        (await shop.clients["admin"].get(f"{url}?shipment={shipment_id}")).status_code
        for url in urls.values()
        for shipment_id in (uuid4(), "made-up", "")
    ]

    assert "Oxford Shirt" in whole
    assert whole == slip
    assert "UPS 1Z 9" in slip
    assert "UPS 1Z 9" in label
    assert strange == [404] * 6


async def test_invoices_show_the_vat_number_of_the_settings(shop: Shop) -> None:
    change = 'mutation { updateSettings(input: { vatNumber: "DE123456789" }) { __typename } }'
    await ask(shop, "primary", change)

    answer = await shop.clients["other"].get(f"/orders/{shop.people.others_order}/invoice.pdf")

    assert "VAT number DE123456789" in " ".join(pdf.pages(answer.content))
