"""Structured logs: JSON lines with a request id, and only the members on the list below."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

ALLOWED = {
    "event", "level", "timestamp", "exception", "request_id", "method", "path", "status", "ms", "error", "kind",
    "attempts", "work", "operation", "event_type", "count", "address", "port", "name", "job", "stage", "code",
    "checkout", "refund", "dispute",
}  # fmt: skip


def _only_allowed(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A member that nobody has thought about never reaches a log: it could be a password, a token or an address."""
    return {key: value for key, value in event.items() if key in ALLOWED}


def _exception_without_values(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Where it happened and its kind; not its text, which may quote a value."""
    given = event.pop("exc_info", None)
    error = given if isinstance(given, BaseException) else sys.exc_info()[1] if given else None
    if error is not None:
        traceback = error.__traceback__
        frames = []
        while traceback:
            code = traceback.tb_frame.f_code
            frames.append(f"{code.co_filename.rpartition('site-packages/')[2]}:{traceback.tb_lineno} {code.co_name}")
            traceback = traceback.tb_next
        event["exception"] = {"type": type(error).__name__, "frames": frames[-12:]}
    return event


def configure(level: int = logging.INFO) -> None:
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _exception_without_values,
            _only_allowed,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
