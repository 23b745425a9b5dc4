"""What every domain stands on. Knows no domain.

A closed list of files: db, errors, money, text, viewer, context, graphql, cost, rest, resources, notify, jobs,
failed_jobs, locks, limits, security, middleware, logs, crashpoints, models.
"""
