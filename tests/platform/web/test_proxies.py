from typing import Any

import pytest
from pydantic import ValidationError

from server.config import Settings
from server.platform.web.proxies import TrustedProxies


def proxies(networks: str, hops: int = 1) -> TrustedProxies:
    settings: Any = {"_env_file": None, "trusted_proxies": networks, "proxy_hops": hops}
    return TrustedProxies(Settings(**settings).proxy_networks, Settings(**settings).proxy_hops)


@pytest.mark.spec("guards.proxy")
@pytest.mark.parametrize(
    ("networks", "peer", "forwarded", "client"),
    [
        ("", "127.0.0.1", ["192.0.2.1"], "127.0.0.1"),
        ("none", "127.0.0.1", ["192.0.2.1"], "127.0.0.1"),
        ("10.0.0.0/8, 127.0.0.1", "127.0.0.1", ["192.0.2.1"], "192.0.2.1"),
        ("10.0.0.0/8, 127.0.0.1", "10.9.8.7", ["192.0.2.1"], "192.0.2.1"),
        ("10.0.0.0/8, 127.0.0.1", "127.0.0.2", ["192.0.2.1"], "127.0.0.2"),
        ("127.0.0.1", "127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", "127.0.0.1", ["203.0.113.9, 192.0.2.1"], "192.0.2.1"),
        ("127.0.0.1", "127.0.0.1", ["203.0.113.9", "192.0.2.1"], "192.0.2.1"),
        ("127.0.0.1", "::ffff:127.0.0.1", ["192.0.2.1"], "192.0.2.1"),
        ("::1", "::1", ["2001:DB8::1"], "2001:db8::1"),
        ("::1", "::1", ["[2001:db8::1]:443"], "2001:db8::1"),
        ("127.0.0.1", "127.0.0.1", ["192.0.2.1:5678"], "192.0.2.1"),
        ("127.0.0.1", "127.0.0.1", ["::ffff:192.0.2.1"], "192.0.2.1"),
        ("127.0.0.1", "a socket", ["192.0.2.1"], "a socket"),
    ],
)
def test_the_last_address_is_the_clients_when_a_proxy_wrote_it(
    networks: str, peer: str, forwarded: list[str], client: str
) -> None:
    assert proxies(networks).client_address(peer, forwarded) == client


@pytest.mark.parametrize("entry", ["", "unknown", "1.2.3", "1.2.3.4.5", "_hidden", "[::1", "1.2.3.4:5:6", "\x00"])
def test_an_entry_that_is_no_address_leaves_the_proxys_own(entry: str) -> None:
    assert proxies("127.0.0.1").client_address("127.0.0.1", [f"192.0.2.1, {entry}"]) == "127.0.0.1"


@pytest.mark.spec("guards.proxy")
@pytest.mark.parametrize(
    ("hops", "forwarded", "client"),
    [
        (1, "192.0.2.1, 10.0.0.1", "10.0.0.1"),
        (2, "192.0.2.1, 10.0.0.1", "192.0.2.1"),
        (2, "203.0.113.9, 192.0.2.1, 10.0.0.1", "192.0.2.1"),
        (3, "203.0.113.9, 192.0.2.1, 10.0.0.1", "192.0.2.1"),
        (2, "10.1.1.1, 10.0.0.2, 10.0.0.1", "10.0.0.2"),
        (2, "unknown, 10.0.0.1", "10.0.0.1"),
        (9, "192.0.2.1", "192.0.2.1"),
    ],
)
def test_as_many_addresses_are_read_as_there_are_proxies_and_none_beyond_a_stranger(
    hops: int, forwarded: str, client: str
) -> None:
    assert proxies("10.0.0.0/8", hops).client_address("10.0.0.9", [forwarded]) == client


@pytest.mark.parametrize(
    ("name", "value"), [("trusted_proxies", "10.0.0.0/33"), ("trusted_proxies", "caddy"), ("proxy_hops", 0)]
)
def test_a_setting_that_names_no_network_is_refused(name: str, value: object) -> None:
    settings: Any = {"_env_file": None, name: value}

    with pytest.raises(ValidationError, match=name):
        Settings(**settings)
