"""The shop's settings in the GraphQL schema, for admins."""

from typing import Annotated

import strawberry
from strawberry import UNSET

from server.config import Settings
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.gql.permissions import PrimaryAdminOnly, RecentSignIn
from server.platform.gql.types import Info, InvalidInput
from server.shop import environment, service
from server.shop.service import SettingsCache


@strawberry.type(description="A setting of the environment; it takes a restart to change one.")
class EnvironmentSetting:
    name: str = strawberry.field(description='As the environment has it: "PUBLIC_URL".')
    value: str = strawberry.field(description='What it is; of a secret only "set" or "not set".')
    about: str = strawberry.field(description="What it does.")


@strawberry.type(description="What an owner decides while the shop runs.")
class ShopSettings:
    id: strawberry.ID = strawberry.field(description="Always the same: a shop has one.")
    seller: str = strawberry.field(description="Name and address of who sells, as on invoices, line by line.")
    contact_email: str = strawberry.field(description="Where the shop's people read mail.")
    cancel_minutes: int = strawberry.field(description="Minutes after payment in which a shopper may cancel.")
    return_days: int = strawberry.field(description="Days after payment in which a shopper may ask for a return.")
    low_stock_threshold: int = strawberry.field(description="At so few pieces a variant is low on stock.")
    time_zone: str = strawberry.field(
        description="IANA name of the zone whose days are the shop's, in reports, filters, invoices and files: "
        '"Europe/Lisbon".'
    )
    prices_include_tax: bool = strawberry.field(description="Whether prices have the tax in them.")
    decided: list[str] = strawberry.field(
        description="Names of those that an owner has decided; the others are as the environment says."
    )
    time_zones: list[str] = strawberry.field(description="Every zone there is, to choose from.")
    environment: list[EnvironmentSetting] = strawberry.field(
        description="What only the environment decides, in the order of its documentation."
    )


@strawberry.input(description="Settings to change: what is left out stays, null goes back to the environment's.")
class ShopSettingsInput:
    seller: str | None = strawberry.field(default=UNSET, description="Line by line, up to 1,000 characters.")
    contact_email: str | None = strawberry.field(default=UNSET, description="An e-mail address.")
    cancel_minutes: int | None = strawberry.field(default=UNSET, description="0 to 43,200.")
    return_days: int | None = strawberry.field(default=UNSET, description="0 to 365.")
    low_stock_threshold: int | None = strawberry.field(default=UNSET, description="0 to 1,000.")
    time_zone: str | None = strawberry.field(default=UNSET, description="An IANA name.")
    prices_include_tax: bool | None = strawberry.field(default=UNSET, description="Whether tax is in the prices.")


ChangeSettingsResult = Annotated[
    ShopSettings | InvalidInput,
    strawberry.union("ChangeSettingsResult", description="The settings as they are now, or what is wrong."),
]


@strawberry.type
class ShopAdminFields:
    """The settings' fields of the back office."""

    @strawberry.field(description="What an owner decides while the shop runs, and what the environment does.")
    async def settings(self, info: Info) -> ShopSettings:
        return await _settings(info)

    @strawberry.field(
        description="IANA name of the zone whose days are the shop's: filters, reports and files go by it, and lists "
        "should show their times in it."
    )
    async def time_zone(self, info: Info) -> str:
        return (await service.current(info.context)).time_zone


@strawberry.type
class ShopMutations:
    """Changes to the settings."""

    @strawberry.mutation(
        permission_classes=[PrimaryAdminOnly, RecentSignIn], description="Changes settings of the shop, at once."
    )
    async def change_settings(
        self,
        info: Info,
        settings: Annotated[ShopSettingsInput, strawberry.argument(description="Those to change.")],
    ) -> ChangeSettingsResult:
        wanted = {name: value for name, value in vars(settings).items() if value is not UNSET}
        try:
            async with transaction(info.context) as session:
                await service.change(session, info.context.viewer, wanted, info.context.resources.get(Settings))
        except refusals.InvalidInput as error:
            return InvalidInput.of(refusals.InvalidInput({CAMEL[name]: said for name, said in error.errors.items()}))
        info.context.resources.get(SettingsCache).forget()
        return await _settings(info)


async def _settings(info: Info) -> ShopSettings:
    defaults: Settings = info.context.resources.get(Settings)
    async with reading(info.context) as session:
        found = await service.settings(session, defaults)
        decided = await service.decided(session)
    return ShopSettings(
        id=strawberry.ID("settings"),
        **vars(found),
        decided=[CAMEL[name] for name in decided],
        time_zones=service.time_zones(),
        environment=[EnvironmentSetting(**vars(each)) for each in environment.told(defaults)],
    )


CAMEL = {name: name.split("_")[0] + "".join(map(str.title, name.split("_")[1:])) for name in service.FIELDS}
