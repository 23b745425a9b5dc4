"""Google's certificates and tokens, checked with Google's own library."""

from types import SimpleNamespace
from typing import Any

import google.auth.exceptions
import google.auth.transport
import httpx
import pytest
from google.oauth2 import id_token

from demo.outside import keys
from tests.demo.outside.conftest import Outside


class Fetch(google.auth.transport.Request):
    """google-auth's transport over httpx."""

    def __call__(self, url: str, method: str = "GET", *_: Any, **__: Any) -> Any:
        answer = httpx.request(method, url)
        return SimpleNamespace(status=answer.status_code, data=answer.content, headers=answer.headers)


def verify(outside: Outside, token: str) -> dict[str, Any]:
    certs = outside.url + keys.GOOGLE_CERTS_PATH
    return dict(id_token.verify_token(token, Fetch(), audience=keys.GOOGLE_CLIENT_ID, certs_url=certs))


def token(outside: Outside, **told: Any) -> str:
    return str(outside.tell("/_control/google/token", **told)["token"])


def test_a_token_holds_against_the_certificates(outside: Outside) -> None:
    claims = verify(outside, token(outside, claims={"email": "ada@example.test", "name": "Ada Lindqvist", "sub": "7"}))

    assert claims["iss"] == "https://accounts.google.com"
    assert (claims["sub"], claims["email"], claims["email_verified"]) == ("7", "ada@example.test", True)
    assert (claims["given_name"], claims["family_name"]) == ("Ada", "Lindqvist")
    assert claims["exp"] - claims["iat"] == 3600


def test_certificates_are_pem_by_key_id_and_may_be_kept_for_a_while(outside: Outside) -> None:
    answer = httpx.get(outside.url + keys.GOOGLE_CERTS_PATH)

    assert all(pem.startswith("-----BEGIN CERTIFICATE-----") for pem in answer.json().values())
    assert "max-age=60" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "told",
    [
        {"claims": {"aud": "somebody-else"}},
        {"claims": {"exp": 1_700_000_000}},
        {"claims": {"exp": None}},
        {"key": "other"},
        {"alg": "none"},
        {"alg": "HS256"},
        {"kid": "unheard-of"},
    ],
)
def test_a_false_token_does_not(outside: Outside, told: dict[str, Any]) -> None:
    false = token(outside, **told)

    with pytest.raises((ValueError, google.auth.exceptions.GoogleAuthError)):
        verify(outside, false)


def test_claims_that_the_library_does_not_check_can_be_wrong_too(outside: Outside) -> None:
    claims = verify(outside, token(outside, claims={"iss": "https://evil.test", "email_verified": False, "sub": ""}))

    assert (claims["iss"], claims["email_verified"], claims["sub"]) == ("https://evil.test", False, "")


def test_a_rotated_key_holds_until_it_is_forgotten(outside: Outside) -> None:
    old = token(outside)

    outside.tell("/_control/google/rotate")
    still = verify(outside, old)
    outside.tell("/_control/google/rotate", forget=True)

    assert still["aud"] == keys.GOOGLE_CLIENT_ID
    with pytest.raises((ValueError, google.auth.exceptions.GoogleAuthError)):
        verify(outside, old)
    assert verify(outside, token(outside))["aud"] == keys.GOOGLE_CLIENT_ID


def test_certificates_can_be_away(outside: Outside) -> None:
    signed = token(outside)
    outside.tell("/_control/faults", kind="unavailable", path=keys.GOOGLE_CERTS_PATH)

    with pytest.raises(google.auth.exceptions.TransportError):
        verify(outside, signed)

    assert verify(outside, signed)["aud"] == keys.GOOGLE_CLIENT_ID


def test_the_pop_up_serves_the_shops_pages_only(outside: Outside) -> None:
    def asked(client_id: str, origin: str) -> int:
        parameters = {"client_id": client_id, "origin": origin}
        return httpx.get(f"{outside.url}/google/choose", params=parameters).status_code

    shop = f"http://localhost:{outside.shop.port}"

    assert asked(keys.GOOGLE_CLIENT_ID, shop) == 200
    assert asked(keys.GOOGLE_CLIENT_ID, "http://evil.test") == 400
    assert asked("other", shop) == 400


def test_the_same_typed_in_address_is_the_same_person_again(outside: Outside) -> None:
    def sub() -> str:
        person = {"persona": "custom", "name": "Ada Lindqvist", "email": "ada@example.test", "nonce": "n-1"}
        claims = verify(outside, outside.tell("/google/choose", **person)["credential"])
        assert claims["nonce"] == "n-1"
        return str(claims["sub"])

    assert sub() == sub()
