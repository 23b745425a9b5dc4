"""What the shop would find out about each drawn picture, found out once and committed: decoding them takes long."""

from functools import cache
from pathlib import Path
from typing import Any

import orjson

from demo.catalogue import PICTURES, Picture
from server.media import codec
from server.media.formats import NormalizedUpload

NAME = "originals.json"
MOST_PIXELS = 10_000_000


def note(folder: Path) -> None:
    """Decodes every picture of the folder and writes beside them what there is to know."""
    facts = {file.name: _facts(codec.make_original(file.read_bytes(), MOST_PIXELS)) for file in folder.glob("*.avif")}
    written = orjson.dumps(facts, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    (folder / NAME).write_bytes(written + b"\n")


def read(picture: Picture) -> NormalizedUpload:
    """The committed file, with what is known about it."""
    return NormalizedUpload(picture.path.read_bytes(), **_noted()[picture.file])


def is_drawn(picture: Picture) -> bool:
    return picture.file in _noted()


def _facts(original: NormalizedUpload) -> dict[str, Any]:
    return {name: value for name, value in vars(original).items() if name != "data"}


@cache
def _noted() -> dict[str, dict[str, Any]]:
    facts: dict[str, dict[str, Any]] = orjson.loads((PICTURES / NAME).read_bytes())
    return facts
