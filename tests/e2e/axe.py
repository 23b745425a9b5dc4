"""axe in a page, and its findings."""

import os

from tests.e2e.whole_shop import ROOT

AXE = (ROOT / "client" / "node_modules" / "axe-core" / "axe.min.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN_WCAG = {"runOnly": {"type": "tag", "values": TAGS}}
RUN_ALL = {"runOnly": {"type": "tag", "values": [*TAGS, "best-practice"]}, "rules": {"target-size": {"enabled": False}}}
"""Targets are measured without its exceptions, below."""
RUN_COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""All that a theme can change."""
EVERY_SIZE = bool(os.environ.get("EVERY_SIZE"))
FINDINGS = """async (options) => {
  const found = await axe.run({exclude: ['iframe']}, {...options, resultTypes: ['violations'], iframes: false});
  return found.violations.flatMap(({id, nodes}) => nodes.map(({html, any}) =>
    `${id}: ${html.slice(0, 160)} ${any.map(({message}) => message).join(' ').slice(0, 200)}`));
}"""
