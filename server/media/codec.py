"""Decoding of uploads and encoding of image files. CPU-bound, for a thread of its own.

Import it where it is used: Pillow takes 5 MB, which a process that is asked for no pictures does without.
"""

import base64
import warnings
from hashlib import sha256
from io import BytesIO

from PIL import Image, ImageCms, ImageOps

from server.media.errors import UnusableImage
from server.media.formats import ACCEPTED, ACCEPTED_NAMES, Format, NormalizedUpload, height_at

TAKEN = tuple(each.pillow_name for each in ACCEPTED)
LONGEST_SIDE = 2_000
PLAIN_AVIF_BOXES = (b"ftyp", b"meta", b"mdat")
PAPER = (255, 255, 255)

# Images above Pillow's own limit are refused when their header is read, whatever the shop's setting allows.
warnings.simplefilter("error", Image.DecompressionBombWarning)


_BRIGHTER = [min(255, value + 1) for value in range(256)]
_HUE_KEPT = [*_BRIGHTER, *range(256), *_BRIGHTER]


def make_original(upload: bytes, max_pixels: int) -> NormalizedUpload:
    """Decodes an upload completely and encodes it anew, at most 2000 pixels a side. Raises UnusableImage.

    Type and size are read from the content before decoding. An AVIF that already has the stored form is kept as it is
    once it has been decoded; every file that the shop serves is encoded anew from the original.
    """
    image = _opened(upload, max_pixels)
    is_ready = _is_ready(upload, image)
    try:
        image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
        image.load()
        upright = image if is_ready else _plain(image)
    except Exception as error:  # Pillow's decoders raise many kinds of errors on malicious files.
        raise UnusableImage("is damaged or cut off") from error
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    data = upload if is_ready else _avif(upright, quality=85, speed=8, subsampling="4:4:4")
    return NormalizedUpload(data, upright.width, upright.height, _placeholder(upright), sha256(upload).hexdigest())


def pixels_to_encode(upload: bytes, max_pixels: int) -> int:
    """Pixels by the header, without decoding; 0 when the file is stored as it is. Raises UnusableImage."""
    image = _opened(upload, max_pixels)
    return 0 if _is_ready(upload, image) else image.width * image.height


def width_of(original: bytes) -> int:
    """The width of a stored original, from its header."""
    return Image.open(BytesIO(original), formats=TAKEN).width


def derive(original: bytes, width: int, kind: Format) -> bytes:
    """A stored original scaled to another width and encoded in another format."""
    image: Image.Image = Image.open(BytesIO(original), formats=TAKEN)
    if width < image.width:
        size = (width, height_at(width, image.width, image.height))
        image = image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3)
    if kind == "avif":
        return _avif(image, quality=62, speed=8)
    if kind == "webp":
        return _encoded(image, "WEBP", quality=80, method=4)
    return _encoded(image, "JPEG", quality=82, optimize=True, progressive=True)


def _opened(upload: bytes, max_pixels: int) -> Image.Image:
    try:
        image: Image.Image = Image.open(BytesIO(upload), formats=TAKEN)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise UnusableImage("has too many pixels") from error
    except Exception as error:
        raise UnusableImage(f"is no {ACCEPTED_NAMES} file, or its beginning is damaged") from error
    if image.width * image.height > max_pixels:
        raise UnusableImage(
            f"has {image.width} x {image.height} pixels; the limit is {max_pixels // 1_000_000} million"
        )
    return image


def _is_ready(upload: bytes, image: Image.Image) -> bool:
    return (
        image.format == "AVIF"
        and image.mode == "RGB"
        and max(image.size) <= LONGEST_SIDE
        and getattr(image, "n_frames", 1) == 1
        and not {"exif", "xmp", "icc_profile"} & {name for name, value in image.info.items() if value}
        and _is_plain_avif(upload)
    )


def _is_plain_avif(data: bytes) -> bool:
    """Whether the file consists of the three boxes of a still image and nothing else."""
    at, boxes = 0, []
    while at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size < 8:
            return False
        boxes.append(data[at + 4 : at + 8])
        at += size
    return at == len(data) and tuple(boxes) == PLAIN_AVIF_BOXES


def _plain(image: Image.Image) -> Image.Image:
    """The image upright, in sRGB, opaque, with eight bits a channel."""
    profile = image.info.get("icc_profile")
    image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        image = image.convert("F").point(lambda value: value / 257).convert("L")
    # The profile describes the stored colors, so it is applied before they are mixed with the paper's.
    colors = _in_srgb(_without_alpha(image), profile).convert("RGB")
    if image.has_transparency_data:
        paper = Image.new("RGB", image.size, PAPER)
        return Image.composite(colors, paper, image.convert("RGBA").getchannel("A"))
    return colors


def _without_alpha(image: Image.Image) -> Image.Image:
    """The colors as stored, also where they are transparent: grey, CMYK or RGB."""
    if image.mode == "CMYK":
        return image
    if image.mode == "P":
        image = image.convert("RGBA")
    return image.convert("L" if image.mode in ("1", "L", "LA") else "RGB")


def _in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Converts the profile's colors to sRGB; an unreadable profile, or one of other channels, is ignored."""
    if not profile:
        return image
    try:
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        if image.mode == "L" and source.profile.xcolor_space.strip() == "RGB":
            image = image.convert("RGB")
        converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except (ImageCms.PyCMSError, OSError):
        return image
    return converted or image


def _placeholder(image: Image.Image) -> str:
    width = 8
    size = (width, min(16, height_at(width, image.width, image.height)))
    tiny = image.resize(size, Image.Resampling.BOX, reducing_gap=2)
    return "data:image/webp;base64," + base64.b64encode(_encoded(tiny, "WEBP", quality=30, method=4)).decode()


def _avif(image: Image.Image, **options: object) -> bytes:
    """Encodes AVIF.

    The encoder truncates its color values, which turns warm greys greenish; one step more red and blue beforehand
    preserves them.
    """
    return _encoded(image.point(_HUE_KEPT) if image.mode == "RGB" else image, "AVIF", **options)


def _encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    """Encodes without metadata, which the encoders would take from `info`."""
    bare = image.copy()
    bare.info = {}
    file = BytesIO()
    bare.save(file, kind, exif=b"", **options) if kind != "JPEG" else bare.save(file, kind, **options)
    return file.getvalue()
