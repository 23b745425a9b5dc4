"""Files for more than one machine: HAProxy, Patroni, etcd, Compose and Kubernetes."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import kubernetes_validate
import pytest
import yaml

from server.config import Settings
from server.run.archive.receiver import SLOT
from tests.e2e.whole_shop import ROOT

DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
VERSIONS = ("1.32", "1.36")
ROLES = {"web", "worker", "reports", "archive", "migrate"}
SECRETS = {"DATABASE_URL", "STRIPE_SECRET_KEY", "SMTP_URL", "SECRET_KEY", "BACKUP_KEY"}


def documents() -> Iterator[tuple[str, Any]]:
    for file in sorted(KUBERNETES.glob("*.yaml")):
        if file.name != "kustomization.yaml":
            yield from ((file.name, document) for document in yaml.safe_load_all(file.read_text()))


def pods() -> dict[str, Any]:
    """The pod template of each Deployment and Job, by name."""
    documents_with_pods = (each for _, each in documents() if each["kind"] in ("Deployment", "Job"))
    return {each["metadata"]["name"]: each["spec"]["template"] for each in documents_with_pods}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_manifest_is_what_kubernetes_takes(version: str) -> None:
    kinds = [document["kind"] for _, document in documents()]
    for _, document in documents():
        kubernetes_validate.validate(document, version, strict=True)

    assert {"Deployment", "Job", "NetworkPolicy", "PodDisruptionBudget", "HorizontalPodAutoscaler"} <= set(kinds)


@pytest.mark.parametrize("wrong", [{"replicas": "three"}, {"replica": 3}])
def test_a_manifest_with_a_wrong_field_is_noticed(wrong: dict[str, Any]) -> None:
    [web] = [
        each for _, each in documents() if each["kind"] == "Deployment" and each["metadata"]["name"] == "minimal-web"
    ]

    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**web, "spec": {**web["spec"], **wrong}}, VERSIONS[0], strict=True)


def test_kustomize_takes_every_file_but_the_migration_which_goes_first() -> None:
    named = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["resources"]

    assert {*named, "migrate.yaml", "kustomization.yaml"} == {file.name for file in KUBERNETES.iterdir()}


def test_every_container_has_a_role_of_the_shop_budgets_and_few_rights() -> None:
    roles = set()
    for template in pods().values():
        spec = template["spec"]
        assert spec["securityContext"]["runAsNonRoot"]
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert spec["automountServiceAccountToken"] is False
        for container in spec["containers"]:
            program, role = container["command"]
            roles.add(role)
            assert program == "minimal"
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
            assert "memory" in container["resources"]["limits"]
    assert roles == ROLES


def test_web_is_asked_whether_it_is_ready_and_lives_and_leaves_slowly() -> None:
    web = pods()["minimal-web"]["spec"]
    container = web["containers"][0]

    probes = {name: container[name]["httpGet"]["path"] for name in ("startupProbe", "readinessProbe", "livenessProbe")}
    assert probes == {"startupProbe": "/readyz", "readinessProbe": "/readyz", "livenessProbe": "/livez"}
    leaving = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert web["terminationGracePeriodSeconds"] > leaving + 10


def test_settings_are_the_shops_and_no_secret_is_among_them() -> None:
    [settings] = [each["data"] for name, each in documents() if name == "settings.yaml"]
    names = {name.upper() for name in Settings.model_fields}

    assert settings.keys() <= names
    assert settings.keys() & SECRETS == set()


def test_compose_has_every_role_and_starts_none_before_the_migration() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yml").read_text())["services"]
    ours = {name: service for name, service in services.items() if service.get("image") == "minimal"}

    assert {service["command"][1] for service in ours.values()} == ROLES - {"archive"}
    for name in ours.keys() - {"migrate"}:
        assert ours[name]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
        assert ours[name]["read_only"]


def test_an_image_runs_as_a_user_without_rights_and_says_whether_it_lives() -> None:
    recipe = (DEPLOY / "Containerfile").read_text()
    last = recipe[recipe.rindex("\nFROM ") :]

    assert re.search(r"^USER (?!root)\w+$", last, re.MULTILINE)
    assert re.search(r"^HEALTHCHECK .*\n.*/livez", last, re.MULTILINE)


def test_haproxy_asks_web_hosts_whether_they_are_ready_and_databases_what_they_are() -> None:
    text = (DEPLOY / "haproxy.cfg").read_text()

    assert re.findall(r"(?:GET |uri )(/\S+)", text) == ["/readyz", "/livez", "/primary", "/replica?lag=16MB"]
    assert re.findall(r"^listen (\w+)\n\tmode tcp\n\tbind :(\d+)", text, re.MULTILINE) == [
        ("primary", "5000"),
        ("readers", "5001"),
    ]
    if program := shutil.which("haproxy"):
        said = subprocess.run([program, "-c", "-f", DEPLOY / "haproxy.cfg"], capture_output=True, text=True)
        assert said.returncode == 0, said.stderr


def test_patroni_loses_nothing_that_was_acknowledged_and_keeps_the_backups_slot() -> None:
    patroni = yaml.safe_load((DEPLOY / "patroni.yml").read_text())
    cluster = patroni["bootstrap"]["dcs"]
    etcd = dict(line.split("=", 1) for line in (DEPLOY / "etcd.env").read_text().splitlines() if line[:4] == "ETCD")

    assert cluster["synchronous_mode"] is True
    assert cluster["slots"] == {SLOT: {"type": "physical"}}
    assert cluster["ttl"] >= cluster["loop_wait"] + 2 * cluster["retry_timeout"]
    assert len(patroni["etcd3"]["hosts"].split(",")) == len(etcd["ETCD_INITIAL_CLUSTER"].split(",")) == 3
