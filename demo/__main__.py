"""Starts the stand-ins for outside services."""

import sys

from demo.outside.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
