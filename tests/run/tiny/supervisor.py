"""The real supervisor over tiny programs; OUTSIDE_PORT must be set. Arguments may be programs that fail, as web.

The web process loads before the settings are read, as `server start` has it.
"""

import sys

from server.config import Settings
from server.platform.processes.console import CommandRefused, say
from server.platform.processes.process import LoadingProcess
from server.run.supervisor import ProcessModules, Supervisor

NOTHING = ("tests.run.tiny.nothing",)
IDLE = ("tests.run.tiny.idle",)
FAILURE = ("tests.run.tiny.failure",)

broken = set(sys.argv[1:])
programs = ProcessModules(
    web=FAILURE if "web" in broken else ("tests.run.tiny.server", "PORT"),
    worker=IDLE,
    reports=IDLE,
    stand_ins=FAILURE if "stand_ins" in broken else ("tests.run.tiny.server", "OUTSIDE_PORT"),
    migration=FAILURE if "migration" in broken else ("tests.run.tiny.migration",),
    seeding=NOTHING,
)
web = LoadingProcess(sys.executable, "-m", *programs.web)
try:
    Supervisor(Settings(), programs, web).run()
except CommandRefused as refusal:
    say(str(refusal))
    sys.exit(1)
