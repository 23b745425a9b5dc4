"""The shop's own supervisor, which never waits long before it starts a killed process again.

Left to itself it would wait up to ten seconds for one that dies young again and again, which here each of them does.
An argument names another program for the worker, as a module.
"""

import sys

from server.config import Settings
from server.platform.processes.console import CommandRefused, say
from server.platform.processes.process import end_with_parent
from server.run import supervisor
from server.run.supervisor import ProcessModules, Supervisor

supervisor._PAUSES = (0.2,)  # type: ignore[assignment]
end_with_parent()
programs = ProcessModules(worker=(sys.argv[1],)) if sys.argv[1:] else ProcessModules()
try:
    Supervisor(Settings(), programs).run()
except CommandRefused as refusal:
    say(str(refusal))
    sys.exit(1)
