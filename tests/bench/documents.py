"""The GraphQL documents of the client, whole: an operation with all fragments that it uses."""

import re
from pathlib import Path

CLIENT = Path(__file__).resolve().parents[2] / "client/src"
_DEFINITION = re.compile(r"^(query|mutation|fragment) (\w+).*?^}", re.MULTILINE | re.DOTALL)

LIGHT = """
query Light($filter: ProductFilter!) {
  products(filter: $filter, first: 24) { nodes { id name price stock colors { name } } }
}
"""
FACETS = """
query Faceted($filter: ProductFilter!) {
  products(filter: $filter, first: 24) {
    totalCount
    nodes { id name price stock colors { name } }
    facets { sizes { size count } colors { name hex count } priceRange { lowest highest } inStock onSale }
  }
}
"""
ADD = """
mutation Add($id: ID!) { addToCart(variantId: $id) { __typename ... on Cart { count subtotal } } }
"""


def of_client(operation: str) -> str:
    """An operation as the browser sends it, with its fragments."""
    definitions = {
        match[2]: match[0] for path in CLIENT.rglob("*.graphql") for match in _DEFINITION.finditer(path.read_text())
    }
    pending, whole = [operation], dict[str, str]()
    while pending:
        name = pending.pop()
        if name not in whole:
            whole[name] = definitions[name]
            pending += re.findall(r"\.\.\.(?!\s*on\b)(\w+)", whole[name])
    return "\n".join(whole.values())
