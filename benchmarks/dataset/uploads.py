"""Files that a manager uploads: time, outcome, and the memory of web server and worker.

Over HTTP to gunicorn, and a worker, as `scripts/run` starts them. Pairs are uploaded beside
`manage.py import_pairs` of the same file.
"""

import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from benchmarks.dataset import importing
from benchmarks.dataset.place import Place, peak_mb
from benchmarks.table import Figure, at_least, at_most
from support.places import ROOT
from support.services.celery_workers import children_of
from support.services.servers import free_port

TOKEN = "a" * 32
# More than a process that has imported one small file before.
GROWTH = at_most(1.5, of_ratio=True)
WORDS = [
    "river",
    "mill",
    "road",
    "winter",
    "bridge",
    "valley",
    "ferry",
    "market",
    "castle",
    "harbour",
    "garden",
    "tower",
]


def figures(place: Place, *, pairs: int, megabytes: int) -> list[Figure]:
    """Of pairs, by command and by upload; of a large text; and of files that are no good."""
    with _start_site() as site:
        return [
            *_pair_figures(place, site, pairs),
            *_text_figures(place, site, megabytes),
            *_odd_file_figures(place, site),
        ]


@dataclass(slots=True)
class Site:
    """A web server and a worker, and the browser of a manager."""

    address: str
    project: Any
    cookies: str
    processes: dict[str, int] = field(default_factory=dict)

    def upload(self, path: Path, kind: str = "sentences") -> tuple[int, str, Any]:
        """Upload a file; returns status, page and the draft once it is read, if there is one."""
        imports_before = self.project.imports.count()
        status, page = self._post("data/upload/", "-F", f"kind={kind}", "-F", f"file=@{path}")
        is_new = self.project.imports.count() > imports_before
        row = self.project.imports.latest("pk") if is_new else None
        if row:
            _wait_until(lambda: _is_over(row))
        return status, page, row

    def start(self, row: Any) -> None:
        """Start a draft as the page offers it. Raises RuntimeError."""
        form = {"start": "yes", "target": "new", "language": "en", **_chosen_layout(row.layout)}
        form |= {f"column_{place}": name for name, place in row.columns.items()}
        form["corpus_name"] = f"{row.name} {row.pk}"
        fields = [part for name, value in form.items() for part in ("-F", f"{name}={value}")]
        status, page = self._post(f"data/imports/{row.public_id}/", *fields)
        if status != 302:
            raise RuntimeError(f"{status}: {page}")

    def _post(self, path: str, *fields: str) -> tuple[int, str]:
        address = f"{self.address}/projects/{self.project.public_id}/{path}"
        headers = ("-b", self.cookies, "-H", f"X-CSRFToken: {TOKEN}", "-H", "Expect:")
        command = ["curl", "-sS", *headers, *fields, "-w", "\n%{http_code}", address]
        process = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        page, _, status = process.stdout.rpartition("\n")
        return int(status), page

    def forget_peaks(self) -> None:
        for process in self.processes.values():
            Path(f"/proc/{process}/clear_refs").write_text("5")

    def peaks(self) -> dict[str, float]:
        """The most memory of each process since they were forgotten, in MB."""
        return {name: peak_mb(process) for name, process in self.processes.items()}


@contextmanager
def _start_site() -> Iterator[Site]:
    port = free_port()
    options = ("--config", "python:config.gunicorn", "--bind", f"127.0.0.1:{port}")
    commands = {
        "web": ("-m", "gunicorn", "config.wsgi", "--workers", "1", *options),
        "worker": ("manage.py", "worker"),
    }
    processes = {
        name: subprocess.Popen([sys.executable, *command], cwd=ROOT, env=os.environ)
        for name, command in commands.items()
    }
    try:
        site = _sign_in_manager(f"http://127.0.0.1:{port}")
        _wait_until(lambda: _answers(site.address))
        site.processes = {"web": _child(processes["web"].pid), "worker": processes["worker"].pid}
        yield site
    finally:
        for process in processes.values():
            process.terminate()
            process.wait()


def _sign_in_manager(address: str) -> Site:
    from django.conf import settings
    from django.test import Client

    from accounts.models import User
    from annotation.projects.services import projects

    manager = User.objects.create_user("manager")
    client = Client()
    client.force_login(manager)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    cookies = f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={TOKEN}"
    project = projects.create("Uploads", managers=[manager], corrected_methods=[])
    return Site(address, project, cookies)


def _pair_figures(place: Place, site: Site, pairs: int) -> list[Figure]:
    """Pairs into a project: the whole command, and from sending the file to the last pair."""
    from annotation.projects.services import projects

    path = place.folder / "pairs.tsv"
    importing.write(path, pairs)
    _import(site, path, "pairs", lines=1_000)  # both have imported before
    projects.create("By command", corrected_methods=[])
    command = place.manage("import_pairs", str(path), "--project", "By command")
    stored = site.project.pairs.count()
    began = time.perf_counter()
    _import(site, path, "pairs")
    _wait_until(lambda: site.project.pairs.count() >= stored + pairs - 1_000)
    seconds = time.perf_counter() - began
    command_rate, goal = pairs / command.seconds, at_least(1.0, of_ratio=True)
    return [
        Figure(
            f"{pairs:,} pairs, upload beside command",
            pairs / seconds,
            "pairs/s",
            command_rate,
            goal,
        )
    ]


def _text_figures(place: Place, site: Site, megabytes: int) -> list[Figure]:
    path, small = place.folder / "large.txt", place.folder / "small.txt"
    _write_sentences(small, 1)
    _write_sentences(path, megabytes)
    _import(site, small, "sentences")
    site.forget_peaks()
    usual_peaks = site.peaks()
    began = time.perf_counter()
    row, preview_seconds = _import(site, path, "sentences")
    name, peaks = f"{megabytes:,} MB of text", site.peaks()
    print(f"{name}: {row.state}, {row.read:,} lines read, {row.added:,} added, {row.refused}")
    return [
        Figure(f"{name}, upload and preview", preview_seconds, "s"),
        Figure(f"{name}, until it is imported", time.perf_counter() - began, "s"),
        Figure(f"{name}, lines", row.read / (time.perf_counter() - began), "lines/s"),
        *(
            Figure(f"{name}, {process}", peaks[process], "MB", usual_peaks[process], GROWTH)
            for process in peaks
        ),
    ]


def _odd_file_figures(place: Place, site: Site) -> list[Figure]:
    table = []
    for name, content in _odd_files().items():
        path = place.folder / name
        path.write_bytes(content)
        site.forget_peaks()
        usual_peaks, began = site.peaks(), time.perf_counter()
        status, page, row = site.upload(path)
        if row is None:
            print(f"{name}: {status}, {_message_of(page)}")
        elif row.preview["problem"]:
            print(f"{name}: {row.preview['problem']}")
        else:
            site.start(row)
            _wait_until(lambda: _is_over(row))  # noqa: B023
            print(f"{name}: {row.state}, {row.added} added, refused {row.refused}")
        seconds, peaks = time.perf_counter() - began, site.peaks()
        table.append(Figure(f"{name}, until its outcome", seconds, "s"))
        table += [
            Figure(f"{name}, {process}", peaks[process], "MB", usual_peaks[process], GROWTH)
            for process in peaks
        ]
    return table


def _odd_files() -> dict[str, bytes]:
    latin = "text\nDie Brücke über den Fluß ist schön.\nEr kam spät nach Köln.\n"
    wide = ",".join(f"column {n}" for n in range(20_000)) + "\n"
    return {
        "bomb.xlsx": _bomb(sheet=b" " * 1_000_000, times=2_000),
        "wide.csv": wide.encode(),
        "formulas.xlsx": _workbook_of_formulas(),
        "latin-1.csv": latin.encode("latin-1"),
    }


def _workbook_of_formulas() -> bytes:
    from openpyxl import Workbook

    book, file = Workbook(), BytesIO()
    sheet = book.create_sheet(index=0)
    for cell in ("text", "It rains in May.", '=CONCATENATE("A ", "b.")', "=1/0"):
        sheet.append([cell])
    book.save(file)
    return file.getvalue()


def _bomb(*, sheet: bytes, times: int) -> bytes:
    """A workbook whose sheet unpacks to so much, `times` over."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            for _ in range(times):
                part.write(sheet)
    return file.getvalue()


def _import(site: Site, path: Path, kind: str, *, lines: int = 0) -> tuple[Any, float]:
    """Import a file, or its first lines; returns the row, and the seconds until the preview."""
    if lines:
        head = path.with_name(f"head-{path.name}")
        with path.open() as whole:
            head.write_text("".join(next(whole) for _ in range(lines + 1)))
        path = head
    began = time.perf_counter()
    status, page, row = site.upload(path, kind)
    preview_seconds = time.perf_counter() - began
    if row is None:
        raise RuntimeError(f"{status}: {_message_of(page)}")
    site.start(row)
    _wait_until(lambda: _is_over(row))
    return row, preview_seconds


def _is_over(row: Any) -> bool:
    row.refresh_from_db()
    return row.state not in ("queued", "running")


def _chosen_layout(layout: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in layout.items() if value not in ("", False)}


def _write_sentences(path: Path, megabytes: int) -> None:
    """Sentences of ordinary length, none of which comes twice."""
    with path.open("w") as file:
        number = 0
        while file.tell() < megabytes * 1_000_000 - 200:
            words = " ".join(WORDS[(number // 10**place) % 10] for place in range(8))
            file.write(f"In {number} they saw the {words} before the snow came to the hills.\n")
            number += 1


def _message_of(page: str) -> str:
    """The problem that a page names."""
    _, _, rest = page.partition('class="errorlist"')
    return " ".join(rest.partition("</ul>")[0].replace("<li>", " ").split()[:40])


def _answers(address: str) -> bool:
    command = ["curl", "-s", "-o", "/dev/null", f"{address}/accounts/login/"]
    return subprocess.run(command, check=False).returncode == 0


def _child(process: int) -> int:
    _wait_until(lambda: bool(children_of(process)))
    return children_of(process)[0]


def _wait_until(is_true: Any) -> None:
    while not is_true():
        time.sleep(0.05)
