"""The back office's half of the catalogue's schema: products as admins find, make and change them."""

import strawberry

from server.catalog.admin import bulk, creation, editor, listing


@strawberry.type
class AdminFields(bulk.AdminFields, editor.AdminFields, listing.AdminFields): ...


@strawberry.type
class Mutation(bulk.Mutation, editor.Mutation, creation.Mutation): ...
