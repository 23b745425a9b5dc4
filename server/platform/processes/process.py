"""Child processes that end with their parent, and whose leftovers can be found and ended after a crash."""

import ctypes
import fcntl
import json
import os
import pwd
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

_PR_SET_PDEATHSIG = 1
_READ_BYTES = 65_536
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class NotStarted(Exception):
    """The process id of a child was requested before its start."""


class StillRunning(Exception):
    """A process of an earlier start could not be ended."""


class LoadingProcess:
    """A child that loads its modules while its parent determines its settings.

    It calls `wait_for_settings`, and ends there if the parent never adopts it. Start it from the main thread.
    """

    def __init__(self, *command: str) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                command, stdin=theirs.fileno(), process_group=0, preexec_fn=_on_leash(None, signal.SIGTERM)
            )
        self._parent = ours

    def send_settings(self, env: Mapping[str, str], lock: int) -> None:
        """Hands over the environment in which it is to run, and the descriptor of its locked file."""
        different = {name: value for name, value in env.items() if os.environ.get(name) != value}
        # It may have ended and reported an error.
        with suppress(BrokenPipeError):
            socket.send_fds(self._parent, [json.dumps(different).encode()], [lock])

    def release(self) -> None:
        """Closes its standard input, so that it begins."""
        self._parent.close()


def wait_for_settings() -> None:
    """Returns when standard input has ended; a `LoadingProcess` then has the environment that it received.

    One that received none exits.
    """
    if not stat.S_ISSOCK(os.fstat(sys.stdin.fileno()).st_mode):
        sys.stdin.buffer.read()
        return
    with socket.socket(fileno=os.dup(sys.stdin.fileno())) as parent:
        # The descriptor of the lock stays open as long as this process lives.
        settings, *_ = socket.recv_fds(parent, _READ_BYTES, 1)
        while more := parent.recv(_READ_BYTES):
            settings += more
    if not settings:
        sys.exit()
    os.environ.update(json.loads(settings))


@dataclass
class ChildProcess:
    """One command that is started, watched and stopped.

    The child inherits a locked file descriptor. The file stays locked while any process of it lives, so a new start can
    distinguish a living leftover from a stale file without trusting a process id. The child leads its own process
    group: Ctrl-C in the terminal reaches only the parent, which stops its children in order.

    Start it from the main thread: on Linux `orphan_signal` is sent when the starting thread ends.
    """

    name: str
    command: Sequence[str]
    lock: Path
    env: Mapping[str, str]
    folder: Path | None = None
    user: pwd.struct_passwd | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    orphan_signal: signal.Signals = signal.SIGTERM
    output: IO[bytes] | None = None
    process: subprocess.Popen[bytes] | None = None
    _loading: LoadingProcess | None = field(default=None, init=False)

    @property
    def is_running(self) -> bool:
        """Whether the child is alive."""
        return self.process is not None and self.process.poll() is None

    @property
    def has_given_up(self) -> bool:
        """Whether it has exited by itself, not by a signal."""
        return self.process is not None and (self.process.poll() or 0) >= 0 and not self.is_running

    @property
    def pid(self) -> int:
        """The process id. Raises NotStarted."""
        if self.process is None:
            raise NotStarted(self.name)
        return self.process.pid

    def start(self, *, is_held: bool = False) -> None:
        """Ends leftovers of an earlier start, then starts. Raises StillRunning when they cannot be ended.

        The child's standard input has ended, or ends with `release` if the child is held.
        """
        descriptor = self._take_lock()
        try:
            self.process = subprocess.Popen(
                self.command,
                env=dict(self.env),
                cwd=self.folder,
                stdin=subprocess.PIPE if is_held else subprocess.DEVNULL,
                stdout=self.output,
                stderr=self.output,
                pass_fds=[descriptor],
                process_group=0,
                preexec_fn=_on_leash(self.user, self.orphan_signal),
            )
            os.pwrite(descriptor, f"{self.process.pid}\n".encode(), 0)
        finally:
            os.close(descriptor)

    def adopt(self, loading: LoadingProcess) -> None:
        """As `start` of a child that is held, with a process that loads already. Raises StillRunning."""
        descriptor = self._take_lock()
        try:
            loading.send_settings(self.env, descriptor)
            os.pwrite(descriptor, f"{loading.process.pid}\n".encode(), 0)
        finally:
            os.close(descriptor)
        self.process, self._loading = loading.process, loading

    def release(self) -> None:
        """Ends the standard input of a child that was held; does nothing to one that was started again."""
        if self._loading is not None:
            self._loading.release()
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()

    def end_leftover(self) -> None:
        """Ends leftovers of an earlier start. Raises StillRunning when they cannot be ended."""
        os.close(self._take_lock())

    def wait(self) -> int:
        """Waits until the child exits by itself. Returns its exit code."""
        if self.process is None:
            raise NotStarted(self.name)
        return self.process.wait()

    def end(self) -> None:
        """Sends SIGTERM without waiting."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(self.stop_signal)

    def stop(self, patience: float = 10) -> int | None:
        """Sends SIGTERM, and SIGKILL after `patience` seconds. Returns the exit code."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.end()
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.kill()
        return self.process.returncode

    def kill(self) -> None:
        """Kills the child and reaps it."""
        self.kill_nowait()
        if self.process is not None:
            self.process.wait()

    def kill_nowait(self) -> None:
        """Kills the child without waiting.

        A signal handler may call it. It must not wait, since the code it interrupts may hold the lock for waiting.
        """
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def _take_lock(self) -> int:
        self.lock.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if not locked(descriptor):
                self._end_leftover(descriptor)
            os.ftruncate(descriptor, 0)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _end_leftover(self, descriptor: int) -> None:
        if wait_until(lambda: locked(descriptor), 0.2):
            return
        for escalation, patience in ((self.stop_signal, 15.0), (signal.SIGKILL, 5.0)):
            leftover = os.pread(descriptor, 20, 0).strip()
            if leftover.isdigit():
                with suppress(ProcessLookupError):
                    os.killpg(int(leftover), escalation)
            if wait_until(lambda: locked(descriptor), patience):
                return
        raise StillRunning(f"{self.name} of an earlier start (process {leftover.decode()}) does not end")


def end_with_parent() -> None:
    """From now on this process receives SIGTERM when its parent dies (Linux)."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def is_locked(path: Path) -> bool:
    """Whether a process holds the lock of this file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        return not locked(descriptor)
    finally:
        os.close(descriptor)


def wait_until(condition: Callable[[], bool], seconds: float, every: float = 0.01) -> bool:
    """Polls until the condition is true. Returns whether that was within the time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True


def locked(descriptor: int) -> bool:
    """Locks an open file until the last process closes it. False when another process holds the lock."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _on_leash(user: pwd.struct_passwd | None, orphan_signal: signal.Signals) -> Callable[[], None]:
    parent = os.getpid()

    def prepare() -> None:
        if user is not None:
            os.setgroups([])
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, orphan_signal)
            if os.getppid() != parent:
                os.kill(os.getpid(), orphan_signal)

    return prepare
