"""Which version of the shop this process runs."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("minimal")
    """Of the wheel that is installed; "checkout" where there is none."""
except PackageNotFoundError:
    VERSION = "checkout"
