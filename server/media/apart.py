"""Decodes large images in a process of its own.

A file of a few hundred kilobytes may take hundreds of megabytes to decode and re-encode within the allowed number of
pixels. In its own process this memory is limited and returned afterwards, and a decoder crash does not reach the
server.
"""

import os
import resource
import sys
from contextlib import suppress

import orjson

from server.media.errors import UnusableImage
from server.media.formats import NormalizedUpload
from server.platform.core.child_process import run_module

FROM_PIXELS = 1_000_000
"""Encoding this many takes about 50 MB."""
MOST_BYTES = 1_500_000_000
"""Memory limit: slightly more than 50 million pixels need."""
MOST_SECONDS = 60
BROKEN = "is damaged, or too costly to open"


async def make_original(upload: bytes, max_pixels: int) -> NormalizedUpload:
    """As `codec.make_original`. Raises UnusableImage, also when the process dies on the file."""
    try:
        said = await run_module(__name__, str(max_pixels), given=upload, seconds=MOST_SECONDS)
    except TimeoutError as error:
        raise UnusableImage(BROKEN) from error
    if said is None:
        raise UnusableImage(BROKEN)
    first, _, data = said.partition(b"\n")
    facts = orjson.loads(first)
    if "reason" in facts:
        raise UnusableImage(facts["reason"])
    return NormalizedUpload(data=data, **facts)


def main(max_pixels: int) -> None:
    """Reads an upload from standard input; writes one line of JSON and the normalized image."""
    from server.media import codec

    os.nice(5)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    try:
        original = codec.make_original(sys.stdin.buffer.read(), max_pixels)
    except UnusableImage as error:
        sys.stdout.buffer.write(orjson.dumps({"reason": error.reason}) + b"\n")
        return
    facts = {name: value for name, value in vars(original).items() if name != "data"}
    sys.stdout.buffer.write(orjson.dumps(facts) + b"\n" + original.data)


if __name__ == "__main__":
    main(int(sys.argv[1]))
