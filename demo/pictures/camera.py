"""The view from straight above: which centimeters of the table fall on which pixels."""

from dataclasses import dataclass

import numpy as np

from demo.pictures.raster import Field, Points, Region


@dataclass(frozen=True)
class Camera:
    """`left` and `top` are the frame's corner in centimeters; a window also knows where it lies in its frame."""

    left: float
    top: float
    scale: float
    width: int
    height: int
    column: int = 0
    row: int = 0

    @staticmethod
    def framing(center: tuple[float, float], across: float, size: tuple[int, int]) -> "Camera":
        """A frame of `size` pixels that shows `across` centimeters from side to side."""
        scale = size[0] / across
        return Camera(center[0] - across / 2, center[1] - size[1] / scale / 2, scale, *size)

    @property
    def shape(self) -> tuple[int, int]:
        return self.height, self.width

    @property
    def region(self) -> Region:
        """Where this window lies in the frame it was cut from."""
        return slice(self.row, self.row + self.height), slice(self.column, self.column + self.width)

    def pixels(self, points: Points) -> Points:
        return np.asarray((points - (self.left, self.top)) * self.scale)

    def centimeters(self) -> tuple[Field, Field]:
        """Where the centers of the pixels are."""
        x = (np.arange(self.width, dtype=np.float32) + 0.5) / self.scale + self.left
        y = (np.arange(self.height, dtype=np.float32) + 0.5) / self.scale + self.top
        grid_x, grid_y = np.meshgrid(x, y)
        return grid_x.astype(np.float32), grid_y.astype(np.float32)

    def window(self, points: Points, margin: float) -> "Camera | None":
        """The part of the frame around the points, `margin` centimeters wider; None when they are out of sight."""
        region = self.around(points, margin)
        if region is None:
            return None
        rows, columns = region
        return Camera(
            self.left + columns.start / self.scale,
            self.top + rows.start / self.scale,
            self.scale,
            columns.stop - columns.start,
            rows.stop - rows.start,
            self.column + columns.start,
            self.row + rows.start,
        )

    def around(self, points: Points, margin: float) -> Region | None:
        """The pixels within `margin` centimeters of the points' bounding box; None when there are hardly any."""
        corner = self.pixels(points)
        low = np.floor(corner.min(0) - margin * self.scale).astype(int)
        high = np.ceil(corner.max(0) + margin * self.scale).astype(int)
        left, top = max(int(low[0]), 0), max(int(low[1]), 0)
        right, bottom = min(int(high[0]), self.width), min(int(high[1]), self.height)
        if right - left < 3 or bottom - top < 3:
            return None
        return slice(top, bottom), slice(left, right)
