"""Failed jobs in the GraphQL schema, for admins only."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import strawberry

from server.operations import service
from server.platform.core.context import transaction
from server.platform.core.cursors import decode_cursor
from server.platform.core.text import parse_id
from server.platform.gql.pagination import After, Connection, First, connection
from server.platform.gql.permissions import AdminOnly, PrimaryAdminOnly, RecentSignIn
from server.platform.gql.types import Info, Success

JobId = Annotated[strawberry.ID, strawberry.argument(description="The failed job's id.")]


@strawberry.type(description="Work in the background that is no longer tried by itself. It rests until it is decided.")
class FailedJob:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    kind: str = strawberry.field(description='What was to be done: "mail", "refund", "import_run".')
    reference: str = strawberry.field(description="What it is about: a mail's subject, else an id; empty for neither.")
    attempts: int = strawberry.field(description="How often it was tried.")
    error: str = strawberry.field(description="Why the last attempt failed. Names no person.")
    created_at: datetime = strawberry.field(description="When the work came up.")
    failed_at: datetime = strawberry.field(description="When it was given up.")

    @classmethod
    def of(cls, listed: service.ListedJob) -> "FailedJob":
        """From a listed job."""
        job = listed.job
        return cls(
            id=strawberry.ID(str(job.id)),
            kind=job.kind,
            reference=listed.reference,
            attempts=job.attempts,
            error=job.error,
            created_at=job.created_at,
            failed_at=job.failed_at,
        )


@strawberry.type
class OperationsAdminFields:
    """The failed jobs' fields of the back office."""

    @strawberry.field(
        description="Work in the background that was given up, newest first.", permission_classes=[AdminOnly]
    )
    async def failed_jobs(self, info: Info, first: First = 50, after: After = None) -> Connection[FailedJob]:
        return await connection(
            info,
            first,
            decode_cursor(after, UUID),
            lambda session, limit, place: service.page(session, limit, place and place[0]),
            service.count,
            node=FailedJob.of,
            place=lambda each: (each.job.id,),
        )


@strawberry.type
class OperationsMutations:
    """Restarting and dropping failed jobs."""

    @strawberry.mutation(
        description="Puts a failed job back into its queue, due at once and with all its attempts. A made-up id is a "
        "NOT_FOUND error.",
        permission_classes=[PrimaryAdminOnly, RecentSignIn],
    )
    async def retry_job(self, info: Info, id: JobId) -> Success:
        async with transaction(info.context) as session:
            await service.retry(session, parse_id(id, "This job"), info.context.signed_in)
        return Success()

    @strawberry.mutation(
        description="Takes a failed job off the list: what it was to do is never done. A made-up id is a NOT_FOUND "
        "error.",
        permission_classes=[PrimaryAdminOnly, RecentSignIn],
    )
    async def delete_job(self, info: Info, id: JobId) -> Success:
        async with transaction(info.context) as session:
            await service.drop(session, parse_id(id, "This job"), info.context.signed_in)
        return Success()
