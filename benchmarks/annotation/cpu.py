"""CPU time of other processes, as Linux counts it."""

import os
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def seconds_of(roots: Iterable[int]) -> float:
    """User and system seconds of these processes and of all their descendants, past ones too."""
    fields = _fields_by_process()
    children: dict[int, list[int]] = defaultdict(list)
    for pid, values in fields.items():
        children[int(values[1])].append(pid)
    family, ticks = list(roots), 0
    while family:
        pid = family.pop()
        # utime, stime, and both of children that have ended: fields 14 to 17 of proc(5).
        ticks += sum(int(value) for value in fields[pid][11:15])
        family += children[pid]
    return ticks / TICKS


def _fields_by_process() -> dict[int, list[str]]:
    """What /proc/PID/stat says after the command's name, which may hold anything."""
    fields = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields[int(folder.name)] = (folder / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
    return fields
