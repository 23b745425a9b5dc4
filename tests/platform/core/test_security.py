import pytest

from server.config import Settings
from server.platform.core import security

SHOP = Settings(port=8000, public_url="", _env_file=None)  # type: ignore[call-arg]
HTTPS = Settings(public_url="https://minimal.example", _env_file=None)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"sec-fetch-site": "same-origin", "cookie": "a=b"}, True),
        ({"sec-fetch-site": "cross-site", "cookie": "a=b"}, False),
        ({"sec-fetch-site": "same-site", "cookie": "a=b"}, False),
        ({"sec-fetch-site": "none", "origin": "https://evil.example"}, False),
        ({"sec-fetch-site": "cross-site", "origin": "http://localhost:8000"}, False),
        ({"origin": "http://localhost:8000", "cookie": "a=b"}, True),
        ({"origin": "http://127.0.0.1:8000", "cookie": "a=b"}, True),
        ({"origin": "http://localhost:8001", "cookie": "a=b"}, False),
        ({"origin": "null", "cookie": "a=b"}, False),
        ({"origin": "http://localhost:8000.evil.example"}, False),
        ({"cookie": "a=b"}, False),
        ({}, True),
    ],
)
def test_only_the_shops_own_pages_may_change_something(headers: dict[str, str], allowed: bool) -> None:
    assert security.is_same_site(headers, SHOP) is allowed


def test_a_public_shop_has_one_origin() -> None:
    assert security.allowed_origins(HTTPS) == {"https://minimal.example"}


def test_two_shops_on_one_host_have_cookies_of_different_names() -> None:
    other = Settings(port=8100, public_url="", _env_file=None)  # type: ignore[call-arg]

    assert security.cookie_name(SHOP) == "accessToken-8000"
    assert security.cookie_name(other) == "accessToken-8100"
    assert security.cookie_name(HTTPS) == "__Host-accessToken"


@pytest.mark.spec("calls.base")
@pytest.mark.parametrize(
    ("content_type", "is_json"),
    [
        ("application/json", True),
        ("application/json; charset=utf-8", True),
        ("text/plain", False),
        ("application/jsonp", False),
        ("", False),
    ],
)
def test_only_json_bodies_count_as_json(content_type: str, is_json: bool) -> None:
    assert security.is_json({"content-type": content_type}) is is_json


def test_a_shop_beyond_loopback_names_what_it_lacks() -> None:
    shop = Settings(public_url="https://minimal.example", stripe_secret_key="sk_live_x", _env_file=None)  # type: ignore[call-arg, arg-type]

    assert shop.missing_for_public() == [
        "STRIPE_PUBLISHABLE_KEY",
        "STRIPE_WEBHOOK_SECRET",
        "GOOGLE_CLIENT_ID",
        "SMTP_URL",
        "TRUSTED_PROXIES",
    ]
    assert SHOP.missing_for_public() == []


def test_a_shop_of_several_hosts_is_asked_for_the_key_that_they_share() -> None:
    shop = Settings(public_url="https://minimal.example", images_url="s3://bucket", _env_file=None)  # type: ignore[call-arg]

    assert "SECRET_KEY" in shop.missing_for_public()
