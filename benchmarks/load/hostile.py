"""A file of a gigabyte that nobody should send: to a command, whose memory is watched, and a page.

Lines of every hostile kind and one of ten million bytes, again and again, each with its own number.
"""

import itertools
import os
import re
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.table import Figure, at_least, at_most
from support import hostile_lines
from support.hostile_lines import Line
from support.places import ROOT
from support.services.sites import Servers

GIGABYTE = 1_000_000_000
SHORT = 30_000_000
MB_MORE = at_most(200)
PATIENCE = 30.0
# With the number of its block, a sentence is still one.
LONGEST = 1_900
EACH = at_least(1, of_ratio=True)
# What a process of a command takes while it reads next to nothing.
TINY = "id\ttext\n1\tOne sentence.\n"
MEASURED = """
import runpy, sys
sys.argv = ["manage.py", *sys.argv[1:]]
try:
    runpy.run_path("manage.py", run_name="__main__")
finally:  # the peak of getrusage includes that of the process that started this one
    [peak] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
    print("peak", peak)
"""


@dataclass(frozen=True, slots=True)
class Written:
    """A file, how many lines it has after its header, and how many of them are sentences."""

    path: Path
    lines: int
    good: int


def figures(on: Servers, *, short: bool) -> list[Figure]:
    """Of an import of the file, and of sending it to a page."""
    size = SHORT if short else GIGABYTE
    with tempfile.TemporaryDirectory(prefix="pawsmith-hostile-") as name:
        folder = Path(name)
        sentences = _import_figures(folder, write(folder / "hostile.tsv", size))
    return [*sentences, *_upload_figures(on.web.address, size)]


def write(path: Path, size: int) -> Written:
    """A TSV file of about so many bytes, written line by line."""
    lines = good = written = 0
    with path.open("wb") as file:
        file.write(b"id\ttext\n")
        for block in itertools.count():
            for data, is_good in _numbered_lines(block):
                written += file.write(data + b"\n")
                lines, good = lines + 1, good + is_good
            if written >= size:
                return Written(path, lines, good)
    raise AssertionError("unreachable")


def _numbered_lines(number: int) -> Iterator[tuple[bytes, bool]]:
    """Every kind of line, in words of its own. What is refused stays as it is."""
    for line in _lines():
        if line.text is None:
            yield line.data, False
        elif len(line.text) < LONGEST:
            key, text = line.data.split(b"\t", 1)
            yield b"%s-%d\t%s (%d)" % (key, number, text, number), True


@cache
def _lines() -> list[Line]:
    return hostile_lines.tsv()


def _import_figures(folder: Path, written: Written) -> list[Figure]:
    tiny = folder / "tiny.tsv"
    tiny.write_text(TINY)
    _, usual_peak = _command("import_sentences", str(tiny), "--corpus", "Tiny")
    options = ("--corpus", "Hostile", "--encoding", "utf-8")
    output, peak = _command("import_sentences", str(written.path), *options)
    counts = re.search(r"([\d,]+) read: .* ([\d,]+) refused", output)
    lines_read, refused = (
        (int(count.replace(",", "")) for count in counts.groups()) if counts else (0, 0)
    )
    return [
        Figure("size of the file", written.path.stat().st_size / 1e6, "MB"),
        Figure("lines with a verdict", lines_read, reference=written.lines, goal=EACH),
        Figure("sentences kept", _sentences_kept(), reference=written.good, goal=EACH),
        Figure("lines refused", refused, reference=written.lines - written.good, goal=EACH),
        Figure("memory, peak", peak, "MB", reference=usual_peak),
        Figure("memory, more than for one line", peak - usual_peak, "MB", goal=MB_MORE),
    ]


def _sentences_kept() -> int:
    from generation.models import Sentence

    return Sentence.objects.filter(corpus__name="Hostile").count()


def _command(*arguments: str) -> tuple[str, float]:
    """What a command says, and the most memory that its process took, in MB."""
    command = [sys.executable, "-c", MEASURED, *arguments]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    output, _, peak = process.stdout.rpartition("peak ")
    return output, int(peak) * 1024 / 1e6


def _upload_figures(address: tuple[str, int], size: int) -> list[Figure]:
    """How many bytes a page takes before it refuses the rest, and what it says."""
    disk_before = _disk_used_mb()
    status, bytes_taken = _post(address, size)
    return [
        Figure("sent to a page: status", status, reference=413, goal=EACH),
        Figure("sent to a page: bytes before the reply", bytes_taken / 1e6, "MB", goal=at_most(25)),
        Figure(
            "sent to a page: more on disk",
            max(0.0, _disk_used_mb() - disk_before),
            "MB",
            goal=at_most(25),
        ),
    ]


def _post(address: tuple[str, int], size: int) -> tuple[int, int]:
    head = (
        "POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {size}\r\n\r\n"
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    )
    sent, piece = 0, b"x" * 65_536
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(head.encode())
        while sent < size:
            readable, writable, _ = select.select([connection], [connection], [], PATIENCE)
            if readable or not writable:
                break
            sent += connection.send(piece)
        reply = connection.recv(65_536)
    return int(reply.split()[1]), sent


def _disk_used_mb() -> float:
    """What is taken of the disk of temporary files, in MB."""
    disk = os.statvfs(tempfile.gettempdir())
    return (disk.f_blocks - disk.f_bfree) * disk.f_frsize / 1e6
