"""Departments and categories in the back office, in the GraphQL schema."""

from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Annotated
from uuid import UUID

import strawberry
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import admin_queries, category_queries, listing
from server.catalog import category_administration as administration
from server.catalog.categories import Categories, CategoryFacts, CategoryPage, DepartmentFacts
from server.catalog.errors import CategoryHasProducts, ChangedMeanwhile
from server.catalog.types import (
    CATEGORIES_ASSUMED,
    POINTS_BY_NAME,
    MeasurementPoint,
    ProductKind,
    SizeSystem,
    category_image,
)
from server.media.graphql import Image
from server.platform.core import errors as refusals
from server.platform.core.context import Context, reading, transaction
from server.platform.core.viewer import Viewer
from server.platform.gql.cost import LIST_SIZE
from server.platform.gql.permissions import AdminOnly, PrimaryAdminOnly
from server.platform.gql.types import Info, InvalidInput, UserError, enum_value


@strawberry.enum(description="Who wears the garments of a department, as product feeds have it.")
class WearerGender(Enum):
    MALE = enum_value("male", "Men or boys.")
    FEMALE = enum_value("female", "Women or girls.")
    UNISEX = enum_value("unisex", "Anyone.")


@strawberry.enum(description="How old those are who wear the garments of a department, as product feeds have it.")
class AgeGroup(Enum):
    NEWBORN = enum_value("newborn", "Up to 3 months.")
    INFANT = enum_value("infant", "3 to 12 months.")
    TODDLER = enum_value("toddler", "1 to 5 years.")
    KIDS = enum_value("kids", "5 to 13 years.")
    ADULT = enum_value("adult", "Teens and older.")


@strawberry.type(description="A category as the back office shows it.")
class EditableCategory:
    key: str = strawberry.field(description="Never changes: `men_jeans`.")
    name: str = strawberry.field(description='What a menu says: "Jeans".')
    heading: str = strawberry.field(description="Above its page; its department's where empty.")
    slug: str = strawberry.field(description="The last part of its page's address.")
    path: str = strawberry.field(description='Of its page: "/category/men/jeans".')
    is_hidden: bool = strawberry.field(
        description="In no menu and without a page. Its products stay on sale: in their department, in searches, and "
        "on their own pages."
    )
    version: int = strawberry.field(description="Counts edits; hand it to `updateCategory`.")
    kind: ProductKind = strawberry.field(description="Kind of clothing.")
    measurement_points: list[MeasurementPoint] = strawberry.field(
        description="What its garments are measured at, in the order of the table."
    )
    size_system: SizeSystem = strawberry.field(description="What its products are made in.")
    product_count: int = strawberry.field(description="Products in it, without those no longer sold.")
    description: str = strawberry.field(description="Words below the heading of its page; empty for none.")
    image: Image | None = strawberry.field(description="Beside those words; null for none.")

    @classmethod
    def of(cls, facts: CategoryFacts, page: CategoryPage, products: int) -> "EditableCategory":
        """From the category's row, what its page shows, and how many products are in it."""
        return cls(
            key=facts.key,
            name=facts.name,
            heading=facts.own_heading or "",
            slug=facts.slug,
            path=facts.path,
            is_hidden=facts.is_marked_hidden,
            version=facts.version,
            kind=ProductKind(key=facts.kind.key, name=facts.kind.name),
            measurement_points=[POINTS_BY_NAME[point] for point in facts.points],
            size_system=SizeSystem.of(facts.size_system),
            product_count=products,
            description=page.description,
            image=category_image(page.image, facts.department.name, facts.name),
        )


@strawberry.type(description="A department as the back office shows it.")
class EditableDepartment:
    key: str = strawberry.field(description="Never changes: `men`.")
    name: str = strawberry.field(description='What a menu says: "Men".')
    heading: str = strawberry.field(description='Above its pages: "Men\'s Collection".')
    slug: str = strawberry.field(description="Its part of its pages' addresses.")
    path: str = strawberry.field(description='Of its page: "/category/men".')
    is_hidden: bool = strawberry.field(description="In no menu, with all of its categories.")
    gender: WearerGender | None = strawberry.field(description="Who wears its garments; null for anyone.")
    age_group: AgeGroup = strawberry.field(description="How old those are who wear them.")
    version: int = strawberry.field(description="Counts edits; hand it to `updateDepartment`.")
    categories: list[EditableCategory] = strawberry.field(
        description="In the order of the menu, hidden ones included.", metadata={LIST_SIZE: CATEGORIES_ASSUMED // 5}
    )

    @classmethod
    def of(cls, facts: DepartmentFacts, categories: list[EditableCategory]) -> "EditableDepartment":
        """From the department's row, and its categories."""
        return cls(
            key=facts.key,
            name=facts.name,
            heading=facts.heading,
            slug=facts.slug,
            path=facts.path,
            is_hidden=facts.is_hidden,
            gender=None if facts.gender is None else WearerGender(facts.gender),
            age_group=AgeGroup(facts.age_group),
            version=facts.version,
            categories=categories,
        )


@strawberry.input(description="A department as it shall be.")
class DepartmentInput:
    name: str = strawberry.field(description='What a menu says: "Kids". At most 60 characters.')
    heading: str = strawberry.field(description='Above its pages: "For Kids". At most 120 characters.')
    slug: str = strawberry.field(description="Its part of addresses: small letters and digits, joined by hyphens.")
    is_hidden: bool = strawberry.field(default=False, description="In no menu, with all of its categories.")
    gender: WearerGender | None = strawberry.field(default=None, description="For product feeds; null for anyone.")
    age_group: AgeGroup = strawberry.field(default=AgeGroup.ADULT, description="For product feeds.")

    def draft(self) -> administration.DepartmentDraft:
        """The draft for the service."""
        gender = None if self.gender is None else self.gender.value
        name, heading = self.name.strip(), self.heading.strip()
        return administration.DepartmentDraft(name, heading, self.slug, self.is_hidden, gender, self.age_group.value)


@strawberry.input(description="A category as it shall be.")
class CategoryInput:
    name: str = strawberry.field(description='What a menu says: "Overshirts". At most 60 characters.')
    slug: str = strawberry.field(description="The last part of its address: small letters, digits and hyphens.")
    heading: str = strawberry.field(
        default="", description="Above its page, at most 120 characters; its department's when empty."
    )
    measurement_points: list[MeasurementPoint] = strawberry.field(
        default_factory=list, description="What its garments are measured at, in the order of the table."
    )
    is_hidden: bool = strawberry.field(default=False, description="In no menu and without a page.")
    size_system: str | None = strawberry.field(
        default=None,
        description="Key of what its products are made in; null keeps it, or is letters. It has all sizes that its "
        "products are made in.",
    )
    description: str = strawberry.field(
        default="", description="Words below the heading of its page, at most 600 characters."
    )
    image_id: strawberry.ID | None = strawberry.field(
        default=None, description="From the upload at `POST /uploads/images`; null for no picture."
    )

    def draft(self) -> administration.CategoryDraft:
        """The draft for the service. Raises InvalidInput for an id that no picture can have."""
        points = tuple(each.value for each in self.measurement_points)
        name, heading, description = self.name.strip(), self.heading.strip(), self.description.strip()
        image = None if self.image_id is None else _image_id(self.image_id)
        return administration.CategoryDraft(
            name, heading, self.slug, points, self.is_hidden, self.size_system, description, image
        )


def _image_id(value: str) -> str:
    try:
        return str(UUID(value))
    except ValueError:
        raise refusals.InvalidInput({"imageId": "Upload this picture again"}) from None


@strawberry.type(description="The categories are as asked.")
class CategoriesChanged:
    departments: list[EditableDepartment] = strawberry.field(description="All of them, as they are now.")


@strawberry.type(description="Somebody else was faster: it is not as it was shown, and nothing was changed.")
class CategoriesChangedMeanwhile(UserError):
    departments: list[EditableDepartment] = strawberry.field(description="All of them, as they are now.")


@strawberry.type(description="A category with products is not deleted.")
class CategoryNotEmpty(UserError):
    product_count: int = strawberry.field(description="Products in it, those no longer sold included.")


ChangeCategoriesResult = Annotated[
    CategoriesChanged | CategoriesChangedMeanwhile | CategoryNotEmpty | InvalidInput,
    strawberry.union("ChangeCategoriesResult", description="What became of any change of departments and categories."),
]
Version = Annotated[int, strawberry.argument(description="`version` of what was edited.")]
DepartmentKey = Annotated[str, strawberry.argument(description="Key of a department: `men`.")]
CategoryKey = Annotated[str, strawberry.argument(description="Key of a category: `men_jeans`.")]
Before = Annotated[
    str | None, strawberry.argument(description="Key of the one that it is placed before; last if null.")
]


@strawberry.type
class CategoryAdminFields:
    """The categories' field of the back office."""

    @strawberry.field(
        description="Departments with their categories in the order of the menu, hidden ones included.",
        permission_classes=[AdminOnly],
    )
    async def departments(self, info: Info) -> list[EditableDepartment]:
        return await _departments(info.context)


@strawberry.type
class CategoryMutations:
    """Changes to departments and categories."""

    @strawberry.mutation(
        description="Adds a department at the end of the menu; it is in the menu once it has a category.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def create_department(
        self,
        info: Info,
        key: Annotated[str, strawberry.argument(description="Its key for good: small letters, digits and hyphens.")],
        input: Annotated[DepartmentInput, strawberry.argument(description="The department.")],
    ) -> ChangeCategoriesResult:
        return await _change(
            info, lambda session, actor: administration.create_department(session, key, input.draft(), actor)
        )

    @strawberry.mutation(
        description="Adds a category at the end of its department; the kind as well, if there is none of this key.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def create_category(
        self,
        info: Info,
        department: DepartmentKey,
        kind: Annotated[str, strawberry.argument(description="Key of its kind, which may be a new one: `jackets`.")],
        input: Annotated[CategoryInput, strawberry.argument(description="The category.")],
    ) -> ChangeCategoriesResult:
        return await _change(
            info, lambda session, actor: administration.create_category(session, department, kind, input.draft(), actor)
        )

    @strawberry.mutation(
        description="Makes a department what the input says; addresses of before lead to the new ones.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def update_department(
        self,
        info: Info,
        key: DepartmentKey,
        version: Version,
        input: Annotated[DepartmentInput, strawberry.argument(description="As it shall be.")],
    ) -> ChangeCategoriesResult:
        return await _change(
            info, lambda session, actor: administration.update_department(session, key, version, input.draft(), actor)
        )

    @strawberry.mutation(
        description="Makes a category what the input says; its address of before leads to the new one.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def update_category(
        self,
        info: Info,
        key: CategoryKey,
        version: Version,
        input: Annotated[CategoryInput, strawberry.argument(description="As it shall be.")],
    ) -> ChangeCategoriesResult:
        return await _change(
            info, lambda session, actor: administration.update_category(session, key, version, input.draft(), actor)
        )

    @strawberry.mutation(
        description="Renames a kind of clothing, as searches and reports call it in all departments.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def rename_kind(
        self,
        info: Info,
        key: Annotated[str, strawberry.argument(description="Key of a kind: `jeans`.")],
        name: Annotated[str, strawberry.argument(description="At most 60 characters.")],
    ) -> ChangeCategoriesResult:
        return await _change(info, lambda session, actor: administration.rename_kind(session, key, name, actor))

    @strawberry.mutation(
        description="Places a department elsewhere in the menu.", permission_classes=[PrimaryAdminOnly]
    )
    async def move_department(self, info: Info, key: DepartmentKey, before: Before = None) -> ChangeCategoriesResult:
        return await _change(info, lambda session, actor: administration.move_department(session, key, before, actor))

    @strawberry.mutation(
        description="Places a category elsewhere in its department.", permission_classes=[PrimaryAdminOnly]
    )
    async def move_category(self, info: Info, key: CategoryKey, before: Before = None) -> ChangeCategoriesResult:
        return await _change(info, lambda session, actor: administration.move_category(session, key, before, actor))

    @strawberry.mutation(
        description="Moves all products of a category into another one and deletes it. Its address leads there, and "
        "reports count its sales there.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def merge_categories(
        self,
        info: Info,
        key: CategoryKey,
        into: Annotated[str, strawberry.argument(description="Key of the category that stays.")],
    ) -> ChangeCategoriesResult:
        return await _change(info, lambda session, actor: administration.merge_categories(session, key, into, actor))

    @strawberry.mutation(
        description="Deletes a department that has no category.", permission_classes=[PrimaryAdminOnly]
    )
    async def delete_department(self, info: Info, key: DepartmentKey) -> ChangeCategoriesResult:
        return await _change(info, lambda session, actor: administration.delete_department(session, key, actor))

    @strawberry.mutation(
        description="Deletes a category in which no product ever was, or from which all have gone.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def delete_category(self, info: Info, key: CategoryKey) -> ChangeCategoriesResult:
        return await _change(info, lambda session, actor: administration.delete_category(session, key, actor))


async def _change(
    info: Info, change: Callable[[AsyncSession, Viewer], Awaitable[object]]
) -> CategoriesChanged | CategoriesChangedMeanwhile | CategoryNotEmpty | InvalidInput:
    """Changes departments or categories in a transaction; what refuses it is the result."""
    context: Context = info.context
    try:
        async with transaction(context) as session:
            await change(session, context.signed_in)
    except refusals.InvalidInput as error:
        return InvalidInput.of(error)
    except ChangedMeanwhile as error:
        return CategoriesChangedMeanwhile(message=str(error), departments=await _departments(context))
    except CategoryHasProducts as error:
        return CategoryNotEmpty(message=str(error), product_count=error.products)
    await listing.after_change(context)
    return CategoriesChanged(departments=await _departments(context))


async def _departments(context: Context) -> list[EditableDepartment]:
    async with reading(context) as session:
        categories = await category_queries.categories(session)
        products = await admin_queries.products_by_category(session)
    return _editable(categories, products)


def _editable(categories: Categories, products: dict[str, int]) -> list[EditableDepartment]:
    by_department: dict[str, list[EditableCategory]] = {each.key: [] for each in categories.departments}
    for each in categories.rows:
        row = EditableCategory.of(each, categories.page_of(each.key), products.get(each.key, 0))
        by_department[each.department.key].append(row)
    return [EditableDepartment.of(each, by_department[each.key]) for each in categories.departments]
