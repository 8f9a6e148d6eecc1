"""Two imports of one file, made to meet midway in two real processes; run inside an Installation.

No luck is needed: each halts between looking up what is known and adding the rest, until the other
has come as far, or long enough for it to have, were it not kept from it. Prints JSON.
"""

import json
import re
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from django.conf import settings
from django.core.management import call_command
from django.db import IntegrityError

from annotation.models import Intake, Judgment, SentencePair
from generation.models import Candidate, Corpus, Sentence
from generation.readers import Row
from generation.services import elsewhere, linking, reading_ahead
from generation.services.sentences import import_sentences
from tests.annotation import cast

LONG_ENOUGH = 1.0
SUMMARY = re.compile(r"([\d,]+) pairs added, ([\d,]+) known already.* ([\d,]+) lines refused")


def prepare(pairs: int) -> None:
    """A project, and a file of so many pairs and a bad line; half of the sources are known."""
    project = cast.study()
    corpus = Corpus.objects.create(name=project.name)
    import_sentences([Row(n, f"Source {n}.") for n in range(0, pairs, 2)], corpus=corpus)
    lines = [f"Source {n}.\tRewrite {n}.\tback_translation" for n in range(pairs)]
    _file().write_text("\n".join(["sentence1\tsentence2\tmethod", *lines, "bad"]) + "\n")
    print(project.name)


def bring_in(project: str, number: int, *, guarded: bool = True) -> None:
    """Import the file; prints how many were added, were known, and were refused."""
    out = StringIO()
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(linking, "store", _after_meeting(number)))
        stack.enter_context(mock.patch.object(reading_ahead, "LINES_AT_ONCE", 10))
        if not guarded:
            _take_guard_away(stack)
        try:
            call_command("import_pairs", str(_file()), project=project, stdout=out)
        except IntegrityError as error:
            print(json.dumps(str(error)))
        else:
            found = SUMMARY.search(out.getvalue())
            print(json.dumps(found and [int(figure) for figure in found.groups()]))


def outcome() -> None:
    """What the database holds in the end."""
    pairs = SentencePair.objects.values_list("sentence1__text", "sentence2__text")
    print(
        json.dumps(
            {
                "sources": Sentence.objects.filter(candidate=None).count(),
                "candidates": Candidate.objects.count(),
                "pairs": len(pairs),
                "different": len(set(pairs)),
                "slots": Judgment.objects.count(),
                "batches": Intake.objects.count(),
            }
        )
    )


def _after_meeting(number: int) -> Callable[..., int]:
    store = linking.store

    def met(sources: Iterable[linking.Source], **options: Any) -> int:
        _arrived(number).touch()
        until = time.monotonic() + LONG_ENOUGH
        while not _arrived(1 - number).exists() and time.monotonic() < until:
            time.sleep(0.01)
        return store(sources, **options)

    return met


def _take_guard_away(stack: ExitStack) -> None:
    """No lock of the corpus, and no transaction, which is what keeps others out on SQLite."""
    unlocked = SimpleNamespace(objects=SimpleNamespace(select_for_update=Corpus.objects.all))
    stack.enter_context(mock.patch.object(elsewhere, "Corpus", unlocked))
    one_by_one = elsewhere._Import.add.__wrapped__
    stack.enter_context(mock.patch.object(elsewhere._Import, "add", one_by_one))


def _file() -> Path:
    return Path(settings.DATA_DIR) / "pairs.tsv"


def _arrived(number: int) -> Path:
    return Path(settings.DATA_DIR) / f"arrived-{number}"
