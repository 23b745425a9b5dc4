"""The specification's REST call for analytics."""

from typing import Any

from starlette.responses import Response

from server.analytics import service
from server.analytics.totals import TotalsCache
from server.media import service as media
from server.platform.core import money
from server.platform.core.viewer import Access
from server.platform.web.rest import Call, answer, route


async def show(call: Call) -> Response:
    """The shop's totals."""
    totals = await call.context.resources.get(TotalsCache).get()
    return answer(
        {
            "totalProducts": totals.total_products,
            "totalUsers": totals.total_users,
            "totalOrders": totals.total_orders,
            "totalSales": money.json_number(totals.total_sales_cents),
            "topProducts": [_product_json(product) for product in totals.top_products],
        }
    )


def _product_json(product: service.TopProduct) -> dict[str, Any]:
    image = product.image
    return {
        "_id": str(product.id),
        "name": product.name,
        "image": media.path_of(image.id, image.width) if image else "",
        "totalSold": product.total_sold,
        "revenue": money.json_number(product.revenue_cents),
    }


routes = [route("GET", "/analytics", show, allows=Access.ADMIN)]
