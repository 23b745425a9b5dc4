"""Images in the GraphQL schema: everything that `<picture>` needs."""

from enum import Enum
from typing import Annotated, cast
from uuid import UUID

import strawberry

from server.media import service
from server.media.formats import Format, height_at
from server.platform.gql.scalars import URL
from server.platform.gql.types import enum_value

Width = Annotated[int, strawberry.argument(description="Pixels across on the page, times the screen's density.")]


@strawberry.enum(description="How a picture is encoded.")
class ImageFormat(Enum):
    AVIF = enum_value("avif", "Smallest; every current browser shows it.")
    WEBP = enum_value("webp", "Small; browsers since 2020 show it.")
    JPEG = enum_value("jpg", "For mail and old browsers.")


Encoding = Annotated[ImageFormat, strawberry.argument(description="How the file is encoded.")]


@strawberry.type(description="A picture in every size and format that `<picture>` wants.")
class Image:
    id: strawberry.ID = strawberry.field(description="As `POST /uploads/images` answered it.")
    alt: str = strawberry.field(description='What it shows, in words: "Oxford Shirt, Sky, back".')
    width: int = strawberry.field(description="Pixels across of the largest version.")
    height: int = strawberry.field(description="Pixels down of the largest version.")
    placeholder: str = strawberry.field(
        description="A blurred data URL of under 400 bytes, to show until the picture has loaded."
    )

    @strawberry.field(
        description="One file. `width` is rounded up to the next one there is: 96, 180, 360, 540, 720, 900, 1200."
    )
    def url(self, width: Width = 900, format: Encoding = ImageFormat.WEBP) -> URL:
        return URL(service.url_of(self.id, self.width, width, cast(Format, format.value)))

    @strawberry.field(description='All widths, as the value of a `srcset` attribute: "/images/…/180.webp 180w, …".')
    def srcset(self, format: Encoding = ImageFormat.WEBP) -> str:
        return service.srcset_of(self.id, self.width, cast(Format, format.value))

    @classmethod
    def of(cls, image_id: UUID | str, width: int, height: int, placeholder: str, alt: str) -> "Image":
        """An image; width and height are the original's, in pixels."""
        largest = service.widths_of(width)[-1]
        return cls(
            id=strawberry.ID(str(image_id)),
            alt=alt,
            width=largest,
            height=height_at(largest, width, height),
            placeholder=placeholder,
        )
