"""POST /csp-reports: logs violations of the content security policy that browsers report.

The endpoint is open to everyone. So size and number of reports are bounded, and only short fields of a known form are
logged: no query string, no script sample, and of other sites' URLs only the origin.
"""

import re
import time
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

import orjson
import structlog
from starlette.requests import Request
from starlette.responses import Response

from server.core import errors
from server.web.rest import nothing, read_body, refusal

log = structlog.get_logger()

PATH = "/csp-reports"
MAX_BYTES = 16_000
MAX_REPORTS = 5
"""In one request; browsers send several in a batch."""
LINES_PER_MINUTE = 30
"""Of the whole process. Reports over it are only counted."""
MAX_LENGTH = 200
REPORTING_ENDPOINTS = f'csp="{PATH}"'
DIRECTIVE = re.compile(r"[a-z-]{1,40}", re.ASCII)
KEYWORD = re.compile(r"[a-z-]{1,20}", re.ASCII)
URL_PATH = re.compile(r"[A-Za-z0-9/._~@:-]*", re.ASCII)
NAMES = {
    "kind": ("effectiveDirective", "effective-directive", "violated-directive"),
    "path": ("documentURL", "document-uri"),
    "name": ("blockedURL", "blocked-uri"),
    "place": ("sourceFile", "source-file"),
}
"""The log's fields, each with its names in the two report formats."""


class CspReports:
    """The endpoint for `report-uri` and `report-to` alike, with its count of lines per minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._minute = 0.0
        self._lines = 0
        self._dropped = 0

    async def endpoint(self, request: Request) -> Response:
        """Responds 204, or 413 to a body over MAX_BYTES."""
        try:
            body = await read_body(request, MAX_BYTES)
        except errors.StoreError as error:
            return refusal(error)
        for report in _reports(body)[:MAX_REPORTS]:
            self._write(_fields(report))
        return nothing()

    def _write(self, fields: dict[str, str]) -> None:
        if self._clock() - self._minute >= 60:
            if self._dropped:
                log.warning("csp.reports_dropped", count=self._dropped)
            self._minute, self._lines, self._dropped = self._clock(), 0, 0
        if self._lines >= LINES_PER_MINUTE:
            self._dropped += 1
            return
        self._lines += 1
        log.warning(
            "csp.violation", kind=fields["kind"], path=fields["path"], name=fields["name"], place=fields["place"]
        )


def _reports(body: bytes) -> list[dict[str, Any]]:
    """The reports in a body of either format; anything else is skipped."""
    try:
        sent = orjson.loads(body)
    except orjson.JSONDecodeError:
        return []
    if isinstance(sent, dict):
        return [sent["csp-report"]] if isinstance(sent.get("csp-report"), dict) else []
    batch: Iterable[Any] = sent if isinstance(sent, list) else ()
    known = [each for each in batch if isinstance(each, dict) and each.get("type") == "csp-violation"]
    return [each["body"] for each in known if isinstance(each.get("body"), dict)]


def _fields(report: dict[str, Any]) -> dict[str, str]:
    said = {field: _first_text(report, names) for field, names in NAMES.items()}
    return {
        "kind": said["kind"].split(" ")[0] if DIRECTIVE.fullmatch(said["kind"].split(" ")[0]) else "",
        "path": _path(said["path"]),
        "name": _origin(said["name"]),
        "place": _origin(said["place"]) + _path(said["place"]),
    }


def _first_text(report: dict[str, Any], names: Iterable[str]) -> str:
    return next((report[name] for name in names if isinstance(report.get(name), str)), "")


def _origin(url: str) -> str:
    """Scheme, host and port; or a keyword such as `inline`."""
    if KEYWORD.fullmatch(url):
        return url
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    origin = f"{parts.scheme}://{host}{port}"
    return origin[:MAX_LENGTH] if host and URL_PATH.fullmatch(origin) else parts.scheme[:20]


def _path(url: str) -> str:
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    return path[:MAX_LENGTH] if path.startswith("/") and URL_PATH.fullmatch(path) else ""
