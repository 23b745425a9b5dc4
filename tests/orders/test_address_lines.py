"""An address is written in the same lines wherever somebody reads it."""

from html import escape
from io import BytesIO

import pytest
from pypdf import PdfReader
from sqlalchemy import select, update

from server.identity.models import Address
from server.mail.models import Mail
from server.orders import emails
from server.orders.models import Order
from server.platform.core.db import begin
from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.api.conftest import shop as shop

PARTS = {"name": "Kovács Anna", "address1": "Váci utca 12", "address2": "2. emelet", "city": "Budapest"}
HUNGARY = {**PARTS, "postal_code": "1052", "state": "", "phone": "+36 1 234 5678"}
LINES = ["Kovács Anna", "Budapest", "Váci utca 12", "2. emelet", "1052", "Hungary"]


@pytest.fixture
async def hungary(shop: Shop) -> Shop:
    """The other shopper lives there, and has ordered to there."""
    copy = {**HUNGARY, "country": "Hungary", "country_code": "HU"}
    async with begin(shop.sessions) as session:
        await session.execute(update(Address).values(**HUNGARY, country="HU"))
        await session.execute(update(Order).values(shipping_address=copy))
    return shop


async def test_account_order_and_back_office_have_the_same_lines(hungary: Shop) -> None:
    own = await ask(
        hungary, "other", "{ viewer { addresses { lines } orders { nodes { shippingAddress { lines } } } } }"
    )
    order = await ask(
        hungary,
        "admin",
        "query ($id: ID!) { admin { order(id: $id) { shippingAddress { lines } } } }",
        id=str(hungary.people.others_order),
    )
    customer = await ask(
        hungary,
        "admin",
        "query ($id: ID!) { admin { user(id: $id) { addresses { lines } } } }",
        id=str(hungary.people.other),
    )

    assert own["viewer"]["addresses"] == [{"lines": LINES}]
    assert own["viewer"]["orders"]["nodes"] == [{"shippingAddress": {"lines": LINES}}]
    assert order["admin"]["order"]["shippingAddress"]["lines"] == LINES
    assert customer["admin"]["user"]["addresses"] == [{"lines": LINES}]


async def test_mail_and_invoice_have_the_same_lines(hungary: Shop) -> None:
    async with begin(hungary.sessions) as session:
        order = (await session.scalars(select(Order))).one()
        await emails.send_confirmation(session, order, "http://localhost:23200")
    async with hungary.sessions() as session:
        mail = (await session.scalars(select(Mail))).one()
    invoice = await hungary.clients["other"].get(f"/orders/{hungary.people.others_order}/invoice.pdf")
    written = PdfReader(BytesIO(invoice.content)).pages[0].extract_text()

    assert "\n".join([*LINES, HUNGARY["phone"]]) in mail.text_body
    assert "<br>".join(map(escape, [*LINES, HUNGARY["phone"]])) in mail.html_body
    assert " ".join(LINES) in " ".join(written.split())
