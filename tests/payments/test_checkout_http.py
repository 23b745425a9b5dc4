"""Cart, checkout and orders over HTTP, with a real server and the payment stand-in."""

from typing import Any
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.cart.errors import OutOfStock
from server.catalog.models import Product
from server.identity.models import User
from server.orders.errors import AmountTooSmall
from server.orders.models import Order
from tests.cart.stock import Goods, make_product, make_shopper, number_of, stock_of
from tests.payments.checkout_documents import ADD, CART, COMPLETE, OF_SESSION, QUOTES, START
from tests.payments.conftest import Customer, OpenShop, until
from tests.payments.provider import Provider

HISTORY = """
  query ($first: Int! = 20, $after: String) { viewer { orders(first: $first, after: $after) {
    totalCount nodes { number } pageInfo { hasNextPage hasPreviousPage endCursor }
  } } }
"""

LEFT = str(OutOfStock(uuid4(), 5, "Oxford Shirt"))


@pytest.fixture
async def goods(session: AsyncSession) -> Goods:
    return await make_product(
        session,
        price=4900,
        discounted=3950,
        colors=(("Indigo", "#2f4e7d"), ("Sand", "#d8c9a8")),
        sizes=("S", "M"),
        stock=5,
        pictures=True,
    )


@pytest.fixture
async def ada(open_shop: OpenShop, session: AsyncSession) -> Customer:
    return await open_shop.let_in(await make_shopper(session))


async def test_a_purchase_from_the_cart_to_the_history(
    ada: Customer, goods: Goods, provider: Provider, session: AsyncSession
) -> None:
    sand = goods.variants["Sand", "M"]
    await ada.ask(ADD, variant=str(sand), quantity=2)
    [line] = (await ada.ask(CART))["viewer"]["cart"]["lines"]
    started = (await ada.ask(START))["startCheckout"]
    provider.pay(started["sessionId"])

    completed = (await ada.ask(COMPLETE, session=started["sessionId"]))["completeCheckout"]

    assert line == {
        "id": str(sand),
        "quantity": 2,
        "price": "49.00",
        "unitPrice": "39.50",
        "total": "79.00",
        "priceWhenAdded": "39.50",
        "problem": None,
        "variant": {"id": str(sand), "stock": 5, "inStock": True, "size": "M", "color": {"name": "Sand"}},
        "product": {"id": str(goods.product_id), "name": "Oxford Shirt"},
        "image": {"url": line["image"]["url"], "alt": "Oxford Shirt, Sand, front"},
    }
    assert (started["__typename"], started["total"]) == ("Checkout", "79.00")
    assert completed["__typename"] == "CheckoutCompleted"
    assert completed["cart"] == {"count": 0}
    order = completed["order"]
    assert order | {"id": "", "number": ""} == {
        "id": "",
        "number": "",
        "paymentStatus": "PAID",
        "totalAmount": "79.00",
        "refundedAmount": "0.00",
        "shippingAddress": {"name": "Ada Lovelace", "address1": "1 Quiet Street", "postalCode": ""},
        "lines": [
            {
                "name": "Oxford Shirt",
                "color": "Sand",
                "size": "M",
                "quantity": 2,
                "price": "39.50",
                "total": "79.00",
                "productId": str(goods.product_id),
                "image": {"alt": "Oxford Shirt, Sand"},
            }
        ],
    }
    history = (await ada.ask(HISTORY))["viewer"]["orders"]
    assert history["nodes"] == [{"number": order["number"]}]
    again = (await ada.ask(COMPLETE, session=started["sessionId"]))["completeCheckout"]
    assert again["order"]["id"] == order["id"]


async def test_the_webhook_alone_brings_order_and_mail(
    ada: Customer, goods: Goods, provider: Provider, session: AsyncSession
) -> None:
    await ada.ask(ADD, variant=str(goods.variant_id))
    started = (await ada.ask(START))["startCheckout"]
    provider.pay(started["sessionId"])

    async def mails() -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = provider.ask("/_control/mail", to=ada.shopper.email)
        return messages

    [mail] = await until(mails)

    assert mail["subject"].startswith("Your order M-")
    assert "Oxford Shirt" in mail["text"]
    assert await number_of(session, Order) == 1


async def test_events_that_come_often_and_in_disorder_make_one_order(
    ada: Customer, goods: Goods, provider: Provider, session: AsyncSession
) -> None:
    provider.tell("/_control/webhooks", duplicate=3, shuffle=True)
    await ada.ask(ADD, variant=str(goods.variant_id))
    started = (await ada.ask(START))["startCheckout"]
    provider.pay(started["sessionId"])

    async def all_delivered() -> bool:
        events = [event for event in provider.ledger("events") if event["data"]["object"]["id"] == started["sessionId"]]
        deliveries = [delivery for event in events for delivery in event["deliveries"]]
        return bool(deliveries) and all(delivery["attempts"] for delivery in deliveries)

    await until(all_delivered)
    await ada.ask(COMPLETE, session=started["sessionId"])

    assert await number_of(session, Order) == 1
    assert await stock_of(session, goods.variant_id) == 4


async def test_refusals_of_the_cart_are_members_of_the_result(ada: Customer, goods: Goods) -> None:
    short = (await ada.ask(ADD, variant=str(goods.variant_id), quantity=6))["addToCart"]
    none = (await ada.ask(ADD, variant=str(goods.variant_id), quantity=0))["addToCart"]

    assert short == {
        "__typename": "OutOfStock",
        "message": LEFT,
        "field": "quantity",
        "available": 5,
    }
    assert none == {"__typename": "InvalidInput", "message": "must be at least 1", "field": "quantity"}


async def test_an_empty_cart_cannot_be_checked_out(ada: Customer) -> None:
    refused = (await ada.ask(START))["startCheckout"]

    assert refused == {"__typename": "CartNotReady", "message": "Your cart is empty", "cart": {"count": 0}}


@pytest.mark.spec("calls.payment")
async def test_an_unpaid_session_is_not_completed(ada: Customer, goods: Goods) -> None:
    await ada.ask(ADD, variant=str(goods.variant_id))
    started = (await ada.ask(START))["startCheckout"]

    answer = (await ada.ask(COMPLETE, session=started["sessionId"]))["completeCheckout"]

    assert answer["__typename"] == "PaymentNotCompleted"


async def test_a_provider_that_is_away_is_said_plainly(ada: Customer, goods: Goods, provider: Provider) -> None:
    await ada.ask(ADD, variant=str(goods.variant_id))
    provider.fail("unavailable", 6)

    over_graphql = (await ada.ask(START))["startCheckout"]
    over_rest = await ada.browser.post("/api/payment/create-checkout-session", json={})

    assert over_graphql["__typename"] == "PaymentUnavailable"
    assert (over_rest.status_code, over_rest.headers["retry-after"]) == (503, "5")


async def test_a_visitor_has_no_viewer_and_cannot_check_out(open_shop: OpenShop) -> None:
    async with httpx.AsyncClient(base_url=open_shop.url, headers={"sec-fetch-site": "same-origin"}) as browser:
        seen = await browser.post("/graphql", json={"query": CART})
        answer = await browser.post("/graphql", json={"query": START})
        rest = await browser.get("/api/cart")

    assert seen.json()["data"] == {"viewer": None}
    assert answer.json()["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
    assert rest.status_code == 401


async def test_a_cart_of_ten_lines_takes_three_statements_session_included(
    ada: Customer, session: AsyncSession
) -> None:
    for _ in range(10):
        goods = await make_product(session, pictures=True)
        await cart.add_line(session, ada.shopper.id, goods.variant_id)
    await session.commit()
    await ada.ask(CART)

    answer, statements = await ada.ask_counted(CART)

    assert answer["viewer"]["cart"]["count"] == 10
    assert 1 < len(statements) <= 3, statements


async def test_history_is_paged_by_cursors_that_survive_new_orders(ada: Customer, session: AsyncSession) -> None:
    numbers = [await add_order(session, ada) for _ in range(5)]

    first = (await ada.ask(HISTORY, first=2))["viewer"]["orders"]
    await add_order(session, ada)
    second = (await ada.ask(HISTORY, first=2, after=first["pageInfo"]["endCursor"]))["viewer"]["orders"]
    third = (await ada.ask(HISTORY, first=2, after=second["pageInfo"]["endCursor"]))["viewer"]["orders"]

    shown = [order["number"] for page in (first, second, third) for order in page["nodes"]]
    assert shown == [f"M-{number}" for number in reversed(numbers)]
    assert [page["pageInfo"]["hasNextPage"] for page in (first, second, third)] == [True, True, False]
    assert (first["totalCount"], third["totalCount"]) == (5, 6)


async def test_a_checkout_says_what_is_paid_and_where_it_goes(ada: Customer, goods: Goods) -> None:
    await ada.ask(ADD, variant=str(goods.variant_id), quantity=2)
    document = "query { viewer { checkoutQuote { ... on CheckoutQuote { address { name address1 } total } } } }"
    expected = (await ada.ask(document))["viewer"]["checkoutQuote"]

    started = (await ada.ask(QUOTES))["startCheckout"]

    assert started["quote"] == {
        "address": expected["address"],
        "subtotal": "79.00",
        "discount": "0.00",
        "delivery": {"price": "0.00"},
        "tax": None,
        "total": "79.00",
    }
    assert started["total"] == expected["total"] == "79.00"


async def test_order_of_session_is_there_once_paid_and_only_for_its_buyer(
    open_shop: OpenShop, ada: Customer, goods: Goods, provider: Provider, session: AsyncSession
) -> None:
    await ada.ask(ADD, variant=str(goods.variant_id))
    paid = (await ada.ask(START))["startCheckout"]["sessionId"]
    before = await ada.ask(OF_SESSION, session=paid)
    provider.pay(paid)
    order = (await ada.ask(COMPLETE, session=paid))["completeCheckout"]["order"]
    bob = await open_shop.let_in(await make_shopper(session))

    after, strangers, nonsense = [
        (await who.ask(OF_SESSION, session=asked))["viewer"]["orderOfSession"]
        for who, asked in ((ada, paid), (bob, paid), (ada, "cs_é\0"))
    ]

    assert before["viewer"]["orderOfSession"] is None
    assert after == {"number": order["number"]}
    assert (strangers, nonsense) == (None, None)


@pytest.mark.spec("roles.customer")
async def test_somebody_elses_order_and_session_do_not_exist(
    open_shop: OpenShop, ada: Customer, goods: Goods, provider: Provider, session: AsyncSession
) -> None:
    await ada.ask(ADD, variant=str(goods.variant_id))
    started = (await ada.ask(START))["startCheckout"]
    provider.pay(started["sessionId"])
    order = (await ada.ask(COMPLETE, session=started["sessionId"]))["completeCheckout"]["order"]
    bob = await open_shop.let_in(await make_shopper(session))

    seen = await bob.ask("query ($id: ID!) { viewer { order(id: $id) { id } orders { totalCount } } }", id=order["id"])
    graphql = await bob.browser.post(
        "/graphql", json={"query": COMPLETE, "variables": {"session": started["sessionId"]}}
    )
    rest = await bob.browser.post("/api/payment/checkout-success", json={"session_id": started["sessionId"]})
    listed = await bob.browser.get("/api/orders")

    assert seen == {"viewer": {"order": None, "orders": {"totalCount": 0}}}
    assert graphql.json()["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    assert (rest.status_code, listed.json()) == (404, [])


@pytest.mark.spec("entities.cart", "calls.cart")
async def test_rest_keeps_a_cart(ada: Customer, goods: Goods) -> None:
    small, medium = goods.variants["Indigo", "S"], goods.variants["Indigo", "M"]
    body = {"productId": str(goods.product_id), "quantity": 2, "price": 0.01}

    added = await ada.browser.post("/api/cart", json=body)
    of_a_size = await ada.browser.post("/api/cart", json=body | {"size": "M", "color": "Indigo"})
    ambiguous = await ada.browser.put(f"/api/cart/{goods.product_id}", json={"quantity": 1})
    changed = await ada.browser.put(f"/api/cart/{small}", json={"quantity": 5})
    too_many = await ada.browser.put(f"/api/cart/{small}", json={"quantity": 6})
    removed = await ada.browser.delete(f"/api/cart/{medium}")
    by_product = await ada.browser.put(f"/api/cart/{goods.product_id}", json={"quantity": 1})
    shown = await ada.browser.get("/api/cart")

    assert (added.status_code, of_a_size.status_code) == (201, 201)
    [item] = added.json()["items"]
    assert item == {
        "productId": {
            "_id": str(goods.product_id),
            "name": "Oxford Shirt",
            "image": item["productId"]["image"],
            "price": 49.0,
            "discountedPrice": 39.5,
        },
        "quantity": 2,
        "variantId": str(small),
        "size": "S",
        "color": "Indigo",
        "problem": None,
    }
    assert item["productId"]["image"].startswith("/images/")
    assert ambiguous.status_code == 409
    assert [line["quantity"] for line in changed.json()["items"]] == [5, 2]
    assert (too_many.status_code, too_many.json()) == (409, {"message": LEFT})
    assert [line["variantId"] for line in removed.json()["items"]] == [str(small)]
    assert by_product.json() == shown.json()
    assert shown.json()["items"][0]["quantity"] == 1


BAD_ITEMS: list[tuple[dict[str, Any], int]] = [
    ({}, 400),
    ({"productId": "x", "quantity": 0}, 404),
    ({"productId": "PRODUCT", "quantity": 0}, 400),
    ({"productId": "PRODUCT", "quantity": "2"}, 400),
    ({"productId": "PRODUCT", "quantity": True}, 400),
    ({"productId": "PRODUCT", "quantity": 10**30}, 409),
    ({"productId": "PRODUCT", "quantity": 1, "size": "XXL"}, 400),
    ({"productId": "PRODUCT", "quantity": 1, "color": "a\u0000b"}, 400),
]


@pytest.mark.spec("calls.cart")
async def test_rest_refuses_bad_cart_items(ada: Customer, goods: Goods) -> None:
    for body, status in BAD_ITEMS:
        payload = {name: str(goods.product_id) if value == "PRODUCT" else value for name, value in body.items()}

        answer = await ada.browser.post("/api/cart", json=payload)

        assert answer.status_code == status, (body, answer.text)
        assert (await ada.browser.get("/api/cart")).json() == {"items": []}


@pytest.mark.spec("entities.order", "calls.orders", "calls.payment")
async def test_rest_buys(ada: Customer, goods: Goods, provider: Provider, session: AsyncSession) -> None:
    items = (await ada.browser.post("/api/cart", json={"productId": str(goods.product_id), "quantity": 2})).json()[
        "items"
    ]

    opened = await ada.browser.post("/api/payment/create-checkout-session", json={"items": items})
    again = await ada.browser.post("/api/payment/create-checkout-session", json={})
    [provider_session] = [
        one for one in provider.ledger("sessions") if one["client_secret"] == opened.json()["clientSecret"]
    ]
    unpaid = await ada.browser.post("/api/payment/checkout-success", json={"session_id": provider_session["id"]})
    provider.pay(provider_session["id"])
    paid = await ada.browser.post("/api/payment/checkout-success", json={"session_id": provider_session["id"]})
    orders = await ada.browser.get("/api/orders")
    profile = await ada.browser.get("/api/user/profile")

    assert (opened.status_code, opened.json()) == (201, again.json())
    assert (unpaid.status_code, unpaid.json()) == (
        409,
        {"message": "The payment was not completed. Please try again."},
    )
    assert paid.status_code == 200
    order = paid.json()["order"]
    assert order | {"_id": "", "number": "", "createdAt": "", "products": []} == {
        "_id": "",
        "number": "",
        "createdAt": "",
        "paymentStatus": "paid",
        "products": [],
        "subtotal": 79.0,
        "discountCode": None,
        "discount": 0.0,
        "shipping": 0.0,
        "tax": 0.0,
        "taxIncluded": False,
        "totalAmount": 79.0,
        "refundedAmount": 0.0,
        "shippingAddress": {
            "name": "Ada Lovelace",
            "address1": "1 Quiet Street",
            "address2": "",
            "city": "London",
            "country": "United Kingdom",
            "postalCode": "",
            "phone": "1",
        },
    }
    assert order["createdAt"].endswith("Z")
    [product] = order["products"]
    assert product | {"productId": {}} == {
        "productId": {},
        "quantity": 2,
        "price": 39.5,
        "size": "S",
        "color": "Indigo",
    }
    assert product["productId"]["name"] == "Oxford Shirt"
    assert product["productId"]["imagePath"][0].startswith("/images/")
    assert orders.json() == profile.json()["orders"] == [order]


OTHER_CARTS: list[list[dict[str, Any]]] = [
    [],
    [{"productId": "PRODUCT", "quantity": 1}],
    [{"productId": "PRODUCT", "quantity": 2}, {"productId": "01a1fe12-4e00-7e5d-adcf-6fd1349ac378", "quantity": 1}],
]
NO_CARTS: list[Any] = [{"items": 1}, {"items": [{"quantity": 1}]}, {"items": [{"productId": "x", "quantity": 1}]}, []]


@pytest.mark.spec("calls.payment")
async def test_rest_refuses_items_that_are_not_the_cart(ada: Customer, goods: Goods, session: AsyncSession) -> None:
    product_id = str(goods.product_id)
    await ada.browser.post("/api/cart", json={"productId": product_id, "quantity": 2})
    changed = (409, {"message": "Your cart has changed. Please look at it again."})

    for items in OTHER_CARTS:
        lines = [item | {"productId": product_id} if item["productId"] == "PRODUCT" else item for item in items]
        answer = await ada.browser.post("/api/payment/create-checkout-session", json={"items": lines})
        assert (answer.status_code, answer.json()) == changed
    for body in NO_CARTS:
        answer = await ada.browser.post("/api/payment/create-checkout-session", json=body)
        assert answer.status_code == 400, body

    assert await stock_of(session, goods.variants["Indigo", "S"]) == 5


async def test_rest_takes_items_by_product_too(ada: Customer, goods: Goods) -> None:
    for size in ("S", "M"):
        await ada.browser.post("/api/cart", json={"productId": str(goods.product_id), "quantity": 1, "size": size})

    for product in ({"_id": str(goods.product_id)}, str(goods.product_id)):
        items = [{"productId": product, "quantity": 2}]
        answer = await ada.browser.post("/api/payment/create-checkout-session", json={"items": items})
        assert answer.status_code == 201


async def test_rest_says_why_a_cart_cannot_be_paid_for(ada: Customer, goods: Goods, session: AsyncSession) -> None:
    await ada.browser.post("/api/cart", json={"productId": str(goods.product_id), "quantity": 1})
    product = update(Product).where(Product.id == goods.product_id)
    await session.execute(product.values(price_cents=49, discounted_price_cents=None))
    await session.commit()
    too_little = await ada.browser.post("/api/payment/create-checkout-session", json={})
    await session.execute(product.values(retired_at=func.now()))
    await session.commit()

    retired = await ada.browser.post("/api/payment/create-checkout-session", json={})

    assert (too_little.status_code, too_little.json()) == (400, {"message": str(AmountTooSmall(50))})
    assert (retired.status_code, retired.json()) == (
        409,
        {"message": "Some items can no longer be bought as they are: Oxford Shirt."},
    )


async def test_the_webhook_takes_only_what_the_provider_signed(open_shop: OpenShop) -> None:
    async with httpx.AsyncClient(base_url=open_shop.url) as stranger:
        unsigned = await stranger.post("/api/payment/webhook", json={"id": "evt_1"})
        forged = await stranger.post(
            "/api/payment/webhook", content=b"{}", headers={b"stripe-signature": b"t=1,v1=\xe9"}
        )
        huge = await stranger.post("/api/payment/webhook", content=b"x" * 1_100_000)

    assert (unsigned.status_code, forged.status_code, huge.status_code) == (400, 400, 413)


async def test_an_admin_finds_orders_by_number_and_email(open_shop: OpenShop, session: AsyncSession) -> None:
    admin = await make_shopper(session)
    await session.execute(update(User).where(User.id == admin.id).values(role="admin"))
    bob = await open_shop.let_in(await make_shopper(session))
    numbers = [await add_order(session, bob) for _ in range(2)]
    owner = await open_shop.let_in(admin)
    search = "query ($search: String) { admin { orders(filter: {search: $search}) { totalCount nodes { number } } } }"

    by_number = (await owner.ask(search, search=f"m-{numbers[0]}"))["admin"]["orders"]
    by_email = (await owner.ask(search, search=bob.shopper.email[:12].upper()))["admin"]["orders"]
    nothing = (await owner.ask(search, search="\x00%_"))["admin"]["orders"]

    assert by_number["nodes"] == [{"number": f"M-{numbers[0]}"}]
    assert by_email["totalCount"] == 2
    assert nothing["totalCount"] == 0
    assert (await bob.ask(search))["admin"] is None


async def add_order(session: AsyncSession, customer: Customer) -> int:
    """An order without lines; its number."""
    order = Order(
        user_id=customer.shopper.id,
        email=customer.shopper.email,
        payment_status="paid",
        total_cents=100,
        currency="usd",
        shipping_address={"name": "Bob"},
    )
    session.add(order)
    await session.commit()
    return order.number
