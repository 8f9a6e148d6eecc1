"""Two imports of the same file at the same moment, on both engines, with a control."""

import json

PREPARE = """
from pathlib import Path
from django.conf import settings
from generation.models import Corpus
from generation.readers import Row
from generation.services.sentences import import_sentences
from tests.annotation import cast
corpus = Corpus.objects.create(name=cast.study().name)
import_sentences([Row(n, f"Source {n}.") for n in range(0, 30, 2)], corpus=corpus)
lines = [f"Source {n}.\\tRewrite {n}.\\tback_translation" for n in range(30)]
file = Path(settings.DATA_DIR, "pairs.tsv")
file.write_text("\\n".join(["sentence1\\tsentence2\\tmethod", *lines, "bad"]) + "\\n")
"""
SETUP = """
import re, time
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from django.conf import settings
from django.core.management import call_command
from django.db import IntegrityError
from annotation.models import Project
from generation.models import Corpus
from generation.services import elsewhere, linking, reading_ahead
reading_ahead.LINES_AT_ONCE = 10
add, store = elsewhere._Import.add, linking.store
def meet():
    Path(settings.DATA_DIR, f"here-{number}").touch()
    while not Path(settings.DATA_DIR, f"here-{1 - number}").exists():
        time.sleep(0.01)
"""
# Both are about to take the lock of the corpus.
GUARDED = """
elsewhere._Import.add = lambda *args: (meet(), add(*args))
"""
# Without the lock, and the transaction that is one on SQLite, both have read before any writes.
UNGUARDED = """
elsewhere.Corpus = SimpleNamespace(objects=SimpleNamespace(select_for_update=Corpus.objects.all))
elsewhere._Import.add = add.__wrapped__
linking.store = lambda *args, **options: (meet(), store(*args, **options))[1]
"""
IMPORT = """
out, file = StringIO(), Path(settings.DATA_DIR, "pairs.tsv")
try:
    call_command("import_pairs", str(file), project=Project.objects.get().name, stdout=out)
    figures = r"(\\d+) pairs added, (\\d+) known already.* (\\d+) lines refused"
    print(list(map(int, re.search(figures, out.getvalue()).groups())))
except IntegrityError:
    print([])
"""
OUTCOME = """
from annotation.models import Judgment, SentencePair
from generation.models import Candidate, Sentence
texts = SentencePair.objects.values_list("sentence1__text", "sentence2__text")
sources = Sentence.objects.filter(candidate=None).count()
counts = [sources, Candidate.objects.count(), len(texts), len(set(texts)), Judgment.objects.count()]
print(counts)
"""


def import_twice(installation, guard):
    """How many each import has added, known and refused in sum, and what the database holds."""
    installation.run(PREPARE)
    printed = installation.run_together(SETUP + guard + IMPORT, processes=2)
    figures = [json.loads(each.splitlines()[-1]) for each in printed]
    return [sum(each) for each in zip(*figures, strict=False)], installation.run(OUTCOME).strip()


def test_two_imports_of_a_file_at_once_add_each_pair_once(installation):
    assert import_twice(installation, GUARDED) == ([30, 30, 2], "[30, 30, 30, 30, 150]")


def test_control_without_the_lock_of_the_corpus_the_promise_breaks(installation):
    assert import_twice(installation, UNGUARDED) != ([30, 30, 2], "[30, 30, 30, 30, 150]")
