"""The client's address behind reverse proxies, by X-Forwarded-For.

Each proxy appends the address that it was connected from. So the header is read from its end, and only as far as
trusted proxies wrote it; everything before that is the client's own text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
LONGEST_ADDRESS = 100
"""Characters, with an IPv6 zone; longer ones are no address, and are not remembered."""


@dataclass(frozen=True)
class TrustedProxies:
    """The proxies' networks, and the maximal number of proxies that a request passes."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    hops: int = 1

    def client_address(self, peer: str, forwarded_for: Sequence[str]) -> str:
        """The first address from the end of `forwarded_for`, over all its header lines, that is not a proxy's.

        It is the last one read once `hops` are exceeded, and the proxy that sent it where an address cannot be parsed.
        """
        if not forwarded_for:
            return _normal(peer)
        client = _address(peer)
        if client is None:
            return peer
        entries = ",".join(forwarded_for).split(",")[-self.hops :]
        for entry in reversed(entries):
            named = _address(_without_port(entry.strip()))
            if named is None or not self._trusts(client):
                break
            client = named
        return str(client)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self.networks)


def _address(text: str) -> Address | None:
    """The parsed address, None for none; an IPv4 address mapped into IPv6 counts as IPv4."""
    return _parsed(text) if len(text) <= LONGEST_ADDRESS else None


def _normal(peer: str) -> str:
    """The address as it is written everywhere, which is how most peers are written."""
    return _written(peer) if len(peer) <= LONGEST_ADDRESS else peer


@lru_cache(maxsize=4_096)
def _written(text: str) -> str:
    address = _parsed(text)
    return text if address is None else str(address)


@lru_cache(maxsize=4_096)
def _parsed(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _without_port(entry: str) -> str:
    """Removes the port: some proxies write `192.0.2.1:5678` and `[2001:db8::1]:5678`."""
    if entry.startswith("["):
        address, bracket, _ = entry[1:].partition("]")
        return address if bracket else entry
    return entry.partition(":")[0] if entry.count(":") == 1 else entry
