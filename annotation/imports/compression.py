"""Compressed files, known by their first bytes, whatever their names: gzip and xz."""

import gzip
import lzma
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from annotation.imports.records import Problem, UnreadableTable

# In bytes, of an uploaded file once it is unpacked.
MOST_UNPACKED = 400_000_000
FORMATS: Mapping[bytes, Any] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"\xfd7zXZ\0": lzma.LZMAFile,
}
SUFFIXES = (".gz", ".xz")
DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError)
BYTES_AT_ONCE = 1_000_000


def is_compressed(start: bytes) -> bool:
    """Return whether a file begins like a compressed one."""
    return start.startswith(tuple(FORMATS))


def content(raw: IO[bytes]) -> IO[bytes]:
    """Return what an open file decompresses to; the file itself if it is not compressed."""
    start = raw.read(max(map(len, FORMATS)))
    raw.seek(0)
    for magic, decompress in FORMATS.items():
        if start.startswith(magic):
            stream: IO[bytes] = decompress(raw)
            return stream
    return raw


def unpacked_size(path: Path, *, most: int | None = None) -> int:
    """Read a compressed file to its end, so that nothing of a damaged one is imported.

    Returns its size in bytes. Raises UnreadableTable, also above the most bytes.
    """
    with path.open("rb") as raw:
        stream = content(raw)
        if stream is raw:
            return path.stat().st_size
        try:
            while stream.read(BYTES_AT_ONCE):
                if most and stream.tell() > most:
                    raise UnreadableTable(Problem.PACKED_TOO_LARGE, megabytes=most // 1_000_000)
            return stream.tell()
        except DAMAGE as error:
            raise UnreadableTable(Problem.DAMAGED, bytes=stream.tell()) from error
