import strawberry
from strawberry.schema.config import StrawberryConfig

from server.platform.gql.cost import LIMIT, LIST_SIZE, CostLimit
from server.platform.gql.introspection_cost import IntrospectionPrice
from server.platform.gql.scalars import SCALARS


@strawberry.type
class Piece:
    name: str = "Oxford Shirt"

    @strawberry.field
    def related(self, first: int = 4) -> list["Piece"]:
        return [Piece()]

    @strawberry.field
    def colors(self, first: int | None = None) -> list["Piece"]:
        return [Piece()]


@strawberry.type
class Page:
    nodes: list[Piece]


@strawberry.type
class Query:
    kinds: list[Piece] = strawberry.field(default_factory=list, metadata={LIST_SIZE: 100})

    @strawberry.field
    def pieces(self, first: int = 24) -> Page:
        return Page(nodes=[Piece()])


schema = strawberry.Schema(
    Query, extensions=[lambda: CostLimit(IntrospectionPrice)], config=StrawberryConfig(scalar_map=SCALARS)
)


async def price(document: str, **variables: object) -> int:
    result = await schema.execute(document, variables)
    assert result.extensions is not None
    return int(result.extensions["cost"]["requested"])


async def test_a_page_costs_its_size_and_the_page_itself() -> None:
    assert await price("{ pieces { nodes { name } } }") == 1 + 24
    assert await price("{ pieces(first: 10) { nodes { name } } }") == 1 + 10
    assert await price("query($n: Int!) { pieces(first: $n) { nodes { name } } }", n=3) == 1 + 3


async def test_a_variable_that_is_left_out_costs_what_the_document_says_instead() -> None:
    document = "query($n: Int = 100) { pieces(first: $n) { nodes { name } } }"

    assert await price(document) == 1 + 100
    assert await price(document, n=3) == 1 + 3


async def test_lists_inside_lists_multiply() -> None:
    assert await price("{ pieces(first: 10) { nodes { colors { name } } } }") == 1 + 10 + 10 * 5
    assert await price("{ pieces(first: 10) { nodes { related { name } } } }") == 1 + 10 + 10 * 4
    assert await price("{ pieces(first: 10) { nodes { colors(first: 2) { name } } } }") == 1 + 10 + 10 * 2


async def test_a_list_costs_the_size_that_its_field_declares() -> None:
    assert await price("{ kinds { name } }") == 100
    assert await price("{ kinds { colors { name } } }") == 100 + 100 * 5


async def test_fragments_and_aliases_hide_nothing() -> None:
    document = """
    { a: pieces(first: 10) { ...page } b: pieces(first: 10) { ...page } }
    fragment page on Page { nodes { ... on Piece { colors { name } } } }
    """

    assert await price(document) == 2 * (1 + 10 + 50)


async def test_what_costs_too_much_is_refused_with_its_price_before_it_runs() -> None:
    result = await schema.execute("{ pieces(first: 100) { nodes { related(first: 100) { name } } } }")

    assert result.data is None
    assert result.errors is not None
    assert result.errors[0].extensions == {"code": "TOO_COSTLY", "cost": 10_101, "limit": LIMIT}
