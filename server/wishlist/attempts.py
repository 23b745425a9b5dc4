"""The rate limits of the wishlist."""

from server.config import Settings
from server.platform.core.context import Context
from server.platform.core.limits import Limit, take

HOUR, DAY = 3_600, 86_400


async def mail_to(context: Context, email: str) -> None:
    """Counts a request that may mail an address that anyone can type. Raises TooManyRequests."""
    limits = context.resources.get(Settings).limits
    per_network = Limit(f"stock-alert:{context.network}", limits.stock_alerts_per_hour, HOUR)
    per_email = Limit(f"stock-alert:{email}", limits.stock_alerts_per_day, DAY)
    await take(context.sessions, per_network, per_email)
