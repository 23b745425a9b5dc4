"""The settings that an owner changes while the shop runs, each declared once.

The row of the table, the types of the API, the checks and the audit log follow. A new setting is a line here, beside
its field in the form of the back office (docs/recipes/add-a-setting-an-owner-changes.md), and needs no migration.
"""

from dataclasses import dataclass
from typing import Annotated, Any
from zoneinfo import available_timezones

from server.config import MAX_CANCEL_MINUTES, MAX_LOW_STOCK, MAX_RETURN_DAYS, Settings
from server.platform.core.declarations import Declaration, declarations
from server.platform.core.emails import is_deliverable
from server.platform.core.rules import ANYTHING, CheckedBy, NumberRule, Rule, TextRule
from server.shop.colors import accent_problem

LONGEST_NAME = 30
"""Characters that fit into the header of a phone."""


def _email_problem(text: str) -> str | None:
    return None if is_deliverable(text) else "Please enter a valid email"


def _zone_problem(name: str) -> str | None:
    return None if name in available_timezones() else 'A time zone by its IANA name, like "Europe/Lisbon"'


@dataclass(frozen=True)
class ShopSetting(Declaration):
    """What is declared of a setting. Its name and type are those of the attribute."""

    description: str
    """In the GraphQL schema."""
    rule: Rule = ANYTHING
    entered: str = ""
    """What its input takes: the bounds of its rule when empty."""
    default: Any = None
    """Its value until an admin changes it, where the environment has no setting of the same name."""

    @property
    def input_description(self) -> str:
        """In the GraphQL schema."""
        return self.entered or (f"{self.rule.bounds}." if isinstance(self.rule, NumberRule) else "")


@dataclass(frozen=True)
class ShopSettings:
    """What an admin may change at run time."""

    name: Annotated[
        str,
        ShopSetting(
            "The shop's name: in the header, titles of pages, mails and product feed.",
            TextRule(LONGEST_NAME, "The shop needs a name"),
            f"Up to {LONGEST_NAME} characters.",
            default="Minimal",
        ),
    ]
    accent_color: Annotated[
        str,
        ShopSetting(
            "Color of buttons and of what is chosen; empty for the shop's own black and white.",
            CheckedBy(accent_problem),
            'Like "#2f4e7d", with a contrast of 3 to 1 or more to the page.',
            default="",
        ),
    ]
    seller: Annotated[
        str,
        ShopSetting(
            "Name and address of who sells, as on invoices, line by line.",
            TextRule(1_000),
            "Line by line, up to 1,000 characters.",
        ),
    ]
    vat_number: Annotated[
        str,
        ShopSetting(
            "The seller's VAT number, as on invoices; empty without one.",
            TextRule(40),
            'Up to 40 characters: "DE123456789".',
            default="",
        ),
    ]
    contact_email: Annotated[
        str, ShopSetting("Where the shop's people read mail.", CheckedBy(_email_problem), "An e-mail address.")
    ]
    cancel_minutes: Annotated[
        int,
        ShopSetting(
            "Minutes after payment in which a shopper may cancel.",
            NumberRule(0, MAX_CANCEL_MINUTES, unit="minutes"),
        ),
    ]
    return_days: Annotated[
        int,
        ShopSetting(
            "Days after payment in which a shopper may ask for a return.",
            NumberRule(0, MAX_RETURN_DAYS, unit="days"),
        ),
    ]
    low_stock_threshold: Annotated[
        int,
        ShopSetting("At so few pieces a variant is low on stock.", NumberRule(0, MAX_LOW_STOCK, unit="pieces")),
    ]
    time_zone: Annotated[
        str,
        ShopSetting(
            "IANA name of the zone whose days are the shop's, in reports, filters, invoices and files: "
            '"Europe/Lisbon".',
            CheckedBy(_zone_problem),
            "An IANA name.",
        ),
    ]
    prices_include_tax: Annotated[
        bool,
        ShopSetting("Whether prices have the tax in them.", entered="Whether tax is in the prices."),
    ]


SETTINGS = declarations(ShopSettings, ShopSetting)
BY_NAME = {setting.name: setting for setting in SETTINGS}


def from_environment(defaults: Settings) -> dict[str, Any]:
    """Each setting's value while no admin has changed it."""
    values = {setting.name: getattr(defaults, setting.name, setting.default) for setting in SETTINGS}
    return {**values, "seller": "\n".join(line.strip() for line in defaults.seller.split("|"))}
