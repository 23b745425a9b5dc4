"""Imports in the GraphQL schema."""

from datetime import datetime
from enum import Enum

import strawberry

from server.inventory import models
from server.platform.gql.types import enum_value


@strawberry.enum(description="How far an import has come.")
class ImportState(Enum):
    CHECKING = enum_value("checking", "Being looked at.")
    REFUSED = enum_value("refused", "It has problems; nothing has changed.")
    READY = enum_value("ready", "Nothing is wrong with it; it waits to be started.")
    RUNNING = enum_value("running", "Being done. Until it is done, nothing has changed.")
    DONE = enum_value("done", "All of it is done.")
    DISCARDED = enum_value("discarded", "Somebody decided against it, or nobody started it for two days.")


@strawberry.type(description="Something that is wrong in one cell of a file.")
class ImportProblem:
    row: int = strawberry.field(description="As a spreadsheet counts; the header is row 1.")
    line: int = strawberry.field(description="Line of the text file on which that row begins.")
    column: str = strawberry.field(description='Name of the column: "price"; empty when it is about the whole row.')
    cell: str = strawberry.field(description='As a spreadsheet names it: "H12".')
    value: str = strawberry.field(description="What stands there, its first 200 characters.")
    message: str = strawberry.field(description="Words for the person, ready to show.")


@strawberry.type(description="Something that an import changes.")
class ImportChange:
    row: int = strawberry.field(description="As a spreadsheet counts; the header is row 1.")
    sku: str = strawberry.field(description="The row's SKU.")
    name: str = strawberry.field(description="What the product is called now.")
    column: str = strawberry.field(description='What changes: "price".')
    before: str | None = strawberry.field(description="As it is; null for something new.")
    after: str = strawberry.field(description="As it will be.")


@strawberry.type(description="An import in numbers.")
class ImportSummary:
    new_products: int = strawberry.field(description="Products to be made; only the primary admin may start it then.")
    hidden_products: int = strawberry.field(description="Of those, without a picture: they come in retired.")
    new_variants: int = strawberry.field(description="Variants to be made.")
    changed_products: int = strawberry.field(description="Products of which more than stock changes.")
    changed_prices: int = strawberry.field(description="Products whose price or discounted price changes.")
    changed_stock: int = strawberry.field(description="Variants whose stock changes.")
    pieces_added: int = strawberry.field(description="Pieces that come.")
    pieces_removed: int = strawberry.field(description="Pieces that go.")
    unchanged_rows: int = strawberry.field(description="Rows that say what is so already.")
    changes: int = strawberry.field(description="Changes in all.")


@strawberry.type(description="A CSV file that was brought to change products and stock.")
class Import:
    id: strawberry.ID = strawberry.field(description="As `POST /uploads/products` answered it.")
    file_name: str = strawberry.field(description="As the sender called it.")
    created_at: datetime = strawberry.field(description="When it was brought.")
    actor: str = strawberry.field(description="E-mail of who brought it.")
    state: ImportState = strawberry.field(description="How far it has come.")
    rows: int = strawberry.field(description="Rows without the header.")
    rows_done: int = strawberry.field(description="How many of them are worked through, while it runs.")
    problem_count: int = strawberry.field(description="Problems in all.")
    problems: list[ImportProblem] = strawberry.field(description="The first 500, in the order of the file.")
    summary: ImportSummary | None = strawberry.field(description="Null until it has been looked at.")
    changes: list[ImportChange] = strawberry.field(description="The first 500, in the order of the file.")
    finished_at: datetime | None = strawberry.field(description="When it was done, refused or discarded.")

    @classmethod
    def of(cls, row: models.Import) -> "Import":
        """From the row of an import."""
        return cls(
            id=strawberry.ID(str(row.id)),
            file_name=row.file_name,
            created_at=row.created_at,
            actor=row.actor_email,
            state=_STATES[row.state],
            rows=row.rows,
            rows_done=row.rows_done,
            problem_count=row.problem_count,
            problems=[ImportProblem(**each) for each in row.problems],
            summary=ImportSummary(**row.summary) if row.summary else None,
            changes=[ImportChange(**each) for each in row.changes],
            finished_at=row.finished_at,
        )


_STATES = {state.value: state for state in ImportState}
