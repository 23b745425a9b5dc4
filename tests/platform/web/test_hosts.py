from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message

from server.config import Settings, listed
from server.platform.core.hosts import parse_host, unreadable_hosts
from server.platform.web.hosts import AllowedHosts

PUBLIC = "https://minimal.example"
ELSEWHERE = "192.0.2.1"


async def asked(
    *hosts: str, public_url: str = PUBLIC, path: str = "/", peer: str = ELSEWHERE, allowed_hosts: str = ""
) -> int:
    settings = Settings(_env_file=None, public_url=public_url, allowed_hosts=allowed_hosts)  # type: ignore[call-arg]
    app = AllowedHosts(PlainTextResponse("served"), settings, listed(settings.allowed_hosts))
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": [(b"host", host.encode()) for host in hosts],
        "client": (peer, 50_000),
    }
    sent: list[Message] = []

    async def receive() -> Message:
        raise AssertionError("There is nothing to read.")

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    status: int = sent[0]["status"]
    return status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("minimal.example", 200),
        ("MINIMAL.example:443", 200),
        ("minimal.example:80", 421),
        ("minimal.example.evil.test", 421),
        ("evil.test", 421),
        ("minimal.example.", 421),
        ("localhost", 421),
        ("127.0.0.1:8000", 421),
        ("192.0.2.7", 421),
        ("", 400),
        ("minimal.example@evil.test", 400),
        ("minimal.example, evil.test", 400),
        ("minimal.example:99999999", 400),
        ("münchen.example", 400),
    ],
)
async def test_a_public_shop_answers_to_its_own_name(host: str, status: int) -> None:
    assert await asked(host) == status


@pytest.mark.spec("guards.host")
async def test_a_missing_or_repeated_host_is_a_bad_request() -> None:
    assert [await asked(), await asked("minimal.example", "minimal.example")] == [400, 400]


@pytest.mark.spec("guards.host")
@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "127.0.0.53:80", "[::1]:8000"])
@pytest.mark.parametrize(("peer", "status"), [("127.0.0.1", 200), ("::1", 200), ("::ffff:127.0.0.1", 200), ("", 421)])
async def test_loopback_names_of_a_public_shop_are_for_this_machine(host: str, peer: str, status: int) -> None:
    assert await asked(host, peer=peer) == status


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost:8000", 200), ("127.0.0.1:5173", 200), ("[::1]", 200), ("evil.test:8000", 421), ("192.0.2.7", 421)],
)
async def test_a_shop_on_loopback_answers_to_loopback_names_alone(host: str, status: int) -> None:
    assert await asked(host, public_url="http://localhost:8000") == status


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
async def test_a_probe_may_use_an_address_or_no_host_at_all(path: str) -> None:
    statuses = [
        await asked("10.42.0.5:8000", path=path),
        await asked("[fd00::5]:8000", path=path),
        await asked(path=path),
    ]

    assert statuses == [200, 200, 200]
    assert await asked("evil.test", path=path) == 421


async def test_further_names_are_a_setting() -> None:
    allowed = "web, shop.lan:8080"

    statuses = [await asked(host, allowed_hosts=allowed) for host in ("web", "web:9000", "shop.lan:8080", "shop.lan")]

    assert statuses == [200, 200, 200, 421]
    assert unreadable_hosts(["web", "shop.lan:8080", "http://web", "*"]) == ["http://web", "*"]
    assert parse_host("*") is None
