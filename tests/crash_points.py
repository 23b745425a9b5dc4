"""Which tests kill the shop at which of its crash points."""

from server.crash_points import CrashPoint

PURCHASE = tuple(
    point for point in CrashPoint if point.startswith(("reservation.", "session.", "paid.", "refund.", "mail."))
)
"""The storm, each several times."""
CHECKOUT = (
    CrashPoint.RESERVATION_BEFORE_COMMIT,
    CrashPoint.RESERVATION_COMMITTED,
    CrashPoint.SESSION_MADE,
    CrashPoint.PAID_BEFORE_COMMIT,
    CrashPoint.PAID_COMMITTED,
)
"""One purchase each, in `tests/payments/test_crashes.py`."""
IMPORTING = (CrashPoint.IMPORT_HALF_WRITTEN, CrashPoint.IMPORT_BEFORE_COMMIT, CrashPoint.IMPORT_COMMITTED)
"""`tests/inventory/test_import_crashes.py`."""
FACTS = CrashPoint.FACTS_BEFORE_COMMIT
"""`tests/analytics/test_facts_outbox.py`."""
