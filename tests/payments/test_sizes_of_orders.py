"""A size of any system from the cart into the order, its mail and its documents."""

from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.catalog.sizes import SizeSystem
from server.mail.models import Mail
from server.orders import queries
from server.orders.documents import contents
from server.orders.documents.contents import Letterhead, Shipments
from server.orders.documents.rendering import Template, render
from server.platform.core.errors import InvalidInput
from server.platform.core.jobs import JobEnvironment
from tests.cart.stock import make_product, make_shopper
from tests.catalog.size_systems import JEANS, SHOES, give
from tests.orders import pdf
from tests.payments.conftest import Till
from tests.payments.paid_orders import bought
from tests.payments.provider import Provider

LETTERHEAD = Letterhead("Minimal Clothing, Inc.", "", "http://localhost:23010")


@pytest.mark.parametrize(
    ("system", "sizes", "typed", "size"),
    [(SHOES, ("38", "36"), "38", "38"), (JEANS, ("W30 L32", "W28 L30"), "w30 l32", "W30 L32")],
)
async def test_mail_invoice_and_slip_name_the_size(
    env: JobEnvironment,
    provider: Provider,
    session: AsyncSession,
    system: SizeSystem,
    sizes: tuple[str, ...],
    typed: str,
    size: str,
) -> None:
    await give(session, system, "men_jeans")
    shopper = await make_shopper(session)
    goods = await make_product(session, name="Derby", category="men_jeans", sizes=sizes)
    smallest = await cart.variant_for(session, goods.product_id, None, None)
    chosen = await cart.variant_for(session, goods.product_id, typed, None)
    with pytest.raises(InvalidInput) as refusal:
        await cart.variant_for(session, goods.product_id, "M", None)
    await cart.add_line(session, shopper.id, chosen, 1)
    await session.commit()

    order = await bought(Till(env, shopper, goods), provider)

    placed = await queries.order(session, order.id)
    assert placed is not None
    mail = (await session.scalars(select(Mail.text_body).where(Mail.recipient == shopper.email))).one()
    documents = [
        await render(Template.INVOICE, contents.invoice(placed, [], LETTERHEAD, ZoneInfo("UTC"))),
        await render(Template.PACKING_SLIP, contents.packing_slip(placed, Shipments([]), LETTERHEAD, ZoneInfo("UTC"))),
    ]
    invoice, slip = (" ".join(pdf.pages(each)) for each in documents)
    assert smallest == goods.variants["Indigo", sizes[1]]
    assert chosen == goods.variants["Indigo", size]
    assert refusal.value.errors == {"size": f"is one of {sizes[1]}, {sizes[0]}"}
    assert [line.size for line in placed.lines] == [size]
    assert f"Derby, Indigo, {size}:" in mail
    assert f"Indigo, {size}" in invoice
    assert f"Indigo {size} 1" in slip
