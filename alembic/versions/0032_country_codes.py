"""country codes

Addresses held the country as it was typed, so that "us", "USA" and "United States" were three countries of the reports,
and one that does not exist was refused only at payment. Each is matched once. Words that nobody can tell stay readable
beside the town, and the address asks for its country at the next checkout.
"""

import sqlalchemy as sa

from alembic import op
from server.platform.core import countries

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {
    "constraint-missing-not-valid": "Older than this check; addresses are few, ten to an account at most."
}


def upgrade() -> None:
    op.add_column("addresses", sa.Column("state", sa.Text(), server_default=sa.text("''"), nullable=False))
    for words in _words("SELECT DISTINCT country FROM addresses"):
        _match_addresses(words, countries.code_of(words))
    _run("UPDATE addresses SET country = :unknown WHERE country = ''", unknown=countries.UNKNOWN)
    op.create_check_constraint(op.f("ck_addresses_country_code"), "addresses", "country ~ '^[A-Z]{2}$'")
    for table in ("orders", "checkouts"):
        for words in _words(f"SELECT DISTINCT shipping_address ->> 'country' FROM {table}"):
            if code := countries.code_of(words):
                _match_copies(table, words, code)


def downgrade() -> None:
    op.drop_constraint(op.f("ck_addresses_country_code"), "addresses", type_="check")
    for code, name in countries.names().items():
        _run("UPDATE addresses SET country = :name WHERE country = :code", code=code, name=name)
    op.drop_column("addresses", "state")


def _match_addresses(words: str, code: str | None) -> None:
    _run(
        "UPDATE addresses SET country = :code, city = CASE WHEN :known THEN city ELSE concat_ws(', ', city, :words) END"
        " WHERE country = :words",
        code=code or countries.UNKNOWN,
        known=code is not None,
        words=words,
    )


def _match_copies(table: str, words: str, code: str) -> None:
    """The copies of orders say the country by its name, as before. Where that changes, the reports follow."""
    name = countries.name_of(code)
    if table == "orders" and name != words:
        _run(
            "INSERT INTO analytics_outbox (order_id) SELECT id FROM orders WHERE shipping_address ->> 'country' = :words",
            words=words,
        )
    _run(
        f"UPDATE {table} SET shipping_address = shipping_address || jsonb_build_object("
        "'country', CAST(:name AS text), 'country_code', CAST(:code AS text))"
        " WHERE shipping_address ->> 'country' = :words",
        name=name,
        code=code,
        words=words,
    )


def _words(question: str) -> list[str]:
    return [words for words in op.get_bind().scalars(sa.text(question)) if words]


def _run(statement: str, **values: object) -> None:
    op.execute(sa.text(statement).bindparams(**values))
