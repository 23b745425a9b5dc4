"""categories are rows: a kind in a department, to which products point

The version before goes on with the five that are planted here, which its code lists.

Each statement is a transaction of its own, so that none holds two tables that buyers lock. Begun again, it finds what is
done.
"""

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {
    "ban-drop-constraint": "It listed five categories; the foreign key that comes instead lists what there is.",
    "constraint-missing-not-valid": "It is validated in a transaction of its own, which the record of statements hides.",
    "prefer-bigint-over-int": "Positions and versions are counted by hand.",
}

WORDS = "'^[a-z0-9]+(-[a-z0-9]+)*$'"
TABLES = f"""
CREATE TABLE IF NOT EXISTS departments (
    key text NOT NULL,
    name text NOT NULL,
    heading text NOT NULL,
    slug text NOT NULL,
    position integer NOT NULL,
    hidden_at timestamptz,
    version integer DEFAULT 1 NOT NULL,
    CONSTRAINT pk_departments PRIMARY KEY (key),
    CONSTRAINT uq_departments_slug UNIQUE (slug),
    CONSTRAINT ck_departments_key CHECK (key ~ {WORDS}),
    CONSTRAINT ck_departments_slug CHECK (slug ~ {WORDS} AND slug NOT IN ('sale', 'sales'))
);
CREATE TABLE IF NOT EXISTS kinds (
    key text NOT NULL,
    name text NOT NULL,
    CONSTRAINT pk_kinds PRIMARY KEY (key),
    CONSTRAINT ck_kinds_key CHECK (key ~ {WORDS})
);
CREATE TABLE IF NOT EXISTS categories (
    department text NOT NULL,
    kind text NOT NULL,
    key text GENERATED ALWAYS AS (department || '_' || kind) STORED NOT NULL,
    name text NOT NULL,
    heading text,
    slug text NOT NULL,
    position integer NOT NULL,
    measuring_points text[] DEFAULT '{{}}' NOT NULL,
    hidden_at timestamptz,
    version integer DEFAULT 1 NOT NULL,
    CONSTRAINT pk_categories PRIMARY KEY (department, kind),
    CONSTRAINT uq_categories_key UNIQUE (key),
    CONSTRAINT uq_categories_department_slug UNIQUE (department, slug),
    CONSTRAINT ck_categories_slug CHECK (slug ~ {WORDS}),
    CONSTRAINT fk_categories_department_departments FOREIGN KEY (department) REFERENCES departments (key),
    CONSTRAINT fk_categories_kind_kinds FOREIGN KEY (kind) REFERENCES kinds (key)
);
"""
DEPARTMENTS = """
INSERT INTO departments (key, name, heading, slug, position) VALUES
    ('men', 'Men', 'Men''s Collection', 'men', 1),
    ('women', 'Women', 'Women''s Collection', 'women', 2)
ON CONFLICT DO NOTHING
"""
KINDS = """
INSERT INTO kinds (key, name) VALUES ('shirts', 'Shirts'), ('jeans', 'Jeans'), ('trousers', 'Trousers')
ON CONFLICT DO NOTHING
"""
CATEGORIES = """
INSERT INTO categories (department, kind, name, slug, position, measuring_points) VALUES
    ('men', 'shirts', 'Shirts', 'shirts', 1, '{collar,shoulder,chest,sleeve,length}'),
    ('men', 'jeans', 'Jeans', 'jeans', 2, '{waist,front_rise,thigh,inseam,hem}'),
    ('women', 'shirts', 'Shirts', 'shirts', 1, '{shoulder,bust,waist,sleeve,length}'),
    ('women', 'jeans', 'Jeans', 'jeans', 2, '{waist,front_rise,thigh,inseam,hem}'),
    ('women', 'trousers', 'Trousers', 'trousers', 3, '{waist,front_rise,thigh,inseam,hem}')
ON CONFLICT DO NOTHING
"""
POINT = """
ALTER TABLE products
    DROP CONSTRAINT IF EXISTS fk_products_gender_subcategory_categories,
    ADD CONSTRAINT fk_products_gender_subcategory_categories
        FOREIGN KEY (gender, subcategory) REFERENCES categories (department, kind) NOT VALID
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for statement in (*TABLES.split(";\n")[:-1], DEPARTMENTS, KINDS, CATEGORIES):
            op.execute(statement)
        apply_sql("catalog", "announce_categories", at=revision)
        op.execute(POINT)
        op.execute("ALTER TABLE products VALIDATE CONSTRAINT fk_products_gender_subcategory_categories")
        op.execute("ALTER TABLE products DROP CONSTRAINT IF EXISTS ck_products_category")


def downgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute(
            """
            ALTER TABLE products
                DROP CONSTRAINT IF EXISTS fk_products_gender_subcategory_categories,
                ADD CONSTRAINT ck_products_category CHECK (
                    (gender = 'men' AND subcategory IN ('shirts', 'jeans'))
                    OR (gender = 'women' AND subcategory IN ('shirts', 'jeans', 'trousers'))
                )
            """
        )
        for table in ("categories", "kinds", "departments"):
            op.execute(f"DROP TABLE {table}")
        op.execute("DROP FUNCTION announce_categories")
