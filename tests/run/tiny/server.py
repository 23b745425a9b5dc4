"""Answers every GET with 200 and its process id, once its standard input has ended and until SIGTERM."""

import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import FrameType

from server.platform.processes.process import wait_for_settings


class Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/":
            sys.stdout.write(f"{sys.argv[1]} was asked for the first page of {self.headers['Host']}\n")
            sys.stdout.flush()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(os.getpid()).encode())

    def log_message(self, format: str, *args: object) -> None:
        return None


def leave(_number: int, _frame: FrameType | None) -> None:
    sys.stdout.write(f"{sys.argv[1]} leaves\n")
    sys.exit(0)


signal.signal(signal.SIGTERM, leave)
wait_for_settings()
HTTPServer(("127.0.0.1", int(os.environ[sys.argv[1]])), Answer).serve_forever()
