"""The settings that an owner changes while the shop runs, each declared once.

The row of the table, the types of the API, the checks and the audit log follow. A new setting is a line here, beside
its field in the form of the back office (docs/recipes/add-a-setting-an-owner-changes.md), and needs no migration.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, get_type_hints
from zoneinfo import available_timezones

from server.config import MAX_CANCEL_MINUTES, MAX_LOW_STOCK, MAX_RETURN_DAYS, Settings
from server.platform.core.emails import is_deliverable

LONGEST_SELLER = 1_000


def _no_problem(_: Any) -> None:
    return None


def within(least: int, most: int, unit: str) -> Callable[[int], str | None]:
    """The rule of a whole number within bounds, both included."""
    return lambda number: None if least <= number <= most else f"{least:,} to {most:,} {unit}"


def up_to(characters: int) -> Callable[[str], str | None]:
    """The rule of a text of limited length."""
    return lambda text: None if len(text) <= characters else f"At most {characters:,} characters"


def _email_problem(text: str) -> str | None:
    return None if is_deliverable(text) else "Please enter a valid email"


def _zone_problem(name: str) -> str | None:
    return None if name in available_timezones() else 'A time zone by its IANA name, like "Europe/Lisbon"'


@dataclass(frozen=True)
class ShopSetting:
    """What is declared of a setting. Its name and type are those of the attribute."""

    description: str
    """In the GraphQL schema."""
    entered: str
    """What its input takes, in the GraphQL schema."""
    problem: Callable[[Any], str | None] = _no_problem
    """What is wrong with a value, in words for a person; None when nothing is."""
    default: Any = None
    """Its value until an admin changes it, where the environment has no setting of the same name."""
    name: str = ""
    kind: Any = None


@dataclass(frozen=True)
class ShopSettings:
    """What an admin may change at run time."""

    seller: Annotated[
        str,
        ShopSetting(
            "Name and address of who sells, as on invoices, line by line.",
            "Line by line, up to 1,000 characters.",
            up_to(LONGEST_SELLER),
        ),
    ]
    contact_email: Annotated[
        str, ShopSetting("Where the shop's people read mail.", "An e-mail address.", _email_problem)
    ]
    cancel_minutes: Annotated[
        int,
        ShopSetting(
            "Minutes after payment in which a shopper may cancel.",
            "0 to 43,200.",
            within(0, MAX_CANCEL_MINUTES, "minutes"),
        ),
    ]
    return_days: Annotated[
        int,
        ShopSetting(
            "Days after payment in which a shopper may ask for a return.",
            "0 to 365.",
            within(0, MAX_RETURN_DAYS, "days"),
        ),
    ]
    low_stock_threshold: Annotated[
        int,
        ShopSetting("At so few pieces a variant is low on stock.", "0 to 1,000.", within(0, MAX_LOW_STOCK, "pieces")),
    ]
    time_zone: Annotated[
        str,
        ShopSetting(
            "IANA name of the zone whose days are the shop's, in reports, filters, invoices and files: "
            '"Europe/Lisbon".',
            "An IANA name.",
            _zone_problem,
        ),
    ]
    prices_include_tax: Annotated[
        bool, ShopSetting("Whether prices have the tax in them.", "Whether tax is in the prices.")
    ]


def _declared() -> tuple[ShopSetting, ...]:
    hints = get_type_hints(ShopSettings, include_extras=True)
    declared = ((name, hints[name]) for name in ShopSettings.__dataclass_fields__)
    return tuple(dataclasses.replace(hint.__metadata__[0], name=name, kind=hint.__origin__) for name, hint in declared)


SETTINGS = _declared()
BY_NAME = {setting.name: setting for setting in SETTINGS}


def from_environment(defaults: Settings) -> dict[str, Any]:
    """Each setting's value while no admin has changed it."""
    values = {setting.name: getattr(defaults, setting.name, setting.default) for setting in SETTINGS}
    return {**values, "seller": "\n".join(line.strip() for line in defaults.seller.split("|"))}
