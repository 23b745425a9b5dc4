"""Types of settings. A value that breaks the rule of its type is refused with a sentence that names no secret."""

import re
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

MAX_PORT = 65_535
ORIGIN = re.compile(r"https?://[\w.:\[\]-]+", re.ASCII)
BUCKETS = ("s3", "gs", "az")
"""Schemes of the object stores: S3 and what speaks like it, Google Cloud Storage, Azure Blob Storage."""


def problems(error: ValidationError) -> list[str]:
    """A sentence for each setting that cannot be used, with its name. Values appear only where they are numbers."""
    faults = error.errors(include_url=False)
    # A default that derives from another setting is not at fault.
    return [_problem(fault) for fault in faults if fault["type"] != "default_factory_not_called"]


def _problem(fault: ErrorDetails) -> str:
    name = ".".join(map(str, fault["loc"])).upper()
    if not name:
        # The rule of several settings, which names them.
        return str(fault.get("ctx", {}).get("error", fault["msg"]))
    value = str(fault["input"])
    shown = f"={value}" if value.lstrip("-").isdecimal() else ""
    reason = str(fault.get("ctx", {}).get("error") or fault["msg"]).removesuffix(".")
    return f"{name}{shown} cannot be used: {reason.replace('Input should', 'it has to', 1)}."


def _refuse(reason: str) -> PydanticCustomError:
    return PydanticCustomError("setting", "{reason}", {"reason": reason})


def _check_url(url: str, schemes: tuple[str, ...], example: str) -> None:
    """Raises PydanticCustomError unless the URL has one of these schemes and a host."""
    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_whole = False
    if not is_whole:
        raise _refuse(
            f"it has to begin with {' or '.join(f'{each}://' for each in schemes)} and a host, as in {example}"
        )


def _bucket_url(value: str) -> str:
    if value:
        _check_url(value, BUCKETS, "s3://bucket/prefix")
    return value


def _http_url(value: str) -> str:
    if value:
        _check_url(value, ("http", "https"), "http://collector:4318")
    return value


def _origin(value: str) -> str:
    """Without a slash at its end."""
    value = value.rstrip("/")
    if value:
        _check_url(value, ("http", "https"), "https://shop.example")
        if not ORIGIN.fullmatch(value):
            raise _refuse(
                "it is a scheme, a host and perhaps a port, without anything behind, as in https://shop.example"
            )
    return value


def _smtp_url(value: SecretStr) -> SecretStr:
    if value.get_secret_value():
        _check_url(value.get_secret_value(), ("smtp", "smtps"), "smtp://user:password@mail.example:587")
    return value


def _time_zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise _refuse("it has to be the IANA name of a time zone, as in Europe/Lisbon") from None
    return value


Count = Annotated[int, Field(ge=1)]
"""A limit that allows something: 1 or more."""
Amount = Annotated[int, Field(ge=0)]
Port = Annotated[int, Field(ge=1, le=MAX_PORT)]
OptionalPort = Annotated[int, Field(ge=0, le=MAX_PORT)]
"""0 stands for none, or for one that is derived."""
Origin = Annotated[str, AfterValidator(_origin)]
BucketUrl = Annotated[str, AfterValidator(_bucket_url)]
HttpUrl = Annotated[str, AfterValidator(_http_url)]
SmtpUrl = Annotated[SecretStr, AfterValidator(_smtp_url)]
TimeZone = Annotated[str, AfterValidator(_time_zone)]
