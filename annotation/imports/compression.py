"""Compressed files, known by their first bytes, whatever their names: gzip and xz."""

import gzip
import io
import lzma
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from annotation.imports.records import Problem, UnreadableTable

# In bytes, of an uploaded file once it is unpacked.
MOST_UNPACKED = 400_000_000
# In bytes, to unpack an xz file: `xz -9` needs 68 MB. A file of 100 bytes may ask for 4 GB.
MEMORY = 100_000_000
SUFFIXES = (".gz", ".xz")
DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError)
BYTES_AT_ONCE = 1_000_000


class XzFile(io.RawIOBase):
    """The content of an xz file. Unlike `lzma.LZMAFile`, it limits memory and ignores no stream."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._parts = filter(None, _decompress(raw))
        self._part = b""
        self._position = 0

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: Any) -> int:
        self._part = self._part or next(self._parts, b"")
        size = min(len(self._part), len(buffer))
        buffer[:size], self._part = self._part[:size], self._part[size:]
        self._position += size
        return size


def _decompress(raw: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of all streams in parts, some of them empty. Raises UnreadableTable too."""
    packed = raw.read(BYTES_AT_ONCE)
    while packed:
        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)
        while not decompressor.eof:
            try:
                yield decompressor.decompress(packed, BYTES_AT_ONCE)
            except lzma.LZMAError as error:
                if "Memory" not in str(error):  # no separate class of error
                    raise
                raise UnreadableTable(
                    Problem.NEEDS_MEMORY, megabytes=MEMORY // 1_000_000
                ) from error
            packed = raw.read(BYTES_AT_ONCE) if decompressor.needs_input else b""
            if decompressor.needs_input and not packed:
                raise EOFError
        packed = decompressor.unused_data.lstrip(b"\0")
        while not packed and (after := raw.read(BYTES_AT_ONCE)):  # streams may be padded
            packed = after.lstrip(b"\0")


FORMATS: Mapping[bytes, Any] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"\xfd7zXZ\0": lambda raw: io.BufferedReader(XzFile(raw)),
}


def is_compressed(start: bytes) -> bool:
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
