"""One sheet of a garment before it is laid down: its outline, what is sewn on it, and where its edges are free.

All maps are in material space, so that a fold moves seams, stitches and texture together.
"""

from dataclasses import dataclass, field

import numpy as np

from demo.pictures.camera import Camera
from demo.pictures.cloth import Drape
from demo.pictures.outlines import resampled, without
from demo.pictures.raster import (
    Field,
    Points,
    Region,
    blur,
    distance_to_lines,
    lettering,
    nearest_index,
    place,
    signed_distance,
    smoothstep,
)

# A window reaches this far beyond its outline, for folds that push the edge outward and for the roll of the edge.
MARGIN = 2.0
# Distance at which seams stop having any effect.
SEAM_REACH = 2.0
VOLUME_STEP = 0.25


@dataclass(frozen=True)
class Edge:
    """How a free edge rolls down to the table: over `width` centimeters, by `height`."""

    width: float = 0.6
    height: float = 0.22


@dataclass(frozen=True)
class Volume:
    """The air under the cloth: `height` centimeters, reached `width` from the edge of `outline`."""

    height: float
    width: float
    outline: Points


@dataclass(frozen=True)
class Stitch:
    """A row of stitches `offset` centimeters beside its seam; each is `length` long, seen from above."""

    offset: float
    length: float = 0.28
    width: float = 0.035
    depth: float = 0.02
    colored: bool = True


@dataclass(frozen=True)
class Seam:
    """A line of sewing. `pucker` is the height of the gathers that thread draws, `wear` how far dye is rubbed off."""

    groove: float = 0.05
    groove_width: float = 0.06
    pucker: float = 0.03
    pucker_length: float = 0.8
    pucker_width: float = 0.7
    ridge: float = 0.0
    ridge_width: float = 0.8
    shade: float = 0.12
    wear: float = 0.0
    stitches: tuple[Stitch, ...] = ()


@dataclass
class Sheet:
    """Draw on it in any order, then hand it to Scene.lay. `ink` names the color of the sheet itself."""

    window: Camera
    outline: Points
    ink: str
    seed: int
    base: float = 0.0
    edge: Edge = field(default_factory=Edge)
    grain: float = 0.0
    joined: list[Points] = field(default_factory=list)
    volume: Volume | None = None
    drape: Drape | None = None
    textured: bool = True
    patterned: bool = True

    def __post_init__(self) -> None:
        shape = self.window.shape
        pixels = self.window.pixels(self.outline)
        self.inside = signed_distance(pixels, shape) / self.window.scale
        self.roll = self._distance_to_free_edge()
        self.height = np.zeros(shape, np.float32)
        self.tone = np.ones(shape, np.float32)
        self.wear = np.zeros(shape, np.float32)
        self.bare = np.ones(shape, np.float32)
        self.angle = np.full(shape, self.grain, np.float32)
        self.shift = np.zeros(shape, np.float32)
        self.inks: dict[str, Field] = {}
        self.sewn = 0

    def part(self, outline: Points, thick: float = 0.12, grain: float | None = None, ink: str | None = None) -> None:
        """A second layer of cloth sewn onto this one: pocket, placket, cuff, patch."""
        region = self.window.around(outline, 0.8)
        if region is None:
            return
        distance = self._signed(outline, region)
        cover = np.clip(0.5 + distance * self.window.scale, 0, 1)
        self.height[region] += thick * (1 - np.exp(-np.maximum(distance, 0) / 0.14))
        self.tone[region] *= 1 - 0.22 * np.exp(np.minimum(distance, 0) / 0.10) * (1 - cover) * min(1.0, thick / 0.1)
        self.sewn += 1
        self.shift[region] = np.where(distance > 0, self.sewn * 7.31, self.shift[region])
        if grain is not None:
            self.angle[region] = np.where(distance > 0, grain, self.angle[region])
        if ink is not None:
            self.paint(ink, cover, region)

    def sunk(self, outline: Points, depth: float, shade: float = 0.05) -> None:
        """A piece that lies deeper, such as the bag of a pocket behind its opening."""
        region = self.window.around(outline, 0.8)
        if region is None:
            return
        cover = np.clip(0.5 + self._signed(outline, region) * self.window.scale, 0, 1)
        self.height[region] -= depth * cover
        self.tone[region] *= 1 - shade * cover
        self.shift[region] = np.where(cover > 0.5, self.shift[region] + 3.3, self.shift[region])

    def paint(self, ink: str, cover: Field, region: Region | None = None) -> None:
        """Lay an ink over what is there."""
        region = region or (slice(0, self.window.height), slice(0, self.window.width))
        for weight in self.inks.values():
            weight[region] *= 1 - cover
        self.inks.setdefault(ink, np.zeros(self.window.shape, np.float32))[region] += cover

    def letter(self, text: str, x: float, y: float, height: float, ink: str) -> None:
        """Woven lettering, centered; left out where it would be unreadable."""
        if height * self.window.scale < 2.5:
            return
        glyphs, fineness = lettering(text, height * self.window.scale)
        at = self.window.pixels(np.array([[x, y]]))[0]
        offset = (glyphs.shape[1] / 2 - at[0] * fineness, glyphs.shape[0] / 2 - at[1] * fineness)
        cover = np.clip(place(np.pad(glyphs, 2), (fineness, fineness), offset, self.window.shape), 0, 1)
        self.paint(ink, cover)
        self.height += 0.004 * cover

    def pleat(
        self, line: Points, length: float, depth: float = 0.24, width: float = 1.4, side: int = 1, shade: float = 0.4
    ) -> None:
        """A fold held at the line's start that opens along it: one-sided, gone after `length`."""
        track = self._track(line, 3)
        if track is None:
            return
        hold = np.clip(1 - track.along / length, 0, 1) * track.beside
        across = track.across * side
        self.height[track.region] += (
            depth * hold * smoothstep(-0.1, 0.05, across) * np.exp(-np.maximum(across, 0) / width)
        )
        self.tone[track.region] *= 1 - shade * hold * np.exp(-(((across + 0.05) / 0.1) ** 2))

    def crease(self, line: Points, height: float = 0.17, width: float = 1.3, starts_over: float = 4.0) -> None:
        """A pressed crease: a ridge with a sharp top."""
        track = self._track(line, 4)
        if track is None:
            return
        ridge = np.exp(-np.sqrt(track.across**2 + 0.004) / width) * smoothstep(0, starts_over, track.along)
        self.height[track.region] += height * ridge * track.beside

    def gather(self, line: Points, depth: float, pitch: float, length: float, side: int) -> None:
        """Cloth drawn together at a seam: many small irregular folds that run out after `length`."""
        track = self._track(line, length + 0.5)
        if track is None:
            return
        across = track.across * side
        reach = length * (0.65 + 0.25 * self._along(track.along, pitch * 1.7, 0 * across))
        fade = np.clip(1 - across / np.maximum(reach, 0.5), 0, 1) ** 1.5 * smoothstep(-0.05, 0.3, across) * track.beside
        waves = self._along(track.along, pitch, 0.10 * np.sin(across * 1.3))
        self.height[track.region] += depth * fade * waves
        self.tone[track.region] *= 1 - 0.05 * fade * np.clip(-waves, 0, 1.5)

    def seam(self, line: Points, seam: Seam, side: int = 1, within: Points | None = None) -> None:
        """Sew along the line. On the right side (+1) of the garment, what is positive lies below a line that runs to
        the right and inside a line that runs down; with side -1 the mirrored line is sewn as a mirror image."""
        track = self._track(line, SEAM_REACH)
        if track is None:
            return
        region, across, along = track.region, track.across * side, track.along
        beside = track.beside
        if within is not None:
            beside = beside * np.clip(0.5 + self._signed(within, region) * self.window.scale, 0, 1)
        self.sewn += 1
        drawn = 0.7 * self._along(along, seam.pucker_length, 0.12 * np.sin(across * 5))
        drawn += 0.5 * self._along(along, seam.pucker_length * 0.45, 0 * across)
        height = -seam.groove * np.exp(-((across / seam.groove_width) ** 2))
        height += seam.pucker * drawn * np.exp(-np.abs(across) / seam.pucker_width)
        if seam.ridge:
            ridge = smoothstep(-0.03, 0.05, across)
            height += seam.ridge * ridge * (1 - smoothstep(seam.ridge_width - 0.05, seam.ridge_width + 0.06, across))
        self.height[region] += height * beside
        self.tone[region] *= 1 - seam.shade * np.exp(-((across / (seam.groove_width * 0.8)) ** 2)) * beside
        if seam.wear:
            rubbed = np.exp(-(((np.abs(across) - 0.25) / 0.45) ** 2)) * np.clip(0.45 + 0.8 * drawn, 0, 1.6)
            self.wear[region] += seam.wear * rubbed * beside
        for number, stitch in enumerate(seam.stitches):
            self._stitch(region, across - stitch.offset, along, beside, stitch, number)

    def _stitch(self, region: Region, across: Field, along: Field, beside: Field, stitch: Stitch, row: int) -> None:
        """Thread on the cloth and the dark holes between, with the small irregularity of a real machine."""
        width = max(stitch.width, 0.42 / self.window.scale)
        phase = along / stitch.length + row * 0.37
        number, within = np.floor(phase).astype(np.int64), (phase - np.floor(phase)).astype(np.float32)
        jitter = (np.random.default_rng(self.seed * 31 + self.sewn).random(997).astype(np.float32) - 0.5)[number % 997]
        across = across + jitter * 0.018 + (within - 0.5) * 0.02
        on = smoothstep(0, 0.12, within) * (1 - smoothstep(0.8, 0.92, within))
        thread = np.exp(-((across / width) ** 2)) * on * min(1.0, stitch.width / width * 1.15)
        bed = np.exp(-((across / (width * 2.2)) ** 2))
        hole = np.exp(-((across / (width * 1.1)) ** 2)) * (1 - on)
        self.height[region] += stitch.depth * (1.3 * thread - 1.6 * bed) * beside
        self.tone[region] *= 1 - (0.28 * hole + 0.10 * bed) * beside
        if stitch.colored:
            cover = np.clip(thread * 1.15, 0, 1) * beside
            shine = 1 + 0.12 * jitter + 0.18 * (1 - np.abs(within - 0.45) * 1.6)
            self.paint("thread", cover, region)
            self.tone[region] = self.tone[region] * (1 - cover) + cover * shine
            self.bare[region] *= 1 - 0.8 * cover

    def _along(self, along: Field, length: float, sway: Field) -> Field:
        """Smooth noise along a line, a value every `length` centimeters."""
        rng = np.random.default_rng(self.seed * 31 + self.sewn + int(length * 1000))
        values = rng.standard_normal(int(max(float(along.max()), 0) / length) + 8).astype(np.float32)
        at = np.clip(along / length + 2 + sway, 0, len(values) - 2)
        whole = at.astype(np.int64)
        t = at - whole
        t = t * t * (3 - 2 * t)
        return np.asarray(values[whole] * (1 - t) + values[whole + 1] * t, np.float32)

    def _signed(self, outline: Points, region: Region) -> Field:
        rows, columns = region
        pixels = self.window.pixels(outline) - (columns.start, rows.start)
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        return np.asarray(signed_distance(pixels, shape) / self.window.scale, np.float32)

    def _distance_to_free_edge(self) -> Field:
        if not self.joined:
            return np.asarray(np.maximum(self.inside, 0), np.float32)
        free = [self.window.pixels(line) for line in without(self.outline, self.joined)]
        return np.asarray(distance_to_lines(free, self.window.shape) / self.window.scale, np.float32)

    def _track(self, line: Points, reach: float) -> "_Track | None":
        region = self.window.around(line, reach)
        if region is None:
            return None
        points, stops = resampled(line, 0.5 / self.window.scale)
        rows, columns = region
        pixels = self.window.pixels(points) - (columns.start, rows.start) - 0.5
        return _track(region, pixels, stops, self.window.scale)


@dataclass(frozen=True)
class _Track:
    """Per pixel of `region`: signed distance across a line, how far along it, and 0 past its ends."""

    region: Region
    across: Field
    along: Field
    beside: Field


def _track(region: Region, pixels: Points, stops: Points, scale: float) -> _Track | None:
    rows, columns = region
    shape = (rows.stop - rows.start, columns.stop - columns.start)
    at = np.round(pixels).astype(np.int64)
    visible = np.flatnonzero((at[:, 0] >= 0) & (at[:, 0] < shape[1]) & (at[:, 1] >= 0) & (at[:, 1] < shape[0]))
    if len(visible) < 3:
        return None
    nearest = visible[nearest_index(shape, at[visible, 0], at[visible, 1])]
    tangent = np.gradient(pixels, axis=0)
    tangent /= np.hypot(tangent[:, 0], tangent[:, 1])[:, None] + 1e-9
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    dx, dy = x - pixels[nearest, 0], y - pixels[nearest, 1]
    forward = dx * tangent[nearest, 0] + dy * tangent[nearest, 1]
    across = (dy * tangent[nearest, 0] - dx * tangent[nearest, 1]) / scale
    last = len(pixels) - 1
    past = ((nearest <= 1) & (forward < -0.8)) | ((nearest >= last - 1) & (forward > 0.8))
    along = stops[nearest] + np.clip(forward, -1, 1) / scale
    return _Track(region, across.astype(np.float32), along.astype(np.float32), (~past).astype(np.float32))


def dome(volume: Volume) -> tuple[Field, float, float]:
    """The air under the cloth on a coarse grid, and the grid's corner."""
    corner = volume.outline.min(0) - 2
    size = np.ceil((volume.outline.max(0) - corner + 2) / VOLUME_STEP).astype(int) + 1
    shape = (int(size[1]), int(size[0]))
    depth = np.maximum(signed_distance((volume.outline - corner) / VOLUME_STEP, shape), 0) * VOLUME_STEP
    full = np.clip(depth / volume.width, 0, 1)
    height = volume.height * np.sqrt(1 - (1 - full) ** 2)
    return (
        blur(height.astype(np.float32), min(1.4, volume.width * 0.25) / VOLUME_STEP),
        float(corner[0]),
        float(corner[1]),
    )
