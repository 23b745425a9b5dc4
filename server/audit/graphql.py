"""The audit log in the GraphQL schema."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import strawberry

from server.audit import models, queries
from server.audit.time_zone import TimeZonePort
from server.platform.core import days
from server.platform.core.context import reading
from server.platform.core.cursors import datetime_key, decode_cursor
from server.platform.core.money import decimal_text
from server.platform.gql.pagination import After, Connection, First, connection
from server.platform.gql.types import Info

CENTS = "_cents"


@strawberry.type(description="One thing that an entry changed.")
class AuditChange:
    name: str = strawberry.field(description='What changed, in words: "discounted price", "address, city".')
    before: str | None = strawberry.field(description="How it was; null where there was nothing.")
    after: str | None = strawberry.field(description="How it is since; null where nothing is left.")
    is_money: bool = strawberry.field(
        description='Whether both are exact decimal amounts in `shop.currency`, such as "19.90".'
    )


@strawberry.type(description="One change made in the back office. It is never rewritten.")
class AuditEntry:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    at: datetime = strawberry.field(description="When it was done.")
    actor: str = strawberry.field(description='The e-mail, at that time, of who did it; or "command line".')
    actor_id: strawberry.ID | None = strawberry.field(
        description="The account of who did it, which may be gone by now; null for the command line."
    )
    action: str = strawberry.field(description='A verb in the past: "price changed", "refunded".')
    kind: str = strawberry.field(description="What kind of thing was changed: `product`, `order`, `user`.")
    subject_id: strawberry.ID = strawberry.field(description="Its id, which may lead nowhere by now.")
    subject: str = strawberry.field(description="What a person called it at that time.")
    changes: list[AuditChange] = strawberry.field(description="Only what differs; empty when the action says it all.")

    @classmethod
    def of(cls, row: models.AuditEntry) -> "AuditEntry":
        """From the row of an entry."""
        return cls(
            id=strawberry.ID(str(row.id)),
            at=row.created_at,
            actor=row.actor_email,
            actor_id=strawberry.ID(str(row.actor_id)) if row.actor_id else None,
            action=row.action,
            kind=row.subject_kind,
            subject_id=strawberry.ID(row.subject_id),
            subject=row.subject_label,
            changes=list(_changes(row.before, row.after)),
        )


@strawberry.type(description="What stands in the log to choose from, in the order of the alphabet.")
class AuditChoices:
    actors: list[str] = strawberry.field(description="Everybody who ever changed something.")
    actions: list[str] = strawberry.field(description="Everything that was ever done.")
    kinds: list[str] = strawberry.field(description="Kinds of things that were ever changed.")


@strawberry.input(description="Narrows the audit log. Members combine with and; null and empty ones narrow nothing.")
class AuditFilter:
    actor: str | None = strawberry.field(default=None, description="`AuditEntry.actor`, whole.")
    action: str | None = strawberry.field(default=None, description="`AuditEntry.action`, whole.")
    kind: str | None = strawberry.field(default=None, description="`AuditEntry.kind`, whole.")
    subject_id: strawberry.ID | None = strawberry.field(
        default=None, description="The history of one thing; best together with `kind`."
    )
    from_: date | None = strawberry.field(
        default=None, name="from", description="On this day or later, in the shop's time zone."
    )
    to: date | None = strawberry.field(default=None, description="On this day or earlier, in the shop's time zone.")
    search: str | None = strawberry.field(default=None, description="Part of a subject, an actor or an action.")

    def criteria(self, time_zone: str) -> queries.AuditEntryFilter:
        """The filter for the query, with days of this time zone."""
        since, before = days.bounds_of(self.from_, self.to, time_zone)
        return queries.AuditEntryFilter(
            actor=self.actor,
            action=self.action,
            kind=self.kind,
            subject_id=self.subject_id,
            since=since,
            before=before,
            search=self.search,
        )


@strawberry.type
class AuditAdminFields:
    """The audit log's fields of the back office."""

    @strawberry.field(description="Who changed what, newest first.")
    async def audit_log(
        self,
        info: Info,
        filter: Annotated[AuditFilter | None, strawberry.argument(description="Everything without one.")] = None,
        first: First = 50,
        after: After = None,
    ) -> Connection[AuditEntry]:
        time_zone = await info.context.resources.get(TimeZonePort).read(info.context)
        criteria = filter.criteria(time_zone) if filter else queries.AuditEntryFilter()
        return await connection(
            info,
            first,
            decode_cursor(after, datetime_key, UUID),
            lambda session, limit, place: queries.entries(session, criteria, limit=limit, after=place),
            lambda session: queries.total(session, criteria),
            node=AuditEntry.of,
            place=lambda row: (row.created_at, row.id),
        )

    @strawberry.field(description="Values that `auditLog` can be narrowed by.")
    async def audit_choices(self, info: Info) -> AuditChoices:
        async with reading(info.context) as session:
            choices = await queries.choices(session)
        return AuditChoices(actors=choices.actors, actions=choices.actions, kinds=choices.kinds)


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[AuditChange]:
    """The changed values, with members of nested objects one by one; equal values are left out."""
    old, new = dict(_members(before)), dict(_members(after))
    for name in {**old, **new}:
        if old.get(name) == new.get(name):
            continue
        is_money = name.endswith(CENTS)
        yield AuditChange(
            name=_in_words(name),
            before=_text(old.get(name), is_money=is_money),
            after=_text(new.get(name), is_money=is_money),
            is_money=is_money,
        )


def _members(values: Mapping[str, Any], inside: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _members(value, f"{inside}{name}, ")
        else:
            yield inside + name, value


def _text(value: Any, *, is_money: bool) -> str | None:
    if is_money and isinstance(value, int):
        return decimal_text(value)
    match value:
        case None:
            return None
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_text(each, is_money=False) or "" for each in value)
        case dict():
            members = ((name, _text(each, is_money=name.endswith(CENTS))) for name, each in value.items())
            return ", ".join(f"{_in_words(name)} {text}" for name, text in members)
        case float():
            return str(Decimal(str(value)).normalize())
        case _:
            return str(value)


def _in_words(name: str) -> str:
    return name.removesuffix(CENTS).replace("_", " ")
