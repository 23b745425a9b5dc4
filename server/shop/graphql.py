"""The shop's settings in the GraphQL schema, for admins."""

from typing import Annotated, Any, TypeVar

import strawberry
from strawberry import UNSET

from server.config import Settings
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.text import camel_case
from server.platform.gql.permissions import PrimaryAdminOnly, RecentSignIn
from server.platform.gql.types import Info, InvalidInput
from server.shop import environment, service
from server.shop.service import SettingsCache
from server.shop.settings import SETTINGS


@strawberry.type(description="A setting of the environment; it takes a restart to change one.")
class EnvironmentSetting:
    name: str = strawberry.field(description='As the environment has it: "PUBLIC_URL".')
    value: str = strawberry.field(description='What it is; of a secret only "set" or "not set".')
    about: str = strawberry.field(description="What it does.")


Kind = TypeVar("Kind", bound=type)


def _with_settings(kind: Kind) -> Kind:
    """Adds the declared settings to a type, behind its id."""
    first, *others = kind.__annotations__.items()
    kind.__annotations__ = dict([first, *((each.name, each.type) for each in SETTINGS), *others])
    for each in SETTINGS:
        setattr(kind, each.name, strawberry.field(description=each.description))
    return kind


def _with_setting_inputs(kind: Kind) -> Kind:
    """Adds the declared settings to an input. What is left out is UNSET."""
    kind.__annotations__ = {each.name: each.type | None for each in SETTINGS}
    for each in SETTINGS:
        setattr(kind, each.name, strawberry.field(default=UNSET, description=each.input_description))
    return kind


@strawberry.type(description="What an owner decides while the shop runs.")
@_with_settings
class ShopSettings:
    id: strawberry.ID = strawberry.field(description="Always the same: a shop has one.")
    decided: list[str] = strawberry.field(
        description="Names of those that an owner has decided; the others are as the environment says."
    )
    time_zones: list[str] = strawberry.field(description="Every zone there is, to choose from.")
    environment: list[EnvironmentSetting] = strawberry.field(
        description="What only the environment decides, in the order of its documentation."
    )


@strawberry.input(description="Settings to change: what is left out stays, null goes back to the environment's.")
@_with_setting_inputs
class ShopSettingsInput: ...


UpdateSettingsResult = Annotated[
    ShopSettings | InvalidInput,
    strawberry.union("UpdateSettingsResult", description="The settings as they are now, or what is wrong."),
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
    async def update_settings(
        self,
        info: Info,
        input: Annotated[ShopSettingsInput, strawberry.argument(description="Those to change.")],
    ) -> UpdateSettingsResult:
        changes = {name: value for name, value in vars(input).items() if value is not UNSET}
        try:
            async with transaction(info.context) as session:
                await service.change(session, info.context.viewer, changes, info.context.resources.get(Settings))
        except refusals.InvalidInput as error:
            return InvalidInput.of(
                refusals.InvalidInput({camel_case(name): said for name, said in error.errors.items()})
            )
        info.context.resources.get(SettingsCache).forget()
        return await _settings(info)


async def _settings(info: Info) -> ShopSettings:
    defaults: Settings = info.context.resources.get(Settings)
    async with reading(info.context) as session:
        current = await service.settings(session, defaults)
        decided = await service.decided(session)
    values: dict[str, Any] = {
        **vars(current),
        "decided": [camel_case(name) for name in decided],
        "time_zones": service.time_zones(),
        "environment": [EnvironmentSetting(**vars(each)) for each in environment.told(defaults)],
    }
    return ShopSettings(id=strawberry.ID("settings"), **values)
