"""The points at which tests kill a process, to show that no work is lost there: around commits and calls to others."""

import os
import signal
from enum import StrEnum

_ARMED = os.environ.get("CRASH_POINTS")


class CrashPoint(StrEnum):
    """All of them. Each stands at one place, `CrashPoint.MAIL_SENT.reach()`, and has no effect in a shop."""

    RESERVATION_BEFORE_COMMIT = "reservation.before-commit"
    RESERVATION_COMMITTED = "reservation.committed"
    SESSION_MADE = "session.made"
    SESSION_NOTED = "session.noted"
    SESSION_EXPIRED = "session.expired"
    PAID_BEFORE_COMMIT = "paid.before-commit"
    PAID_COMMITTED = "paid.committed"
    REFUND_BEFORE_CALL = "refund.before-call"
    REFUND_MADE = "refund.made"
    REFUND_NOTED = "refund.noted"
    MAIL_BEFORE_SEND = "mail.before-send"
    MAIL_SENT = "mail.sent"
    MAIL_NOTED = "mail.noted"
    IMPORT_HALF_WRITTEN = "import.half-written"
    IMPORT_BEFORE_COMMIT = "import.before-commit"
    IMPORT_COMMITTED = "import.committed"
    FACTS_BEFORE_COMMIT = "facts.before-commit"

    def reach(self) -> None:
        """Kills this process with SIGKILL when the folder CRASH_POINTS holds a file of the point's name.

        The file is removed first, so one process dies once and its restart passes the point.
        """
        if _ARMED is None:
            return
        try:
            os.unlink(os.path.join(_ARMED, self))
        except FileNotFoundError:
            return
        os.kill(os.getpid(), signal.SIGKILL)
