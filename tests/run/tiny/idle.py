"""Waits for SIGTERM, which ends it."""

import signal
import sys

sys.stdout.write("Idle\n")
sys.stdout.flush()
signal.pause()
