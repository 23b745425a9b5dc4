"""Blocks in the GraphQL schema: of each kind a type and an input, derived from its fields."""

import asyncio
from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import Enum
from typing import Annotated, Any, Optional, Union
from uuid import UUID

import strawberry

from server.catalog import listing
from server.catalog.lists import ProductCriteria, ProductListSort
from server.catalog.types import Product
from server.content import markdown
from server.content.blocks import BLOCKS, PARTS, Block, Shelf
from server.content.fields import (
    ChoiceField,
    Field,
    LinkField,
    MarkdownField,
    Part,
    PartsField,
    Picture,
    PictureField,
    TextField,
    fields_of,
)
from server.media.graphql import Image
from server.media.service import ImageRow
from server.platform.core.text import parse_id
from server.platform.gql.types import Info, describe_enum

Images = Mapping[UUID, ImageRow]


@strawberry.type(description="Text in Markdown.")
class FormattedText:
    source: str = strawberry.field(description="As it was written, in Markdown.")

    @strawberry.field(description="As HTML that is safe to show. Its largest headings are `h2`.")
    async def html(self) -> str:
        return await asyncio.to_thread(markdown.to_html, self.source) if self.source else ""


@strawberry.input(description="An uploaded picture.")
class PictureInput:
    image_id: strawberry.ID = strawberry.field(description="As `POST /uploads/images` answered it.")
    alt: str = strawberry.field(default="", description="What it shows, in words; empty where it only decorates.")


def _class(name: str, members: Mapping[str, tuple[Any, Any]], resolved: Mapping[str, Any] | None = None) -> type:
    """A class with fields of these types, and resolved ones."""
    annotations = {each: of_type for each, (of_type, _) in members.items()}
    values = {each: value for each, (_, value) in members.items()}
    return type(name, (), {"__annotations__": annotations, "__module__": __name__, **values, **(resolved or {})})


def _enum(field: ChoiceField) -> type[Enum]:
    kind = Enum(field.enum, {key.upper(): key for key in field.options})  # type: ignore[misc]
    describe_enum(kind, field.enum, field.about, {kind(key): about for key, about in field.options.items()})
    return kind


_KINDS: tuple[type[Part], ...] = (*PARTS, *BLOCKS)
_ENUMS = {each.enum: _enum(each) for kind in _KINDS for each in fields_of(kind) if isinstance(each, ChoiceField)}


async def _shelf_products(root: Any, info: Info) -> list[Product]:
    criteria = ProductCriteria(root.department or None, root.product_kind or None, on_sale=root.only_sale)
    page = await listing.page(info.context, criteria, ProductListSort(root.sort.value), root.most)
    return [Product.of(row) for row in page.rows]


_RESOLVED: dict[type[Part], dict[str, Any]] = {
    Shelf: {"products": strawberry.field(resolver=_shelf_products, description="What it shows now.")}
}
"""Fields of types that are not fields of their blocks."""


def _list_of(kind: Any) -> Any:
    return list[kind]


def _type_of(field: Field) -> Any:
    match field:
        case PartsField():
            return _list_of(_TYPES[field.of])
        case PictureField():
            return Image | None
        case MarkdownField():
            return FormattedText
        case ChoiceField():
            return _ENUMS[field.enum]
        case _:
            return field.type


def _input_of(field: Field) -> Any:
    match field:
        case PartsField():
            return _list_of(_INPUTS[field.of])
        case PictureField():
            return PictureInput | None
        case ChoiceField():
            return _ENUMS[field.enum]
        case _:
            return field.type


def _output_class(kind: type[Part]) -> Any:
    members = {each.name: (_type_of(each), strawberry.field(description=each.description)) for each in fields_of(kind)}
    made = _class(api_name(kind), members, _RESOLVED.get(kind))
    return strawberry.type(made, description=kind.__doc__)


def _input_class(kind: type[Part]) -> Any:
    defaults = {each.name: each.default for each in fields(kind)}  # type: ignore[arg-type]
    members = {each.name: (_input_of(each), _input_field(each, defaults[each.name])) for each in fields_of(kind)}
    return strawberry.input(_class(f"{api_name(kind)}Input", members), description=kind.__doc__)


def _input_field(field: Field, default: Any) -> Any:
    if default is MISSING:
        return strawberry.field(description=field.description)
    value = _ENUMS[field.enum](default) if isinstance(field, ChoiceField) else default
    return strawberry.field(description=field.description, default=value)


def api_name(kind: type[Part]) -> str:
    """The name of its type."""
    return f"{kind.__name__}Block" if issubclass(kind, Block) else f"{kind.__name__}Part"


_TYPES: dict[type[Part], Any] = {}
_INPUTS: dict[type[Part], Any] = {}
for _kind in _KINDS:
    _TYPES[_kind], _INPUTS[_kind] = _output_class(_kind), _input_class(_kind)


def _union(name: str, types: tuple[Any, ...], description: str) -> Any:
    return Annotated[Union[types], strawberry.union(name, description=description)]  # noqa: UP007 - made of a tuple


def _choice(name: str, description: str) -> Any:
    members = {
        kind.kind: (
            Optional[_INPUTS[kind]],  # noqa: UP045
            strawberry.field(default=strawberry.UNSET, description=kind.__doc__),
        )
        for kind in BLOCKS
    }
    return strawberry.input(_class(name, members), one_of=True, description=description)


PageBlock = _union(
    "PageBlock",
    tuple(_TYPES[kind] for kind in BLOCKS),
    "One stretch of a page, from its left to its right.",
)
BlockInput = _choice("BlockInput", "A block of a page; give exactly one.")


def to_graphql(part: Part, images: Images) -> Any:
    """A block, or a part of one, as the API has it."""
    values = {each.name: _value(each, getattr(part, each.name), images) for each in fields_of(type(part))}
    return _TYPES[type(part)](**values)


def _value(field: Field, value: Any, images: Images) -> Any:
    match field:
        case PartsField():
            return [to_graphql(each, images) for each in value]
        case PictureField():
            row = images.get(value.image_id) if value else None
            return row and Image.of(row.id, row.width, row.height, row.placeholder, value.alt)
        case MarkdownField():
            return FormattedText(source=value)
        case ChoiceField():
            return _ENUMS[field.enum](value)
        case _:
            return value


def block_of(choice: Any) -> Block:
    """The block of a BlockInput. Raises NotFound for an image whose id is none."""
    kind = next(each for each in BLOCKS if getattr(choice, each.kind, None))
    block: Block = _part(kind, getattr(choice, kind.kind))
    return block


def _part(kind: type[Part], values: Any) -> Any:
    return kind(**{each.name: _entered(each, getattr(values, each.name)) for each in fields_of(kind)})


def _entered(field: Field, value: Any) -> Any:
    match field:
        case PartsField():
            return tuple(_part(field.of, each) for each in value)
        case PictureField():
            return value and Picture(parse_id(value.image_id, "This picture"), value.alt.strip())
        case ChoiceField():
            return value.value
        case TextField() | LinkField() if not isinstance(field, MarkdownField):
            return value.strip()
        case _:
            return value
