"""SQL functions, triggers and views, as their files say and as a database has them."""

import asyncpg

from server.platform.processes.sql_files import MIGRATIONS

DEFINED = {
    "function": """
        SELECT proname AS name, pg_get_functiondef(oid) AS text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    """,
    "trigger": "SELECT tgname AS name, pg_get_triggerdef(oid) AS text FROM pg_trigger WHERE NOT tgisinternal",
    "view": """
        SELECT relname AS name, pg_get_viewdef(oid) AS text FROM pg_class
        WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace
    """,
}


def newest_texts() -> dict[str, str]:
    """The text of each last file by `<room>/<name>`: those of before were replaced by later migrations."""
    return {
        f"{path.parent.name}/{path.name.split('.')[0]}": path.read_text()
        for path in sorted((MIGRATIONS / "sql").glob("*/*.sql"))
    }


async def definitions(connection: asyncpg.Connection) -> dict[str, list[tuple[str, str]]]:
    """Names and texts of the shop's own functions, triggers and views."""
    return {
        kind: sorted((row["name"], row["text"]) for row in await connection.fetch(query))
        for kind, query in DEFINED.items()
    }
