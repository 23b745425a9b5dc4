"""What every domain stands on: database, errors, money, text, jobs, notifications, limits, logs, caches.

It imports no domain, no HTTP and no GraphQL; import-linter checks that.
"""
