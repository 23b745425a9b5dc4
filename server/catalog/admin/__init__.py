"""The back office's half of the catalogue's schema: products as admins find, make and change them."""

import strawberry

from server.catalog.admin import bulk, creation, editor, listing


@strawberry.type
class CatalogAdminFields(
    bulk.BulkChangeAdminFields, editor.ProductEditorAdminFields, listing.ProductListAdminFields
): ...


@strawberry.type
class CatalogAdminMutations(
    bulk.BulkChangeMutations, editor.ProductEditorMutations, creation.CreateProductMutations
): ...
