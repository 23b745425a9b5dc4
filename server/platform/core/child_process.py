"""Runs a module in a process of its own, which gives its memory back and whose crash does not reach this one."""

import asyncio
import sys
from contextlib import suppress

from server.platform.core.package_data import ROOT


async def run_module(name: str, *arguments: str, given: bytes, seconds: float) -> bytes | None:
    """What the module wrote to standard output after `given` on standard input; None if it failed.

    Raises TimeoutError when it takes longer; then, and when the call is canceled, the process is killed.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", name, *arguments),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate(given)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    return output if process.returncode == 0 else None
