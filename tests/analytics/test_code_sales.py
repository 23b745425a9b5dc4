"""A discount code has sold what a report by code says, and what the books say."""

import random

from sqlalchemy import insert

from server.platform.core.db import begin
from server.pricing.models import DiscountCode
from tests.analytics.caught_up import facts_caught_up
from tests.analytics.reports import books, oracle
from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.api.conftest import shop as shop

CODES = """{ admin {
  discountCodes { nodes { code sales } }
  analytics { report(range: { preset: ALL_TIME }, by: [DISCOUNT_CODE]) {
    rows { dim(is: DISCOUNT_CODE) { key } measure(is: NET_SALES) { amount } }
  } }
} }"""


async def test_code_has_sold_goods_as_reports_count_them(shop: Shop) -> None:
    dice = random.Random(17)
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, 24)
    async with begin(shop.sessions) as session:
        await books.stock_range(session, pieces, "UTC")
        await session.execute(insert(DiscountCode), [{"code": code, "percent": 10} for code in ("SPRING", "UNUSED99")])
    await books.come_in(shop.sessions, orders, dice)
    await facts_caught_up(shop.sessions)

    admin = (await ask(shop, "admin", CODES))["admin"]

    sold = [entry for entry in oracle.entries(orders) if entry.order.code == "SPRING"]
    cents = sum(entry.gross - entry.discounts - entry.refunds for entry in sold)
    assert any(order.shipping and order.tax and order.refunds for order in orders if order.code == "SPRING")
    by_code = {node["code"]: node["sales"] for node in admin["discountCodes"]["nodes"]}
    assert by_code["SPRING"] == f"{cents / 100:.2f}"
    assert by_code["UNUSED99"] == "0.00"
    reported = {row["dim"]["key"]: row["measure"]["amount"] for row in admin["analytics"]["report"]["rows"]}
    assert reported["SPRING"] == by_code["SPRING"]
