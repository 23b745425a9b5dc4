"""Accounts, sessions, credentials, second factors, addresses, roles."""
