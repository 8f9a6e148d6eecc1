"""Bulk generation: by the packaged translator, and where nothing has set up Django."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command

from generation import methods
from generation.files import COLUMNS, Generator
from generation.models import Corpus
from generation.readers import Row
from generation.services import runs
from generation.services.sentences import import_sentences
from support.workers import work_until_idle
from tests.annotation.runs.test_generate_file import SENTENCES

ROOT = Path(__file__).resolve().parents[3]
UNPICKLE = """
import pickle, sys
generator, columns = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps(generator(columns)))
"""


@pytest.mark.django_db
def test_back_translations_of_a_file_are_the_candidates_of_a_run(packaged_models, tmp_path):
    corpus = Corpus.objects.create(name="Tests")
    import_sentences([Row(n, text) for n, text in enumerate(SENTENCES, 1)], corpus=corpus)
    settings = methods.named("back_translation").preset("packaged").settings
    run = runs.start(corpus, method="back_translation", settings=settings)
    work_until_idle()
    (tmp_path / "in.txt").write_text("\n".join(SENTENCES))
    options = ["--method", "back_translation", "--preset", "packaged", "--language", "en"]
    shards = [tmp_path / f"{shard}.parquet" for shard in (1, 2)]
    for shard, out in enumerate(shards, 1):
        call_command(
            "generate_file", str(tmp_path / "in.txt"), *options, "--shard", f"{shard}/2", out=out
        )
    rows = [row for path in shards for row in pq.read_table(path).to_pylist()]
    rows.sort(key=lambda row: (row["line"], row["rank"]))
    columns = [name for name in COLUMNS if name not in ("source_id", "line", "source", "method")]
    candidates = run.candidate_set.order_by("sentence", "rank")
    assert rows
    assert [(row["source"], *(row[name] for name in columns)) for row in rows] == list(
        candidates.values_list("sentence__text", *columns)
    )


def test_a_generator_works_in_a_process_that_has_neither_django_nor_a_database():
    columns = {"text": SENTENCES[:3], "id": ["a", "b", "c"]}
    generator = Generator("word_swap")
    done = subprocess.run(
        [sys.executable, "-c", UNPICKLE],
        input=pickle.dumps((generator, columns)),
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": "postgres://nobody@127.0.0.1:9/none"},
        capture_output=True,
        check=True,
    )
    assert pickle.loads(done.stdout) == generator(columns)
