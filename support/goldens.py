"""Writes down what lists reply, to compare two versions of the code:
`python -m support.goldens STUDY FOLDER`.

STUDY is a folder with a filled study, created if it does not exist; FOLDER gets a file for each
request: status, type, number of queries, and the body without tokens. Run this before a change and
after it, with the same STUDY; `git diff --no-index BEFORE AFTER` shows what replies otherwise.
"""

import argparse
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

# The admin first: what the others do is on record in it.
READERS = ("administrator", "researcher", "manager")
LISTS = {
    *("agreement", "comments", "compare_runs", "data", "figures", "generation_runs"),
    *(
        "glossary",
        "gold_pairs",
        "history",
        "invitations",
        "leases",
        "models",
        "overview",
        "pairs",
        "people",
    ),
    *("qualification_set", "recruiting", "releases", "skips", "translations", "untranslatable"),
}
# The page that has the filters of a table.
PAGES = {"corrections": "answers correct", "judgments": "answers judge"}
TOKENS = re.compile(r'(csrfmiddlewaretoken" value=|nonce=|X-CSRFToken": )"[^"]+"')
FORM = re.compile(r"<form(?![^>]*method=.post)[^>]*>.*?</form>", re.DOTALL)
SELECT = re.compile(r'<select[^>]*name="(\w+)".*?</select>', re.DOTALL)
OPTION = re.compile(r'<option[^>]*value="([^"]*)"')
# One good value of each filter over REST that has no choices.
GOOD = {"BooleanField": "true", "YesNoField": "true", "MomentField": "2026-01-01T00:00:00Z"}
BAD = "nonsense"


class Notes:
    """Asks as one person, and writes each reply into a file that is named by its address.

    Managers also ask with every filter: the others see the same rows, or none.
    """

    def __init__(self, folder: Path, client: Any, *, filters: bool) -> None:
        self.folder, self.client, self.filters = folder, client, filters

    def take(self, address: str, kind: str, **headers: str) -> str:
        """Write down the reply to an address; returns its body."""
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        with CaptureQueriesContext(connection) as queries:
            reply = self.client.get(address, headers=headers)
            content = b"".join(reply) if reply.streaming else reply.content
        body = TOKENS.sub(r'\1"..."', content.decode(errors="replace"))
        about = f"{reply.status_code} {reply.get('Content-Type')}, {len(queries)} queries"
        file = self.folder / kind / f"{address.strip('/') or 'home'}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{about}\n\n{body}\n", encoding="utf-8")
        return body

    def pages(self, addresses: Iterable[str]) -> None:
        """Pages in both languages, and with each choice of their filters."""
        for address in addresses:
            self.take(address, "de", **{"Accept-Language": "de"})
            body = self.take(address, "en")
            for query in form_queries(body) if self.filters else ():
                self.take(address + query, "en")

    def tables(self, project: Any) -> None:
        """Each table as a file, with the filters of its page."""
        from annotation.projects.views.files import TABLES

        for name in TABLES:
            page = PAGES.get(name, name if name in LISTS else "overview")
            queries = form_queries(self.client.get(page_of(project, page)).content.decode())
            for query in ["", *(queries if self.filters else ())]:
                self.take(page_of(project, "table", name) + query, "csv")

    def rest(self, addresses: Iterable[str]) -> None:
        """Each address in both formats, and with good and bad values of each filter."""
        for address in addresses:
            for query in ["", *(rest_filters(address) if self.filters else ())]:
                self.take(address + query, "json")
                self.take(address + query, "ndjson", Accept="application/x-ndjson")

    def admin(self) -> None:
        """The list of each model, and its first row."""
        from django.contrib import admin
        from django.urls import reverse

        for model in admin.site._registry:
            page = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            self.take(reverse(f"{page}_changelist"), "admin")
            for key in model._default_manager.order_by("pk").values_list("pk", flat=True)[:1]:
                self.take(reverse(f"{page}_change", args=[key]), "admin")


def form_queries(body: str) -> Iterator[str]:
    """Queries that the forms of a page can send, each with one field, and two that they cannot."""
    for form in FORM.findall(body):
        for select in SELECT.finditer(form):
            for value in filter(None, OPTION.findall(select[0])):
                yield "?" + urlencode({select[1]: value})
            yield "?" + urlencode({select[1]: BAD})
        if 'name="words"' in form:
            yield "?words=rome"
        if 'name="hidden"' in form:
            yield "?hidden=on"


def rest_filters(address: str) -> Iterator[str]:
    from django.urls import resolve

    view: Any = resolve(address).func
    filters = getattr(getattr(view, "cls", None), "filterset_class", None)
    for name, declared in (filters.base_filters if filters else {}).items():
        field = declared.field
        values = [key for key, _ in getattr(field, "choices", [])]
        for value in [*filter(None, values), GOOD.get(type(field).__name__, "1"), BAD]:
            yield "?" + urlencode({name: value})
    if filters:
        yield from ("?limit=2", "?limit=0")


def page_of(project: Any, page: str, *more: str) -> str:
    from django.urls import reverse

    name, *kind = page.split()
    return reverse(name, args=[project.public_id, *kind, *more])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m support.goldens", description=__doc__)
    parser.add_argument("study", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pawsmith-goldens-") as temporary:
        is_new = not options.study.exists()
        data = options.study if is_new else Path(temporary, "study")
        if is_new:
            data.mkdir(parents=True)
        else:
            shutil.copytree(options.study, data)
            _stop_the_clock(data / "pawsmith.sqlite3")
        _set_up(data)
        if is_new:
            _create_study()
            print(f"{data} has the study. Run this again to write down the replies.")
        else:
            _write_replies(options.folder)


def _stop_the_clock(database: Path) -> None:
    """Let it be when the study was created; called before models take `now` for a default."""
    moment = datetime.fromtimestamp(database.stat().st_mtime, UTC)
    patch("django.utils.timezone.now", lambda: moment).start()


def _set_up(data: Path) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PAWSMITH_SECRET_KEY": "only-for-goldens",
        "PAWSMITH_DATA_DIR": str(data),
        "DATABASE_URL": f"sqlite:///{data}/pawsmith.sqlite3",
        "CELERY_BROKER_URL": "",
    }
    import django
    from django.core.management import call_command

    django.setup()
    (data / "static").mkdir(exist_ok=True)
    logging.disable(logging.CRITICAL)  # refusals are asked for
    call_command("migrate", verbosity=0)


def _create_study() -> None:
    from accounts.models import User
    from support.studies import fill_study, translate_study

    translate_study(fill_study())
    User.objects.create_superuser("administrator")


def _write_replies(folder: Path) -> None:
    from django.conf import settings
    from django.test import Client, override_settings
    from django.test.utils import setup_test_environment

    from accounts.models import User
    from annotation.models import Project
    from support.studies import addresses

    setup_test_environment(debug=False)
    studies = Project.objects.order_by("pk")
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(STORAGES=settings.STORAGES | {"staticfiles": plain}):
        for name in READERS:
            client = Client(raise_request_exception=False)
            client.force_login(User.objects.get(username=name))
            notes = Notes(folder / name, client, filters=name == "manager")
            if name == "administrator":
                notes.admin()
            for project in studies:
                notes.pages([page_of(project, page) for page in sorted(LISTS | {*PAGES.values()})])
                notes.tables(project)
            notes.rest(addresses(studies[0]).values())


if __name__ == "__main__":
    main()
