"""Forms of blocks in the GraphQL schema: what a back office needs to know to draw them, by their declarations."""

from dataclasses import fields
from enum import Enum
from typing import Any

import strawberry

from server.content.blocks import BLOCKS, Block
from server.content.fields import (
    ChoiceField,
    Field,
    NumberField,
    Part,
    PartsField,
    TextField,
    fields_of,
)
from server.content.types import api_name
from server.platform.core.text import camel_case, in_words
from server.platform.gql.permissions import PrimaryAdminOnly
from server.platform.gql.types import enum_value


@strawberry.enum(description="How a field of a block is entered.")
class BlockControl(Enum):
    TEXT = enum_value("text", "Plain text; a longer one has several lines.")
    MARKDOWN = enum_value("markdown", "Text in Markdown.")
    LINK = enum_value("link", "An address, of this shop or elsewhere.")
    NUMBER = enum_value("number", "A whole number within bounds.")
    FLAG = enum_value("flag", "Yes or no.")
    CHOICE = enum_value("choice", "One of a few.")
    DEPARTMENT = enum_value("department", "One of the shop's departments, or none.")
    PRODUCT_KIND = enum_value("product_kind", "One of the shop's kinds of clothing, or none.")
    PICTURE = enum_value("picture", "An uploaded picture with its words.")
    PARTS = enum_value("parts", "Some parts of one kind, in order.")


@strawberry.type(description="One of the values of a choice.")
class BlockOption:
    value: str = strawberry.field(description="Of the enum that the input has.")
    label: str = strawberry.field(description="As a form has it.")


@strawberry.type(description="A field of a block, or of a part of one.")
class BlockField:
    name: str = strawberry.field(description="In the block's type and input.")
    label: str = strawberry.field(description="Above it in a form.")
    description: str = strawberry.field(description="What it is for.")
    control: BlockControl = strawberry.field(description="How it is entered.")
    is_required: bool = strawberry.field(description="Whether it may not be left empty.")
    longest: int | None = strawberry.field(description="Characters at most, of a text.")
    least: int | None = strawberry.field(description="Of a number, or of how many parts there are.")
    most: int | None = strawberry.field(description="Of a number, or of how many parts there are.")
    initial: str | None = strawberry.field(description="What a new block has there, if it is not empty.")
    options: list[BlockOption] = strawberry.field(description="Of a choice.")
    part_label: str | None = strawberry.field(description="What one of its parts is called.")
    parts: list["BlockField"] = strawberry.field(description="Fields of each of its parts.")


@strawberry.type(description="A kind of block, with all that a form for it needs.")
class BlockKind:
    key: str = strawberry.field(description="Its field in `BlockInput`: `twoColumns`.")
    type_name: str = strawberry.field(description="Its type in a page: `TwoColumnsBlock`.")
    label: str = strawberry.field(description="What it is called.")
    description: str = strawberry.field(description="What it is for.")
    fields: list[BlockField] = strawberry.field(description="In the order of the form.")


def _field(field: Field, default: Any) -> BlockField:
    bounds = field.rule if isinstance(field, NumberField) else field if isinstance(field, PartsField) else None
    return BlockField(
        name=camel_case(field.name),
        label=field.label or in_words(field.name),
        description=field.description,
        control=BlockControl(field.control),
        is_required=isinstance(field, TextField) and field.missing is not None,
        longest=field.longest if isinstance(field, TextField) else None,
        least=bounds.least if bounds else None,
        most=bounds.most if bounds else None,
        initial=_initial(field, default),
        options=[BlockOption(value=key.upper(), label=about.rstrip(".")) for key, about in field.options.items()]
        if isinstance(field, ChoiceField)
        else [],
        part_label=in_words(field.of.__name__) if isinstance(field, PartsField) else None,
        parts=_fields(field.of) if isinstance(field, PartsField) else [],
    )


def _initial(field: Field, default: Any) -> str | None:
    match field:
        case NumberField():
            return str(default)
        case ChoiceField():
            return str(default).upper()
        case _:
            return None


def _fields(kind: type[Part]) -> list[BlockField]:
    defaults = {each.name: each.default for each in fields(kind)}  # type: ignore[arg-type]
    return [_field(each, defaults[each.name]) for each in fields_of(kind)]


def _kind(kind: type[Block]) -> BlockKind:
    return BlockKind(
        key=camel_case(kind.kind),
        type_name=api_name(kind),
        label=in_words(kind.kind),
        description=kind.__doc__ or "",
        fields=_fields(kind),
    )


BLOCK_KINDS = [_kind(each) for each in BLOCKS]


@strawberry.type
class BlockKindAdminFields:
    """Forms of blocks."""

    @strawberry.field(
        description="What pages can consist of, with all that forms need.", permission_classes=[PrimaryAdminOnly]
    )
    def block_kinds(self) -> list[BlockKind]:
        return BLOCK_KINDS
