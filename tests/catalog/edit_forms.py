"""A product as the back office's form sends it."""

from typing import Any

from tests.catalog.storefront import Storefront, ask

SHEET = """query ($id: ID!) { admin { product(id: $id) {
  version name subtitle description price category { key } sold reserved changedBy
  colors { id name hex } variants { colorId size stock sku } pictures { alt image { id } } } } }"""
EDIT = """mutation ($id: ID!, $version: Int!, $product: UpdateProductInput!) {
  updateProduct(id: $id, version: $version, input: $product) {
    __typename
    ... on ProductUpdated { product { version price product { price stock } } }
    ... on ProductChangedMeanwhile { message product { version price } }
    ... on InvalidInput { errors { field message } } } }"""


async def form_of(storefront: Storefront, product_id: object) -> tuple[dict[str, Any], int]:
    """What the editor would send without any change, and the version it was filled from."""
    sheet = (await ask(storefront.admin, SHEET, id=str(product_id)))["admin"]["product"]
    places = [color["id"] for color in sheet["colors"]]
    form = {name: sheet[name] for name in ("name", "subtitle", "description", "price")}
    form["category"] = sheet["category"]["key"]
    form["colors"] = sheet["colors"]
    form["sizes"] = sorted({each["size"] for each in sheet["variants"]})
    form["variants"] = [
        {
            "color": places.index(each["colorId"]),
            "size": each["size"],
            "stock": each["stock"],
            "seenStock": each["stock"],
        }
        for each in sheet["variants"]
    ]
    form["images"] = [{"imageId": each["image"]["id"], "alt": each["alt"]} for each in sheet["pictures"]]
    return form, sheet["version"]
