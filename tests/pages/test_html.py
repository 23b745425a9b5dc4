"""The HTML of public pages is valid, and their heads tell them apart."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.pricing.models import DeliveryCountry, DeliveryRate, DeliveryZone
from tests.catalog.goods import BLACK, SKY, put_on_offer
from tests.catalog.storefront import PORT, Storefront
from tests.pages.drawn_pages import outline
from tests.pages.screens import screens

ORIGIN = f"http://localhost:{PORT}"
CHECK = Path(__file__).with_name("html_problems.js")
PACKAGES = Path(__file__).parents[2] / "client" / "package.json"
HELP = [path for path in screens() if path.startswith("/help/")] + [
    "/stores",
    "/about",
    "/contact",
    "/privacy",
    "/terms",
]


def problems(pages: Mapping[str, str]) -> dict[str, list[str]]:
    """What breaks the HTML standard, by address; pages without problems are left out."""
    command = ["node", str(CHECK), str(PACKAGES)]
    written = subprocess.run(command, input=json.dumps(pages), check=True, capture_output=True, text=True).stdout
    return {address: broken for address, broken in json.loads(written).items() if broken}


async def test_every_page_is_valid_html(storefront: Storefront, session: AsyncSession) -> None:
    product = await put_on_offer(session, pictures=2, discounted=6_000, colors=[SKY, BLACK])
    addresses = [*screens(), "/", "/search?q=oxford", "/category/men/shirts?size=S&sort=price", f"/product/{product}"]

    pages = {address: (await storefront.visitor.get(address)).text for address in addresses}

    assert problems(pages) == {}


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ("<body><meta name='a' content='b'></body>", "meta outside of head"),
        ("<body><noscript><main>a</main></noscript></body>", "main inside of another"),
        ("<body><p>a<div>b</div></p></body>", "closed by another element"),
        ("<body><a href='/'><button>b</button></a></body>", "control inside a control"),
        ("<body><i id='a'></i><b id='a'></b></body>", "id twice"),
        ("<body><table><tr><td>a</td></tr></table></body>", "implied"),
        ("<body><i a='1' a='2'></i></body>", "duplicate-attribute"),
    ],
)
def test_check_of_html_reports(html: str, problem: str) -> None:
    page = f"<!doctype html><html><head><title>a</title></head>{html}</html>"

    assert any(each.startswith(problem) for each in problems({"/": page})["/"])


async def test_every_help_page_has_its_own_description(storefront: Storefront) -> None:
    described = {}
    for address in ["/", *HELP]:
        [tag] = outline(await storefront.visitor.get(address)).all("meta", name="description")
        described[address] = tag["content"] or ""

    assert len(set(described.values())) == len(described)
    assert {address for address, words in described.items() if not 30 <= len(words) <= 160} == set()


async def test_variants_of_a_product_are_offers_with_policies(storefront: Storefront, session: AsyncSession) -> None:
    product = await put_on_offer(session, colors=[SKY, BLACK], stock={("Sky", "S"): 1}, pictures=1, discounted=6_000)
    await deliver(session)
    rows = await session.execute(text("SELECT sku, id FROM variants"))
    variants = {sku: f"{ORIGIN}/product/{product}?variant={variant_id}" for sku, variant_id in rows}

    group = outline(await storefront.visitor.get(f"/product/{product}")).linked()["ProductGroup"]

    offers = {each["sku"]: each["offers"] for each in group["hasVariant"]}
    assert (group["productGroupID"], group["variesBy"]) == (
        str(product),
        ["https://schema.org/color", "https://schema.org/size"],
    )
    assert {sku: offer["url"] for sku, offer in offers.items()} == variants
    assert [(each["color"], each["size"], len(each["image"])) for each in group["hasVariant"]] == [
        ("Sky", "S", 1),
        ("Sky", "M", 1),
        ("Black", "S", 1),
        ("Black", "M", 1),
    ]
    assert {offer["hasMerchantReturnPolicy"]["@id"] for offer in offers.values()} == {f"{ORIGIN}/#returns"}
    first, *others = offers.values()
    assert first["hasMerchantReturnPolicy"] == {
        "@type": "MerchantReturnPolicy",
        "@id": f"{ORIGIN}/#returns",
        "merchantReturnLink": f"{ORIGIN}/help/returns",
        "returnPolicyCategory": "https://schema.org/MerchantReturnFiniteReturnWindow",
        "merchantReturnDays": 30,
        "returnMethod": "https://schema.org/ReturnByMail",
        "returnFees": "https://schema.org/FreeReturn",
    }
    assert [(*rate(each), countries(each)) for each in first["shippingDetails"]] == [
        ("value", "12.00", ["DE", "FR"]),
        ("maxValue", "30.00", ["US"]),
    ]
    assert all([each["@id"] for each in offer["shippingDetails"]] == ids(first) for offer in others)


async def deliver(session: AsyncSession) -> None:
    """Two zones, of which one counts the price of the goods, the other their weight; and the rest of the world."""
    near = DeliveryZone(id=uuid4(), name="Near", min_days=2, max_days=4)
    far = DeliveryZone(id=uuid4(), name="Far", basis="weight", position=1)
    rest = DeliveryZone(id=uuid4(), name="Others", is_rest=True, position=2)
    session.add_all([near, far, rest])
    await session.flush()
    session.add_all(DeliveryCountry(country=code, zone_id=near.id) for code in ("DE", "FR"))
    session.add(DeliveryCountry(country="US", zone_id=far.id))
    prices = [(near, 0, 1_500), (near, 5_000, 1_200), (near, 9_000, 900), (far, 0, 2_000), (far, 1_000, 3_000)]
    for zone, minimum, price in [*prices, (rest, 0, 4_000)]:
        session.add(DeliveryRate(zone_id=zone.id, minimum=minimum, price_cents=price))
    await session.commit()


def ids(offer: dict[str, Any]) -> list[str]:
    """Of its ways of shipping."""
    return [each["@id"] for each in offer["shippingDetails"]]


def rate(details: dict[str, Any]) -> tuple[str, str]:
    """Which kind of amount a parcel costs, and how much."""
    [(kind, amount)] = [each for each in details["shippingRate"].items() if each[0].lower().endswith("value")]
    return kind, amount


def countries(details: dict[str, Any]) -> list[str]:
    """Where it goes."""
    return sorted(each["addressCountry"] for each in details["shippingDestination"])
