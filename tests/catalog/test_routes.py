import base64
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from tests.catalog.goods import BLACK, SKY, put_on_offer
from tests.catalog.storefront import Storefront
from tests.media.drawings import drawn, png_claiming

MADE_UP = "6f1d3c1e-8a57-4c39-9d6e-2b7f0c5a9e14"


def data_url(data: bytes, kind: str = "image/jpeg") -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def picture(name: str = "front.jpg", data: bytes | None = None) -> dict[str, str]:
    return {"data": data_url(drawn() if data is None else data), "originalName": name, "type": "image/jpeg"}


def form(**changes: Any) -> dict[str, Any]:
    whole = {
        "name": "Oxford Shirt",
        "subtitle": "Washed cotton",
        "description": "A paragraph.",
        "price": "89.90",
        "discountedPrice": "",
        "discountPercentage": "",
        "category": "men_shirts",
        "gender": "men",
        "stock": "10",
        "colors": ["#B9CCE3", "#000000"],
        "sizes": ["M", "S"],
        "images": [picture("back.jpg"), picture("prod-front.jpg")],
        "totalImages": 2,
    }
    return {**whole, **changes}


@pytest.mark.spec("entities.product", "entities.product.image", "calls.product.lists")
async def test_a_product_has_the_specifications_members(storefront: Storefront, session: AsyncSession) -> None:
    product_id = await put_on_offer(
        session, price=8_990, discounted=6_750, colors=(SKY, BLACK), stock={("Sky", "S"): 3}, pictures=1
    )

    response = await storefront.visitor.get(f"/api/product/{product_id}")

    product = response.json()
    images = product.pop("imagePath")
    assert response.status_code == 200
    assert product == {
        "_id": str(product_id),
        "name": "Oxford Shirt",
        "title": "Men's Oxford Shirt",
        "subtitle": "Washed cotton",
        "description": "A paragraph.",
        "price": 89.9,
        "discountedPrice": 67.5,
        "discountPercentage": 25,
        "image": images[0],
        "colors": ["#b9cce3", "#25262a"],
        "sizes": ["S", "M"],
        "category": "men_shirts",
        "gender": "men",
        "stock": 3,
    }
    assert len(images) == 2
    assert all(address.startswith("/images/") and address.endswith("/900.webp") for address in images)


@pytest.mark.spec("screens.category.list", "calls.product.lists")
@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("men/shirts", ["Best", "Shirt"]),
        ("men/jeans", []),
        ("women/trousers", ["Trouser"]),
        ("sale/women", ["Trouser"]),
        ("sales/women", ["Trouser"]),
        ("sale/men", []),
    ],
)
async def test_a_category_lists_its_products_best_sold_first(
    storefront: Storefront, session: AsyncSession, path: str, names: list[str]
) -> None:
    await put_on_offer(session, "Shirt")
    await put_on_offer(session, "Best", popularity=5)
    await put_on_offer(session, "Trouser", category="women_trousers", discounted=5_000)

    response = await storefront.visitor.get(f"/api/product/{path}")

    assert response.status_code == 200
    assert [product["name"] for product in response.json()] == names


@pytest.mark.parametrize("path", ["men/trousers", "kids/shirts", "sale/jeans", "all/men"])
async def test_a_category_that_does_not_exist_is_404(storefront: Storefront, path: str) -> None:
    response = await storefront.visitor.get(f"/api/product/{path}")

    assert (response.status_code, response.json()) == (404, {"message": "This category does not exist."})


async def test_lists_take_limit_and_offset(storefront: Storefront, session: AsyncSession) -> None:
    for number in range(4):
        await put_on_offer(session, f"Shirt {number}", popularity=9 - number)

    middle = await storefront.visitor.get("/api/product/men/shirts?limit=2&offset=1")
    wrong = await storefront.visitor.get("/api/product/men/shirts?limit=-1")

    assert [product["name"] for product in middle.json()] == ["Shirt 1", "Shirt 2"]
    assert wrong.status_code == 400


@pytest.mark.spec("validation.search", "calls.product.search", "constants.search.length")
async def test_search_answers_five_members_and_nothing_for_one_letter(
    storefront: Storefront, session: AsyncSession
) -> None:
    product_id = await put_on_offer(session, price=8_990, discounted=6_750, pictures=1)

    products = (await storefront.visitor.get("/api/product/search?q=oxf")).json()
    short = (await storefront.visitor.get("/api/product/search?q=o")).json()
    without = (await storefront.visitor.get("/api/product/search")).json()

    [product] = products
    image = product.pop("image")
    assert product == {"_id": str(product_id), "name": "Oxford Shirt", "category": "men_shirts", "price": 89.9}
    assert image.startswith("/images/")
    assert (short, without) == ([], [])


@pytest.mark.spec("calls.product.lists")
async def test_the_admins_list_is_for_admins(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session, "Shirt")
    await put_on_offer(session, "Trouser", category="women_trousers", discounted=5_000)

    refused = [(await client.get("/api/product")).status_code for client in (storefront.visitor, storefront.shopper)]
    listed = (await storefront.admin.get("/api/product")).json()
    on_sale = (await storefront.admin.get("/api/product?category=sale")).json()

    assert refused == [401, 403]
    assert {product["name"] for product in listed} == {"Shirt", "Trouser"}
    assert [product["name"] for product in on_sale] == ["Trouser"]


@pytest.mark.spec("calls.product.lists")
@pytest.mark.parametrize("product_id", ["x", "%00", MADE_UP, "1" * 3_000])
async def test_a_product_that_does_not_exist_is_404(storefront: Storefront, product_id: str) -> None:
    response = await storefront.visitor.get(f"/api/product/{product_id}")

    assert response.status_code == 404
    assert "message" in response.json()


@pytest.mark.spec("entities.product.new", "calls.product.changes")
async def test_the_primary_admin_creates_a_product(storefront: Storefront) -> None:
    response = await storefront.primary.post("/api/product", json=form(discountedPrice=67.43))
    product = response.json()
    seen = (await storefront.visitor.get(f"/api/product/{product['_id']}")).json()
    picture_file = await storefront.visitor.get(product["imagePath"][0])

    assert response.status_code == 201
    assert seen == product
    assert (product["price"], product["discountedPrice"], product["discountPercentage"]) == (89.9, 67.43, 25)
    assert (product["colors"], product["sizes"], product["stock"]) == (["#b9cce3", "#000000"], ["S", "M"], 10)
    assert len(product["imagePath"]) == 2
    assert picture_file.status_code == 200


@pytest.mark.spec("entities.product.new")
async def test_numbers_are_taken_as_numbers_or_as_text(storefront: Storefront) -> None:
    response = await storefront.primary.post(
        "/api/product", json=form(price=89.9, stock=7, discountedPrice=None, discountPercentage=None)
    )

    assert response.status_code == 201
    assert (response.json()["price"], response.json()["stock"]) == (89.9, 7)


@pytest.mark.spec("validation.pictures.order")
async def test_pictures_named_prod_come_first(storefront: Storefront) -> None:
    tall, wide = drawn("PNG", (60, 80)), drawn("PNG", (80, 60))
    images = [picture("back.jpg", wide), picture("prod.jpg", tall)]

    product = (await storefront.primary.post("/api/product", json=form(images=images))).json()

    assert [address.rpartition("/")[2] for address in product["imagePath"]] == ["60.webp", "80.webp"]


@pytest.mark.spec("roles.creation")
async def test_only_the_primary_admin_creates_and_deletes(storefront: Storefront, session: AsyncSession) -> None:
    product_id = await put_on_offer(session)

    created = [await client.post("/api/product", json=form()) for client in (storefront.visitor, storefront.admin)]
    deleted = [await client.delete(f"/api/product/{product_id}") for client in (storefront.visitor, storefront.admin)]

    lacking = {"message": "You lack privileges to use these controls"}
    assert [response.status_code for response in created + deleted] == [401, 403, 401, 403]
    assert (created[1].json(), deleted[1].json()) == (lacking, lacking)
    assert storefront.files() == []


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"name": None}, ["name: Product name is required"]),
        ({"price": "abc"}, ["price: Invalid price value"]),
        ({"price": "1.999"}, ["price: Invalid price value"]),
        ({"price": -1}, ["price: Invalid price value"]),
        ({"discountedPrice": "0"}, ["discountedPrice: Invalid discounted price value"]),
        ({"discountedPrice": "free"}, ["discountedPrice: Invalid discounted price value"]),
        ({"category": ""}, ["category: Product category is required"]),
        ({"category": "women_jeans"}, ["category: Product category is required"]),
        ({"category": "men_trousers"}, ["category: Category of men is one of: shirts, jeans"]),
        ({"gender": ""}, ["gender: Select a gender"]),
        ({"stock": 0}, ["stock: Invalid stock value"]),
        ({"stock": 1.5}, ["stock: Invalid stock value"]),
        ({"images": []}, ["images: Product image is required"]),
        ({"images": [picture()] * 13}, ["images: At most 12 images"]),
        ({"colors": []}, ["colors: At least one color must be selected"]),
        ({"colors": ["red"]}, ["colors: A color is written like #2f4e7d"]),
        ({"sizes": []}, ["sizes: At least one size must be selected"]),
        ({"images": [picture(), picture("b.svg", b"<svg/>")]}, ["images: b.svg: This picture is no JPEG, PNG, WebP"]),
        (
            {"images": [picture(), picture("c.png", png_claiming(30_000, 30_000))]},
            ["images: c.png: This picture"],
        ),
        (
            {"images": [picture(), {"data": "https://x", "originalName": "d"}]},
            ["images: d: This picture is not"],
        ),
        ({"images": [{"data": "data:image/png;base64,@@"}]}, ["images: An image: This picture is not valid base64"]),
        ({"sizes": "M"}, ["sizes: input should be a valid"]),
        ({"name": 5}, ["name: input should be a valid string"]),
    ],
)
async def test_a_refused_product_names_each_field_and_leaves_nothing_behind(
    storefront: Storefront, changes: dict[str, Any], errors: list[str]
) -> None:
    response = await storefront.primary.post("/api/product", json=form(**changes))

    problems = response.json()["errors"]
    assert response.status_code == 400
    assert len(problems) == len(errors)
    assert all(one.startswith(other) for one, other in zip(problems, errors, strict=True)), problems
    assert storefront.files() == []
    assert (await storefront.admin.get("/api/product")).json() == []


async def test_all_refused_pictures_are_named(storefront: Storefront) -> None:
    images = [picture("a.svg", b"<svg/>"), picture(), picture("c.png", png_claiming(30_000, 30_000))]

    response = await storefront.primary.post("/api/product", json=form(images=images))

    assert response.json()["errors"] == [
        "images: a.svg: This picture is no JPEG, PNG, WebP or AVIF file, or its beginning is damaged. "
        "c.png: This picture has too many pixels."
    ]
    assert storefront.files() == []


@pytest.mark.spec("calls.product.changes")
async def test_a_deleted_product_is_answered_and_then_gone_everywhere(
    storefront: Storefront, session: AsyncSession
) -> None:
    product_id = await put_on_offer(session)

    deleted = await storefront.primary.delete(f"/api/product/{product_id}")
    again = await storefront.primary.delete(f"/api/product/{product_id}")
    unknown = await storefront.primary.delete(f"/api/product/{uuid4()}")

    assert (deleted.status_code, deleted.json()["_id"]) == (200, str(product_id))
    assert (again.status_code, unknown.status_code) == (200, 404)
    assert (await storefront.visitor.get(f"/api/product/{product_id}")).status_code == 404
    assert (await storefront.visitor.get("/api/product/men/shirts")).json() == []
    assert (await storefront.visitor.get("/api/product/search?q=oxford")).json() == []
    assert (await storefront.admin.get("/api/product")).json() == []


async def test_a_product_of_more_than_40_mb_in_all_is_refused_before_it_is_looked_at(storefront: Storefront) -> None:
    heavy = {"data": "data:image/png;base64," + "A" * 41_000_000, "originalName": "front.png", "type": "image/png"}

    answer = await storefront.primary.post("/api/product", json={"name": "Oxford Shirt", "images": [heavy]})

    assert answer.status_code == 413
    assert storefront.files() == []


async def test_a_product_of_less_than_40_mb_in_all_is_looked_at(storefront: Storefront) -> None:
    heavy = {"data": "data:image/png;base64," + "A" * 12_000_000, "originalName": "front.png", "type": "image/png"}

    answer = await storefront.primary.post("/api/product", json={"name": "Oxford Shirt", "images": [heavy] * 3})

    assert answer.status_code == 400
    assert "subtitle: Product subtitle is required" in answer.json()["errors"]
