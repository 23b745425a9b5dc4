"""Descriptions of the report language's enums in the GraphQL schema."""

from collections.abc import Mapping
from typing import Any

from server.analytics.reports.ranges import Period, Preset

PRESET_WORDS: Mapping[Any, str] = {
    **{preset: f"{preset.value.capitalize()}." for preset in Preset},
    Preset.LAST_7_DAYS: "Today and the 6 days before.",
    Preset.LAST_30_DAYS: "Today and the 29 days before.",
    Preset.LAST_90_DAYS: "Today and the 89 days before.",
    Preset.LAST_12_MONTHS: "This month and the 11 before.",
    Preset.ALL_TIME: "Everything up to today.",
}

PERIOD_WORDS: Mapping[Any, str] = {
    Period.PREVIOUS_PERIOD: "As many days, or whole months, right before. With WEEK or WEEKDAY in `by` as many whole "
    "weeks as hold the range; with MONTH, QUARTER or YEAR as many of these.",
    Period.PREVIOUS_WEEK: "Seven days earlier.",
    Period.PREVIOUS_MONTH: "The same dates a month earlier; 28 days for a range of whole weeks, or "
    "with WEEK or WEEKDAY in `by`.",
    Period.PREVIOUS_QUARTER: "The same dates three months earlier; 91 days for a range of whole weeks, or "
    "with WEEK or WEEKDAY in `by`.",
    Period.PREVIOUS_YEAR: "The same dates a year earlier; 364 days for a range of whole weeks, or "
    "with WEEK or WEEKDAY in `by`.",
}
