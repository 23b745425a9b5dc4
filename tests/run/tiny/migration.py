"""Waits until there is a web process, and says whether it serves already."""

import os
import socket
import sys
from pathlib import Path

from server.platform.processes.process import wait_until

lock = Path(os.environ["SHOP_DATA"], "run", "web.lock")
if not wait_until(lambda: lock.exists() and lock.read_text().strip().isdigit(), 20):
    sys.exit("there is no web process")
with socket.socket() as probe:
    serves = probe.connect_ex(("127.0.0.1", int(os.environ["PORT"]))) == 0
sys.stdout.write(f"Migrating while the web process {'serves' if serves else 'loads'}\n")
