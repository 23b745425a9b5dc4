"""The table of images. Their bytes are in the image store, under the image's id."""

from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import Base, Created, Id


class Image(Base):
    """One uploaded image, re-encoded. `placeholder` is a data URL of under 400 bytes."""

    __tablename__ = "images"

    id: Mapped[Id]
    sha256: Mapped[str] = mapped_column(index=True)
    width: Mapped[int]
    height: Mapped[int]
    size_bytes: Mapped[int]
    placeholder: Mapped[str]
    created_at: Mapped[Created]
