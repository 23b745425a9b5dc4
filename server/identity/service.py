"""The domain's functions for other domains and the edges: `identity.viewer_now`."""

from datetime import timedelta

from sqlalchemy import delete, func

from server.identity import lockout, recovery, sign_in_log
from server.identity.accounts import (
    ProfileChanges,
    SignInAccount,
    by_email,
    by_ids,
    change_profile,
    confirm_credentials,
    create,
    email_of,
    give_up_email,
    own_account,
    request_admin_access,
    reset_password,
    sign_in_account,
)
from server.identity.acting import viewer_now
from server.identity.addresses import add as add_address
from server.identity.addresses import change as change_address
from server.identity.addresses import get as address
from server.identity.addresses import of_user as addresses_of
from server.identity.addresses import of_users as addresses_of_users
from server.identity.addresses import preferred as preferred_address
from server.identity.addresses import remove as delete_address
from server.identity.admins import (
    UserFilter,
    admin_request_count,
    admin_requests,
    all_user_ids,
    delete_user,
    erase,
    make_primary_admin,
    reject_admin_request,
    sign_out_user,
    toggle_admin,
    user_count,
    users,
)
from server.identity.google import account_of as account_of_google
from server.identity.google import use_token as use_google_token
from server.identity.models import EmailVerification, GoogleToken, KnownDevice, PasswordReset, Session, SignInChallenge
from server.identity.recovery import check_reset_link, request_reset
from server.identity.sessions import end as end_session
from server.identity.sessions import end_other as end_other_session
from server.identity.sessions import end_others as end_other_sessions
from server.identity.sessions import of_users as sessions_of_users
from server.identity.sessions import of_viewer as sessions_of
from server.identity.verification import ask_to_verify
from server.platform.core import failed_jobs, jobs
from server.platform.core.db import begin

__all__ = [
    "HANDLERS",
    "ProfileChanges",
    "SignInAccount",
    "UserFilter",
    "account_of_google",
    "add_address",
    "address",
    "addresses_of",
    "addresses_of_users",
    "admin_request_count",
    "admin_requests",
    "all_user_ids",
    "ask_to_verify",
    "by_email",
    "by_ids",
    "change_address",
    "change_profile",
    "check_reset_link",
    "confirm_credentials",
    "create",
    "delete_address",
    "delete_user",
    "email_of",
    "end_other_session",
    "end_other_sessions",
    "end_session",
    "erase",
    "give_up_email",
    "make_primary_admin",
    "own_account",
    "preferred_address",
    "reject_admin_request",
    "request_admin_access",
    "request_reset",
    "reset_password",
    "sessions_of",
    "sessions_of_users",
    "sign_in_account",
    "sign_out_user",
    "tidy",
    "toggle_admin",
    "use_google_token",
    "user_count",
    "users",
    "viewer_now",
]


HANDLERS = {**recovery.HANDLERS, **lockout.HANDLERS, **sign_in_log.HANDLERS}

FAILED_JOBS_KEPT = timedelta(days=7)
"""Failed jobs of this domain contain an e-mail; a reset link is of no use after this."""


async def tidy(env: jobs.JobEnvironment) -> None:
    """Deletes expired sessions, links, challenges, known devices and Google credentials."""
    async with begin(env.sessions) as session:
        for table in (Session, PasswordReset, EmailVerification, KnownDevice, GoogleToken, SignInChallenge):
            await session.execute(delete(table).where(table.expires_at < func.now()))
        await failed_jobs.forget(session, HANDLERS, FAILED_JOBS_KEPT)
