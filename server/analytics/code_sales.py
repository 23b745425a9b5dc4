"""Net sales by discount code, by the definition of reports."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import AnalyticsState
from server.analytics.reports import plan
from server.analytics.reports.language import MEASURES, Dimension, Measure, amount_of
from server.analytics.reports.question import Condition, ReportStatement
from server.analytics.reports.ranges import Preset, of_preset
from server.platform.core import clock
from server.pricing.code_sales import CodeSalesPort


async def net_sales(session: AsyncSession, codes: Sequence[str]) -> dict[str, int]:
    """Net sales of all time in cents of the orders paid with each code. Codes without any are missing."""
    zone = ZoneInfo((await session.scalars(select(AnalyticsState.time_zone))).one())
    span = of_preset(Preset.ALL_TIME, clock.now().astimezone(zone).replace(tzinfo=None), zone)
    bases = MEASURES[Measure.NET_SALES].needs
    of_codes = Condition(Dimension.DISCOUNT_CODE, tuple(codes))
    statement = ReportStatement((Dimension.DISCOUNT_CODE,), (of_codes,), span, zone.key)
    amount = amount_of(Measure.NET_SALES, bases)
    rows = await session.execute(plan.sales(statement, bases))
    return {code: amount(sums, span.days) or 0 for code, *sums in rows}


CODE_SALES = CodeSalesPort(net_sales)
