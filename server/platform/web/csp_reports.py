"""Violations of the content security policy, as browsers report them to `report-uri` and `report-to`.

Only short fields of a known form are read: no query string, no script sample, and of other sites' URLs only the origin.
"""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import orjson

PATH = "/csp-reports"
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


def read(body: bytes) -> list[dict[str, str]]:
    """The log's fields of each report in a body of either format; anything else is skipped."""
    return [_fields(report) for report in _reports(body)]


def _reports(body: bytes) -> list[dict[str, Any]]:
    try:
        sent = orjson.loads(body)
    except orjson.JSONDecodeError:
        return []
    if isinstance(sent, dict):
        return [sent["csp-report"]] if isinstance(sent.get("csp-report"), dict) else []
    batch: Iterable[Any] = sent if isinstance(sent, list) else ()
    violations = [each for each in batch if isinstance(each, dict) and each.get("type") == "csp-violation"]
    return [each["body"] for each in violations if isinstance(each.get("body"), dict)]


def _fields(report: dict[str, Any]) -> dict[str, str]:
    fields = {field: _first_text(report, names) for field, names in NAMES.items()}
    return {
        "kind": fields["kind"].split(" ")[0] if DIRECTIVE.fullmatch(fields["kind"].split(" ")[0]) else "",
        "path": _path(fields["path"]),
        "name": _origin(fields["name"]),
        "place": _origin(fields["place"]) + _path(fields["place"]),
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
