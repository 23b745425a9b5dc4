"""What a process counts for Prometheus. No label holds anything of a person or of a request's text.

`run/metrics.py` shows it on a port of its own.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
LONG_SECONDS = (0.05, 0.25, 1.0, 5.0, 20.0, 60.0, 300.0)

REQUESTS = Histogram(
    "minimal_request_seconds", "Requests by route and status.", ["route", "status"], buckets=SECONDS, registry=REGISTRY
)
REFUSED = Counter(
    "minimal_requests_refused", "Requests that got no slot in time, by priority.", ["priority"], registry=REGISTRY
)
PAGES_UNDRAWN = Counter(
    "minimal_pages_undrawn", "Pages of endless addresses, such as searches, sent without rendering.", registry=REGISTRY
)
JOBS = Histogram(
    "minimal_job_seconds", "Jobs by kind and outcome.", ["kind", "outcome"], buckets=LONG_SECONDS, registry=REGISTRY
)
SCHEDULE_FAILURES = Counter(
    "minimal_schedule_failures", "Failures of work that is done now and then.", ["work"], registry=REGISTRY
)
JOBS_DUE = Gauge("minimal_jobs_due", "Jobs of the shop that could run by now.", ["kind"], registry=REGISTRY)
JOBS_OLDEST = Gauge(
    "minimal_jobs_oldest_seconds", "How long the oldest of them has been due.", ["kind"], registry=REGISTRY
)
JOBS_FAILED = Gauge("minimal_jobs_failed", "Jobs that rest until an admin sees to them.", registry=REGISTRY)
FACTS_LAG = Gauge(
    "minimal_facts_lag_seconds", "Age of the oldest change that reports do not contain.", registry=REGISTRY
)
CHECKOUTS_OVERDUE = Gauge(
    "minimal_checkouts_overdue", "Reservations that should have ended ten minutes ago.", registry=REGISTRY
)
CONNECTIONS_PLANNED = Gauge(
    "minimal_connections_planned", "Database connections that all processes together may open.", registry=REGISTRY
)
CONNECTIONS_AVAILABLE = Gauge(
    "minimal_connections_available", "Those that the database allows and does not reserve.", registry=REGISTRY
)
PAID_WITHOUT_ORDER = Gauge(
    "minimal_paid_without_order", "Completed checkouts without an order: always 0.", registry=REGISTRY
)
ARCHIVE_AGE = Gauge("minimal_archive_age_seconds", "Since when commits are missing in the backups.", registry=REGISTRY)
BASE_BACKUP_AGE = Gauge("minimal_base_backup_age_seconds", "Age of the last whole backup.", registry=REGISTRY)
BACKUP_VERIFIED_AGE = Gauge(
    "minimal_backup_verified_age_seconds", "Since when the backups have not been read as a whole.", registry=REGISTRY
)
BACKUP_PROBLEMS = Gauge(
    "minimal_backup_problems", "Whether that reading noticed something that cannot be restored.", registry=REGISTRY
)
