"""The documents name files, recipes and tests that exist, and each decision is in the index."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
RECORDS = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
INDEX = (ROOT / "docs/decisions/README.md").read_text()
OWN_CODE = re.findall(r"^- \[(\d{4})\]", INDEX.partition("## Own code or a library")[2].partition("\n## ")[0], re.M)
"""Numbers of the records about parts that are written by hand although libraries exist."""
HEADINGS = ["Context", "Decision", "Rejected", "Consequences"]
OWN_CODE_HEADINGS = ["Context", "Decision", "Benefit", "Risks", "Replacement", "Rejected", "Consequences"]
MOST_LINES = 40
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
FILE = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:py|ts|tsx|js|json|html|toml|md|yml|cfg|sql|service|socket))`")
FOLDERS = ("", "server", "client", "client/src", "tests")
"""Where paths of the documents begin."""
COMMAND = re.compile(r"`just ([\w-]+)([^`]*)`")
TEST_FILES = [path for path in (ROOT / "tests").rglob("test_*.py") if "__pycache__" not in path.parts]
TEST_NAMES = "\n".join(
    f"{path.relative_to(ROOT)} {name}".lower()
    for path in TEST_FILES
    for name in ("", *re.findall(r"def (test_\w+)", path.read_text()))
)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents_name_files_that_exist(document: Path) -> None:
    text = document.read_text()

    links = [link for link in LINK.findall(text) if not (document.parent / link).exists()]
    files = [file for file in FILE.findall(text) if not any((ROOT / each / file).exists() for each in FOLDERS)]

    assert (links, files) == ([], [])


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_a_decision_has_a_number_a_date_and_its_headings(record: Path) -> None:
    title, _, date, *_ = text = record.read_text().splitlines()
    headings = OWN_CODE_HEADINGS if record.name[:4] in OWN_CODE else HEADINGS

    assert title.startswith(f"# {record.name[:4]}. ")
    assert re.fullmatch(r"Date: 20\d\d-\d\d-\d\d(, changed 20\d\d-\d\d-\d\d)?", date)
    assert re.findall(r"^\*\*(\w+)\.\*\* ", "\n".join(text), re.M) == headings


@pytest.mark.parametrize("number", OWN_CODE)
def test_own_code_has_one_page_with_its_size_and_its_tests(number: str) -> None:
    [page] = [record.read_text() for record in RECORDS if record.name.startswith(number)]
    parts = dict(re.findall(r"^\*\*(\w+)\.\*\* (.*?)(?=^\*\*|\Z)", page, re.M | re.S))

    assert len(page.splitlines()) <= MOST_LINES
    assert re.search(r"`(server|demo|client)/", parts["Decision"])
    assert re.search(r"\d\s+lines", parts["Decision"])
    assert "`tests/" in parts["Benefit"] + parts["Risks"]


def test_the_index_lists_each_decision_once_by_its_title() -> None:
    titles = [record.read_text().partition("\n")[0].removeprefix("# ") for record in RECORDS]
    lines = [
        f"- [{title[:4]}]({record.name}) {title.partition('. ')[2]}"
        for title, record in zip(titles, RECORDS, strict=True)
    ]

    assert sorted(line for line in INDEX.splitlines() if line.startswith("- [")) == lines
    assert [int(record.name[:4]) for record in RECORDS] == list(range(1, len(RECORDS) + 1))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents_name_commands_that_exist(document: Path) -> None:
    recipes = set(re.findall(r"^([a-z][\w-]*)[^:\n]*:(?!=)", (ROOT / "justfile").read_text(), re.M))

    unknown = [name for name, _ in COMMAND.findall(document.read_text()) if name not in recipes]

    assert unknown == []


def test_promises_select_tests_that_exist() -> None:
    commands = COMMAND.findall((ROOT / "docs/promises.md").read_text())
    of_pytest = [(name, rest) for name, rest in commands if name in ("server-tests", "e2e", "siege")]

    paths = [path for _, rest in of_pytest for path in re.findall(r"\btests/\S+", rest)]
    words = [word for _, rest in of_pytest for word in selected_words(rest)]

    assert len(words) > 50
    assert [path for path in paths if not (ROOT / path).exists()] == []
    assert [word for word in words if word.lower() not in TEST_NAMES] == []


def selected_words(arguments: str) -> list[str]:
    """The names in the expression of `-k`."""
    expression = re.search(r"-k (?:'([^']*)'|\"([^\"]*)\"|(\S+))", arguments)
    if expression is None:
        return []
    return [
        word
        for word in re.findall(r"\w+", "".join(filter(None, expression.groups())))
        if word not in ("or", "and", "not")
    ]
