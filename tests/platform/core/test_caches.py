"""Every cache of a process is bounded: one found in the code and not in this table fails."""

import ast
from collections.abc import Iterator

from server.app import create_app
from server.config import Settings
from server.platform.core.byte_cache import sizes
from tests.e2e.whole_shop import ROOT

CACHED_FUNCTIONS = {
    "server/analytics/reports/comparisons.py:earlier": "32,768 times of one report, gone with it",
    "server/analytics/reports/answers.py:_in_lists": "64 statements of 50 kB, for admins alone",
    "server/catalog/colors.py:family": "4,096 pairs of short texts, 1 MB",
    "server/catalog/index/index.py:_category_keys": "128 kinds of product with four keys each, 0.1 MB",
    "server/catalog/index/index.py:_color_keys": "512 colors of a product with some 40 keys each, 2 MB",
    "server/catalog/index/words.py:_shade_words": "1,024 pairs of short texts, 0.3 MB",
    "server/catalog/index/words.py:words_of": "1,024 texts of one line with their words, 4 MB",
    "server/catalog/queries.py:_color_of": "1,024 colors of a product with their sizes, 2 MB",
    "server/catalog/sizes.py:of": "64 size systems of at most 400 names and 720 in other markets, 8 MB",
    "server/platform/core/countries.py:postal_code_of": "256 countries with their patterns, 1 MB",
    "server/platform/core/countries.py:states_of": "64 countries of up to 107 states, 1 MB",
    "server/platform/core/postal_addresses.py:_template": "256 countries of some seven lines, 0.2 MB",
    "server/platform/core/limits.py:network": "4,096 addresses, 1 MB",
    "server/mail/unconfirmed.py:_origins": "64 kinds of messages and their parts, 0.1 MB",
    "server/schema.py:build": "a schema with introspection and one without",
    "server/platform/web/media_types.py:_preferred": "256 headers of at most 200 characters, 0.2 MB",
    "server/platform/web/proxies.py:_parsed": "4,096 addresses of at most 100 characters, 2 MB",
    "server/platform/web/proxies.py:_written": "as many, each as it is written everywhere",
}
"""Functions that remember answers to their arguments, with what that can come to."""
ORDERED = {
    "server/platform/core/byte_cache.py": "bounded by bytes",
    "server/platform/core/fair_queue.py": "who waits in line, bounded by the line",
    "server/platform/web/visitors.py": "digests, bounded by number: 3 MB",
}
"""Modules that keep things in an order of use."""
BYTE_LIMITED = {
    "asked fields": 2_000_000,
    "assets": 16_000_000,
    "catalogue answers": 16_000_000,
    "documents": 16_000_000,
    "introspection answers": 8_000_000,
    "known requests": 4_000_000,
    "older assets": 1_500_000,
    "pages": 24_000_000,
    "pages of endless addresses": 8_000_000,
    "prepared operations": 12_000_000,
    "product contents": 26_000_000,
    "published pages": 4_000_000,
    "written objects": 12_000_000,
}
"""Caches of one process in bytes. SQLAlchemy's compiled statements come on top: at most 750 of 50 kB for an engine."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted((ROOT / "server").rglob("*.py")):
        name = file.relative_to(ROOT).as_posix()
        yield name, ast.parse(file.read_text())


def decorators(node: ast.AST) -> set[str]:
    calls = [each.func if isinstance(each, ast.Call) else each for each in getattr(node, "decorator_list", ())]
    return {each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in calls}


def test_functions_that_remember_have_few_answers() -> None:
    by_function = {
        f"{name}:{node.name}": decorators(node)
        for name, module in modules()
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and decorators(node) & {"cache", "lru_cache"}
        and (node.args.args or node.args.kwonlyargs or node.args.vararg)
    }

    assert set(by_function) == set(CACHED_FUNCTIONS)
    assert [name for name, by in by_function.items() if "cache" in by] == ["server/schema.py:build"]


def test_nothing_else_keeps_an_order_of_use() -> None:
    files = {
        name
        for name, module in modules()
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and any(each.name == "OrderedDict" for each in node.names)
    }

    assert files == set(ORDERED)


def test_every_byte_limited_cache_is_known_with_its_limit(database_url: str) -> None:
    app = create_app(Settings(_env_file=None, database_url=database_url))  # type: ignore[call-arg]

    limits = {name: size.limit for name, size in sizes().items() if name in BYTE_LIMITED or not name.startswith("test")}

    assert set(limits) == set(BYTE_LIMITED)
    # Other apps of this test process have caches of the same names.
    assert all(limits[name] % limit == 0 for name, limit in BYTE_LIMITED.items())
    assert app.state.shop.pages.views.cache is not None
    assert sum(BYTE_LIMITED.values()) < 150_000_000
