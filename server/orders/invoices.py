"""Invoices as PDF, drawn beside the event loop."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from zoneinfo import ZoneInfo

from server.orders.queries import PlacedOrder
from server.platform.core.slots import without_slot

_pool = ThreadPoolExecutor(1, thread_name_prefix="invoices")


async def render(order: PlacedOrder, *, seller: Sequence[str], zone: ZoneInfo, shop_url: str) -> bytes:
    """The invoice as a PDF with days of this zone, drawn one at a time in a thread. `seller` is name and address."""
    async with without_slot():
        return await asyncio.get_running_loop().run_in_executor(_pool, _draw, order, seller, zone, shop_url)


def _draw(order: PlacedOrder, seller: Sequence[str], zone: ZoneInfo, shop_url: str) -> bytes:
    # Most processes draw none, and the library takes 11 MB: it comes with the first.
    from server.orders import invoice_pages

    return invoice_pages.draw(order, seller, zone, shop_url)
