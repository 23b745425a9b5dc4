"""What the owner writes, in the GraphQL schema for the back office."""

import strawberry

from server.content.admin import forms, pages


@strawberry.type
class ContentAdminFields(forms.BlockKindAdminFields, pages.PageAdminFields):
    """Content's fields of the back office."""


@strawberry.type
class ContentMutations(pages.PageMutations):
    """Changes to what the owner writes."""
