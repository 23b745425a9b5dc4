"""The cutting table: where a garment's sheets are made, with the folds that the views of it share."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from demo.pictures.camera import Camera
from demo.pictures.cloth import Drape, Handle, Lie, Slack, Stiff, drape, flat
from demo.pictures.fabric import CLOTHS
from demo.pictures.raster import Points
from demo.pictures.scene import Scene
from demo.pictures.sheet import MARGIN, Edge, Seam, Sheet, Stitch, Volume


@dataclass
class Bench:
    """One view of one garment. Sheets outside the frame come back as None, and their folds are never computed."""

    scene: Scene
    cloth: str
    lie: Lie
    seed: int
    ease: float
    drapes: dict[str, Drape] = field(default_factory=dict)

    @property
    def camera(self) -> Camera:
        return self.scene.camera

    @property
    def handle(self) -> Handle:
        return CLOTHS[self.cloth].handle

    def dice(self, name: str) -> np.random.Generator:
        """Chance that belongs to a part, whatever is drawn before it."""
        return np.random.default_rng([self.seed, *name.encode()])

    def sheet(
        self,
        name: str,
        outline: Points,
        *,
        ink: str = "cloth",
        base: float = 0.0,
        edge: Edge | None = None,
        grain: float = 0.0,
        joined: Sequence[Points] = (),
        volume: Volume | None = None,
        slacks: Sequence[Slack] | None = None,
        stiffs: Sequence[Stiff] = (),
        follows: str | None = None,
    ) -> Sheet | None:
        """A sheet with its folds: those of `slacks`, or of the sheet it `follows`, or none."""
        window = self.camera.window(outline, MARGIN)
        if window is None:
            return None
        number = int(self.dice(name).integers(1, 10_000))
        return Sheet(
            window,
            outline,
            ink,
            number,
            base=base,
            edge=edge or Edge(),
            grain=grain,
            joined=list(joined),
            volume=volume,
            drape=self._drape(follows or name, outline, slacks, stiffs, number),
            patterned=ink in ("cloth", "inside"),
        )

    def varied(self, name: str, slacks: Sequence[Slack], ease: float = 1.0, drift: float = 2.5) -> list[Slack]:
        rng = self.dice(f"{name} slack")
        return [slack.varied(rng, ease * self.ease, drift) for slack in slacks]

    def _drape(
        self, name: str, outline: Points, slacks: Sequence[Slack] | None, stiffs: Sequence[Stiff], seed: int
    ) -> Drape:
        if name not in self.drapes:
            if slacks is None:
                return flat(outline, self.lie)
            self.drapes[name] = drape(outline, list(slacks), list(stiffs), self.handle, self.lie, seed)
        return self.drapes[name]


def row(*offsets: float, length: float = 0.28, width: float = 0.035, depth: float = 0.02) -> tuple[Stitch, ...]:
    """Rows of stitches beside a seam, at these offsets."""
    return tuple(Stitch(offset, length, width, depth) for offset in offsets)


def heavy(*offsets: float) -> tuple[Stitch, ...]:
    """The long, thick stitches of jeans."""
    return row(*offsets, length=0.34, width=0.048, depth=0.034)


def bar_tack() -> Seam:
    """The dense little bar that holds a pocket's or a loop's end."""
    return Seam(groove=0.01, pucker=0, shade=0.1, stitches=row(-0.08, 0.0, 0.08, length=0.12, width=0.05))
