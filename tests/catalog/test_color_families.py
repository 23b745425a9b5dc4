"""A color family is added in one place: everything else that names families follows from it."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.colors import FAMILIES, ColorFamily
from server.catalog.connections import ProductFacets, ProductFilter
from server.catalog.index import words
from server.catalog.lists import ProductCriteria
from server.catalog.models import ProductColor
from server.platform.core.errors import InvalidInput
from tests.catalog.goods import put_on_offer
from tests.catalog.indexes import loaded
from tests.catalog.specified import CATEGORIES

ROOT = Path(__file__).parents[2]
ONE_PLACE = ROOT / "server/catalog/colors.py"
SOURCES = {"server": "*.py", "alembic": "*", "client/src": "*.ts*", "deploy": "*"}
STAND_INS = ROOT / "demo"
"""Colors of the demo's clothes and of the provider's page are no families."""


@pytest.fixture
def teal(monkeypatch: pytest.MonkeyPatch) -> None:
    """One family more."""
    monkeypatch.setitem(FAMILIES, "Teal", ColorFamily("#2b7a78", ("lagoon",)))


def words_with_the_families_there_are() -> ModuleType:
    spec = spec_from_file_location("words_again", words.__file__)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.usefixtures("teal")
async def test_a_new_family_is_counted_shown_and_filtered_by(session: AsyncSession) -> None:
    await put_on_offer(session, colors=[("Lagoon", "#2b7a78")])
    await session.execute(update(ProductColor).values(family="Teal"))

    index = await loaded(session)
    facets = ProductFacets.of(index.facets(ProductCriteria(), ()))

    assert [(facet.name, facet.hex, facet.count) for facet in facets.colors] == [("Teal", "#2b7a78", 1)]
    assert index.total(ProductFilter(colors=["Teal"]).narrowed(CATEGORIES)) == 1
    with pytest.raises(InvalidInput, match=r"Purple, Pink, Teal\.$"):
        ProductFilter(colors=["Turquoise"]).narrowed(CATEGORIES)


@pytest.mark.usefixtures("teal")
def test_a_search_understands_a_new_family_and_its_shades() -> None:
    again = words_with_the_families_there_are()

    assert (again.family_of("teal"), again.family_of("lagoon")) == ("teal", "teal")
    assert {"teal", "lagoon"} <= set(again.KNOWN)


def test_no_other_file_lists_them() -> None:
    half = len(FAMILIES) // 2
    names = re.compile(rf"""["'`]({"|".join(FAMILIES)})["'`]""", re.IGNORECASE)
    files = [file for folder, kind in SOURCES.items() for file in (ROOT / folder).rglob(kind) if file.is_file()]

    lists = [
        str(file.relative_to(ROOT))
        for file in files
        if STAND_INS not in file.parents and len(set(names.findall(file.read_text(errors="ignore")))) >= half
    ]

    assert lists == [str(ONE_PLACE.relative_to(ROOT))]
