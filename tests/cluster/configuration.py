"""What etcd, Patroni and HAProxy are told. All of it listens on loopback, below the range of ports that clients get."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

NODES = (1, 2, 3)
BALANCERS = (1, 2)
WEBS = (1, 2, 3)
WORKERS = (1, 2)
TTL, LOOP_WAIT, RETRY_TIMEOUT = 20, 1, 5
"""Seconds. Patroni takes no TTL below 20: so long the others wait for a primary whose machine is gone without a word. A
PostgreSQL that has died under a living Patroni is replaced in the next loop, since it is not started again."""
DATABASE = ROLE = "minimal"
PARAMETERS: Mapping[str, object] = {
    "max_connections": 300,
    "shared_buffers": "128MB",
    "wal_log_hints": "on",
    "wal_receiver_status_interval": "1s",
    "log_error_verbosity": "terse",
    "timezone": "UTC",
}


@dataclass(frozen=True)
class Ports:
    """Everybody's port, counted from the first."""

    first: int

    def etcd(self, node: int) -> int:
        return self.first + 20 + node

    def etcd_peer(self, node: int) -> int:
        return self.first + 30 + node

    def patroni(self, node: int) -> int:
        return self.first + 40 + node

    def postgres(self, node: int) -> int:
        return self.first + 50 + node

    def shop(self, balancer: int) -> int:
        return self.first + balancer - 1

    def primary(self, balancer: int) -> int:
        return self.first + 60 + balancer

    def readers(self, balancer: int) -> int:
        return self.first + 70 + balancer

    def web(self, number: int) -> int:
        return self.first + 10 + number

    def metrics(self, place: int) -> int:
        return self.first + 80 + place

    @property
    def outside(self) -> int:
        return self.first + 90

    @property
    def smtp(self) -> int:
        return self.first + 91

    @property
    def s3(self) -> int:
        return self.first + 92

    def seen(self, port: int, node: int) -> int:
        """Where others reach this port of a node: through its network, which can be cut."""
        return port + 100 if node else port

    def etcd_of(self, node: int, other: int) -> int:
        """Where a node's Patroni reaches an etcd, through the node's network."""
        return self.first + 200 + 10 * node + other


def etcd(ports: Ports, node: int, folder: Path) -> list[str]:
    """The arguments of one etcd."""
    client, peer = f"http://127.0.0.1:{ports.etcd(node)}", f"http://127.0.0.1:{ports.etcd_peer(node)}"
    members = ",".join(f"etcd{each}=http://127.0.0.1:{ports.etcd_peer(each)}" for each in NODES)
    return [
        *("--name", f"etcd{node}", "--data-dir", str(folder), "--initial-cluster", members),
        *("--listen-client-urls", client, "--advertise-client-urls", client),
        *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer),
        *("--heartbeat-interval", "200", "--election-timeout", "2000"),
    ]


def patroni(ports: Ports, node: int, folder: Path, programs: Path, *, is_cuttable: bool) -> str:
    """The configuration of one Patroni with its PostgreSQL; JSON is YAML. With `is_cuttable` it has a network."""
    place = node if is_cuttable else 0
    everybody = ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
    hosts = [ports.etcd_of(node, each) if is_cuttable else ports.etcd(each) for each in NODES]
    settings = {
        "scope": "minimal",
        "name": f"postgres{node}",
        "restapi": {
            "listen": f"127.0.0.1:{ports.patroni(node)}",
            "connect_address": f"127.0.0.1:{ports.seen(ports.patroni(node), place)}",
        },
        # As proxies: it would go around its network to the addresses that the members of etcd tell.
        "etcd3": {"hosts": [f"127.0.0.1:{port}" for port in hosts], "use_proxies": is_cuttable},
        "bootstrap": {
            "dcs": {
                "ttl": TTL,
                "loop_wait": LOOP_WAIT,
                "retry_timeout": RETRY_TIMEOUT,
                "primary_start_timeout": 0,
                "synchronous_mode": True,
                "postgresql": {"use_pg_rewind": True, "use_slots": True, "parameters": PARAMETERS},
            },
            "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
        },
        "postgresql": {
            "listen": f"127.0.0.1:{ports.postgres(node)}",
            "connect_address": f"127.0.0.1:{ports.seen(ports.postgres(node), place)}",
            "data_dir": str(folder / "data"),
            "bin_dir": str(programs),
            "pgpass": str(folder / "pgpass"),
            "pg_hba": everybody,
            "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "replicator"}},
            "parameters": {"unix_socket_directories": str(folder)},
        },
    }
    return json.dumps(settings, indent=1)


HAPROXY = Path(__file__).parents[2] / "deploy/haproxy.cfg"
MOST_CONNECTIONS = 2000
"""Of a balancer: more than a user may have open by default is refused at the start."""


def haproxy(ports: Ports, balancer: int, *, is_cuttable: bool) -> str:
    """The configuration of one balancer: the one of deploy/, with hosts and ports of this cluster."""
    nodes = [(node, node if is_cuttable else 0) for node in NODES]
    databases = [
        f"server db{node} 127.0.0.1:{ports.seen(ports.postgres(node), place)}"
        f" port {ports.seen(ports.patroni(node), place)}"
        for node, place in nodes
    ]
    webs = [f"server web{each} 127.0.0.1:{ports.web(each)}" for each in WEBS]
    own = {
        r"\tmaxconn .*": f"\tmaxconn {MOST_CONNECTIONS}",
        r"\n\tstats socket .*": "",
        r"bind :80\b": f"bind 127.0.0.1:{ports.shop(balancer)}",
        r"bind :5000\b": f"bind 127.0.0.1:{ports.primary(balancer)}",
        r"bind :5001\b": f"bind 127.0.0.1:{ports.readers(balancer)}",
        r"\bminimal\.example\b": f"localhost:{ports.shop(1)}",
        r"(\n\tserver web\d .*)+": "".join(f"\n\t{each}" for each in webs),
        r"(\n\tserver db\d .*)+": "".join(f"\n\t{each}" for each in databases),
    }
    text = HAPROXY.read_text()
    for pattern, here in own.items():
        text, times = re.subn(pattern, here, text)
        if not times:
            raise ValueError(f"deploy/haproxy.cfg has no {pattern}")
    return text
