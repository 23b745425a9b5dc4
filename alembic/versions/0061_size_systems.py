"""what products are made in is a row, which their category names; a fresh shop has letters

The version before goes on with the letters, which its code lists. Each statement is a transaction of its own, so that
none holds two tables that buyers lock. Begun again, it finds what is done.
"""

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0061"
down_revision = "0059"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {
    "ban-drop-constraint": "It listed the letters; sizes are those of the category's system, which the code checks.",
    "constraint-missing-not-valid": "It is validated in a transaction of its own, which the record of statements hides.",
    "prefer-bigint-over-int": "Versions are counted by hand.",
}

TABLE = """
CREATE TABLE IF NOT EXISTS size_systems (
    key text NOT NULL,
    name text NOT NULL,
    market text DEFAULT '' NOT NULL,
    axes jsonb NOT NULL,
    sizes text[] NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    CONSTRAINT pk_size_systems PRIMARY KEY (key),
    CONSTRAINT ck_size_systems_key CHECK (key ~ '^[a-z0-9]+(-[a-z0-9]+)*$')
)
"""
LETTERS = """
INSERT INTO size_systems (key, name, axes, sizes)
SELECT 'letters', 'Letters', jsonb_build_array(jsonb_build_object('name', 'Size', 'values', jsonb_agg(
    jsonb_build_object('name', letters.size, 'labels', jsonb_build_array()) ORDER BY letters.place
))), array_agg(letters.size ORDER BY letters.place)
FROM unnest('{XS,S,M,L,XL,XXL}'::text[]) WITH ORDINALITY AS letters (size, place)
ON CONFLICT DO NOTHING
"""
NAME_SYSTEM = """
ALTER TABLE categories
    DROP CONSTRAINT IF EXISTS fk_categories_size_system_size_systems,
    ADD CONSTRAINT fk_categories_size_system_size_systems
        FOREIGN KEY (size_system) REFERENCES size_systems (key) NOT VALID
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute(TABLE)
        op.execute(LETTERS)
        op.execute("ALTER TABLE categories ADD COLUMN IF NOT EXISTS size_system text DEFAULT 'letters' NOT NULL")
        op.execute(NAME_SYSTEM)
        op.execute("ALTER TABLE categories VALIDATE CONSTRAINT fk_categories_size_system_size_systems")
        apply_sql("catalog", "announce_size_systems", at=revision)
        op.execute("ALTER TABLE variants DROP CONSTRAINT IF EXISTS ck_variants_size")


def downgrade() -> None:
    op.create_check_constraint("size", "variants", "size IN ('XS', 'S', 'M', 'L', 'XL', 'XXL')")
    op.execute("DROP TRIGGER announce_other_sizes ON categories")
    op.drop_column("categories", "size_system")
    op.drop_table("size_systems")
