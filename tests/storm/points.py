"""The listed moments at which the server is killed: before and after commits, calls to the provider, and mails."""

POINTS = (
    "reservation.before-commit",
    "reservation.committed",
    "session.made",
    "session.noted",
    "session.expired",
    "paid.before-commit",
    "paid.committed",
    "refund.before-call",
    "refund.made",
    "refund.noted",
    "mail.before-send",
    "mail.sent",
    "mail.noted",
)
