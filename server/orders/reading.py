"""Records in the audit log which admin has read whose order."""

from server.audit import service as audit
from server.orders.queries import PlacedOrder
from server.platform.core.context import Context
from server.platform.core.db import begin


async def note_reading(context: Context, placed: PlacedOrder) -> None:
    """Records that an admin reads another account's order; once in ten minutes."""
    viewer = context.signed_in
    if viewer.is_admin and placed.email != viewer.email:
        async with begin(context.sessions) as session:
            read = audit.AuditSubject("order", placed.id, placed.number)
            await audit.record_once(session, viewer, "customer's order read", read)
