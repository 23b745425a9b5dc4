"""Products in the GraphQL schema for admins: listing, creating and changing them."""

import strawberry

from server.catalog.admin import bulk, categories, creation, editor, listing


@strawberry.type
class CatalogAdminFields(
    bulk.BulkChangeAdminFields,
    categories.CategoryAdminFields,
    editor.ProductEditorAdminFields,
    listing.ProductListAdminFields,
):
    """The catalogue's fields of the back office."""


@strawberry.type
class CatalogAdminMutations(
    bulk.BulkChangeMutations,
    categories.CategoryMutations,
    editor.ProductEditorMutations,
    creation.CreateProductMutations,
):
    """Changes to products and categories."""
