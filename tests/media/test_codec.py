import base64
from io import BytesIO
from statistics import mean
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageCms, ImageFile, ImageStat, WebPImagePlugin

from server.media import codec
from server.media.errors import UnusableImage
from server.media.formats import FORMATS, Format
from tests.media.drawings import NO_PICTURE, drawn, png_claiming, webp_claiming
from tests.media.profiles import grey_profile, wide_profile

LIMIT = 50_000_000
SVG = (
    b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
)


def opened(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    image.load()
    return image


@pytest.mark.spec("validation.product.pictures")
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_every_accepted_type_becomes_an_avif_of_its_size(kind: str) -> None:
    original = codec.make_original(drawn(kind), LIMIT)

    assert (original.width, original.height) == (60, 80)
    assert opened(original.data).format == "AVIF"


@pytest.mark.parametrize(
    ("upload", "reason"),
    [
        (b"", NO_PICTURE),
        (b"\x00" * 1_000, NO_PICTURE),
        (SVG, NO_PICTURE),
        (b"<html><script>alert(1)</script></html>", NO_PICTURE),
        (drawn("GIF"), NO_PICTURE),
        (drawn("BMP"), NO_PICTURE),
        (drawn("TIFF"), NO_PICTURE),
        (b"\xff\xd8\xff\xe0" + b"not really" * 9, NO_PICTURE),
        (png_claiming(30_000, 30_000), "has too many pixels"),
        (png_claiming(100_000, 100_000), "has too many pixels"),
        (png_claiming(9_000, 9_000), "has 9000 x 9000 pixels; the limit is 50 million"),
        (webp_claiming(16_000, 16_000), "has too many pixels"),
        (png_claiming(60, 80), "is damaged or cut off"),
        (drawn("JPEG")[:-200], "is damaged or cut off"),
        (drawn("PNG")[:-40], "is damaged or cut off"),
        (drawn("WEBP")[:-40], NO_PICTURE),
        (drawn("AVIF")[:-40], "is"),
    ],
)
def test_what_is_no_whole_picture_of_an_accepted_type_is_refused_with_the_reason(upload: bytes, reason: str) -> None:
    with pytest.raises(UnusableImage, match=reason):
        codec.make_original(upload, LIMIT)


@pytest.mark.parametrize(
    "bomb", [png_claiming(30_000, 30_000), webp_claiming(16_383, 16_383), png_claiming(9_000, 9_000)]
)
def test_a_bomb_is_refused_before_it_is_decoded(bomb: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[Image.Image] = []
    for kind in (ImageFile.ImageFile, WebPImagePlugin.WebPImageFile):
        monkeypatch.setattr(kind, "load", decoded.append)

    with pytest.raises(UnusableImage):
        codec.make_original(bomb, LIMIT)

    assert decoded == []


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_nothing_but_the_picture_survives_of_a_polyglot(kind: str) -> None:
    hidden = b"<script>alert(document.cookie)</script>PK\x03\x04"

    original = codec.make_original(drawn(kind) + hidden, LIMIT)

    assert hidden not in original.data
    assert all(hidden not in codec.derive(original.data, 60, kind) for kind in FORMATS)


def test_metadata_is_dropped_and_orientation_applied() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "SECRET CAMERA"
    upload = drawn("JPEG", (80, 60), exif=exif.tobytes(), comment=b"SECRET COMMENT")
    assert b"SECRET" in upload

    original = codec.make_original(upload, LIMIT)

    assert (original.width, original.height) == (60, 80)
    assert b"SECRET" not in original.data
    assert all(b"SECRET" not in codec.derive(original.data, 60, kind) for kind in FORMATS)


def test_an_avif_with_metadata_is_encoded_anew() -> None:
    exif = Image.Exif()
    exif[0x010F] = "SECRET CAMERA"
    upload = drawn("AVIF", exif=exif.tobytes())
    assert b"SECRET" in upload

    assert b"SECRET" not in codec.make_original(upload, LIMIT).data


def test_a_plain_avif_stays_as_it_is_and_one_with_a_tail_does_not() -> None:
    plain = drawn("AVIF")

    assert codec.make_original(plain, LIMIT).data == plain
    assert codec.make_original(plain + b"\x00\x00\x00\x10free" + b"x" * 8, LIMIT).data != plain


def test_a_large_picture_is_kept_at_2000_pixels_a_side() -> None:
    original = codec.make_original(drawn("JPEG", (3_000, 4_000)), LIMIT)

    assert (original.width, original.height) == (1_500, 2_000)
    assert opened(original.data).size == (1_500, 2_000)


@pytest.mark.parametrize("mode", ["L", "LA", "P", "RGBA", "1", "I;16"])
def test_every_kind_of_png_becomes_eight_bit_rgb(mode: str) -> None:
    original = codec.make_original(drawn("PNG", mode=mode), LIMIT)

    assert opened(original.data).mode == "RGB"


def test_sixteen_bits_keep_their_brightness() -> None:
    file = BytesIO()
    Image.new("I;16", (20, 20), 32_896).save(file, "PNG")

    red, green, blue = opened(codec.make_original(file.getvalue(), LIMIT).data).getpixel((10, 10))  # type: ignore[misc]

    assert all(abs(channel - 128) <= 3 for channel in (red, green, blue))


def test_transparency_becomes_white() -> None:
    file = BytesIO()
    Image.new("RGBA", (20, 20), (0, 0, 0, 0)).save(file, "PNG")

    original = opened(codec.make_original(file.getvalue(), LIMIT).data)

    assert min(original.getpixel((10, 10))) >= 252  # type: ignore[arg-type]


def test_cmyk_and_its_profile_become_srgb_and_a_broken_profile_is_no_error() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()

    for upload in (drawn("JPEG", mode="CMYK"), drawn("JPEG", icc_profile=srgb), drawn("JPEG", icc_profile=b"nonsense")):
        assert opened(codec.make_original(upload, LIMIT).data).info.get("icc_profile") is None


PAINTED = (40, 40, 120, 120)
"""Where a picture with transparency is opaque."""


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "P with transparency", "P with a key", "RGB with a key"])
def test_a_wide_profile_is_applied_to_transparent_and_palette_pictures(mode: str) -> None:
    colors = spectrum()
    upload = file_with_profile(colors, mode, wide_profile())

    stored = opened(codec.make_original(upload, LIMIT).data).convert("RGB")

    expected = in_srgb(colors.quantize(256).convert("RGB") if mode.startswith("P") else colors, wide_profile())
    assert mean_error(stored.crop(PAINTED), expected.crop(PAINTED)) < 2


@pytest.mark.parametrize("mode", ["L", "LA", "L with a key"])
@pytest.mark.parametrize("space", ["RGB", "GRAY"])
def test_a_profile_is_applied_to_grey_pictures(mode: str, space: str) -> None:
    profile = wide_profile() if space == "RGB" else grey_profile()
    greys = Image.linear_gradient("L").resize((160, 160))
    upload = file_with_profile(greys, mode, profile)

    stored = opened(codec.make_original(upload, LIMIT).data).convert("RGB")

    expected = in_srgb(greys.convert("RGB") if space == "RGB" else greys, profile)
    assert mean_error(stored.crop(PAINTED), expected.crop(PAINTED)) < 2


def test_colors_under_half_transparency_are_converted_before_they_are_mixed_with_white() -> None:
    colors = spectrum()
    half = colors.copy()
    half.putalpha(128)

    stored = opened(codec.make_original(encoded(half, icc_profile=wide_profile()), LIMIT).data).convert("RGB")

    expected = Image.blend(Image.new("RGB", colors.size, "white"), in_srgb(colors, wide_profile()), 128 / 255)
    assert mean_error(stored, expected) < 2


def spectrum() -> Image.Image:
    """Strong colors, which differ much between a wide color space and sRGB."""
    hue = Image.linear_gradient("L").resize((160, 160))
    strength = hue.rotate(90).point(lambda value: 100 + value // 2)
    return Image.merge("HSV", (hue, strength, Image.new("L", hue.size, 190))).convert("RGB")


def file_with_profile(image: Image.Image, mode: str, profile: bytes) -> bytes:
    """A PNG of this mode with a profile; where it can be, transparent outside PAINTED."""
    kind, _, transparency = mode.partition(" with ")
    if kind in ("RGBA", "LA"):
        mask = Image.new("L", image.size, 0)
        mask.paste(255, PAINTED)
        image = image.copy()
        image.putalpha(mask)
        return encoded(image, icc_profile=profile)
    picture = image.quantize(256) if kind == "P" else image
    options = {"icc_profile": profile}
    if transparency == "transparency":
        return encoded(picture, transparency=bytes([255] * 256), **options)
    if transparency:
        return encoded(picture, transparency=UNUSED_KEY[kind], **options)
    return encoded(picture, **options)


UNUSED_KEY: dict[str, object] = {"P": 255, "RGB": (1, 2, 3), "L": 0}
"""The transparent color; hardly a pixel has it."""


def encoded(image: Image.Image, **options: Any) -> bytes:
    file = BytesIO()
    image.save(file, "PNG", **options)
    return file.getvalue()


def in_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    """As Pillow converts an opaque picture."""
    target = ImageCms.createProfile("sRGB")
    converted = ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(BytesIO(profile)), target, outputMode="RGB")
    assert converted is not None
    return converted


def mean_error(image: Image.Image, expected: Image.Image) -> float:
    """Over all pixels and channels, of 255."""
    return mean(ImageStat.Stat(ImageChops.difference(image, expected)).mean)


@pytest.mark.parametrize("size", [(1, 1), (1, 2_000), (2_000, 1), (3, 4)])
def test_a_placeholder_is_a_data_url_of_under_400_bytes_whatever_the_shape(size: tuple[int, int]) -> None:
    placeholder = codec.make_original(drawn("PNG", size), LIMIT).placeholder

    assert len(placeholder) < 400
    assert opened(base64.b64decode(placeholder.removeprefix("data:image/webp;base64,"))).width == 8


@pytest.mark.parametrize(("kind", "name"), [("avif", "AVIF"), ("webp", "WEBP"), ("jpg", "JPEG")])
def test_a_picture_is_derived_at_a_width_in_each_format(kind: Format, name: str) -> None:
    original = codec.make_original(drawn("PNG", (600, 800)), LIMIT)

    derived = opened(codec.derive(original.data, 360, kind))

    assert (derived.format, derived.size) == (name, (360, 480))


def test_a_warm_grey_stays_warm_in_an_avif() -> None:
    ground = BytesIO()
    Image.new("RGB", (240, 320), (232, 229, 224)).save(ground, "PNG")

    original = codec.make_original(ground.getvalue(), LIMIT)
    shown = opened(codec.derive(original.data, 120, "avif"))

    red, green, blue = shown.convert("RGB").resize((1, 1), Image.Resampling.BOX).tobytes()
    assert red - green in (2, 3, 4)
    assert green - blue in (4, 5, 6)
