"""Saved reports in the GraphQL schema."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import strawberry

from server.analytics.models import SavedReport as Row
from server.analytics.reports import saved
from server.platform.core import errors as refusals
from server.platform.core.context import transaction
from server.platform.core.text import parse_id
from server.platform.gql.permissions import AdminOnly
from server.platform.gql.types import Info, InvalidInput, Success, UserError


@strawberry.type(description="A report under a name. Every admin sees it, and may change or delete it.")
class SavedReport:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    name: str = strawberry.field(description="What it is called.")
    definition: str = strawberry.field(
        description="The report as the report builder's address writes it: what follows the question mark."
    )
    owner: str = strawberry.field(description="The name of who made it.")
    updated_at: datetime = strawberry.field(description="When it was last changed.")

    @classmethod
    def of(cls, row: Row) -> "SavedReport":
        """From the row of a saved report."""
        return cls(
            id=strawberry.ID(str(row.id)),
            name=row.name,
            definition=row.definition,
            owner=row.owner_name,
            updated_at=row.updated_at,
        )


@strawberry.type(description="There are as many saved reports as there may be.")
class TooManyReports(UserError): ...


@strawberry.input(description="A report and its name.")
class SavedReportInput:
    name: str = strawberry.field(description="1 to 80 characters.")
    definition: str = strawberry.field(description="What follows the question mark in its address.")


ReportId = Annotated[strawberry.ID, strawberry.argument(description="The saved report's id.")]
Whole = Annotated[SavedReportInput, strawberry.argument(description="All of it.")]
SavedReportResult = Annotated[
    SavedReport | InvalidInput | TooManyReports,
    strawberry.union("SavedReportResult", description="The report as it is kept, or why it is not."),
]


@strawberry.type
class SavedReportMutations:
    """Saving and deleting reports."""

    @strawberry.mutation(permission_classes=[AdminOnly], description="Keeps a report under a name for all admins.")
    async def create_saved_report(self, info: Info, input: Whole) -> SavedReportResult:
        return await _save(info, input)

    @strawberry.mutation(permission_classes=[AdminOnly], description="Changes a saved report, for all admins.")
    async def update_saved_report(self, info: Info, id: ReportId, input: Whole) -> SavedReportResult:
        return await _save(info, input, parse_id(id))

    @strawberry.mutation(permission_classes=[AdminOnly], description="Forgets a saved report, for all admins.")
    async def delete_saved_report(self, info: Info, id: ReportId) -> Success:
        async with transaction(info.context) as session:
            await saved.forget(session, info.context.signed_in, parse_id(id))
        return Success()


async def _save(info: Info, input: SavedReportInput, id: UUID | None = None) -> SavedReportResult:
    try:
        async with transaction(info.context) as session:
            report = await saved.save(session, info.context.signed_in, input.name, input.definition, report_id=id)
    except refusals.InvalidInput as error:
        return InvalidInput.of(error)
    except saved.TooManyReports as error:
        return TooManyReports(message=str(error))
    return SavedReport.of(report)
