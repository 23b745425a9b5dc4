"""The fields of a product that an owner enters, each declared once: its type, its rule, and where it is seen.

The rows of the catalogue, drafts, the types and inputs of the API, CSV files, copies and the audit log take their
fields from these classes. A new text is a line here, beside its column in `models` and a migration that adds it
(docs/recipes/add-a-field-of-a-product.md). A field whose form in the API is not that of its column, as an amount or a
table has, is a line in `ProductFacts`, and stands in the types and in the draft too.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any

from server.catalog.measurements import cells
from server.platform.core import money
from server.platform.core.declarations import Declaration, declarations
from server.platform.core.rules import NumberRule, TextRule
from server.platform.core.text import camel_case, is_blank

NAME_LENGTH = 200
DESCRIPTION_LENGTH = 5_000
DEFAULT_GRAMS = 400
_LINE = TextRule(NAME_LENGTH)


def _same(value: Any) -> Any:
    return value


PRICE = NumberRule(1, money.MAX_CENTS, "Invalid price value")
DISCOUNTED_PRICE = NumberRule(1, money.MAX_CENTS, "Invalid discounted price value", is_optional=True)
DISCOUNT_PERCENTAGE = NumberRule(0, 100, "Invalid discount percentage value", is_optional=True)
WEIGHT = NumberRule(0, 100_000, "Grams are a whole number from 0 to 100,000", is_optional=True)


@dataclass(frozen=True, kw_only=True)
class ProductField(Declaration):
    """What is declared of a field. Its name, type and default are those of the attribute, and of the column."""

    description: str = ""
    """Of a text in the GraphQL schema."""
    rule: TextRule | NumberRule = _LINE
    csv_column: str | None = ""
    """The field's own name when empty; None when CSV files do not have it."""
    audit_name: str | None = ""
    """Its name in the audit log: its own when empty, None when it is not logged."""
    audit_value: Callable[[Any], Any] = _same
    """Makes the value readable for the audit log."""
    is_copied: bool = True
    """Whether a duplicate of the product has it."""
    is_searched: bool = False
    """Whether the shop's search looks into it."""
    is_in_rest: bool = False
    """Whether the specification's REST calls have it."""

    @property
    def form_name(self) -> str:
        """Its name in forms and in their errors, as GraphQL spells it."""
        return camel_case(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicTexts:
    """The texts of a product that shoppers see."""

    name: Annotated[
        str,
        ProductField(
            description='"Oxford Shirt".',
            rule=TextRule(NAME_LENGTH, missing="Product name is required"),
            is_copied=False,
            is_searched=True,
            is_in_rest=True,
        ),
    ]
    title: Annotated[
        str,
        ProductField(
            description="Used as alternative text of its pictures; the name when entered empty.", is_searched=True
        ),
    ] = ""
    subtitle: Annotated[
        str,
        ProductField(
            description="One line under the name.",
            rule=TextRule(NAME_LENGTH, missing="Product subtitle is required"),
            is_searched=True,
            is_in_rest=True,
        ),
    ]
    description: Annotated[
        str,
        ProductField(
            description="A paragraph of plain text.",
            rule=TextRule(DESCRIPTION_LENGTH, missing="Product description is required"),
            is_in_rest=True,
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductTexts(PublicTexts):
    """All texts of a product. One that only the back office shows is declared here."""


def _moment(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _details(details: list[dict[str, str]]) -> list[str]:
    return [f"{each['label']}: {each['text']}" for each in details]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductFacts(ProductTexts):
    """All that is entered of a product itself, as the columns of its row. Amounts are integer cents."""

    gender: Annotated[str, ProductField(csv_column=None, audit_name=None)] = ""
    subcategory: Annotated[str, ProductField(csv_column=None, audit_name=None)] = ""
    price_cents: Annotated[int, ProductField(rule=PRICE, csv_column="price")] = 0
    discounted_price_cents: Annotated[
        int | None, ProductField(rule=DISCOUNTED_PRICE, csv_column="discounted_price")
    ] = None
    discount_percentage: Annotated[
        int | None, ProductField(rule=DISCOUNT_PERCENTAGE, csv_column=None, audit_name=None)
    ] = None
    discount_starts_at: Annotated[
        datetime | None, ProductField(csv_column="discount_starts", audit_name="discount_starts", audit_value=_moment)
    ] = None
    discount_ends_at: Annotated[
        datetime | None, ProductField(csv_column="discount_ends", audit_name="discount_ends", audit_value=_moment)
    ] = None
    weight_grams: Annotated[int, ProductField(rule=WEIGHT)] = DEFAULT_GRAMS
    details: Annotated[list[dict[str, str]], ProductField(csv_column=None, audit_value=_details)] = field(
        default_factory=list
    )
    measurements: Annotated[dict[str, dict[str, int]], ProductField(csv_column=None, audit_value=cells)] = field(
        default_factory=dict
    )
    """Micrometers by point and size."""

    @property
    def category(self) -> str:
        """Such as `men_shirts`; one column of a CSV file."""
        return f"{self.gender}_{self.subcategory}" if self.gender else ""


def fields_of(kind: type[PublicTexts]) -> tuple[ProductField, ...]:
    """The declared fields of one of these classes, in the order of their attributes."""
    return tuple(_named(each) for each in declarations(kind, ProductField))


def _named(each: ProductField) -> ProductField:
    named: dict[str, Any] = {
        member: each.name for member in ("csv_column", "audit_name") if getattr(each, member) == ""
    }
    return replace(each, **named)


PUBLIC_TEXTS = fields_of(PublicTexts)
TEXTS = fields_of(ProductTexts)
FACTS = fields_of(ProductFacts)

_NO_TEXTS: dict[str, Any] = {each.name: "" for each in TEXTS}
NO_FACTS = ProductFacts(**_NO_TEXTS)
"""Of a product that is not there yet."""


def texts_of(product: Any) -> dict[str, str]:
    """The texts of a form, a file or a row, trimmed, by name. Without a title it is the name."""
    texts = {each.name: getattr(product, each.name).strip() for each in TEXTS}
    return {**texts, "title": texts["name"] if is_blank(texts["title"]) else texts["title"]}


def values_of(product: Any) -> dict[str, Any]:
    """What is entered of a product, by column: of facts, or of a row."""
    return {each.name: getattr(product, each.name) for each in FACTS}


def audit_values(product: Any) -> dict[str, Any]:
    """The fields for the audit log, by name, in readable values: of facts, or of a row."""
    logged = {each.audit_name: each.audit_value(getattr(product, each.name)) for each in FACTS if each.audit_name}
    return {**logged, "category": f"{product.gender}_{product.subcategory}"}
