"""Files of backups can be read with their key alone, and only as they were written."""

from collections.abc import Callable, Iterator
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.run.archive import sealed
from server.run.archive.sealed import BrokenBackup, seal, unseal

KEY = b"k" * 32
CHUNK = 64


@pytest.fixture(autouse=True)
def small_chunks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealed, "CHUNK_BYTES", CHUNK)
        yield


def pieces_of(data: bytes, size: int) -> Iterator[bytes]:
    yield from (data[at : at + size] for at in range(0, len(data), size))


@settings(deadline=None)
@given(st.binary(max_size=5 * CHUNK), st.integers(1, 3 * CHUNK), st.integers(1, 3 * CHUNK))
def test_what_is_sealed_in_parts_of_any_size_is_unsealed_in_parts_of_any_size(
    data: bytes, written: int, read: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealed, "CHUNK_BYTES", CHUNK)
        stored = b"".join(seal(pieces_of(data, written), KEY, "wal/1"))

        assert b"".join(unseal(pieces_of(stored, read), KEY, "wal/1")) == data


DATA = bytes(range(256)) + b"x" * 44
WHOLE = CHUNK + sealed.TAG_BYTES
HEAD = len(sealed.MAGIC) + sealed.SALT_BYTES
CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "a bit is turned": lambda stored: stored[:-1] + bytes([stored[-1] ^ 1]),
    "the last chunk is missing": lambda stored: stored[: HEAD + 4 * WHOLE],
    "all but its head is missing": lambda stored: stored[:HEAD],
    "it is cut within a chunk": lambda stored: stored[:-5],
    "two chunks have changed places": lambda stored: (
        stored[:HEAD]
        + stored[HEAD + WHOLE : HEAD + 2 * WHOLE]
        + stored[HEAD : HEAD + WHOLE]
        + stored[HEAD + 2 * WHOLE :]
    ),
    "something follows": lambda stored: stored + b"more",
    "it has another salt": lambda stored: stored[: len(sealed.MAGIC)] + b"s" * sealed.SALT_BYTES + stored[HEAD:],
    "it was never sealed": lambda _: DATA,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_file_is_refused_when(change: Callable[[bytes], bytes]) -> None:
    stored = b"".join(seal([DATA], KEY, "wal/1"))

    with pytest.raises(BrokenBackup):
        list(unseal([change(stored)], KEY, "wal/1"))


@pytest.mark.parametrize(("key", "name"), [(b"o" * 32, "wal/1"), (KEY, "wal/2")])
def test_a_file_is_refused_with_another_key_and_under_another_name(key: bytes, name: str) -> None:
    stored = b"".join(seal([DATA], KEY, "wal/1"))

    with pytest.raises(BrokenBackup, match="another BACKUP_KEY"):
        list(unseal([stored], key, name))


def test_a_stream_is_sealed_while_it_comes() -> None:
    """A file of any size is written with no more than a few chunks in memory."""
    came: list[int] = []

    def parts() -> Iterator[bytes]:
        for number in range(1_000):
            came.append(number)
            yield b"x" * CHUNK

    list(islice(seal(parts(), KEY, "wal/1"), 3))

    assert len(came) < 10
