"""Reconciliation with the payment provider, from the command line."""

from server import wiring
from server.config import Settings
from server.payments import reconciliation
from server.payments.errors import PaymentProviderDown
from server.platform.core import money
from server.platform.core.db import create_engine, sessionmaker
from server.platform.core.jobs import JobEnvironment
from server.platform.core.resources import Resources
from server.platform.processes.console import CommandRefused, say


async def catch_up(settings: Settings) -> None:
    """Prints how many events were handled, and each payment that the database lacks. Raises CommandRefused."""
    engine = create_engine(settings.database_url)
    try:
        resources = Resources(settings, wiring.payment_gateway(settings))
        result = await reconciliation.catch_up(JobEnvironment(sessionmaker(engine), resources))
    except PaymentProviderDown as error:
        raise CommandRefused(
            "The payment provider does not answer. Try again: what was heard already counts once."
        ) from error
    finally:
        await engine.dispose()
    say(f"{result.events} events of the payment provider since {result.since:%Y-%m-%d %H:%M} UTC are in the books.")
    for stray in result.strays:
        say(
            f"Payment {stray.payment_intent_id} of {money.dollars(stray.amount_cents)} has no checkout here: it came "
            "after the backup. Refund it at the provider, or send what was bought."
        )
