"""The client's screens with an address for each."""

import re
from pathlib import Path

import orjson

TABLE = Path(__file__).parents[2] / "client" / "routes.json"
EXAMPLES = {
    "/category/:category": ["/category/men", "/category/women", "/category/sale"],
    "/category/:category/:subcategory": ["/category/men/jeans", "/category/women/trousers", "/category/sale/women"],
}


def screens() -> list[str]:
    """Every address of the client, with something in the place of each id."""
    table = orjson.loads(TABLE.read_bytes())
    paths = [*table["shop"], *table["backOffice"].values()]
    return [path for written in paths for path in EXAMPLES.get(written, [re.sub(r":\w+", "018cc251", written)])]
