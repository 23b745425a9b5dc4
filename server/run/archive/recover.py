"""`python -m server recover`: an empty cluster as the shop was at a moment, made from the bucket of the backups.

The whole log behind a base backup is read before PostgreSQL replays it, so that a hole, or a moment that the log does
not reach, is refused instead of being taken for the end.
"""

import asyncio
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import text

from server.config import Settings
from server.inventory import queries as inventory
from server.operations import measures
from server.operations.archive_status import ArchiveStatus
from server.platform.core.db import autocommit, create_engine, sessionmaker
from server.platform.processes.console import CommandRefused, say
from server.platform.processes.drop_privileges import give_all
from server.platform.processes.postgres import Postgres
from server.run.archive.proof import LogReader, Proof, missing_claim, prove
from server.run.archive.sealed import BrokenBackup
from server.run.archive.store import BackupStore, BaseBackup, tar_file
from server.run.archive.tar import unpack
from server.run.archive.wal import Hole, LogInventory, format_lsn, parse_lsn
from server.run.archive.waldump import CommitTimes, TransactionEnd

RECOVERY_SECONDS = 24 * 3_600.0
OF_THE_SERVER = ("ssl=off", "shared_preload_libraries=", "archive_mode=off", "hot_standby=off")
"""Settings of the backed-up host that this host may not support."""
_REPLAYED = text("SELECT pg_last_xact_replay_timestamp()")


@dataclass(frozen=True)
class Target:
    """Until when the log is replayed: a moment, or a position, or as far as it goes."""

    moment: datetime | None = None
    lsn: int | None = None
    timeline: int | None = None
    """Which timeline is followed, if not the newest."""

    @property
    def is_open(self) -> bool:
        """Whether everything is wanted that was archived."""
        return self.moment is None and self.lsn is None


def target(to: str, timeline: int | None = None) -> Target:
    """A target as it is typed; a moment without an offset is in UTC. Raises CommandRefused."""
    try:
        if "/" in to:
            return Target(lsn=parse_lsn(to), timeline=timeline)
        moment = datetime.fromisoformat(to) if to else None
    except ValueError as error:
        raise CommandRefused(f"{to} is neither a moment, as 2026-11-24T08:00:00+00:00, nor a position.") from error
    return Target(moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC), timeline=timeline)


@dataclass(frozen=True)
class Books:
    """A summary of the restored shop."""

    orders: int
    last_order: datetime | None
    without_order: int
    """Paid checkouts that have no order."""
    stock_differences: int
    """Variants whose ledger does not add up."""
    replayed: datetime | None
    """When the last transaction ended that was replayed."""

    @property
    def agree(self) -> bool:
        """Whether both ledgers are whole."""
        return self.without_order == self.stock_differences == 0


@dataclass(frozen=True)
class Plan:
    """A base backup, and the log that leads from it to the target."""

    proof: Proof
    options: Sequence[str]
    """PostgreSQL's settings for the recovery."""
    last: TransactionEnd | None
    """The last end of a transaction that PostgreSQL notes as replayed."""


class UnusableBase(Exception):
    """A base backup does not lead to the target, but an earlier one may."""


def recover(settings: Settings, folder: Path, target: Target) -> Books:
    """Makes `folder`/data, the data directory of a PostgreSQL: everything committed before the moment, nothing after.

    Without a moment, everything that was archived. Raises CommandRefused when the bucket does not prove it, and when
    the books do not agree.
    """
    store = BackupStore.of(settings)
    bases = _bases_before(store, target)
    postgres = Postgres(folder, role=bases[0].role, patience=RECOVERY_SECONDS)
    if postgres.data.exists():
        raise CommandRefused(f"{postgres.data} exists already. A shop is restored into a new folder.")
    postgres.prepare()
    log = postgres.home / "log-to-recover"
    _empty(log)
    reader = LogReader(store, postgres.program("pg_waldump"), log, keeps=True)
    try:
        plan = _unpacked_plan(bases, target, reader, postgres)
        give_all(log, postgres.user)
        postgres.options = (*OF_THE_SERVER, f"restore_command=cp '{log}/%f' '%p'", *plan.options)
        books = _replay(postgres, plan)
    finally:
        shutil.rmtree(log)
    _tell(books, plan, target)
    return books


def _replay(postgres: Postgres, plan: Plan) -> Books:
    postgres.start()
    try:
        books = asyncio.run(_read_books(postgres.url_of(plan.proof.base.database)))
    finally:
        postgres.stop()
    _check_replayed(plan, books)
    return books


def _bases_before(store: BackupStore, target: Target) -> list[BaseBackup]:
    """Those that may lead to the target, the last in the log first."""
    bases = [
        base
        for base in reversed(store.bases())
        if (target.moment is None or base.ended_at <= target.moment) and (target.lsn is None or base.stop <= target.lsn)
    ]
    if not bases:
        raise CommandRefused("BACKUP_URL has no backup that was complete by then.")
    return bases


def _unpacked_plan(bases: Sequence[BaseBackup], target: Target, reader: LogReader, postgres: Postgres) -> Plan:
    """Tries base backups in turn, and unpacks the first that leads to the target."""
    there, status = reader.store.inventory(), reader.store.status()
    reasons = []
    for base in bases:
        try:
            plan = _plan(reader, base, there, status, target)
            _unpack_base(reader, base, there, postgres)
        except (UnusableBase, BrokenBackup, FileNotFoundError) as error:
            reasons.append(f"The backup of {_second(base.ended_at)} cannot be used: {error}")
            say(reasons[-1])
            continue
        return plan
    raise CommandRefused("\n".join(["No backup leads to that state.", *reasons[-1:]]))


def _plan(
    reader: LogReader, base: BaseBackup, there: LogInventory, status: ArchiveStatus | None, target: Target
) -> Plan:
    """Raises CommandRefused when neither this base backup nor an earlier one leads to the target."""
    chain = there.chain(base.timeline, base.start, base.stop, target.timeline)
    if chain is None:
        raise UnusableBase(f"its timeline {base.timeline} was left before it was complete.")
    say(f"Reading the log since the backup of {_second(base.ended_at)} …")
    proof = prove(reader, base, chain, CommitTimes(target.moment, target.lsn))
    if not proof.is_usable:
        raise UnusableBase(f"{proof.chain.hole or 'the log ends'} before it is consistent.")
    timeline = proof.chain.lineage.timeline
    options = [f"recovery_target_timeline={'current' if timeline == base.timeline else timeline}"]
    if target.lsn is not None:
        return _plan_to_position(proof, target.lsn, options)
    if target.moment is None:
        _check_whole(proof, missing_claim(proof, status) or proof.chain.hole)
        return Plan(proof, options, proof.times.last)
    return _plan_to_moment(proof, target.moment, options)


def _plan_to_position(proof: Proof, lsn: int, options: list[str]) -> Plan:
    if lsn > proof.last_record:
        raise CommandRefused(
            f"The log in BACKUP_URL ends at {format_lsn(proof.last_record)}{_because(proof.chain.hole)}."
        )
    stop = [f"recovery_target_lsn={format_lsn(lsn)}", "recovery_target_action=promote"]
    times = proof.times
    # PostgreSQL replays the record at the position, and does not note its time.
    is_at_end = times.last is not None and times.last.lsn == lsn
    return Plan(proof, [*options, *stop], times.previous if is_at_end else times.last)


def _plan_to_moment(proof: Proof, moment: datetime, options: list[str]) -> Plan:
    times = proof.times
    if step := times.shown_twice(moment):
        raise CommandRefused(
            f"The database's clock was set back from {step.last.isoformat()} to {step.first.isoformat()}: what was"
            f" committed by {moment.isoformat()} is not clear. The state before that: {_command(format_lsn(step.lsn))}"
        )
    if times.last is None or moment > times.last.at:
        _check_whole(proof, proof.chain.hole or Hole("The log", f"ends before {moment.isoformat()}"))
    if times.after_moment is None:
        return Plan(proof, options, times.last)
    if times.after_moment.lsn < proof.base.stop:
        raise UnusableBase("it was not complete by then.")
    stop = [f"recovery_target_time={moment.isoformat()}", "recovery_target_action=promote"]
    return Plan(proof, [*options, *stop], times.before_moment)


def _check_whole(proof: Proof, hole: Hole | None) -> None:
    if hole is None:
        return
    last = proof.times.last
    raise CommandRefused(
        f"{hole}. The backups prove no state after {last.at.isoformat()}. That one: {_command(last.at.isoformat())}"
        if last
        else f"{hole}. The backups prove no state behind the backup of {_second(proof.base.ended_at)}."
    )


def _because(hole: Hole | None) -> str:
    return f", since {hole}" if hole else ""


def _command(target: str) -> str:
    return f"python -m server recover --to {target}"


def _second(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def _unpack_base(reader: LogReader, base: BaseBackup, there: LogInventory, postgres: Postgres) -> None:
    """Makes the data directory, and checks every file against the list that PostgreSQL wrote with the backup."""
    say(f"Copying the backup of {_second(base.ended_at)} …")
    unfinished = postgres.home / "data.unfinished"
    _empty(unfinished)
    unpack(reader.store.read(tar_file(base.id)), unfinished)
    checking = [postgres.program("pg_verifybackup"), "--no-parse-wal", "--exit-on-error", "--quiet", str(unfinished)]
    done = subprocess.run(checking, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnusableBase(done.stderr.strip())
    _write_histories(there, reader.folder)
    (unfinished / "recovery.signal").touch()
    (unfinished / "postgresql.conf").touch()
    give_all(unfinished, postgres.user)
    unfinished.rename(postgres.data)


def _write_histories(there: LogInventory, log: Path) -> None:
    """PostgreSQL requests the history of each timeline that it follows, and names its own behind all that there are."""
    for timeline, lineage in there.lineages.items():
        lines = (f"{earlier}\t{format_lsn(fork)}\tfork\n" for earlier, fork in lineage.forks)
        (log / f"{timeline:08X}.history").write_text("".join(lines))


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)


async def _read_books(url: str) -> Books:
    engine = create_engine(url)
    try:
        async with autocommit(sessionmaker(engine)) as session:
            orders, last = await measures.orders(session)
            replayed = (await session.execute(_REPLAYED)).scalar_one()
            without, differences = await measures.paid_without_order(session), await inventory.differences(session)
            return Books(orders, last, without, len(differences), replayed)
    finally:
        await engine.dispose()


def _check_replayed(plan: Plan, books: Books) -> None:
    """What PostgreSQL replayed is what the log promised. Raises CommandRefused otherwise."""
    last = plan.last
    if last is None or last.lsn < plan.proof.base.stop or books.replayed == last.at:
        return
    raise CommandRefused(
        f"PostgreSQL replayed the log until {books.replayed}, although it goes to {last.at.isoformat()}: the state in"
        " the folder lacks commits. Try again with an earlier moment."
    )


def _tell(books: Books, plan: Plan, target: Target) -> None:
    if not books.agree:
        raise CommandRefused(
            f"The shop is restored, but its books do not agree: {books.without_order} paid checkouts have no order, and"
            f" the stock of {books.stock_differences} variants is not what the ledger says."
        )
    last = f", the last of {_second(books.last_order)}" if books.last_order else ""
    say(f"The shop is restored {_until(plan, target)}: {books.orders} orders{last}. Its books agree.")
    say("Once it is open, `python -m server catch-up` hears what was paid since.")


def _until(plan: Plan, target: Target) -> str:
    if target.moment:
        return f"as of {target.moment.isoformat()}"
    if target.lsn is not None:
        return f"up to position {format_lsn(target.lsn)}"
    until = plan.last.at.isoformat() if plan.last else plan.proof.base.ended_at.isoformat()
    return f"until {until}, the last commit that was archived"
