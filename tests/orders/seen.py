"""The version of an order, read without asking the API, which writes down who reads whose order."""

from uuid import UUID

from server.orders import queries, versions
from server.platform.core.db import Sessions


async def version_of(sessions: Sessions, order_id: UUID) -> str:
    async with sessions() as session:
        placed = await queries.order(session, order_id)
        assert placed is not None
        records: list[object] = []
        for read in versions.RECORDS:
            records += (await read(session, [order_id])).get(order_id, [])
        return versions.version_of(placed, records)
