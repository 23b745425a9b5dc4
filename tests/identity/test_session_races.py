"""A request that began before its session ended changes nothing of what signs in to the account."""

from collections.abc import Awaitable, Callable, Iterator

import pytest

from server.identity import authentication, password_reset, profiles, providers
from server.identity import service as identity
from server.identity.gateway import GoogleVerifier
from server.platform.core.context import Context
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import Unauthenticated
from tests.identity.conftest import OTHER_PASSWORD, MakeUser, Outbox, RunJobs, SignIn, Visit, link_in
from tests.identity.google_keys import CLIENT_ID, Key, serving

EMAIL = "ann@minimal.test"
KEY = Key("current")
Act = Callable[[Context], Awaitable[object]]
ACTS: dict[str, Act] = {
    "links a Google account": lambda context: providers.link_google(context, KEY.token(email="stranger@gmail.test")),
    "unlinks one": lambda context: providers.unlink_google(context),
    "changes the password": lambda context: profiles.update_profile(context, None, None, "Corduroy&Coat7"),
    "changes the e-mail": lambda context: profiles.update_profile(context, None, "stranger@minimal.test", None),
}


@pytest.fixture(scope="module")
def verifier() -> Iterator[GoogleVerifier]:
    with serving(KEY) as certificates:
        yield GoogleVerifier(CLIENT_ID, certificates.url)


@pytest.mark.parametrize("act", ACTS)
async def test_a_password_reset_ends_requests_of_strangers_under_way(
    act: str,
    sessions: Sessions,
    make_user: MakeUser,
    sign_in: SignIn,
    visit: Visit,
    outbox: Outbox,
    run_jobs: RunJobs,
    verifier: GoogleVerifier,
) -> None:
    user = await make_user(verified=True)
    stranger = await sign_in(user)
    stranger.resources.add(verifier)
    await password_reset.forgot_password(await visit(ip="192.0.2.2"), EMAIL)
    await run_jobs()
    await password_reset.reset_password(await visit(ip="192.0.2.2"), link_in((await outbox(EMAIL))[-1]), OTHER_PASSWORD)

    with pytest.raises(Unauthenticated):
        await ACTS[act](stranger)

    async with begin(sessions) as session:
        account = await identity.by_email(session, EMAIL)
    assert account is not None
    assert account.google_sub is None
    assert (await authentication.sign_in(await visit(ip="192.0.2.2"), EMAIL, OTHER_PASSWORD)).user_id == user.id
