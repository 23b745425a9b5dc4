"""Running a program as somebody other than root, in folders that this user can reach."""

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
    """Arguments of `subprocess.run` that give root's rights up."""

    user: int
    group: int
    extra_groups: list[int]


class NotPossible(Exception):
    """There is nobody to run as, or a folder is somebody else's."""


def unprivileged(folder: Path) -> pwd.struct_passwd:
    """Whom root's program runs as: the owner of its folder, once that is not root."""
    if folder.exists() and (owner := folder.stat().st_uid):
        return pwd.getpwuid(owner)
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise NotPossible("PostgreSQL does not run as root, and there is no user 'nobody' to run it as.")


def as_user(user: pwd.struct_passwd | None) -> AsUser:
    return {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def can(user: pwd.struct_passwd, *command: str) -> bool:
    """Whether the command succeeds for that user. Asking the kernel is surer than reading permissions."""
    try:
        done = subprocess.run(command, capture_output=True, cwd="/", check=False, **as_user(user))
    except PermissionError:
        return False
    return done.returncode == 0


def give(folder: Path, user: pwd.struct_passwd | None) -> None:
    """Makes a folder that `user`, or without one this process's user, alone may look into.

    Raises NotPossible when it is somebody else's already.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    if user is not None and folder.lstat().st_uid == 0:
        os.lchown(folder, user.pw_uid, user.pw_gid)
    if folder.lstat().st_uid != (user.pw_uid if user else os.geteuid()):
        raise NotPossible(f"{folder} belongs to another user. Be that user, or choose another SHOP_DATA.")
    folder.chmod(0o700)


def make_folder_elsewhere() -> Path:
    """A new folder below one that every user can pass through."""
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
