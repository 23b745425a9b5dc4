"""Structured logs: JSON lines with a request id, and only fields from the list below.

Records of libraries, which use the standard library's logging, pass through the same processors: their location is
kept, values in their text are not.
"""

import errno
import json
import logging
import sys
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from datetime import UTC, datetime
from types import FrameType, TracebackType
from typing import Any, TextIO, cast

import orjson
import structlog

from server.platform.core import tracing

FIELDS = frozenset(
    {
        "event", "level", "timestamp", "exception", "request_id", "trace_id", "method", "path", "status", "ms",
        "seconds", "error", "kind", "attempts", "work", "operation", "event_type", "count", "total", "refused",
        "address", "port", "name",
        "job", "stage", "code", "checkout", "order", "refund", "dispute", "is_kept", "folder", "free_mb", "logger",
        "place", "limit", "dropped_fields", "page", "frames", "statement", "segment", "problem",
    }
)  # fmt: skip

MAX_FRAMES = 12
MAX_CAUSES = 5
_EVENT_LOOP_MESSAGES = (
    "Task exception was never retrieved",
    "Future exception was never retrieved",
    "Task was destroyed but it is pending",
    "Exception in callback",
    "Unhandled exception in event loop",
    "Fatal error on transport",
)
"""Messages to which asyncio appends values."""

Event = MutableMapping[str, Any]

on_unknown_fields: Callable[[list[str]], None] | None = None
"""Called with the names of fields that are not on the list; tests make it raise."""


class _StandardOutput:
    """Writes to `sys.stdout` as it is at the time of writing, not as it was when logging was configured.

    A line that cannot be written, as on a full disk, is dropped; the caller continues.
    """

    def write(self, text: str) -> int:
        with suppress(OSError):
            sys.stdout.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            sys.stdout.flush()


class _Handler(logging.StreamHandler[TextIO]):
    """The handler that `configure` adds to the root logger, once."""


def known_fields_only(_logger: Any, _name: str, event: Event) -> Event:
    """Removes fields that are not on the list: they could hold a password, a token or an address.

    The names of the removed fields are kept.
    """
    unknown = [name for name in event if name not in FIELDS]
    if not unknown:
        return event
    if on_unknown_fields is not None:
        on_unknown_fields(unknown)
    return {**{name: value for name, value in event.items() if name in FIELDS}, "dropped_fields": unknown}


def _with_trace(_logger: Any, _name: str, event: Event) -> Event:
    if trace_id := tracing.trace_id():
        event["trace_id"] = trace_id
    return event


def exception_without_values(_logger: Any, _name: str, event: Event) -> Event:
    """Replaces an exception by its types, locations and causes. Messages are left out: they may quote values."""
    exc_info = event.pop("exc_info", None)
    if isinstance(exc_info, tuple):
        exc_info = exc_info[1]
    error = exc_info if isinstance(exc_info, BaseException) else sys.exc_info()[1] if exc_info else None
    if error is not None:
        event["exception"] = described(error)
    return event


def described(error: BaseException) -> dict[str, Any]:
    """An exception and its chain of causes, outermost first, without their messages."""
    description, seen = _described(error), {id(error)}
    causes: list[dict[str, Any]] = []
    cause = _cause(error)
    while cause is not None and id(cause) not in seen and len(causes) < MAX_CAUSES:
        seen.add(id(cause))
        causes.append(_described(cause))
        cause = _cause(cause)
    return {**description, "causes": causes} if causes else description


def _described(error: BaseException) -> dict[str, Any]:
    description: dict[str, Any] = {"type": type(error).__name__, "frames": _frames(error.__traceback__)}
    if code := _code(error):
        description["code"] = code
    if isinstance(error, BaseExceptionGroup):
        description["exceptions"] = [_described(each) for each in error.exceptions[:MAX_CAUSES]]
    return description


def _cause(error: BaseException) -> BaseException | None:
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _code(error: BaseException) -> str | None:
    """PostgreSQL's or the operating system's error code, which quotes no values."""
    sqlstate = getattr(error, "sqlstate", None)
    if isinstance(sqlstate, str):
        return sqlstate
    return errno.errorcode.get(error.errno or 0) if isinstance(error, OSError) else None


def _frames(traceback: TracebackType | None) -> list[str]:
    frames = []
    while traceback:
        code = traceback.tb_frame.f_code
        frames.append(f"{_file(code.co_filename)}:{traceback.tb_lineno} {code.co_name}")
        traceback = traceback.tb_next
    return frames[-MAX_FRAMES:]


def _file(path: str) -> str:
    return path.rpartition("site-packages/")[2]


def _of_library(_logger: Any, _name: str, event: Event) -> Event:
    """Formats a standard library record: its text as in the source, without the arguments filled in."""
    record: logging.LogRecord = event["_record"]
    event["event"] = _text(record)
    event["logger"] = record.name
    event["place"] = f"{_file(record.pathname)}:{record.lineno} {record.funcName}"
    return event


def _text(record: logging.LogRecord) -> str:
    message = str(record.msg)
    if record.args or _is_literal(message, record):
        return message.strip()
    for text in _EVENT_LOOP_MESSAGES:
        if record.name == "asyncio" and message.startswith(text):
            return text
    return "A message with values in it"


def _is_literal(message: str, record: logging.LogRecord) -> bool:
    """Whether the text is a literal in the code that logs it; otherwise it was built from values."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename == record.pathname and frame.f_code.co_name == record.funcName:
            return message in frame.f_code.co_consts
        frame = frame.f_back
    return False


def _timed(_logger: Any, _name: str, event: Event) -> Event:
    event["timestamp"] = datetime.now(UTC)  # noqa: TID251 - a log goes by the clock of its host
    return event


def _json(event: Any, **_options: Any) -> str:
    """JSON in one line; the slower library's for what orjson refuses, such as half of a surrogate pair."""
    try:
        return orjson.dumps(event, option=orjson.OPT_UTC_Z).decode()
    except TypeError:
        return json.dumps({**event, "timestamp": f"{event['timestamp']:%Y-%m-%dT%H:%M:%S.%fZ}"}, default=repr)


def _without_record(_logger: Any, _name: str, event: Event) -> Mapping[str, Any]:
    return structlog.stdlib.ProcessorFormatter.remove_processors_meta(_logger, _name, event)


def configure() -> None:
    """Configures structlog and the standard library's logging; may be called again."""
    output = cast(TextIO, _StandardOutput())
    gate: list[Any] = [
        structlog.contextvars.merge_contextvars,
        _with_trace,
        structlog.processors.add_log_level,
        _timed,
        exception_without_values,
    ]
    structlog.configure(
        processors=[*gate, known_fields_only, structlog.processors.JSONRenderer(serializer=_json)],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(output),
        cache_logger_on_first_use=True,
    )
    handler = _Handler(output)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[_of_library, *gate],
            processors=[_without_record, known_fields_only, structlog.processors.JSONRenderer(serializer=_json)],
            use_get_message=False,
        )
    )
    root = logging.getLogger()
    root.handlers = [*(each for each in root.handlers if not isinstance(each, _Handler)), handler]
    root.setLevel(logging.WARNING)
