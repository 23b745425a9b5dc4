"""Pages as the owner writes them, by the API."""

from typing import Any

from tests.catalog.storefront import Storefront, ask

PAGE = "id key path title version isPublished hasChanges publishAt updatedBy"
RESULT = f"""
__typename
... on EditablePage {{ {PAGE} }}
... on InvalidInput {{ errors {{ field message }} }}
... on PageChangedMeanwhile {{ message differences page {{ version title }} }}
"""
CREATE = f"""mutation ($input: CreatePageInput!) {{ createPage(input: $input) {{
  __typename ... on EditablePage {{ {PAGE} }} ... on InvalidInput {{ errors {{ field message }} }}
}} }}"""
UPDATE = f"""mutation ($id: ID!, $version: Int!, $input: UpdatePageInput!) {{
  updatePage(id: $id, version: $version, input: $input) {{ {RESULT} }}
}}"""
PUBLISH = f"""mutation ($id: ID!, $version: Int!, $at: DateTime) {{
  publishPage(id: $id, version: $version, at: $at) {{ {RESULT} }}
}}"""
REVERT = f"""mutation ($id: ID!, $version: Int!, $number: Int) {{
  revertPage(id: $id, version: $version, number: $number) {{ {RESULT} }}
}}"""
UNPUBLISH = "mutation ($id: ID!) { unpublishPage(id: $id) { isPublished } }"
CANCEL = "mutation ($id: ID!) { cancelPublication(id: $id) { publishAt } }"
DELETE = "mutation ($id: ID!) { deletePage(id: $id) { ok } }"
READ = """query Read($path: String!) { page(path: $path) { title description blocks {
  __typename ... on FreeTextBlock { text { source html } }
} } }"""
VERSIONS = "query ($id: ID!) { admin { page(id: $id) { versions { number title publishedBy } } } }"


def text(words: str) -> dict[str, Any]:
    """A block of free text."""
    return {"freeText": {"text": words}}


async def created(shop: Storefront, key: str = "cotton", title: str = "Our cotton") -> Any:
    return (await ask(shop.primary, CREATE, input={"key": key, "title": title}))["createPage"]


async def updated(shop: Storefront, page: Any, *blocks: Any, title: str = "Our cotton", description: str = "") -> Any:
    values = {"title": title, "description": description, "blocks": list(blocks)}
    answer = await ask(shop.primary, UPDATE, id=page["id"], version=page["version"], input=values)
    return answer["updatePage"]


async def published(shop: Storefront, page: Any, at: str | None = None) -> Any:
    answer = await ask(shop.primary, PUBLISH, id=page["id"], version=page["version"], at=at)
    return answer["publishPage"]


async def read(shop: Storefront, path: str = "/pages/cotton") -> Any:
    return (await ask(shop.visitor, READ, path=path))["page"]
