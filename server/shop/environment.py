"""Settings from the environment, shown to admins without secrets."""

import ast
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel, SecretStr

from server.config import Settings
from server.shop.settings import BY_NAME

SECRETS = frozenset({"database_url", "database_direct_url", "database_reader_url", "images_url", "backup_url"})
"""URLs that may contain a password."""
CHANGED_IN_THE_SHOP = frozenset(BY_NAME)


@dataclass(frozen=True)
class DocumentedSetting:
    """A setting with its environment variable, value and documentation."""

    name: str
    value: str
    about: str


def told(settings: Settings) -> Sequence[DocumentedSetting]:
    """The settings that cannot be changed at run time, in the order of their documentation."""
    return [
        DocumentedSetting(name.upper(), _value(name, getattr(settings, name)), about)
        for name, about in _documented().items()
        if name not in CHANGED_IN_THE_SHOP
    ]


def _value(name: str, value: Any) -> str:
    if isinstance(value, BaseModel):
        return value.model_dump_json(exclude_defaults=True)
    if isinstance(value, SecretStr):
        return "set" if value.get_secret_value() else "not set"
    if name in SECRETS:
        return "set" if value else "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) or "not set"


@cache
def _documented() -> dict[str, str]:
    """Each setting's documentation from the source of Settings; consecutive fields share the text below the last."""
    body = ast.parse(inspect.getsource(Settings)).body[0]
    assert isinstance(body, ast.ClassDef)  # noqa: S101 - it is the source of a class
    about: dict[str, str] = {}
    waiting: list[str] = []
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            waiting += [node.target.id] if node.target.id in Settings.model_fields else []
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and waiting:
            about |= dict.fromkeys(waiting, inspect.cleandoc(str(node.value.value)))
            waiting = []
    return about
