"""What `just cluster` needs is named where it is missing, and its ports are nobody else's."""

from pathlib import Path

import pytest

from tests.cluster import __main__ as recipe
from tests.cluster.cluster import FIRST_PORT
from tests.cluster.configuration import BALANCERS, NODES, WEBS, Ports
from tests.storm.shop import PORTS

EPHEMERAL = 32_768
"""From here on Linux hands out ports to clients."""


def test_a_machine_without_etcd_and_haproxy_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["just cluster"])
    monkeypatch.setattr("signal.signal", lambda *_: None)

    code = recipe.main()

    assert code == 1
    assert "apt-get install etcd-server haproxy" in capsys.readouterr().out


def test_everybody_of_a_cluster_has_a_port_of_their_own() -> None:
    ports = Ports(FIRST_PORT)
    of_nodes = [port(node) for node in NODES for port in (ports.etcd, ports.etcd_peer, ports.patroni, ports.postgres)]
    seen = [ports.seen(port(node), node) for node in NODES for port in (ports.patroni, ports.postgres)]
    seen += [ports.etcd_of(node, other) for node in NODES for other in NODES]
    balanced = [port(each) for each in BALANCERS for port in (ports.shop, ports.primary, ports.readers)]
    of_the_shop = [*map(ports.web, WEBS), *map(ports.metrics, range(1, 7)), ports.outside, ports.smtp, ports.s3]

    taken = [*of_nodes, *seen, *balanced, *of_the_shop]
    assert len(set(taken)) == len(taken)
    assert max(taken) < EPHEMERAL
    assert not set(taken) & set(PORTS)
