import asyncio
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import listing
from server.catalog.drafts import NO_SUCH_IMAGE
from tests.catalog.goods import BLACK, RUST, SKY, put_on_offer
from tests.catalog.storefront import Storefront, ask, graphql
from tests.media.drawings import drawn
from tests.statements import counted_statements

MADE_UP = "6f1d3c1e-8a57-4c39-9d6e-2b7f0c5a9e14"
DEPARTMENTS = "There is no department 'MEN': men, women."
KINDS = "There is no kind 'coats': shirts, jeans, trousers."
CREATE = """
mutation Create($product: CreateProductInput!) {
  createProduct(input: $product) {
    __typename
    ... on ProductCreated {
      product { id name title price discountedPrice discountPercentage chargedPrice stock
        colors { name hex images { alt } } variants { size stock color { name } } images { width alt } }
    }
    ... on InvalidInput { message field errors { field message } }
  }
}
"""
CARDS = """
query Cards($filter: ProductFilter, $first: Int!, $after: String, $sort: ProductSort! = FEATURED) {
  products(filter: $filter, first: $first, after: $after, sort: $sort) {
    totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes {
      id name title subtitle price discountedPrice discountPercentage stock sizes
      colors { id name hex images { id alt width height placeholder
        avif: srcset(format: AVIF) webp: srcset url(width: 600, format: JPEG) } }
      variants { id sku size stock inStock color { id } }
    }
  }
}
"""


def new_product(image_id: str, **changes: Any) -> dict[str, Any]:
    product = {
        "name": "Oxford Shirt",
        "subtitle": "Washed cotton",
        "description": "A paragraph.",
        "price": "89.90",
        "discountedPrice": "67.43",
        "category": "men_shirts",
        "colors": [{"name": "Sky", "hex": "#B9CCE3"}, {"hex": "#000"}],
        "sizes": ["M", "S"],
        "stock": 5,
        "images": [{"imageId": image_id, "color": 1, "alt": "Black, front"}, {"imageId": image_id}],
    }
    return {**product, **changes}


async def upload(storefront: Storefront) -> str:
    response = await storefront.admin.post("/uploads/images", content=drawn("JPEG", (600, 800)))
    return str(response.json()["id"])


async def test_a_page_of_24_cards_is_one_statement_and_soon_none(storefront: Storefront, session: AsyncSession) -> None:
    for number in range(25):
        await put_on_offer(session, f"Shirt {number}", colors=(SKY, BLACK), pictures=3)

    with counted_statements("products") as statements:
        first = await ask(storefront.visitor, CARDS, first=24)
    sent = len(statements)
    async with asyncio.timeout(30):
        while statements:
            with counted_statements("products") as statements:
                again = await ask(storefront.visitor, CARDS, first=24)
    with counted_statements("products") as of_a_shopper:
        signed_in = await ask(storefront.shopper, CARDS, first=24)
    with counted_statements("products") as of_an_admin:
        editing = await ask(storefront.admin, CARDS, first=24)

    assert sent == 1
    assert (of_a_shopper, of_an_admin) == ([], [])
    assert again == signed_in == editing == first
    assert first["products"]["totalCount"] == 25
    assert len(first["products"]["nodes"]) == 24


@pytest.mark.parametrize(("seconds", "readings"), [(60.0, 0), (0.0, 1)])
async def test_a_new_question_is_told_numbers_of_pieces_that_were_read_a_moment_ago(
    storefront: Storefront, session: AsyncSession, monkeypatch: pytest.MonkeyPatch, seconds: float, readings: int
) -> None:
    monkeypatch.setattr(listing, "CHECK_SECONDS", seconds)
    await put_on_offer(session, stock=50)
    await ask(storefront.visitor, "{ products(first: 2) { nodes { stock } } }")
    storefront.visitor.event_hooks = {}  # Each request would see to it that nothing older is told.

    with counted_statements("variants") as statements:
        answer = await ask(storefront.visitor, "{ products(first: 3) { nodes { stock } } }")

    assert answer["products"]["nodes"] == [{"stock": 100}]
    assert len(statements) == readings


async def test_a_kept_answer_is_renewed_soon_after_a_change_by_anybody(
    storefront: Storefront, session: AsyncSession
) -> None:
    query = "{ products { totalCount } }"
    before = await ask(storefront.visitor, query)

    await put_on_offer(session)

    assert before == {"products": {"totalCount": 0}}
    async with asyncio.timeout(30):
        while await ask(storefront.visitor, query) != {"products": {"totalCount": 1}}:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@pytest.mark.spec("entities.product.alt")
async def test_a_product_tells_everything_about_itself(storefront: Storefront, session: AsyncSession) -> None:
    product_id = await put_on_offer(
        session, price=8_990, discounted=6_750, colors=(SKY, BLACK), stock={("Sky", "S"): 3}, pictures=1
    )
    query = """
    query Product($id: ID!) { product(id: $id) {
      name category { key name path productCount department { key } kind { key } } price discountedPrice
      discountPercentage chargedPrice stock sizes isRetired
      details { label text }
      colors { name hex images { alt width height url srcset(format: AVIF) } }
      variants { size stock inStock color { name } }
      images { alt }
    } }
    """

    product = (await ask(storefront.visitor, query, id=str(product_id)))["product"]

    image = product["colors"][0]["images"][0]
    assert image["url"].endswith("/900.webp")
    assert image["srcset"].count(".avif ") == 7
    assert (image["width"], image["height"], image["alt"]) == (1200, 1600, "Men's Oxford Shirt")
    assert [color.pop("images") is not None for color in product["colors"]] == [True, True]
    assert product == {
        "name": "Oxford Shirt",
        "category": {
            "key": "men_shirts",
            "name": "Shirts",
            "path": "/category/men/shirts",
            "productCount": 1,
            "department": {"key": "men"},
            "kind": {"key": "shirts"},
        },
        "price": "89.90",
        "discountedPrice": "67.50",
        "discountPercentage": 25,
        "chargedPrice": "67.50",
        "stock": 3,
        "sizes": ["S", "M"],
        "isRetired": False,
        "details": [{"label": "Care", "text": "Wash at 40 °C."}],
        "colors": [{"name": "Sky", "hex": "#b9cce3"}, {"name": "Black", "hex": "#25262a"}],
        "variants": [
            {"size": "S", "stock": 3, "inStock": True, "color": {"name": "Sky"}},
            {"size": "M", "stock": 0, "inStock": False, "color": {"name": "Sky"}},
            {"size": "S", "stock": 0, "inStock": False, "color": {"name": "Black"}},
            {"size": "M", "stock": 0, "inStock": False, "color": {"name": "Black"}},
        ],
        "images": [{"alt": "Men's Oxford Shirt"}, {"alt": "Men's Oxford Shirt"}],
    }


@pytest.mark.parametrize("product_id", ["x", "", MADE_UP, "\x00"])
async def test_a_product_that_does_not_exist_is_null(storefront: Storefront, product_id: str) -> None:
    query = "query Product($id: ID!) { product(id: $id) { name } }"

    assert await ask(storefront.visitor, query, id=product_id) == {"product": None}


async def test_cursors_lead_through_the_whole_list(storefront: Storefront, session: AsyncSession) -> None:
    for number in range(5):
        await put_on_offer(session, f"Shirt {number}", price=1_000 * (number + 1))
    names, after = [], None

    for _ in range(3):
        page = (await ask(storefront.visitor, CARDS, first=2, after=after, sort="PRICE_DESCENDING"))["products"]
        assert page["pageInfo"]["hasPreviousPage"] is (after is not None)
        names.append([node["name"] for node in page["nodes"]])
        after = page["pageInfo"]["endCursor"]

    assert names == [["Shirt 4", "Shirt 3"], ["Shirt 2", "Shirt 1"], ["Shirt 0"]]
    assert page["pageInfo"]["hasNextPage"] is False


@pytest.mark.parametrize("after", ["", "x", "bmV3ZXN0HzEfMg", "ZmVhdHVyZWQfOTk5OTk5OTk5OTk5HzAxOTAwMDAw", "\x00"])
async def test_a_cursor_of_something_else_is_refused(storefront: Storefront, after: str) -> None:
    answer = await graphql(storefront.visitor, CARDS, first=2, after=after)

    assert answer["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"


@pytest.mark.parametrize("first", [0, -1, 101])
async def test_a_page_has_1_to_100_products(storefront: Storefront, first: int) -> None:
    answer = await graphql(storefront.visitor, CARDS, first=first)

    assert answer["errors"][0]["extensions"]["code"] in ("BAD_USER_INPUT", "TOO_COSTLY")


COLORS = "query Colors($id: ID!, $first: Int) { product(id: $id) { colors(first: $first) { name } } }"


async def test_as_many_of_a_products_colors_are_told_as_are_asked_for(
    storefront: Storefront, session: AsyncSession
) -> None:
    product_id = str(await put_on_offer(session, colors=(SKY, BLACK, RUST)))

    one = await ask(storefront.visitor, COLORS, id=product_id, first=1)
    most = await ask(storefront.visitor, COLORS, id=product_id, first=100)
    every = await ask(storefront.visitor, COLORS, id=product_id)

    assert [color["name"] for color in one["product"]["colors"]] == [SKY[0]]
    assert [color["name"] for color in most["product"]["colors"]] == [SKY[0], BLACK[0], RUST[0]]
    assert every == most


@pytest.mark.parametrize("first", [0, -1, 101])
async def test_a_products_colors_are_asked_for_1_to_100_at_a_time(
    storefront: Storefront, session: AsyncSession, first: int
) -> None:
    product_id = str(await put_on_offer(session))

    answer = await graphql(storefront.visitor, COLORS, id=product_id, first=first)

    [error] = answer["errors"]
    assert error["message"] == f"`first` is 1 to 100, not {first}."
    assert error["extensions"]["code"] == "BAD_USER_INPUT"
    assert answer["data"] == {"product": None}


@pytest.mark.spec("constants.sizes")
async def test_facets_are_told_with_their_colors_and_sizes_in_order(
    storefront: Storefront, session: AsyncSession
) -> None:
    await put_on_offer(session, "A", price=5_000, colors=(SKY, BLACK), sizes=("M", "S"), stock=0)
    await put_on_offer(session, "B", price=9_000, discounted=8_000, colors=(RUST,), sizes=("XL",))
    query = """
    { products(filter: {department: "men"}) { totalCount facets {
      sizes { size count } colors { name hex count } priceRange { lowest highest } inStock onSale
    } } }
    """

    assert await ask(storefront.visitor, query) == {
        "products": {
            "totalCount": 2,
            "facets": {
                "sizes": [{"size": "S", "count": 1}, {"size": "M", "count": 1}, {"size": "XL", "count": 1}],
                "colors": [
                    {"name": "Black", "hex": "#1f2024", "count": 1},
                    {"name": "Brown", "hex": "#6f4e37", "count": 1},
                    {"name": "Blue", "hex": "#4f73a6", "count": 1},
                ],
                "priceRange": {"lowest": "50.00", "highest": "80.00"},
                "inStock": 1,
                "onSale": 1,
            },
        }
    }


async def test_an_unknown_color_says_which_there_are(storefront: Storefront) -> None:
    answer = await graphql(storefront.visitor, '{ products(filter: {colors: ["Teal"]}) { totalCount } }')

    assert answer["errors"][0]["message"].startswith("There is no color 'Teal': Black, Gray, White, Beige,")


async def test_what_goes_with_several_products_is_one_statement_more(
    storefront: Storefront, session: AsyncSession
) -> None:
    for number in range(4):
        await put_on_offer(session, f"Shirt {number}")

    with counted_statements("products") as statements:
        data = await ask(storefront.visitor, "{ products(first: 2) { nodes { related(first: 2) { name } } } }")

    assert len(statements) == 2
    assert [len(node["related"]) for node in data["products"]["nodes"]] == [2, 2]


async def test_search_corrects_and_suggests(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session, "Oxford Shirt")
    query = (
        "query S($q: String!) { search(query: $q) { products { nodes { name } totalCount } suggestions corrected } }"
    )

    assert await ask(storefront.visitor, query, q="oxfrod") == {
        "search": {
            "products": {"nodes": [{"name": "Oxford Shirt"}], "totalCount": 1},
            "suggestions": ["oxford shirts"],
            "corrected": "oxford",
        }
    }
    assert await ask(storefront.visitor, query, q="\x00o") == {
        "search": {"products": {"nodes": [], "totalCount": 0}, "suggestions": [], "corrected": None}
    }


@pytest.mark.spec("constants.sizes", "constants.image.types")
async def test_the_shop_tells_its_limits_and_keys(storefront: Storefront) -> None:
    query = """
    { shop { name email currency sizes imageTypes stripePublishableKey googleClientId
      limits { addresses cartLines imagesPerProduct imageBytes } }
      categories { id key name heading path department { key name path } kind { key name } productCount } }
    """

    data = await ask(storefront.visitor, query)

    assert data["shop"] == {
        "name": "Minimal",
        "email": "shop@minimal.test",
        "currency": "USD",
        "sizes": ["XS", "S", "M", "L", "XL", "XXL"],
        "imageTypes": ["image/jpeg", "image/png", "image/webp", "image/avif"],
        "stripePublishableKey": "pk_test_minimal",
        "googleClientId": "minimal-demo.apps.googleusercontent.com",
        "limits": {"addresses": 10, "cartLines": 90, "imagesPerProduct": 12, "imageBytes": 15_000_000},
    }
    assert [(category["key"], category["name"]) for category in data["categories"]] == [
        ("men_shirts", "Shirts"),
        ("men_jeans", "Jeans"),
        ("women_shirts", "Shirts"),
        ("women_jeans", "Jeans"),
        ("women_trousers", "Trousers"),
    ]
    assert data["categories"][-1] == {
        "id": "women_trousers",
        "key": "women_trousers",
        "name": "Trousers",
        "heading": "Women's Collection",
        "path": "/category/women/trousers",
        "department": {"key": "women", "name": "Women", "path": "/category/women"},
        "kind": {"key": "trousers", "name": "Trousers"},
        "productCount": 0,
    }


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ('products(filter: { department: "MEN" }) { totalCount }', "department", DEPARTMENTS),
        ('products(filter: { kind: "coats" }) { totalCount }', "kind", KINDS),
        ('search(query: "linen") { products(filter: { kind: "coats" }) { totalCount } }', "kind", KINDS),
        ('admin { products(filter: { department: "MEN" }) { totalCount } }', "department", DEPARTMENTS),
        ('admin { stock(filter: { department: "MEN" }) { totalCount } }', "department", DEPARTMENTS),
    ],
)
async def test_an_unknown_key_of_a_category_is_refused_with_those_there_are(
    storefront: Storefront, query: str, field: str, message: str
) -> None:
    answer = (await storefront.admin.post("/graphql", json={"query": f"{{ {query} }}"})).json()

    assert answer["errors"][0]["extensions"] == {"code": "BAD_USER_INPUT", "fields": {field: message}}


async def test_a_product_in_no_category_is_refused_with_those_there_are(storefront: Storefront) -> None:
    product = new_product(await upload(storefront)) | {"category": "men_trousers"}

    result = (await ask(storefront.primary, CREATE, product=product))["createProduct"]

    assert result["errors"] == [
        {
            "field": "category",
            "message": "There is no category 'men_trousers': men_shirts, men_jeans, women_shirts, women_jeans, "
            "women_trousers.",
        }
    ]


async def test_the_primary_admin_creates_a_product(storefront: Storefront) -> None:
    image_id = await upload(storefront)

    result = (await ask(storefront.primary, CREATE, product=new_product(image_id)))["createProduct"]

    product = result["product"]
    assert result["__typename"] == "ProductCreated"
    assert (product["price"], product["discountedPrice"], product["discountPercentage"]) == ("89.90", "67.43", 25)
    assert [(each["color"]["name"], each["size"], each["stock"]) for each in product["variants"]] == [
        ("Sky", "S", 2),
        ("Sky", "M", 1),
        ("black", "S", 1),
        ("black", "M", 1),
    ]
    assert [[image["alt"] for image in color["images"]] for color in product["colors"]] == [
        ["Oxford Shirt"],
        ["Black, front", "Oxford Shirt"],
    ]
    assert await ask(storefront.visitor, "{ products { totalCount } }") == {"products": {"totalCount": 1}}


async def test_a_refused_product_names_every_broken_rule(storefront: Storefront) -> None:
    empty = new_product("x", name=" ", price="0", colors=[], sizes=[], images=[], stock=0)
    unknown = new_product(str(uuid4()))

    first = (await ask(storefront.primary, CREATE, product=empty))["createProduct"]
    second = (await ask(storefront.primary, CREATE, product=unknown))["createProduct"]

    assert (first["message"], first["field"]) == ("Product name is required", "name")
    assert [error["field"] for error in first["errors"]] == ["name", "price", "stock", "images", "colors", "sizes"]
    assert second["errors"] == [{"field": "images", "message": NO_SUCH_IMAGE}]


async def test_other_admins_may_not_create_or_delete(storefront: Storefront, session: AsyncSession) -> None:
    product_id = await put_on_offer(session)
    delete = "mutation Delete($id: ID!) { retireProduct(id: $id) { id } }"

    created = await graphql(storefront.admin, CREATE, product=new_product(str(uuid4())))
    deleted = await graphql(storefront.admin, delete, id=str(product_id))

    for answer in (created, deleted):
        assert answer["errors"][0]["message"] == "You lack privileges to use these controls"
        assert answer["errors"][0]["extensions"]["code"] == "FORBIDDEN"


@pytest.mark.spec("screens.admin.products")
async def test_a_deleted_product_is_listed_only_when_admins_ask_for_it(
    storefront: Storefront, session: AsyncSession
) -> None:
    product_id = str(await put_on_offer(session))
    delete = "mutation Delete($id: ID!) { retireProduct(id: $id) { id isRetired } }"
    listed = """
    query Listed($filter: AdminProductFilter) { admin { products(filter: $filter) { totalCount nodes { isRetired } } } }
    """

    deleted = await ask(storefront.primary, delete, id=product_id)

    assert deleted == {"retireProduct": {"id": product_id, "isRetired": True}}
    assert await ask(storefront.visitor, "{ products { totalCount } }") == {"products": {"totalCount": 0}}
    assert (await ask(storefront.admin, listed))["admin"]["products"]["totalCount"] == 0
    with_retired = await ask(storefront.admin, listed, filter={"includeRetired": True})
    assert with_retired["admin"]["products"] == {"totalCount": 1, "nodes": [{"isRetired": True}]}


@pytest.mark.spec("screens.admin.products", "constants.admin.filter")
@pytest.mark.parametrize(
    ("filter", "search", "expected"),
    [
        ({}, None, {"Shirt", "Jean", "Blouse"}),
        ({"department": "men"}, None, {"Shirt", "Jean"}),
        ({"department": "women"}, None, {"Blouse"}),
        ({"onSale": True}, None, {"Jean"}),
        ({}, "jEa", {"Jean"}),
        ({"department": "women"}, "jean", set()),
    ],
)
async def test_the_product_control_filters_by_category_and_name(
    storefront: Storefront, session: AsyncSession, filter: dict[str, object], search: str | None, expected: set[str]
) -> None:
    await put_on_offer(session, "Shirt")
    await put_on_offer(session, "Jean", category="men_jeans", discounted=5_000)
    await put_on_offer(session, "Blouse", category="women_shirts")
    query = """
    query Listed($filter: AdminProductFilter!, $search: String) {
      admin { products(filter: $filter, search: $search) { nodes { name } } }
    }
    """

    data = await ask(storefront.admin, query, filter=filter, search=search)

    assert {node["name"] for node in data["admin"]["products"]["nodes"]} == expected
