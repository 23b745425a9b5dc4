"""Descriptions of the report language's enums in the GraphQL schema."""

from collections.abc import Mapping
from typing import Any

from server.analytics.reports.language import Dimension
from server.analytics.reports.ranges import Period, Preset

DIMENSION_WORDS: Mapping[Any, str] = {
    Dimension.HOUR: "An hour of a day. An hour that the clock shows twice is one row.",
    Dimension.DAY: "A day, from midnight to midnight.",
    Dimension.WEEK: "A week, from Monday.",
    Dimension.MONTH: "A month.",
    Dimension.QUARTER: "Three months, from January, April, July or October.",
    Dimension.YEAR: "A year.",
    Dimension.WEEKDAY: "Monday to Sunday; keys are 1 to 7.",
    Dimension.HOUR_OF_DAY: "The hour on the clock, 0 to 23, whatever the day.",
    Dimension.CATEGORY: "Such as `men_shirts`, as the product stands now.",
    Dimension.GENDER: "`men` or `women`.",
    Dimension.SUBCATEGORY: "`shirts`, `jeans` or `trousers`.",
    Dimension.PRODUCT: "A product; the key is its id.",
    Dimension.VARIANT: "A product in one color and size; the key is its id.",
    Dimension.COLOR: "The color's name, as it was sold.",
    Dimension.SIZE: "XS to XXL.",
    Dimension.PRICE_BAND: "What one piece was sold for, in steps of 50.",
    Dimension.DISCOUNTED: "Whether it was sold below its full price; `true` or `false`.",
    Dimension.DISCOUNT_CODE: "The code that the order was paid with; null for none.",
    Dimension.COUNTRY: "English name of the country the order went to.",
    Dimension.CITY: "Where the order went, as the shopper wrote it.",
    Dimension.CUSTOMER_KIND: "`new` for a shopper's first paid order, `returning` for all others.",
    Dimension.PAYMENT_STATUS: "`paid`, `partially_refunded` or `refunded`, as the order stands now.",
}

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
