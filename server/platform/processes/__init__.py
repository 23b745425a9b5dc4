"""Processes of one program: starting, watching and stopping them, the embedded PostgreSQL, sockets, SQL files."""
