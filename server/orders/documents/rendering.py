"""Renders documents as PDF in a process of its own, one at a time."""

import asyncio
from enum import StrEnum

import orjson

from server.orders.documents import typesetter
from server.orders.documents.contents import Contents
from server.platform.core.child_process import run_module
from server.platform.core.errors import Unavailable
from server.platform.core.slots import without_slot

MOST_SECONDS = 30

_one_at_a_time = asyncio.Semaphore(1)


class Template(StrEnum):
    """The documents, by the names of their templates."""

    INVOICE = "invoice"
    PACKING_SLIP = "packing-slip"
    ADDRESS_LABEL = "address-label"


async def render(template: Template, contents: Contents) -> bytes:
    """The document as a tagged PDF (PDF/UA-1). Raises Unavailable when it takes too long."""
    async with without_slot(), _one_at_a_time:
        try:
            document = await run_module(
                typesetter.__name__, template, given=orjson.dumps(contents), seconds=MOST_SECONDS
            )
        except TimeoutError as error:
            raise Unavailable from error
    if document is None or not document.startswith(b"%PDF"):
        raise RuntimeError(f"No {template}: {document.decode() if document else 'its process ended'}")
    return document
