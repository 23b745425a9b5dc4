"""Drops root's privileges for a program, and gives its folders to the unprivileged user."""

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TypedDict

_ELSEWHERE = Path("/var/lib/minimal")


class AsUser(TypedDict, total=False):
    """Arguments of `subprocess.run` that drop root's privileges."""

    user: int
    group: int
    extra_groups: list[int]


class NotPossible(Exception):
    """There is no user to run as, or a folder belongs to another user."""


def unprivileged(folder: Path) -> pwd.struct_passwd:
    """The user that root runs the program as: the folder's owner, unless that is root; else `nobody`."""
    if folder.exists() and (owner := folder.stat().st_uid):
        return pwd.getpwuid(owner)
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise NotPossible("PostgreSQL does not run as root, and there is no user 'nobody' to run it as.")


def as_user(user: pwd.struct_passwd | None) -> AsUser:
    """The arguments for that user; none without one."""
    return {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def can(user: pwd.struct_passwd, *command: str) -> bool:
    """Whether the command succeeds for that user, which is more reliable than reading permissions."""
    try:
        done = subprocess.run(command, capture_output=True, cwd="/", check=False, **as_user(user))
    except PermissionError:
        return False
    return done.returncode == 0


def give(folder: Path, user: pwd.struct_passwd | None) -> None:
    """Makes a folder private to `user`, or without one to this process's user.

    Raises NotPossible when it belongs to another user.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    if user is not None and folder.lstat().st_uid == 0:
        os.lchown(folder, user.pw_uid, user.pw_gid)
    if folder.lstat().st_uid != (user.pw_uid if user else os.geteuid()):
        raise NotPossible(f"{folder} belongs to another user. Be that user, or choose another SHOP_DATA.")
    folder.chmod(0o700)


def give_all(tree: Path, user: pwd.struct_passwd | None) -> None:
    """Gives a folder and all that is in it to `user`; without one it stays this process's user's."""
    tree.chmod(0o700)
    if user is not None:
        for path in (tree, *tree.rglob("*")):
            os.lchown(path, user.pw_uid, user.pw_gid)


def make_folder_elsewhere() -> Path:
    """A new folder inside one that every user can traverse."""
    _make_elsewhere()
    return Path(tempfile.mkdtemp(prefix="data-", dir=_ELSEWHERE))


def copy_elsewhere(source: Path, names: list[str], version: str) -> Path:
    """A copy of these folders of `source` that every user can read, made once per version."""
    _make_elsewhere()
    copy = _ELSEWHERE / f"programs-{version}"
    unwanted = shutil.ignore_patterns("include", "__pycache__")
    if not copy.exists():
        unfinished = Path(tempfile.mkdtemp(prefix="programs-", dir=_ELSEWHERE))
        unfinished.chmod(0o755)
        for name in names:
            if (source / name).exists():
                shutil.copytree(source / name, unfinished / name, ignore=unwanted)
        with suppress(OSError):
            unfinished.rename(copy)
    return copy


def _make_elsewhere() -> None:
    _ELSEWHERE.mkdir(parents=True, exist_ok=True)
    _ELSEWHERE.chmod(0o755)
