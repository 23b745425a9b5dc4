"""Waits for SIGTERM, which ends it."""

import signal

signal.pause()
