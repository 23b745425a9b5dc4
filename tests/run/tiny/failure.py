"""Fails at once, saying why."""

import sys

sys.exit("this did not work")
