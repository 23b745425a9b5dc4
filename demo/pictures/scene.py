"""The picture before it has color: sheets laid on each other, as height, slope and shares of ink per pixel.

Nothing here depends on the color of a garment, so all colors of a product share one scene.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from demo.pictures.camera import Camera
from demo.pictures.fabric import CLOTHS, PATTERNS, TILE, Cloth, Texture, texture, turned
from demo.pictures.raster import (
    Field,
    Points,
    blur,
    distance_to_lines,
    noise,
    place,
    resize,
    sample,
    slopes,
    smoothstep,
)
from demo.pictures.sheet import VOLUME_STEP, Sheet, dome

# Two rounds of correction find where the folded sheet came from to a hundredth of a pixel.
INVERSION_ROUNDS = 2
# The armhole is not an edge: within this distance the body takes the height of the sleeve beneath it.
JOIN_WIDTH = 2.0
# A pattern printed on a hill looks shifted toward the light's side; this shift makes checks read as photographed.
PATTERN_SHIFT = (0.30, 0.22)
# Buttons are drawn this many times too large and shrunk.
TRIM_FINENESS = 4


@dataclass(frozen=True)
class Button:
    """A sewn button, a rivet or a snap; `metal` has a rim and no holes, `tilt` turns the threads."""

    radius: float
    ink: str = "button"
    metal: bool = False
    tilt: float = 0.0
    stands: float = 0.18


class Scene:
    """Lay sheets from back to front, then hand the scene to light.expose."""

    def __init__(self, camera: Camera, cloth: str, pattern: str | None, seed: int) -> None:
        shape = camera.shape
        self.camera, self.seed = camera, seed
        self.cloth: Cloth = CLOTHS[cloth]
        self.pattern = PATTERNS[pattern] if pattern else None
        self.texture: Texture = texture(cloth, camera.scale, seed)
        self.plain: Texture = texture("poplin", camera.scale, 1)
        self.z = 0.0018 * noise(shape, camera.scale * 0.22, seed + 78, 2)
        self.rise_x, self.rise_y = slopes(self.z * camera.scale)
        self.tone = 1 + 0.0035 * noise(shape, camera.scale * 0.12, seed + 77, 2)
        self.inks: dict[str, Field] = {"ground": np.ones(shape, np.float32)}
        self.worn, self.gloss, self.fabric, self.nap = (np.zeros(shape, np.float32) for _ in range(4))

    def lay(self, sheet: Sheet, joins: Sequence[Points] = (), *, napped: bool = True) -> None:
        """Warp the sheet by its folds and put it on top; `joins` are lines where it is sewn to what lies beneath."""
        window = sheet.window
        material_x, material_y, folds = self._unfolded(sheet)

        def moved(field: Field) -> Field:
            return sample(field, material_x, material_y)

        inside = moved(sheet.inside)
        cover = np.clip(0.5 + inside * window.scale, 0, 1)
        raised = moved(sheet.height)
        roll = np.clip(blur(moved(sheet.roll), 0.7) / sheet.edge.width, 0, 1)
        z = sheet.base + sheet.edge.height * (1 - (1 - roll) ** 2.2) + raised * smoothstep(0, 0.05, inside + 0.02)
        if sheet.volume:
            air, left, top = dome(sheet.volume)
            z = z + moved(_seen(air, VOLUME_STEP, left, top, window))
        z = z + self.cloth.relief * folds * smoothstep(0, 1.0, np.minimum(inside, sheet.roll) + 0.25)
        z = self._joined(z, raised, joins, window, material_x, material_y)
        surface = self._surface(sheet, material_x, material_y) if sheet.textured else None
        tone = moved(sheet.tone) * (1 + 0.02 * noise(window.shape, window.scale * 7, sheet.seed + 3, 3))
        rise_x, rise_y = slopes(z * window.scale)
        bare = moved(sheet.bare)
        if surface:
            grain_x, grain_y = slopes(surface.height * bare * window.scale)
            rise_x, rise_y = rise_x + grain_x, rise_y + grain_y
            tone = tone * np.maximum(0.2, 1 + surface.tone * bare)
        shares = {ink: moved(weight) for ink, weight in sheet.inks.items()}
        shares[sheet.ink] = 1 - sum(shares.values(), np.zeros_like(z))
        if sheet.ink in ("cloth", "inside"):
            self._color(sheet, shares, surface, bare, material_x, material_y, folds)
        self._compose(sheet, cover, z, rise_x, rise_y, tone, shares, napped)
        self._wear(sheet, cover, z, moved(sheet.wear), surface)

    def fasten(self, sheet: Sheet, x: float, y: float, button: Button) -> None:
        """Put a button on a laid sheet, where the folds have carried that point."""
        center = self._carried(sheet, x, y)
        radius = button.radius * self.camera.scale
        reach = int(radius * 2 + 6)
        left, top = max(0, int(center[0]) - reach), max(0, int(center[1]) - reach)
        right = min(self.camera.width, int(center[0]) + reach)
        bottom = min(self.camera.height, int(center[1]) + reach)
        if right - left < 3 or bottom - top < 3:
            return
        shape = (bottom - top, right - left)
        y_grid, x_grid = np.mgrid[0 : shape[0] * TRIM_FINENESS, 0 : shape[1] * TRIM_FINENESS].astype(np.float32)
        u = ((x_grid + 0.5) / TRIM_FINENESS + left - center[0]) / radius
        v = ((y_grid + 0.5) / TRIM_FINENESS + top - center[1]) / radius
        self._trim((slice(top, bottom), slice(left, right)), shape, u, v, button, radius)

    def _trim(
        self, region: tuple[slice, slice], shape: tuple[int, int], u: Field, v: Field, button: Button, radius: float
    ) -> None:
        distance = np.hypot(u, v)
        cover = resize((distance < 1).astype(np.float32), shape)
        shadow = resize((np.hypot(u - 0.10, v - 0.16) < 1.06).astype(np.float32), shape)
        shadow = blur(shadow, max(0.7, radius * 0.13))
        self.tone[region] *= 1 - 0.45 * shadow * (1 - cover)
        if button.metal:
            relief, thread, shade = _metal(distance, button.radius), np.zeros_like(u), np.ones_like(u)
        else:
            relief, thread, shade = _four_holes(u, v, distance, button.radius, button.tilt)
        for weight in self.inks.values():
            weight[region] *= 1 - cover
        sewn = resize(thread, shape) * cover
        self._ink(button.ink)[region] += cover - sewn
        self._ink("button thread")[region] += sewn
        self.tone[region] = self.tone[region] * (1 - cover) + cover * resize(shade, shape)
        stands = button.stands + resize(relief.astype(np.float32), shape)
        rise_x, rise_y = slopes(stands * self.camera.scale)
        under = blur(self.z[region], max(1, radius * 0.6))
        self.z[region] += cover * (under + stands - self.z[region])
        self.rise_x[region] += cover * (rise_x - self.rise_x[region])
        self.rise_y[region] += cover * (rise_y - self.rise_y[region])
        self.gloss[region] += cover * ((0.9 if button.metal else 0.35) - self.gloss[region])
        self.worn[region] *= 1 - cover

    def _unfolded(self, sheet: Sheet) -> tuple[Field, Field, Field]:
        """For every pixel where on the flat sheet it came from, and the height of the folds there."""
        window = sheet.window
        x, y = np.meshgrid(np.arange(window.width, dtype=np.float32), np.arange(window.height, dtype=np.float32))
        if sheet.drape is None:
            return x, y, np.zeros(window.shape, np.float32)
        dx, dy, z = (sheet.drape.seen_by(window, field) for field in (sheet.drape.dx, sheet.drape.dy, sheet.drape.z))
        z = blur(z, 0.62 * sheet.drape.step * window.scale)
        material_x, material_y = x - dx * window.scale, y - dy * window.scale
        for _ in range(INVERSION_ROUNDS):
            back_x, back_y = sample(dx, material_x, material_y), sample(dy, material_x, material_y)
            material_x, material_y = x - back_x * window.scale, y - back_y * window.scale
        return material_x, material_y, sample(z, material_x, material_y)

    def _surface(self, sheet: Sheet, material_x: Field, material_y: Field) -> Texture:
        source = self.texture if sheet.ink in ("cloth", "inside") else self.plain
        angle = sample(sheet.angle, material_x, material_y, nearest=True)
        shift = sample(sheet.shift, material_x, material_y, nearest=True)
        window = sheet.window
        u, v = turned(
            material_x + window.column - self.camera.width / 2, material_y + window.row - self.camera.height / 2, angle
        )
        u, v = _mirrored_tile(u + TILE / 2 + (shift * 13.7) % 60), _mirrored_tile(v + TILE / 2 + (shift * 29.3) % 60)
        return Texture(*(sample(field, u, v) for field in (source.tone, source.height, source.weft)))

    def _joined(self, z: Field, raised: Field, joins: Sequence[Points], window: Camera, x: Field, y: Field) -> Field:
        if not joins:
            return z
        lines = [window.pixels(line) for line in joins]
        distance = distance_to_lines(lines, window.shape, 1) / window.scale
        weight = sample(blur(np.exp(-((distance / JOIN_WIDTH) ** 2)).astype(np.float32), 1), x, y)
        beneath = blur(self.z[window.region], self.camera.scale * 0.5) + 0.07 + raised
        return np.asarray(z * (1 - weight) + weight * beneath, np.float32)

    def _color(
        self,
        sheet: Sheet,
        shares: dict[str, Field],
        surface: Texture | None,
        bare: Field,
        x: Field,
        y: Field,
        folds: Field,
    ) -> None:
        """Split the cloth's share between warp, weft and the bands of a pattern."""
        own = shares[sheet.ink]
        if self.pattern and sheet.patterned:
            window = sheet.window
            relief = self.cloth.relief * folds
            across = (x + 0.5) / window.scale + window.left + PATTERN_SHIFT[0] * relief
            along = (y + 0.5) / window.scale + window.top + PATTERN_SHIFT[1] * relief
            u, v = turned(across, along, sample(sheet.angle, x, y, nearest=True))
            for ink, weight in self.pattern.inks(u, v).items():
                name = ink if sheet.ink == "cloth" else f"inside {ink}"
                shares[name] = own * weight
                shares[sheet.ink] = shares[sheet.ink] - own * weight
        if surface and self.cloth.weft:
            weft = np.clip(surface.weft * bare, 0, 1) * self.cloth.weft
            for name in [name for name in shares if name != "thread"]:
                if name == sheet.ink:
                    shares["weft"] = shares[name] * weft
                    shares[name] = shares[name] * (1 - weft)

    def _compose(
        self,
        sheet: Sheet,
        cover: Field,
        z: Field,
        rise_x: Field,
        rise_y: Field,
        tone: Field,
        shares: dict[str, Field],
        napped: bool,
    ) -> None:
        region = sheet.window.region
        for under, over in ((self.z, z), (self.rise_x, rise_x), (self.rise_y, rise_y), (self.tone, tone)):
            under[region] += cover * (over - under[region])
        for weight in self.inks.values():
            weight[region] *= 1 - cover
        for ink, share in shares.items():
            self._ink(ink)[region] += cover * share
        self.gloss[region] *= 1 - cover
        self.fabric[region] += cover * (1 - self.fabric[region])
        self.nap[region] += cover * (float(napped) - self.nap[region])

    def _wear(self, sheet: Sheet, cover: Field, z: Field, wear: Field, surface: Texture | None) -> None:
        """Where dye rubs off: what was drawn, and the crests of folds; broken up by the weave."""
        scale = sheet.window.scale
        crest = np.clip((blur(z, scale * 0.12) - blur(z, scale * 0.5)) / 0.03, -0.6, 1.5)
        worn = wear + 0.21 * crest
        if surface:
            worn = worn * (1 + 2.2 * (surface.tone + 18 * surface.height) * float(np.clip(scale / 60, 0.25, 1)))
        if sheet.ink != "cloth":
            worn = 0 * worn
        region = sheet.window.region
        self.worn[region] += cover * (worn - self.worn[region])

    def _carried(self, sheet: Sheet, x: float, y: float) -> tuple[float, float]:
        window = sheet.window
        at = window.pixels(np.array([[x, y]]))[0]
        if sheet.drape is None:
            return float(at[0] + window.column), float(at[1] + window.row)
        drape = sheet.drape
        column, row = (x - drape.left) / drape.step, (y - drape.top) / drape.step
        where = np.array([[column]], np.float32), np.array([[row]], np.float32)
        dx, dy = (float(sample(field, *where)[0, 0]) for field in (drape.dx, drape.dy))
        return float(at[0] + dx * window.scale + window.column), float(at[1] + dy * window.scale + window.row)

    def _ink(self, name: str) -> Field:
        return self.inks.setdefault(name, np.zeros(self.camera.shape, np.float32))


def _seen(grid: Field, step: float, left: float, top: float, window: Camera) -> Field:
    ratio = 1 / (window.scale * step)
    offset = ((0.5 / window.scale + window.left - left) / step, (0.5 / window.scale + window.top - top) / step)
    return place(grid, (ratio, ratio), offset, window.shape)


def _mirrored_tile(position: Field) -> Field:
    span = TILE - 2
    return (span - np.abs(position % (2 * span) - span)).astype(np.float32)


def _metal(distance: Field, radius: float) -> Field:
    domed = 0.16 * np.sqrt(np.maximum(0, 1 - distance**2)) + 0.10 * np.exp(-(((distance - 0.78) / 0.08) ** 2))
    return np.asarray(radius * domed, np.float32)


def _four_holes(u: Field, v: Field, distance: Field, radius: float, tilt: float) -> tuple[Field, Field, Field]:
    """Relief, thread and shade of a dished button sewn with two parallel threads."""
    relief = 0.22 * np.sqrt(np.clip((1 - distance) / 0.12, 0, 1)) - 0.10 * (1 - np.clip(distance / 0.66, 0, 1) ** 6)
    shade = (1 + 0.05 * np.sin(3 * u + 2 * v)).astype(np.float32)
    x, y = u * np.cos(tilt) + v * np.sin(tilt), -u * np.sin(tilt) + v * np.cos(tilt)
    for side_x in (-1, 1):
        for side_y in (-1, 1):
            hole = np.hypot(x - 0.19 * side_x, y - 0.19 * side_y)
            shade = np.where(hole < 0.085, 0.3, shade)
    # Thread dives into its holes: thickest midway, gone at both ends, one strand over each pair of holes.
    strand = np.maximum(
        *(np.abs(y - 0.19 * side) < 0.065 * np.sqrt(np.clip(1 - (x / 0.21) ** 2, 0, 1)) for side in (-1, 1))
    )
    thread = strand.astype(np.float32)
    arch = thread * 0.05 * np.sqrt(np.clip(1 - (x / 0.23) ** 2, 0, 1))
    return (radius * (relief + arch)).astype(np.float32), thread, shade.astype(np.float32)
