"""Account deletion and data export in the GraphQL schema."""

from typing import Annotated

import strawberry

from server.identity import accounts, browser_sessions, profiles
from server.identity import service as identity
from server.identity.errors import InvalidCredentials as WrongPassword
from server.identity.graphql import InvalidCredentials
from server.platform.core import errors as refusals
from server.platform.core.context import transaction
from server.platform.gql.permissions import RecentSignInWithoutPassword, SignedInOnly
from server.platform.gql.scalars import URL
from server.platform.gql.types import Info, Success, TooManyAttempts, UserError
from server.privacy import errors, service


@strawberry.type(description="Money of the account is still on its way; what comes of it has to reach somebody.")
class PaymentUnderway(UserError): ...


@strawberry.type(description="The primary admin's account cannot be deleted; the mark has to be handed over first.")
class PrimaryAdminStays(UserError): ...


DeleteAccountResult = Annotated[
    Success | InvalidCredentials | PaymentUnderway | PrimaryAdminStays | TooManyAttempts,
    strawberry.union("DeleteAccountResult", description="The account is gone, or why it is not."),
]


@strawberry.type
class PrivacyViewerFields:
    """This domain's fields of the type Viewer."""

    @strawberry.field(
        description="Where a GET answers a JSON file with everything that the shop knows of the viewer. Link to it "
        "from the shop's own pages: a request from elsewhere is refused."
    )
    def data_url(self) -> URL:
        return URL("/account/data")


@strawberry.type
class PrivacyMutations:
    """Deletion of the viewer's account."""

    @strawberry.mutation(
        permission_classes=[SignedInOnly, RecentSignInWithoutPassword],
        description="Deletes the viewer's account for good and signs out everywhere; a mail says that it is done. "
        "Orders stay, without their buyer's account.",
    )
    async def delete_account(
        self,
        info: Info,
        password: Annotated[
            str | None, strawberry.argument(description="Needed when `viewer.hasPassword`; not looked at otherwise.")
        ] = None,
    ) -> DeleteAccountResult:
        shop_url = info.context.site.public_url
        try:
            checked = await profiles.confirm_owner(info.context, password)
            async with transaction(info.context) as session:
                await accounts.locked_by(session, info.context.signed_in)
                await identity.confirm_credentials(session, checked, None)
                user = await identity.own_account(session, checked.id)
                await service.delete_account(session, user, shop_url=shop_url)
        except WrongPassword as error:
            return InvalidCredentials(message=str(error), field="password")
        except errors.PaymentUnderway as error:
            return PaymentUnderway(message=str(error))
        except errors.PrimaryAdminStays as error:
            return PrimaryAdminStays(message=str(error))
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        browser_sessions.leave(info.context)
        return Success()
