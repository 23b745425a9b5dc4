"""Size systems in the back office, in the GraphQL schema."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated

import strawberry
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import category_queries, listing, sizes
from server.catalog import size_administration as administration
from server.catalog.categories import CategoryFacts
from server.catalog.errors import ChangedMeanwhile
from server.catalog.errors import SizesInUse as SizesInUseError
from server.catalog.types import CATEGORIES_ASSUMED, Category, SizeAxis, SizeSystem
from server.platform.core import errors as refusals
from server.platform.core.context import Context, reading, transaction
from server.platform.core.viewer import Viewer
from server.platform.gql.cost import LIST_SIZE
from server.platform.gql.permissions import AdminOnly, PrimaryAdminOnly
from server.platform.gql.types import Info, InvalidInput, UserError


@strawberry.type(description="A size system as the back office shows it.")
class EditableSizeSystem:
    key: str = strawberry.field(description="Never changes: `letters`.")
    name: str = strawberry.field(description='"Shoes".')
    market: str = strawberry.field(description='Whose names its sizes have: "EU"; empty when all have the same.')
    axes: list[SizeAxis] = strawberry.field(description="One or two.")
    version: int = strawberry.field(description="Counts edits; hand it to `updateSizeSystem`.")
    categories: list[Category] = strawberry.field(
        description="Those whose products are made in it, hidden ones included.",
        metadata={LIST_SIZE: CATEGORIES_ASSUMED},
    )

    @classmethod
    def of(
        cls, listed: administration.ListedSizeSystem, categories: Mapping[str, CategoryFacts]
    ) -> "EditableSizeSystem":
        """From the system's row with the keys of the categories that name it, and the categories by key."""
        shown = SizeSystem.of(listed.facts)
        return cls(
            key=shown.key,
            name=shown.name,
            market=shown.market,
            axes=shown.axes,
            version=listed.facts.version,
            categories=[Category.of(categories[key]) for key in listed.categories if key in categories],
        )


@strawberry.input(description="What a size is called in another market.")
class SizeLabelInput:
    market: str = strawberry.field(description='"UK". At most 20 characters.')
    name: str = strawberry.field(description='"5". At most 20 characters.')


@strawberry.input(description="A value of an axis.")
class SizeValueInput:
    name: str = strawberry.field(
        description='"38", "W30". At most 20 characters; of two axes, all values have different names.'
    )
    labels: list[SizeLabelInput] = strawberry.field(
        default_factory=list, description="What it is called in other markets, at most 6."
    )


@strawberry.input(description="What is chosen at once.")
class SizeAxisInput:
    name: str = strawberry.field(description='"Size", "Waist".')
    values: list[SizeValueInput] = strawberry.field(description="From small to large, at most 60.")

    def axis(self) -> sizes.SizeAxis:
        """The axis for the service."""
        return sizes.SizeAxis(
            self.name.strip(),
            tuple(
                sizes.SizeValue(
                    value.name.strip(),
                    tuple(sizes.SizeLabel(each.market.strip(), each.name.strip()) for each in value.labels),
                )
                for value in self.values
            ),
        )


@strawberry.input(description="A size system as it shall be, whole: a size that is not named here will not be there.")
class SizeSystemInput:
    name: str = strawberry.field(description='"Shoes". At most 60 characters.')
    axes: list[SizeAxisInput] = strawberry.field(
        description="One, or two: of those a size is a value of each, as `W30 L32`. At most 400 sizes."
    )
    market: str = strawberry.field(
        default="", description='Whose names the sizes have: "EU"; empty when all have the same.'
    )

    def draft(self) -> administration.SizeSystemDraft:
        """The draft for the service."""
        axes = tuple(each.axis() for each in self.axes)
        return administration.SizeSystemDraft(self.name.strip(), self.market.strip(), axes)


@strawberry.type(description="The size systems are as asked.")
class SizeSystemsChanged:
    size_systems: list[EditableSizeSystem] = strawberry.field(description="All of them, as they are now.")


@strawberry.type(description="Somebody else was faster: it is not as it was shown, and nothing was changed.")
class SizeSystemsChangedMeanwhile(UserError):
    size_systems: list[EditableSizeSystem] = strawberry.field(description="All of them, as they are now.")


@strawberry.type(description="What a size is used for.")
class SizeUse:
    size: str = strawberry.field(description='"38".')
    product_count: int = strawberry.field(description="Products made in it, those no longer sold included.")


@strawberry.type(description="Sizes that products are made in are not deleted.")
class SizesInUse(UserError):
    uses: list[SizeUse] = strawberry.field(description="Sizes that would be gone, with their products.")


ChangeSizeSystemsResult = Annotated[
    SizeSystemsChanged | SizeSystemsChangedMeanwhile | SizesInUse | InvalidInput,
    strawberry.union("ChangeSizeSystemsResult", description="What became of any change of size systems."),
]
SystemKey = Annotated[str, strawberry.argument(description="Key of a size system: `shoes`.")]


@strawberry.type
class SizeSystemAdminFields:
    """The size systems' field of the back office."""

    @strawberry.field(
        description="What products can be made in: letters first, others by name.", permission_classes=[AdminOnly]
    )
    async def size_systems(self, info: Info) -> list[EditableSizeSystem]:
        return await _size_systems(info.context)


@strawberry.type
class SizeSystemMutations:
    """Changes to size systems."""

    @strawberry.mutation(
        description="Adds a size system; categories take it by `updateCategory`.", permission_classes=[PrimaryAdminOnly]
    )
    async def create_size_system(
        self,
        info: Info,
        key: Annotated[str, strawberry.argument(description="Its key for good: small letters, digits and hyphens.")],
        input: Annotated[SizeSystemInput, strawberry.argument(description="The system.")],
    ) -> ChangeSizeSystemsResult:
        return await _change(
            info, lambda session, actor: administration.create_size_system(session, key, input.draft(), actor)
        )

    @strawberry.mutation(
        description="Makes a size system what the input says, sizes in that order. Refused when products are made in a "
        "size that would be gone.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def update_size_system(
        self,
        info: Info,
        key: SystemKey,
        version: Annotated[int, strawberry.argument(description="`version` of what was edited.")],
        input: Annotated[SizeSystemInput, strawberry.argument(description="As it shall be.")],
    ) -> ChangeSizeSystemsResult:
        return await _change(
            info, lambda session, actor: administration.update_size_system(session, key, version, input.draft(), actor)
        )

    @strawberry.mutation(
        description="Deletes a size system that no category has.", permission_classes=[PrimaryAdminOnly]
    )
    async def delete_size_system(self, info: Info, key: SystemKey) -> ChangeSizeSystemsResult:
        return await _change(info, lambda session, actor: administration.delete_size_system(session, key, actor))


async def _change(
    info: Info, change: Callable[[AsyncSession, Viewer], Awaitable[object]]
) -> SizeSystemsChanged | SizeSystemsChangedMeanwhile | SizesInUse | InvalidInput:
    """Changes size systems in a transaction; what refuses it is the result."""
    context: Context = info.context
    try:
        async with transaction(context) as session:
            await change(session, context.signed_in)
    except refusals.InvalidInput as error:
        return InvalidInput.of(error)
    except ChangedMeanwhile as error:
        return SizeSystemsChangedMeanwhile(message=str(error), size_systems=await _size_systems(context))
    except SizesInUseError as error:
        uses = [SizeUse(size=size, product_count=products) for size, products in error.products.items()]
        return SizesInUse(message=str(error), uses=uses)
    await listing.after_change(context)
    return SizeSystemsChanged(size_systems=await _size_systems(context))


async def _size_systems(context: Context) -> list[EditableSizeSystem]:
    async with reading(context) as session:
        systems = await administration.size_systems(session)
        categories = await category_queries.categories(session)
    return [EditableSizeSystem.of(each, categories.by_key) for each in systems]
