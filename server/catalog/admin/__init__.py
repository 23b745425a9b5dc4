"""Products in the GraphQL schema for admins: listing, creating and changing them."""

import strawberry

from server.catalog.admin import bulk, categories, creation, editor, listing, sizes


@strawberry.type
class CatalogAdminFields(
    bulk.BulkChangeAdminFields,
    categories.CategoryAdminFields,
    editor.ProductEditorAdminFields,
    listing.ProductListAdminFields,
    sizes.SizeSystemAdminFields,
):
    """The catalogue's fields of the back office."""


@strawberry.type
class CatalogAdminMutations(
    bulk.BulkChangeMutations,
    categories.CategoryMutations,
    editor.ProductEditorMutations,
    creation.CreateProductMutations,
    sizes.SizeSystemMutations,
):
    """Changes to products, categories and size systems."""
