"""What a process leaves unloaded until somebody needs it."""

import os
import subprocess
import sys

from tests.e2e.whole_shop import ROOT

RARE = (
    *("aiosmtplib", "cryptography", "google.auth", "httpx", "jinja2", "PIL", "rapidfuzz", "typst", "requests"),
    *("rich.console", "segno", "stripe", "webauthn", "zxcvbn"),
)
"""Together they take over 50 MB, and a third of the time in which a server starts."""
LOADING = "from server.cli import _prepare_to_load; _prepare_to_load(); from server.config import Settings; "
HEAVY = ("alembic", "sqlalchemy", "starlette", "strawberry")


def test_a_fresh_server_has_not_loaded_what_few_requests_need() -> None:
    program = LOADING + "from server.run import web; web.app(Settings())"
    assert loaded(program, (*RARE, "py_mini_racer")) == set()


def test_a_fresh_worker_has_loaded_neither_graphql_nor_what_draws_pages() -> None:
    program = LOADING + "from server import background; background.BackgroundWork(Settings())"
    assert (
        loaded(program, (*RARE, "graphql", "strawberry", "py_mini_racer", "server.pages", "server.platform.pages"))
        == set()
    )


def test_the_supervisor_loads_nothing_that_only_its_processes_need() -> None:
    names = (*HEAVY, "asyncpg", "cryptography")
    assert loaded("import server.cli; from server.run import supervisor", names) == set()


def test_the_command_line_loads_nothing_before_it_can_begin_the_web_process() -> None:
    names = ("asyncio", "pydantic", "server.config")
    assert loaded("import server.cli; from server.platform.processes import process", names) == set()


def test_a_database_that_has_every_migration_is_left_without_alembic(database_url: str) -> None:
    assert loaded(f"from server.run.migrations import upgrade; upgrade({database_url!r})", HEAVY) == set()


def loaded(program: str, names: tuple[str, ...]) -> set[str]:
    """Which of these modules a new process has after a program."""
    env = {**os.environ, "DATABASE_URL": "postgresql://nobody@localhost/nothing"}
    code = f"{program}; import sys; print(*sys.modules.keys() & {set(names)})"
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True
    )
    return set(said.stdout.split())


ON_THE_LOOP = """
import asyncio, sys
from uuid import UUID
from server.identity.factors import passkeys
from server.identity.models import User
from server.media.service import ImageProcessor
from server.payments.errors import BadSignature, PaymentProviderDown
from server.payments.gateway import StripeGateway

rare, held_up = {rare!r}, set()

def note(event, values):
    name = values[0] if event == "import" else ""
    # One small module of Stripe's comes with the first call.
    if name.split(".")[0] in rare and name != "stripe._telemetry_id" and asyncio._get_running_loop() is not None:
        held_up.add(name)

async def main():
    stripe = StripeGateway("sk_test_1", ("whsec_1",), return_url="http://shop.test", api_base="http://127.0.0.1:9")
    party = passkeys.RelyingParty("shop.test", ["https://shop.test"])
    user = User(id=UUID(int=1), email="ann@minimal.test", name="Ann Example")
    for call, refusal in [
        (stripe.verify_webhook(b"{{}}", "t=1,v1=0"), BadSignature),
        (stripe.retrieve_session("cs_1"), PaymentProviderDown),
        (stripe.refunds_of("pi_1"), PaymentProviderDown),
    ]:
        try:
            await call
        except refusal:
            pass
    await passkeys.request_options(party, b"0" * 32)
    await passkeys.registration_options(party, user, b"0" * 32, ())

sys.addaudithook(note)
asyncio.run(main())
print("held up by:", *sorted(held_up))
"""


def test_calls_import_their_library_off_the_event_loop() -> None:
    program = ON_THE_LOOP.format(rare=("stripe", "webauthn"))
    env = {**os.environ, "DATABASE_URL": "postgresql://nobody@localhost/nothing"}
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True
    )

    assert said.stdout.splitlines()[-1] == "held up by:"
