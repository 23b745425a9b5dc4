"""Response headers."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.api.conftest import Shop

GUESS = {"email": "nobody@b.co", "password": "Guessed&Wrong1"}


async def test_security_txt_says_where_to_report_and_never_expires(shop: Shop) -> None:
    answer = await shop.clients["visitor"].get("/.well-known/security.txt")

    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    expires = datetime.fromisoformat(fields["Expires"])
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert fields["Contact"] == "mailto:shop@minimal.test"
    assert fields["Canonical"] == "http://localhost:23200/.well-known/security.txt"
    assert timedelta(days=30) < expires - datetime.now(UTC) < timedelta(days=365)


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("/", "same-origin"),
        ("/api/product/search?q=shirt", "same-origin"),
        ("/livez", "same-origin"),
        ("/feed.xml", "cross-origin"),
        ("/sitemap.xml", "cross-origin"),
    ],
)
async def test_other_sites_may_embed_feeds_and_pictures_alone(shop: Shop, path: str, policy: str) -> None:
    assert (await shop.clients["visitor"].get(path)).headers["cross-origin-resource-policy"] == policy


async def test_a_browser_reports_to_the_shop_without_a_session_and_from_anywhere(shop: Shop) -> None:
    page = await shop.clients["visitor"].get("/")
    headers = {"content-type": "application/csp-report", "sec-fetch-site": "cross-site"}
    response = await shop.clients["visitor"].post("/csp-reports", content=b"{}", headers=headers)

    assert "report-uri /csp-reports; report-to csp" in page.headers["content-security-policy"]
    assert page.headers["reporting-endpoints"] == 'csp="/csp-reports"'
    assert response.status_code == 204


async def test_a_limited_answer_says_the_limit_and_when_it_ends(shop: Shop) -> None:
    visitor = shop.clients["visitor"]
    for _ in range(10):
        answer = await visitor.post("/api/auth/signin", json=GUESS)
        assert "ratelimit" not in answer.headers

    limited = await visitor.post("/api/auth/signin", json=GUESS)

    wait = limited.headers["retry-after"]
    assert limited.status_code == 429
    assert limited.headers["ratelimit-policy"] == '"sign-in";q=10;w=300'
    assert limited.headers["ratelimit"] == f'"sign-in";r=0;t={wait}'
