"""What etcd, Patroni and HAProxy are told. All of it listens on loopback, below the range of ports that clients get."""

import json
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
CHECK_MS = 300
"""How often HAProxy asks Patroni who is the primary."""
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
    told = {
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
    return json.dumps(told, indent=1)


PUT_OFF = """HTTP/1.1 503 Service Unavailable
Cache-Control: no-store
Connection: close
Content-Type: text/plain
Retry-After: 1

The shop is back in a moment.
""".replace("\n", "\r\n")
"""For a request whose web process has died: it may ask again, and a moment later there is another."""
HAPROXY = """
global
    maxconn 2000
    hard-stop-after 5s
defaults
    timeout connect 2s
    timeout check 2s
    timeout client 1h
    timeout server 1h
    option redispatch
    retries 3
    default-server inter {check}ms fall 2 rise 1 on-marked-down shutdown-sessions

listen primary
    bind 127.0.0.1:{primary}
    mode tcp
    option httpchk OPTIONS /primary
    http-check expect status 200
{postgres}
listen readers
    bind 127.0.0.1:{readers}
    mode tcp
    balance leastconn
    option httpchk OPTIONS /replica
    http-check expect status 200
{postgres}
frontend shop
    bind 127.0.0.1:{shop}
    mode http
    option forwardfor
    errorfile 502 {put_off}
    errorfile 503 {put_off}
    errorfile 504 {put_off}
    use_backend ready if {{ nbsrv(ready) gt 0 }}
    default_backend alive

# Web processes that have their database.
backend ready
    mode http
    balance leastconn
    retry-on conn-failure
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr host {host}
    http-check expect status 200
{web}
# Without a database all of them still show what they know.
backend alive
    mode http
    balance leastconn
    retry-on conn-failure
    option httpchk
    http-check send meth GET uri /livez ver HTTP/1.1 hdr host {host}
    http-check expect status 200
{web}
"""


def haproxy(ports: Ports, balancer: int, put_off: Path, *, is_cuttable: bool) -> str:
    """The configuration of one balancer, of the shop and of its database."""
    nodes = [(node, node if is_cuttable else 0) for node in NODES]
    postgres = "".join(
        f"    server postgres{node} 127.0.0.1:{ports.seen(ports.postgres(node), place)}"
        f" check port {ports.seen(ports.patroni(node), place)}\n"
        for node, place in nodes
    )
    return HAPROXY.format(
        check=CHECK_MS,
        primary=ports.primary(balancer),
        readers=ports.readers(balancer),
        shop=ports.shop(balancer),
        put_off=put_off,
        host=f"localhost:{ports.shop(1)}",
        postgres=postgres,
        web="".join(f"    server web{each} 127.0.0.1:{ports.web(each)} check\n" for each in WEBS),
    )
