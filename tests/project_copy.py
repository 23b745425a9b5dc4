"""A copy of the project, in which tests change files."""

import shutil
import subprocess
from pathlib import Path

from tests.everything import ROOT


def copy_project(folder: Path) -> Path:
    """Everything that git has or would take, with the generated code; installed packages and the built client linked.

    Returns the folder.
    """
    listed = subprocess.check_output(("git", "ls-files", "-co", "--exclude-standard", "-z"), text=True, cwd=ROOT)
    generated = (str(path.relative_to(ROOT)) for path in (ROOT / "client/src").rglob("*.generated.ts*"))
    for name in {*listed.split("\0"), *generated}:
        if (source := ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, folder / name)
    for built in ("client/node_modules", "client/dist"):
        (folder / built).symlink_to(ROOT / built)
    return folder
