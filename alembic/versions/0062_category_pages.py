"""categories have words and a picture, and departments say whom their garments are for

Each statement is a transaction of its own, so that none holds two tables that buyers lock. Begun again, it finds what is
done.
"""

from alembic import op

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {
    "ban-concurrent-index-creation-in-transaction": "Each statement is a transaction of its own.",
    "ban-drop-constraint": "Drops only what an earlier, interrupted run of this migration has added.",
    "constraint-missing-not-valid": "They are NOT VALID, and validated in transactions of their own.",
}

COLUMNS = """
ALTER TABLE departments
    ADD COLUMN IF NOT EXISTS gender text,
    ADD COLUMN IF NOT EXISTS age_group text DEFAULT 'adult' NOT NULL;
ALTER TABLE categories
    ADD COLUMN IF NOT EXISTS description text DEFAULT '' NOT NULL,
    ADD COLUMN IF NOT EXISTS image_id uuid;
ALTER TABLE departments
    DROP CONSTRAINT IF EXISTS ck_departments_gender,
    ADD CONSTRAINT ck_departments_gender CHECK (gender IN ('male', 'female', 'unisex')) NOT VALID,
    DROP CONSTRAINT IF EXISTS ck_departments_age_group,
    ADD CONSTRAINT ck_departments_age_group
        CHECK (age_group IN ('newborn', 'infant', 'toddler', 'kids', 'adult')) NOT VALID;
ALTER TABLE departments VALIDATE CONSTRAINT ck_departments_gender;
ALTER TABLE departments VALIDATE CONSTRAINT ck_departments_age_group;
ALTER TABLE categories
    DROP CONSTRAINT IF EXISTS fk_categories_image_id_images,
    ADD CONSTRAINT fk_categories_image_id_images FOREIGN KEY (image_id) REFERENCES images (id) NOT VALID;
ALTER TABLE categories VALIDATE CONSTRAINT fk_categories_image_id_images;
CREATE INDEX CONCURRENTLY IF NOT EXISTS ix_categories_image_id ON categories (image_id);
UPDATE departments SET gender = 'male' WHERE key = 'men' AND gender IS NULL;
UPDATE departments SET gender = 'female' WHERE key = 'women' AND gender IS NULL;
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for statement in COLUMNS.split(";\n")[:-1]:
            op.execute(statement)


def downgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("ALTER TABLE categories DROP COLUMN image_id, DROP COLUMN description")
        op.execute("ALTER TABLE departments DROP COLUMN age_group, DROP COLUMN gender")
