"""Images added and deleted while the shop is open: the file comes before its row, and goes after it."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.config import Settings
from server.media import service as media
from server.media.gateway import FileStore
from server.media.models import Image
from server.media.service import ImageProcessor
from server.platform.core.db import Sessions, begin
from tests.media.drawings import drawn


@dataclass
class Photographer:
    """Puts pictures into the shop of a folder, and takes the oldest away."""

    sessions: Sessions
    data: Path
    kept: list[UUID] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._pictures = ImageProcessor.of(Settings(_env_file=None, shop_data=self.data))  # type: ignore[call-arg]

    async def missing(self, session: AsyncSession) -> list[UUID]:
        """Pictures of the shop's books whose file is not there, or not whole."""
        store = FileStore.open("", self.data / "images")
        rows = (await session.execute(select(Image.id, Image.size_bytes))).all()
        return [row.id for row in rows if len(await store.get(f"{row.id}/original") or b"") != row.size_bytes]

    async def hang(self, number: int) -> None:
        for _ in range(number):
            picture = await self._pictures.keep(drawn())
            async with begin(self.sessions) as session:
                await media.add(session, [picture])
            self.kept.append(picture.id)

    async def work(self) -> None:
        """Until it is cancelled."""
        while True:
            await self.hang(1)
            oldest = self.kept.pop(0)
            async with begin(self.sessions) as session:
                await session.execute(delete(Image).where(Image.id == oldest))
            await self._pictures.remove(oldest)
            await asyncio.sleep(0.01)
