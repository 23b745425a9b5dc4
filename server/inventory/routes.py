"""Upload and download of CSV files, for admins."""

from zoneinfo import ZoneInfo

from starlette.responses import Response, StreamingResponse

from server.audit import service as audit
from server.catalog.measurements import MICROMETERS
from server.inventory import exports, imports
from server.inventory.csv_file import MOST_BYTES
from server.platform.core import clock, days
from server.platform.core.context import transaction
from server.platform.core.errors import InvalidInput, TooLarge
from server.platform.core.viewer import Access
from server.platform.web.rest import Call, answer, read_body, route
from server.shop import service as shop

TOO_LARGE = f"A file has at most {MOST_BYTES // 1_000_000} MB."


async def upload(call: Call) -> Response:
    """Starts the check of the CSV file in the body, named in the query; responds with the import's id."""
    content = await read_body(call.request, MOST_BYTES, TooLarge(TOO_LARGE))
    name = call.request.query_params.get("name", "")
    async with transaction(call.context) as session:
        import_id = await imports.bring(session, name, content, call.context.signed_in)
    return answer({"id": str(import_id)}, 201)


async def download(call: Call) -> Response:
    """All products on sale, one row for each variant, streamed while it is read."""
    units = call.request.query_params.get("units", "cm")
    if units not in MICROMETERS:
        raise InvalidInput({"units": f"Units are {' or '.join(MICROMETERS)}"})
    async with transaction(call.context) as session:
        exported = audit.AuditSubject("export", "products.csv", "Products and stock as CSV")
        await audit.record(session, call.context.signed_in, "exported", exported)
    today = days.day_of(clock.now(), ZoneInfo((await shop.current(call.context)).time_zone))
    name = f"minimal-products-{today}.csv"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    rows = exports.export(call.context.sessions, call.context.site.public_url, units)
    return StreamingResponse(rows, headers=headers, media_type="text/csv")


routes = [
    route("POST", "/uploads/products", upload, allows=Access.ADMIN),
    route("GET", "/exports/products.csv", download, allows=Access.ADMIN),
]
