"""Daylight from a window at the upper left, and what it makes of a scene.

`expose` finds what does not depend on color (slopes, shadows, the sky each point sees); `develop` gives it color.
"""

import math
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from demo.pictures.inks import Inks
from demo.pictures.raster import Field, blur, resize
from demo.pictures.scene import Scene

AZIMUTH, ELEVATION = math.radians(-128), math.radians(37)
# Share of the window against the room; the room is bright, as in a white studio.
KEY = 0.62
# Cloth scatters a little light past its horizon.
WRAP = 0.14
# The window is wide: seven directions across it make one soft shadow.
WINDOW = ((-22, 0), (-8, 14), (8, -12), (22, 4), (-14, -16), (13, 18), (0, 0))
SKY_DIRECTIONS, SKY_STEPS, SKY_REACH = 10, 7, 7.0
# Shadows are soft, so they are computed at this many pixels a centimeter at most.
SHADOW_SCALE, SHADOW_SIZE = 6.5, 420
# Fine hollows, by radius in centimeters, that the coarse shadows miss.
HOLLOWS, HOLLOW_DEPTH = (0.06, 0.2), 0.26
BOUNCE = 0.42
GRAIN = 0.0045
SHOULDER = 0.72
SHARPEN = 0.35

Picture = npt.NDArray[np.uint8]


def _srgb(linear: Field) -> Field:
    return np.where(linear < 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 1e-5) ** (1 / 2.4) - 0.055)


# sRGB of 65536 levels of light: a lookup is ten times quicker than the power.
ENCODED = _srgb(np.linspace(0, 1, 65536)).astype(np.float32)


@dataclass(frozen=True)
class Exposure:
    """A scene with its shadows: the share of the window and of the sky seen, the fine hollows, all inks, film grain."""

    scene: Scene
    window: Field
    sky: Field
    hollow: Field
    shares: Field
    grain: Field


def expose(scene: Scene) -> Exposure:
    scale = scene.camera.scale
    height, width = scene.camera.shape
    z = scene.z * scale
    ratio = min(1.0, SHADOW_SCALE / scale) if scale < 30 else min(1.0, SHADOW_SIZE / max(width, 1))
    ratio = max(ratio, min(1.0, 380 / width))
    small = resize(z, (int(height * ratio), int(width * ratio))) * ratio
    window = np.zeros_like(small)
    for turn, lift in WINDOW:
        azimuth, elevation = AZIMUTH + math.radians(turn), ELEVATION + math.radians(lift)
        window += _unshadowed(small, math.cos(azimuth), math.sin(azimuth), math.tan(elevation)) / len(WINDOW)
    sky = _sky(small, max(6.0, SKY_REACH * scale * ratio))
    hollow = np.ones_like(z)
    for radius in HOLLOWS:
        reach = radius * scale + (0.6 if radius < 0.1 else 0)
        hollow = hollow * np.exp(-HOLLOW_DEPTH * np.clip((blur(z, reach) - z) / reach, -0.25, 1.2))
    full = (height, width)
    return Exposure(
        scene,
        np.clip(resize(blur(window, 0.7), full), 0, 1),
        np.clip(resize(blur(sky, 0.6), full), 0, 1),
        (scene.fabric * (1 - hollow)).astype(np.float32),
        np.stack(list(scene.inks.values())),
        np.random.default_rng(scene.seed).standard_normal(full).astype(np.float32),
    )


def develop(exposure: Exposure, inks: Inks) -> Picture:
    """The picture in one color, as sRGB."""
    scene = exposure.scene
    albedo = _albedo(exposure, inks)
    steep = inks.contrast
    up = 1 / np.sqrt(1 + steep**2 * (scene.rise_x**2 + scene.rise_y**2))
    nx, ny = -steep * scene.rise_x * up, -steep * scene.rise_y * up
    sun = np.array(
        [math.cos(AZIMUTH) * math.cos(ELEVATION), math.sin(AZIMUTH) * math.cos(ELEVATION), math.sin(ELEVATION)],
        np.float32,
    )
    facing = np.maximum(0, (nx * sun[0] + ny * sun[1] + up * sun[2] + WRAP) / (sun[2] + WRAP))
    room = (0.55 + 0.45 * (0.9 * up - 0.1 * ny + 0.16 * nx)) / (0.55 + 0.45 * 0.9)
    light = KEY * facing * exposure.window + (1 - KEY) * exposure.sky * room * (1 - exposure.hollow)
    light = np.clip(light * (1 - 0.5 * exposure.hollow), 0.02, 2)[..., None]
    # Pale cloth lights its own folds with its own color, so white never has gray shadows.
    light = light / (1 - BOUNCE * np.clip(albedo, 0, 0.95) * (1 - np.clip(light, 0, 1)))
    cool = 1 + (1 - np.clip(light, 0, 1)) * np.array([-0.027, 0.0, 0.03], np.float32)
    image = albedo * light * cool * _falloff(scene)[..., None]
    if scene.cloth.sheen:
        rim = (np.clip(1 - up, 0, 1) ** 2 * scene.nap * scene.cloth.sheen * exposure.sky)[..., None]
        image += rim * (0.35 * albedo + 0.04)
    _glint(image, exposure, (nx, ny, up), sun)
    return _printed(image, exposure.grain)


def _glint(image: Field, exposure: Exposure, normal: tuple[Field, Field, Field], sun: Field) -> None:
    """The window's reflection in buttons and rivets."""
    glossy = exposure.scene.gloss > 0.01
    half = sun + np.array((0, 0, 1), np.float32)
    half /= np.linalg.norm(half)
    facing = sum((part[glossy] * along for part, along in zip(normal, half, strict=True)), np.zeros(1, np.float32))
    light = np.maximum(0, facing) ** 38 * exposure.scene.gloss[glossy] * exposure.window[glossy]
    image[glossy] += 0.55 * light[:, None]


def _albedo(exposure: Exposure, inks: Inks) -> Field:
    scene = exposure.scene
    names = list(scene.inks)
    colors = np.stack([inks.of(name) for name in names])
    albedo = np.tensordot(exposure.shares, colors, axes=(0, 0))
    if inks.fade:
        # Worn dye does not turn white, it turns to a paler, grayer blue; where nothing rubs it stays darker.
        worn = np.clip(inks.fade * scene.worn, -0.25, 0.85)
        for name in ("cloth", "weft"):
            if name in scene.inks:
                share, dyed = scene.inks[name], inks.of(name)
                albedo += np.multiply.outer(share * np.maximum(worn, 0), inks.faded - dyed)
                albedo += np.multiply.outer(share * np.minimum(worn, 0), dyed)
    albedo *= scene.tone[..., None]
    return np.asarray(albedo, np.float32)


def _falloff(scene: Scene) -> Field:
    height, width = scene.camera.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    return np.asarray(1.025 - 0.10 * (0.55 * x + 0.75 * y) - 0.16 * (x * x + y * y), np.float32)


def _printed(image: Field, grain: Field) -> Picture:
    """Roll the highlights off, encode for a screen, sharpen a little and add film grain."""
    np.maximum(image, 0, out=image)
    bright = image > SHOULDER
    image[bright] = SHOULDER + (1 - np.exp(-(image[bright] - SHOULDER) / 0.26)) * 0.26
    encoded = ENCODED[(image * (len(ENCODED) - 1)).astype(np.uint16)]
    encoded += SHARPEN * (encoded - blur(encoded, 0.8))
    encoded += GRAIN * grain[..., None]
    return np.asarray(np.clip(encoded, 0, 1) * 255 + 0.5, np.uint8)


@numba.njit(fastmath=True, cache=True)
def _unshadowed(z, dx, dy, tangent):  # type: ignore[no-untyped-def]
    """Soft visibility toward a direction that rises by `tangent` a pixel."""
    rows, columns = z.shape
    seen = np.ones((rows, columns), np.float32)
    for j in range(rows):
        for i in range(columns):
            blocked = 0.0
            t = 1.0
            for _ in range(17):
                x, y = i + dx * t, j + dy * t
                column, row = int(x), int(y)
                if column < 0 or row < 0 or column >= columns - 1 or row >= rows - 1:
                    break
                fx, fy = x - column, y - row
                upper = z[row, column] * (1 - fx) + z[row, column + 1] * fx
                lower = z[row + 1, column] * (1 - fx) + z[row + 1, column + 1] * fx
                over = (upper * (1 - fy) + lower * fy - z[j, i] - tangent * t) / (0.35 + 0.10 * t)
                blocked = max(blocked, over)
                t *= 1.28
                if t < 2:
                    t += 0.35
            seen[j, i] = 1.0 - min(1.0, blocked)
    return seen


@numba.njit(fastmath=True, cache=True)
def _sky(z, reach):  # type: ignore[no-untyped-def]
    """Share of the sky above each point's horizon, cosine-weighted."""
    rows, columns = z.shape
    seen = np.zeros((rows, columns), np.float32)
    for direction in range(SKY_DIRECTIONS):
        angle = 2 * math.pi * (direction + 0.5) / SKY_DIRECTIONS
        dx, dy = math.cos(angle), math.sin(angle)
        for j in range(rows):
            for i in range(columns):
                horizon = 0.0
                for step in range(SKY_STEPS):
                    t = 1.0 + (reach - 1) * (step / (SKY_STEPS - 1.0)) ** 2
                    x, y = int(i + dx * t + 0.5), int(j + dy * t + 0.5)
                    if x < 0 or y < 0 or x >= columns or y >= rows:
                        break
                    horizon = max(horizon, (z[y, x] - z[j, i]) / t * (1 - 0.6 * t / reach))
                seen[j, i] += 1.0 / (1.0 + horizon * horizon) / SKY_DIRECTIONS
    return seen
