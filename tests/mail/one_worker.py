"""`python -m tests.mail.one_worker DATABASE_URL SMTP_URL`: a process that sends what the outbox holds."""

import asyncio
import sys

from server.mail import service as mail
from server.mail.gateway import SmtpServer
from server.platform.core.db import create_engine, sessionmaker
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.resources import Resources


async def main(database_url: str, smtp_url: str) -> None:
    env = JobEnvironment(
        sessionmaker(create_engine(database_url)), Resources(SmtpServer(smtp_url, "Minimal <shop@minimal.test>"))
    )
    await Worker(env, mail.HANDLERS).run()


asyncio.run(main(*sys.argv[1:]))
