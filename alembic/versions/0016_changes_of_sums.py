"""changes of sums"""

import runpy
from pathlib import Path
from types import SimpleNamespace

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

firsts = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("0015_first_lines.py"))))
SUMS = firsts.facts.SUMS
FOLLOWED_BEFORE = firsts._renewed(firsts.FOLLOWED_BEFORE, "unnest(rows)")

KEYS = "grain, day, category, product_id"
BIGINTS = ", ".join(f"{name} bigint" for name in SUMS)
ADDED = ", ".join(f"sum({name})" for name in SUMS)
DIFFERS = " OR ".join(f"sum({name}) <> 0" for name in SUMS)
TAKEN_OFF = ", ".join(f"-{name}" for name in SUMS)

# By how much a sum of a day changes. Every payment made a table for these and dropped it again: some forty rows in the
# system's own tables, and each statement that named it was planned anew.
CHANGE = f"CREATE TYPE sales_change AS (grain text, day date, category text, product_id uuid, {BIGINTS})"

FOLLOW = firsts.earlier._changed(
    FOLLOWED_BEFORE,
    {
        # To plan how an order is followed takes longer than to follow it, and the plans are good for the next.
        "LANGUAGE plpgsql AS": "LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS",
        "\nBEGIN": "\n    sums_before sales_change[];\n    changes sales_change[];\nBEGIN",
        f"""CREATE TEMP TABLE IF NOT EXISTS sales_changes (
        grain text, day date, category text, product_id uuid, {BIGINTS}
    ) ON COMMIT DROP;
    TRUNCATE sales_changes;
    INSERT INTO sales_changes
        SELECT {KEYS}, {TAKEN_OFF} FROM sales_sums(numbers);""": f"""sums_before := ARRAY(
        SELECT ROW({KEYS}, {TAKEN_OFF})::sales_change FROM sales_sums(numbers)
    );""",
        f"""INSERT INTO sales_changes SELECT * FROM sales_sums(numbers);
    WITH gone AS (DELETE FROM sales_changes RETURNING *)
        INSERT INTO sales_changes
        SELECT {KEYS}, {ADDED}
        FROM gone GROUP BY {KEYS}
        HAVING {DIFFERS};""": f"""changes := ARRAY(
        SELECT ROW({KEYS}, {ADDED})::sales_change
        FROM (SELECT * FROM unnest(sums_before) UNION ALL SELECT * FROM sales_sums(numbers)) AS told
        GROUP BY {KEYS} HAVING {DIFFERS}
    );""",
    },
)
FOLLOW = FOLLOW.replace("FROM sales_changes WHERE", "FROM unnest(changes) WHERE")
FOLLOW = FOLLOW.replace("USING sales_changes WHERE", "USING unnest(changes) AS sales_changes WHERE")


def upgrade() -> None:
    op.execute(CHANGE)
    op.execute(FOLLOW)


def downgrade() -> None:
    op.execute(FOLLOWED_BEFORE)
    op.execute("DROP TYPE sales_change")
