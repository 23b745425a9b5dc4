"""The process in which pages are drawn: a V8 isolate behind a socket, which is its standard input and output.

It keeps V8's memory out of the process that answers, and its work off that process's core. Messages are JSON behind
their length: expressions, each answered with its value or the kind of its error. The script is an open file.
"""

import os
import select
import sys
from io import RawIOBase
from typing import TYPE_CHECKING

import orjson

from server.platform.core.memory import release_free_memory

if TYPE_CHECKING:
    from py_mini_racer import MiniRacer

MEGABYTES = 192
"""V8's heap. A page that needs more is an error, and the process ends."""
IDLE_SECONDS = 2.0
"""Without work for so long, it gives back the memory that the last pages took."""
COLLECT_EVERY = 100
"""Expressions, of which a page takes four."""
LENGTH_BYTES = 4


def framed(message: object) -> bytes:
    """A message as it goes through a pipe."""
    body = orjson.dumps(message)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def main(script: int, boot_seconds: float, longest_seconds: float) -> None:
    """Evaluates until its input ends, or an expression has taken too much time or memory."""
    # The process that answers reads this module too, and never V8's.
    from py_mini_racer import JSEvalException, MiniRacer

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    isolate = MiniRacer()
    isolate.set_hard_memory_limit(MEGABYTES * 1_000_000)
    # Unbuffered: what has been read ahead would be invisible to select.
    pipe = os.fdopen(0, "rb", buffering=0)
    # Without moving the file's position, which all processes that are given it share.
    isolate.eval(os.pread(script, os.fstat(script).st_size, 0).decode(), timeout_sec=boot_seconds)
    count = 0
    while (expression := _next(isolate, pipe)) is not None:
        try:
            answer = {"value": isolate.eval(expression, timeout_sec=longest_seconds)}
        except JSEvalException as error:
            answer = {"error": type(error).__name__}
        answers.write(framed(answer))
        answers.flush()
        count += 1
        if count % COLLECT_EVERY == 0:
            # V8's heap otherwise grows towards the limit.
            isolate.low_memory_notification()
        if answer.get("error", JSEvalException.__name__) != JSEvalException.__name__:
            os._exit(1)


def _next(isolate: "MiniRacer", pipe: RawIOBase) -> str | None:
    """The next expression; None at the end of the input."""
    if not select.select([pipe], [], [], IDLE_SECONDS)[0]:
        isolate.low_memory_notification()
        release_free_memory()
    return _message(pipe)


def _message(pipe: RawIOBase) -> str | None:
    length = _exactly(pipe, LENGTH_BYTES)
    body = _exactly(pipe, int.from_bytes(length, "big")) if length else b""
    return orjson.loads(body) if body else None


def _exactly(pipe: RawIOBase, count: int) -> bytes:
    """So many bytes; none at the end of the input."""
    parts, missing = [], count
    while missing > 0:
        part = pipe.read(missing)
        if not part:
            return b""
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
    finally:
        # After an error, such as an answer that is no longer read, Python would wait for V8's threads for ever.
        os._exit(0)
