"""`python -m server …`, in an installed wheel `minimal …`: the commands that start, prepare and maintain a shop.

What reads the settings takes a quarter of a second to load, in which the web process can load already: it is imported
after that has been started.
"""

import argparse
import gc
import getpass
import sys
from collections.abc import Coroutine, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from server.platform.processes.console import CommandRefused, say

if TYPE_CHECKING:
    from server.config import Settings

_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Returns its exit code: 1 when the command was refused, with the reason on standard output."""
    parser = _parser()
    options, more = parser.parse_known_args(arguments)
    if more and options.command is not _psql:
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    options.more = more
    if options.begin:
        options.begin(options)
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    from pydantic import ValidationError

    from server.config import Settings
    from server.platform.core.errors import InvalidInput
    from server.platform.processes.drop_privileges import NotPossible
    from server.platform.processes.postgres import PostgresFailed
    from server.platform.processes.process import StillRunning

    try:
        options.command(Settings(), options)
    except ValidationError as error:
        from server.platform.core.setting_types import problems

        for problem in problems(error):
            say(problem)
        return 1
    except InvalidInput as error:
        for problem in error.errors.values():
            say(problem)
        return 1
    except (CommandRefused, PostgresFailed, StillRunning, NotPossible) as refusal:
        say(str(refusal))
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="minimal" if Path(sys.argv[0]).name == "minimal" else "python -m server",
        description="Settings come from the environment and .env.",
    )
    # What a command does before the settings are read.
    parser.set_defaults(begin=None)
    commands = parser.add_subparsers(required=True, metavar="command")
    _add_roles(commands)
    _add_schema(commands)
    _add_data(commands)
    _add_backups(commands)
    return parser


def _add_roles(commands: _Commands) -> None:
    start = commands.add_parser("start", help="open the shop: database, stand-ins, a process of each role")
    start.add_argument("--reload", action="store_true", help="start its processes again when a file of server/ changes")
    start.add_argument("--end-with-parent", action="store_true", help="close when the program that started this dies")
    start.set_defaults(command=_start, begin=_begin_start)
    web = commands.add_parser("web", help="answer HTTP, on a database that is there and migrated")
    web.add_argument(
        "--settings-from-stdin", action="store_true", help="load first, and begin when standard input ends"
    )
    web.set_defaults(command=_web, begin=_begin_web)
    worker = commands.add_parser("worker", help="do what no request waits for: jobs, schedule, facts of the reports")
    worker.add_argument("--queues", metavar="NAME", nargs="+", default=[], help="do the jobs of these queues alone")
    worker.set_defaults(command=_worker)
    reports = commands.add_parser("reports", help="answer questions about analytics for the web processes of this host")
    reports.set_defaults(command=_reports)


def _add_schema(commands: _Commands) -> None:
    migrate = commands.add_parser("migrate", help="bring the database's tables up to date")
    migrate.add_argument("--or-newer", action="store_true", help="leave one alone that a newer version has migrated")
    migrate.set_defaults(command=_migrate)
    migration = commands.add_parser("migration", help="write the next migration from what the models say")
    migration.add_argument("message")
    migration.set_defaults(command=_migration)
    schema = commands.add_parser("schema", help="write schema.graphql from the server's types")
    schema.add_argument("--check", action="store_true", help="only say whether it is what the server serves")
    schema.set_defaults(command=_schema)


def _add_data(commands: _Commands) -> None:
    psql = commands.add_parser("psql", help="open a psql on the shop's database; it takes psql's options")
    psql.set_defaults(command=_psql)
    seed = commands.add_parser("seed", help="fill an empty shop with the demo catalogue, accounts and orders")
    seed.set_defaults(command=_seed)
    demo = commands.add_parser("demo", help="give a demo shop the past of a big one, for measuring")
    demo.add_argument("--orders", type=int, default=1_000_000)
    demo.add_argument("--seed", type=int, default=7)
    demo.set_defaults(command=_demo)
    make_admin = commands.add_parser("make-admin", help="make an account the primary admin; a new one gets a password")
    make_admin.add_argument("email", metavar="E-MAIL")
    make_admin.set_defaults(command=_make_admin)
    second_factor = commands.add_parser(
        "end-second-factor", help="end an account's passkeys and codes: for a primary admin who has lost them"
    )
    second_factor.add_argument("email", metavar="E-MAIL")
    second_factor.set_defaults(command=_end_second_factor)
    rebuild = commands.add_parser(
        "rebuild-analytics", help="make every fact behind the reports anew, while it sells on"
    )
    rebuild.set_defaults(command=_rebuild_analytics)


def _add_backups(commands: _Commands) -> None:
    backup = commands.add_parser("backup", help="write database and pictures into a new folder, while the shop runs")
    backup.add_argument("folder", type=Path)
    backup.set_defaults(command=_backup)
    restore = commands.add_parser("restore", help="fill an empty shop from a backup's folder")
    restore.add_argument("folder", type=Path)
    restore.set_defaults(command=_restore)
    archive = commands.add_parser("archive", help="keep continuous backups of the database in BACKUP_URL")
    archive.set_defaults(command=_archive)
    recover = commands.add_parser("recover", help="make an empty shop as it was at a moment, from BACKUP_URL")
    recover.add_argument(
        "--to", metavar="MOMENT", default="", help="2026-11-24T08:00:00+00:00, or a position of the log"
    )
    recover.add_argument("--timeline", type=int, help="follow this one instead of the newest")
    recover.add_argument("folder", type=Path, nargs="?", help="of a PostgreSQL of your own; default: the embedded one")
    recover.set_defaults(command=_recover)
    verify = commands.add_parser("verify", help="read BACKUP_URL and say what can be restored, until when")
    verify.add_argument(
        "--sample", metavar="SHARE", type=float, default=1.0, help="of the objects to read; default: all, 1"
    )
    verify.set_defaults(command=_verify)
    catch_up = commands.add_parser(
        "catch-up", help="hear again what the payment provider told since a backup; names payments nobody knows of"
    )
    catch_up.set_defaults(command=_catch_up)


def _begin_start(options: argparse.Namespace) -> None:
    from server.platform.processes.process import LoadingProcess

    command = (sys.executable, "-m", "server", "web", "--settings-from-stdin")
    options.web = None if options.reload else LoadingProcess(*command)


def _start(settings: "Settings", options: argparse.Namespace) -> None:
    from server.platform.processes.process import end_with_parent
    from server.run.supervisor import start

    if options.end_with_parent:
        end_with_parent()
    start(settings, options.web, reload=options.reload)


def _begin_web(options: argparse.Namespace) -> None:
    _prepare_to_load()
    from server.platform.pages.renderer import Renderer

    # V8 loads its script meanwhile.
    options.renderer = Renderer()
    options.renderer.start()
    from server.run import web  # noqa: F401

    if options.settings_from_stdin:
        from server.platform.processes.process import wait_for_settings

        wait_for_settings()


def _web(settings: "Settings", options: argparse.Namespace) -> None:
    from server.run.web import serve

    serve(settings, options.renderer)


def _worker(settings: "Settings", options: argparse.Namespace) -> None:
    _prepare_to_load()
    from server.run.worker import work

    work(settings, options.queues)


def _reports(settings: "Settings", _: argparse.Namespace) -> None:
    _prepare_to_load()
    from server.run.reports import answer_reports

    answer_reports(settings)


def _prepare_to_load() -> None:
    """Makes the start of a process quicker: collecting while modules load would take a fifth of it.

    `gc_tuning.freeze_startup_objects` enables it. Developers' tools bring Rich, which structlog and httpx
    load where they find it, for output on a terminal: 9 MB and a tenth of the start.
    """
    gc.disable()
    sys.modules["rich"] = None  # type: ignore[assignment]


def _migrate(settings: "Settings", options: argparse.Namespace) -> None:
    from server.run.database import database
    from server.run.migrations import upgrade

    with database(settings) as url:
        upgrade(url, or_newer=options.or_newer)


def _migration(settings: "Settings", options: argparse.Namespace) -> None:
    from server.run.database import database
    from server.run.migrations import generate, upgrade

    with database(settings) as url:
        upgrade(url)
        generate(url, options.message)


def _schema(_: "Settings", options: argparse.Namespace) -> None:
    from server.run import schema_file

    if options.check:
        schema_file.check()
    else:
        schema_file.write()


def _psql(settings: "Settings", options: argparse.Namespace) -> None:
    from server.run.database import database, run_program

    with database(settings) as url:
        run_program(settings, url, "psql", *options.more)


def _seed(settings: "Settings", _: argparse.Namespace) -> None:
    _check_demo()
    from demo.entry import seed

    seed(settings)


def _demo(settings: "Settings", options: argparse.Namespace) -> None:
    _check_demo()
    from demo.entry import grow

    grow(settings, options.orders, options.seed)


def _check_demo() -> None:
    """Raises CommandRefused where the demo was left out, as in an image."""
    if find_spec("demo") is None:
        raise CommandRefused("This shop was installed without its demo.")


def _complete(work: Coroutine[Any, Any, object]) -> None:
    import asyncio

    asyncio.run(work)


def _rebuild_analytics(settings: "Settings", _: argparse.Namespace) -> None:
    from server.run.analytics import rebuild
    from server.run.database import database

    with database(settings) as url:
        _complete(rebuild(settings.model_copy(update={"database_url": url})))


def _make_admin(settings: "Settings", options: argparse.Namespace) -> None:
    from server.run.admin import make_admin
    from server.run.database import database
    from server.run.migrations import upgrade

    with database(settings) as url:
        upgrade(url)
        _complete(make_admin(url, options.email, _ask_password))


def _end_second_factor(settings: "Settings", options: argparse.Namespace) -> None:
    from server.run.admin import end_second_factor
    from server.run.database import database

    with database(settings) as url:
        _complete(end_second_factor(url, options.email, settings.public_url))


def _ask_password() -> str:
    """Read from the terminal without echo; from standard input where there is no terminal."""
    if sys.stdin.isatty():
        return getpass.getpass("Password of the new account: ")
    return sys.stdin.readline().rstrip("\n")


def _backup(settings: "Settings", options: argparse.Namespace) -> None:
    from server.run.backup import backup

    backup(settings, options.folder)


def _restore(settings: "Settings", options: argparse.Namespace) -> None:
    from server.run.backup import restore

    restore(settings, options.folder)


def _archive(settings: "Settings", _: argparse.Namespace) -> None:
    from server.run.archive.process import archive

    archive(settings)


def _recover(settings: "Settings", options: argparse.Namespace) -> None:
    from server.platform.processes.shop_folder import hold
    from server.run.archive.recover import recover, target

    to = target(options.to, options.timeline)
    with hold(settings.shop_data):
        recover(settings, options.folder or settings.shop_data / "postgres", to)


def _verify(settings: "Settings", options: argparse.Namespace) -> None:
    from server.run.archive.verify import verify

    verify(settings, options.sample)


def _catch_up(settings: "Settings", _: argparse.Namespace) -> None:
    from server.run.catch_up import catch_up
    from server.run.database import database

    with database(settings) as url:
        _complete(catch_up(settings.model_copy(update={"database_url": url})))
