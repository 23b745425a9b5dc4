"""Large pictures are decoded in a process of their own.

A file of a few hundred kilobytes may take hundreds of megabytes to decode and encode anew within the allowed number
of pixels. Here they are taken from nobody but this upload, given back when it is done, and limited; and a decoder that
a file brings down takes nothing with it.
"""

import asyncio
import os
import resource
import sys
from contextlib import suppress
from pathlib import Path

import orjson

from server.media import codec
from server.media.codec import NormalizedUpload
from server.media.errors import UnusableImage

ROOT = Path(__file__).parents[2]
FROM_PIXELS = 1_000_000
"""Encoding so many takes some 50 MB."""
MOST_BYTES = 1_500_000_000
"""Of memory: a little more than 50 million pixels need."""
MOST_SECONDS = 60
BROKEN = "is damaged, or too costly to open"


async def make_original(upload: bytes, max_pixels: int) -> NormalizedUpload:
    """As `codec.make_original`. Raises UnusableImage, also when the process does not survive the file."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", __name__, str(max_pixels)),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(MOST_SECONDS):
            said, _ = await process.communicate(upload)
    except TimeoutError as error:
        raise UnusableImage(BROKEN) from error
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    if process.returncode != 0:
        raise UnusableImage(BROKEN)
    first, _, data = said.partition(b"\n")
    facts = orjson.loads(first)
    if "reason" in facts:
        raise UnusableImage(facts["reason"])
    return NormalizedUpload(data=data, **facts)


def main(max_pixels: int) -> None:
    """Reads an upload from standard input; writes a line of JSON and what is to be kept."""
    os.nice(5)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    try:
        made = codec.make_original(sys.stdin.buffer.read(), max_pixels)
    except UnusableImage as error:
        sys.stdout.buffer.write(orjson.dumps({"reason": error.reason}) + b"\n")
        return
    facts = {name: value for name, value in vars(made).items() if name != "data"}
    sys.stdout.buffer.write(orjson.dumps(facts) + b"\n" + made.data)


if __name__ == "__main__":
    main(int(sys.argv[1]))
