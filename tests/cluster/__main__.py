"""`just cluster`: a shop on a cluster, on this machine, until Ctrl-C."""

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterable
from types import FrameType

from server.platform.processes.console import CommandRefused, report, say
from tests.cluster.cluster import FIRST_PORT, Cluster, a_cluster
from tests.cluster.configuration import BALANCERS, LOOP_WAIT, NODES, TTL, WEBS, WORKERS


class Stop(BaseException):
    """Ctrl-C or SIGTERM."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="just cluster", description="A whole cluster on one machine.")
    parser.add_argument("--port", type=int, default=FIRST_PORT, help="the first of three hundred ports")
    parser.add_argument("--empty", action="store_true", help="without the demo catalogue")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    try:
        with a_cluster(first_port=options.port, demo=not options.empty) as cluster:
            report("The shop is open")
            _tell(cluster)
            while True:
                for name in cluster.revive():
                    report(f"{name} died and runs again")
                time.sleep(1)
    except Stop:
        report("Closed")
    except CommandRefused as refusal:
        say(str(refusal))
        return 1
    return 0


def _stop(number: int, frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    report("Closing")
    raise Stop


def _tell(cluster: Cluster) -> None:
    ports = cluster.ports

    def places(port: Callable[[int], int], numbers: Iterable[int], scheme: str = "") -> str:
        return ", ".join(f"{scheme}127.0.0.1:{port(each)}" for each in numbers)

    listed = (
        ("Shop", ", ".join(f"http://localhost:{ports.shop(each)}" for each in BALANCERS), "by two HAProxy"),
        ("Demo", f"http://localhost:{ports.outside}/demo", "mailbox, payments, personas"),
        ("Web", places(ports.web, WEBS), ""),
        ("Metrics", places(ports.metrics, range(1, 7)), f"web, {len(WORKERS)} workers, reports"),
        ("Primary", places(ports.primary, BALANCERS), "whichever it is"),
        ("Readers", places(ports.readers, BALANCERS), ""),
        ("PostgreSQL", places(ports.postgres, NODES), f"number {cluster.primary()} is the primary"),
        ("Patroni", places(ports.patroni, NODES, "http://"), f"TTL {TTL} s, loop {LOOP_WAIT} s"),
        ("etcd", places(ports.etcd, NODES), ""),
        ("S3", f"http://127.0.0.1:{ports.s3}", ""),
        ("Logs", str(cluster.logs), ""),
    )
    say()
    for name, where, about in listed:
        say(f"  {name:10}  {where}  {about}".rstrip())
    say("\n  Ctrl-C closes it.\n")


if __name__ == "__main__":
    sys.exit(main())
