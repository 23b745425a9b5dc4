"""Files that come with the shop besides its modules: the built client and the migrations."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
"""Where the package `server` lies: the checkout, or the environment into which the wheel was installed."""


def package_data(name: str) -> Path:
    """Where a file or folder of the checkout is found. The wheel has it in `server/package_data` (pyproject.toml)."""
    packed = ROOT / "server" / "package_data" / name
    return packed if packed.exists() else ROOT / name
