"""The viewer's addresses in the GraphQL schema."""

from typing import Annotated
from uuid import UUID

import strawberry

from server.config import Settings
from server.identity import errors, models, rules
from server.identity import service as identity
from server.platform.core import countries, postal_addresses
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.text import parse_id
from server.platform.gql.permissions import SignedInOnly
from server.platform.gql.types import Info, InvalidInput, Node, UserError


@strawberry.type(description="Where parcels go.")
class Address(Node):
    id: strawberry.ID = strawberry.field(description="Opaque.")
    name: str = strawberry.field(description="Who gets the parcel.")
    address1: str = strawberry.field(description="Street and number.")
    address2: str = strawberry.field(description="What the street does not say: floor, care of. Often empty.")
    city: str = strawberry.field(description="Town.")
    state: str = strawberry.field(
        description='State, province or prefecture as the post writes it: "CA"; empty where there is none.'
    )
    country: str = strawberry.field(description="English name; empty where nobody could tell which country was meant.")
    country_code: str = strawberry.field(description='ISO 3166 code: "US"; "ZZ" where the country is unknown.')
    postal_code: str = strawberry.field(description="Empty where there is none.")
    phone: str = strawberry.field(description="For the carrier.")
    is_default: bool = strawberry.field(description="Chosen beforehand at checkout; at most one is.")

    @strawberry.field(
        description="The address as its country writes it, in English letters where the country has such a form: line "
        "by line, from the receiver to the country, without the phone."
    )
    def lines(self) -> list[str]:
        return list(postal_addresses.lines_of(vars(self)))

    @classmethod
    def of(cls, row: models.Address) -> "Address":
        """From the row of an address."""
        return cls(
            id=strawberry.ID(str(row.id)),
            name=row.name,
            address1=row.address1,
            address2=row.address2,
            city=row.city,
            state=row.state,
            country=countries.name_of(row.country),
            country_code=row.country,
            postal_code=row.postal_code,
            phone=row.phone,
            is_default=row.is_default,
        )


@strawberry.input(description="An address as it is typed. Up to 200 characters in each line.")
class AddressInput:
    name: str = strawberry.field(description="Who gets the parcel.")
    address1: str = strawberry.field(description="Street and number.")
    address2: str = strawberry.field(default="", description="Floor, care of, and so on.")
    city: str = strawberry.field(description="Town.")
    state: str = strawberry.field(
        default="", description="One of `Shop.states` of the country, by its code or name; ignored where it has none."
    )
    country: str = strawberry.field(description='ISO 3166 code, or the name in English or the country\'s own: "DE".')
    postal_code: str = strawberry.field(default="", description="Postal code, where there is one.")
    phone: str = strawberry.field(description="For the carrier.")
    is_default: bool = strawberry.field(
        default=False, description="Makes it the default instead of the present one; the first always is."
    )

    def form(self) -> rules.AddressForm:
        """The form for the service. Raises InvalidInput."""
        return rules.address(
            rules.AddressForm(
                name=self.name,
                address1=self.address1,
                address2=self.address2,
                city=self.city,
                country=self.country,
                state=self.state,
                postal_code=self.postal_code,
                phone=self.phone,
                is_default=self.is_default,
            )
        )


@strawberry.type
class AddressViewerFields:
    """The addresses of the type Viewer."""

    @strawberry.field(description="Oldest first; ten at most.")
    async def addresses(self, info: Info) -> list[Address]:
        rows = await info.context.load(identity.addresses_of_users, info.context.signed_in.user_id)
        return [Address.of(row) for row in rows or []]


@strawberry.type(description="There are as many addresses as an account may keep.")
class AddressLimitReached(UserError):
    limit: int = strawberry.field(default=0, description="How many that is.")


@strawberry.type(description="The viewer's addresses after the change.")
class Addresses:
    addresses: list[Address] = strawberry.field(description="All of them, oldest first.")
    saved: Address | None = strawberry.field(
        default=None, description="The one that was added or changed, to choose it at once; null after a deletion."
    )


AddressesResult = Annotated[
    Addresses | InvalidInput | AddressLimitReached,
    strawberry.union("AddressesResult", description="The addresses after the change, or why nothing has changed."),
]

AddressId = Annotated[strawberry.ID, strawberry.argument(description="One of the viewer's addresses.")]
AddressArgument = Annotated[AddressInput, strawberry.argument(description="The whole address.")]


@strawberry.type
class AddressMutations:
    """Changes to the viewer's addresses."""

    @strawberry.mutation(permission_classes=[SignedInOnly], description="Keeps an address; the first is the default.")
    async def create_address(self, info: Info, input: AddressArgument) -> AddressesResult:
        user_id, limit = info.context.signed_in.user_id, info.context.resources.get(Settings).limits.max_addresses
        try:
            async with transaction(info.context) as session:
                saved = await identity.add_address(session, user_id, input.form(), limit=limit)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        except errors.AddressLimitReached as error:
            return AddressLimitReached(message=str(error), limit=error.limit)
        return await _addresses(info, saved.id)

    @strawberry.mutation(permission_classes=[SignedInOnly], description="Replaces the whole address.")
    async def update_address(self, info: Info, id: AddressId, input: AddressArgument) -> AddressesResult:
        address_id = parse_id(id, "This address")
        try:
            async with transaction(info.context) as session:
                await identity.change_address(session, info.context.signed_in.user_id, address_id, input.form())
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return await _addresses(info, address_id)

    @strawberry.mutation(
        permission_classes=[SignedInOnly],
        description="Forgets an address. Without the default, the newest that is left becomes the default.",
    )
    async def delete_address(self, info: Info, id: AddressId) -> AddressesResult:
        async with transaction(info.context) as session:
            await identity.delete_address(session, info.context.signed_in.user_id, parse_id(id, "This address"))
        return await _addresses(info)


async def _addresses(info: Info, saved_id: UUID | None = None) -> Addresses:
    async with reading(info.context) as session:
        rows = await identity.addresses_of(session, info.context.signed_in.user_id)
    saved = next((row for row in rows if row.id == saved_id), None)
    return Addresses(addresses=[Address.of(row) for row in rows], saved=Address.of(saved) if saved else None)


async def find_node(info: Info, node_id: UUID) -> Address | None:
    """One of the viewer's addresses."""
    viewer = info.context.viewer
    rows = await info.context.load(identity.addresses_of_users, viewer.user_id) if viewer else None
    return next((Address.of(row) for row in rows or [] if row.id == node_id), None)
