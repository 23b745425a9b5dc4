"""Compiled execution of operations. Optional: with `GRAPHQL_PLANS=off` graphql-core executes every operation."""

import os

ENABLED = os.environ.get("GRAPHQL_PLANS", "on") != "off"
