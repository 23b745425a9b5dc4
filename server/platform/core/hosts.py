"""Names of hosts, as they stand in headers and settings."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address

_HOST = re.compile(r"(?:\[(?P<ipv6>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]+))(?::(?P<port>[0-9]{1,5}))?", re.ASCII)


@dataclass(frozen=True)
class Host:
    """A host as in a URL, in lower case; `port` is None for the scheme's default."""

    name: str
    port: int | None = None


def parse_host(value: str) -> Host | None:
    """The host in a header or setting; None for text that is not a host."""
    match = _HOST.fullmatch(value.lower())
    if match is None:
        return None
    port = match["port"]
    return Host(match["ipv6"] or match["name"], int(port) if port else None)


def unreadable_hosts(hosts: Iterable[str]) -> list[str]:
    """The entries that are not hosts, for checking ALLOWED_HOSTS."""
    return [each for each in hosts if parse_host(each) is None]


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    if host == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return ((address.version == 6 and address.ipv4_mapped) or address).is_loopback
