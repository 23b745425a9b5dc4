"""What the help pages and the page about privacy say is what the shop does: features, spans of time, stored data."""

import re
from datetime import timedelta

import orjson
import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.behaviour import events
from server.identity import devices, recovery, verification
from server.mail import service as mail
from server.orders import checkouts
from server.pages.addresses import INDEXED
from server.platform.core.security import DEVICE_DAYS, SESSION_HOURS, SIGN_IN_SECONDS
from server.schema import build
from server.wishlist import unsubscribing
from tests.catalog.storefront import Storefront
from tests.pages.drawn_pages import Outline

PAGES = [path for path in INDEXED if path.startswith("/help/") or path in ("/privacy", "/terms", "/about", "/stores")]
FEATURES = {
    "Mutation.applyDiscountCode": [
        ("/help/payment", "A discount code goes into the cart"),
        ("/help/faq", "what the code takes off"),
    ],
    "Shipment.trackingUrl": [
        ("/help/shipping", "the tracking number and a link that follows it"),
        ("/privacy", "follows a parcel"),
    ],
    "Viewer.order": [("/help/faq", "with the order number and a link to it")],
    "Mutation.cancelOrder": [("/help/returns", "you can cancel the order yourself")],
    "Mutation.requestReturn": [("/help/returns", "say under the order which pieces come back")],
    "Mutation.notifyWhenBack": [
        ("/help/faq", "leave your email, and one mail tells you"),
        ("/privacy", "asked a mail about"),
    ],
    "Mutation.revokeSession": [("/help/faq", "with a button that ends each")],
    "Mutation.addPasskey": [("/privacy", "its passkeys and codes")],
    "Mutation.signInWithGoogle": [
        ("/help/faq", "or your Google account"),
        ("/privacy", "Google account signs in to it"),
    ],
    "Viewer.dataUrl": [("/privacy", "download everything that we know of you")],
    "Mutation.deleteAccount": [("/privacy", "delete the account for good")],
    "Viewer.wishlist": [("/privacy", "your cart and your wishlist")],
}
"""Where a page says that something exists; it has to be changed when the field of the schema goes."""
DENIED = re.compile(
    r"[^.]*\b(?:there (?:is|are) no|we have no|we do not have|not yet|does not exist)\b[^.]*(?:\.|$)", re.IGNORECASE
)
DENIALS = {
    "/privacy": ["There is no banner, because a sign-in cannot do without them and nothing else uses them."],
    "/help/faq": ["Why can I not add more? Because there are no more."],
}
"""Sentences that say what there is not, each read and true; /stores says of its subject that there is none."""

SPANS = {
    "/privacy": {
        "24 hours": {timedelta(hours=SESSION_HOURS)},
        "365 days": {timedelta(days=DEVICE_DAYS), devices.LIFETIME},
        "10 minutes": {timedelta(seconds=SIGN_IN_SECONDS)},
        "60 days": {unsubscribing.LINK_WORKS_FOR},
        "7 days": {verification.WORKS_FOR},
        "30 days": {mail.KEPT},
        "a day": {events.LINKED + timedelta(hours=1)},
        "two years": {events.KEPT - timedelta(days=30)},
        "a month": {timedelta(days=30)},
    },
    "/help/payment": {"35 minutes": {checkouts.HELD_FOR}},
    "/help/how-to-buy": {"35 minutes": {checkouts.HELD_FOR}},
    "/terms": {"35 minutes": {checkouts.HELD_FOR}},
    "/help/faq": {"24 hours": {timedelta(hours=SESSION_HOURS)}, "one hour": {recovery.RESET_WORKS_FOR}},
}
"""Every span that a page names, with the shop's own. Others' spans, and the owner's settings, are in NOT_OURS."""
NOT_OURS = {
    "ten days": "a bank's",
    "30 days": "to return, a setting",
    "2 hours": "to cancel, a setting",
    "two years": "a pattern's age",
}
UNITS = {"minute": 1, "hour": 60, "day": 1440, "week": 10_080, "month": 43_200, "year": 525_600}
WORDS = {"a": 1, "an": 1, "one": 1, "two": 2, "ten": 10}
SPAN = re.compile(rf"\b(\d+|{'|'.join(WORDS)}) ({'|'.join(UNITS)})s?\b")
STORED = {
    "account": "Your account: name, email",
    "addresses": "Your addresses, until you delete them",
    "sessions": "Your sign-ins: which browser, from which network address",
    "knownDevices": "browsers that have signed in before",
    "secondFactors": "its passkeys and codes",
    "cart": "your cart",
    "wishlist": "your wishlist",
    "backInStockMails": "The sizes that you asked a mail about",
    "orders": "Your orders: pieces, prices, discount code, delivery address, parcels, returns",
    "unfinishedPayments": "payments that you began and did not finish",
    "mails": "That we mailed you, and about what",
}
"""What the data export has, as /privacy names it."""


@pytest.fixture
async def pages(storefront: Storefront) -> dict[str, str]:
    """The words of each page's own part."""
    texts = {}
    for path in PAGES:
        html = (await storefront.visitor.get(path)).text
        main = re.search(r"<main.*</main>", html, re.DOTALL)
        assert main, path
        spaced = re.sub(r"(?=</(?:p|li|dt|dd|h\d|summary|a)>)", " ", main.group().replace("<!-- -->", ""))
        texts[path] = " ".join(Outline(spaced).words.split()).replace(" .", ".").replace(" ,", ",")
    return texts


def test_each_named_feature_exists_and_each_is_named_where_it_is_looked_for(
    pages: dict[str, str], subtests: pytest.Subtests
) -> None:
    types = build()._schema.type_map
    for feature, places in FEATURES.items():
        with subtests.test(feature):
            owner, field = feature.split(".")
            assert field in types[owner].fields  # type: ignore[attr-defined]
            assert [(page, words) for page, words in places if words not in pages[page]] == []


def test_pages_deny_nothing_that_nobody_has_checked(pages: dict[str, str]) -> None:
    denied = {page: [found.strip() for found in DENIED.findall(text)] for page, text in pages.items()}

    assert {page: sentences for page, sentences in denied.items() if sentences} == DENIALS


def test_every_span_of_time_on_a_page_is_the_shops_own(pages: dict[str, str], subtests: pytest.Subtests) -> None:
    for page, text in pages.items():
        with subtests.test(page):
            spans = {found.group() for found in SPAN.finditer(text)}
            ours = SPANS.get(page, {})
            assert spans - set(NOT_OURS) <= set(ours)
            assert set(ours) <= spans
            for span, actual in ours.items():
                assert {minutes_in(span)} == {each.total_seconds() / 60 for each in actual}, span


def minutes_in(span: str) -> float:
    number, unit = span.split()
    return (int(number) if number.isdigit() else WORDS[number]) * UNITS[unit.removesuffix("s")]


async def test_privacy_page_names_all_that_the_data_export_has(
    storefront: Storefront, session: AsyncSession, pages: dict[str, str]
) -> None:
    answer = await storefront.shopper.post("/graphql", json={"query": "{ viewer { dataUrl } }"})
    url = answer.json()["data"]["viewer"]["dataUrl"]
    export = orjson.loads((await storefront.shopper.get(url, headers={"sec-fetch-site": "same-origin"})).content)

    assert set(export) - {"asOf", "shop"} == set(STORED)
    assert [words for words in STORED.values() if words.casefold() not in pages["/privacy"].casefold()] == []
    assert f"Up to {devices.MAX_PER_ACCOUNT} browsers" in pages["/privacy"]


SET_COOKIE = re.compile(r"(?m)^(?:__Host-)?(?P<name>\w+?)(?:-\d+)?=[^;]+(?P<rest>;.*)$")
MAX_AGE = re.compile(r"(?i)max-age=(\d+)")
LISTED = re.compile(
    r"<code>(\w+)</code>, for (?:<!-- -->)?(\d+) (minute|hour|day)s(?:<!-- -->)?\. (?:<!-- -->)?([^<]*)<"
)


async def test_privacy_page_names_the_cookies_that_the_shop_sets_and_no_others(storefront: Storefront) -> None:
    visitor = storefront.visitor
    page = (await visitor.get("/privacy")).text
    answers = [await visitor.get(path) for path in ("/", "/signup", "/category/men", *PAGES)]
    assert not any(answer.headers.get_list("set-cookie") for answer in answers)
    person = {"name": "Grace Hopper", "email": "grace@shop.test", "password": "CorrectHorse7!"}
    fetched = {"sec-fetch-site": "same-origin"}
    answers.append(await visitor.post("/api/auth/signup", json=person, headers=fetched))
    answers.append(await visitor.post("/api/auth/logout", json={}, headers=fetched))
    visitor.cookies.clear()
    passkey = {"query": "mutation { startPasskey { __typename } }"}
    answers.append(await visitor.post("/graphql", json=passkey, headers=fetched))
    set_cookies = "\n".join(line for answer in answers for line in answer.headers.get_list("set-cookie"))

    named = {
        name: (int(number) * UNITS[unit] * 60, "Scripts cannot read it" in text)
        for name, number, unit, text in LISTED.findall(page)
    }

    actual = {
        found["name"]: (seconds, "httponly" in found["rest"].casefold())
        for found in SET_COOKIE.finditer(set_cookies)
        # What is set for no time is deleted.
        if (seconds := int(MAX_AGE.findall(found["rest"])[0])) > 0
    }
    assert named == actual
