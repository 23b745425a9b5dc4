"""What every domain stands on: database, errors, money, text, jobs, notifications, limits, logs, caches.

Knows no domain, no HTTP and no GraphQL; import-linter holds it to that.
"""
