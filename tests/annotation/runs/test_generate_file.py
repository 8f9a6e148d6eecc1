"""`generate_file` and Generator give the rows of a run, without a database."""

import gzip
import json
import lzma
import os
import pickle
import re
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import chain, product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import Dataset
from django.core.management import CommandError, call_command

from generation import generated_files, methods
from generation.files import COLUMNS, Generator
from generation.models import Corpus
from generation.readers import Row
from generation.services import runs
from generation.services.sentences import import_sentences
from support import fake
from support.workers import work_until_idle
from tests.endpoint_server import fails, says, serving

ROOT = Path(__file__).resolve().parents[3]
PEOPLE, TOWNS = ("Anna", "Boris", "Clara", "David", "Elena"), ("Basel", "Lyon", "Riga", "Graz")
SENTENCES = [
    f"{one} sold the {age} house in {town1} and {other} bought the {kind} mill in {town2}."
    for (one, other), (town1, town2), (age, kind) in product(
        zip(PEOPLE, PEOPLE[1:] + PEOPLE[:1], strict=True),
        [pair for pair in product(TOWNS, TOWNS) if pair[0] < pair[1]],
        product(("old", "narrow", "white"), ("wooden", "small", "green")),
    )
][:200]


@pytest.fixture
def generate(tmp_path):
    """Rewrites these texts into a file; returns its rows."""
    usual_handler = signal.getsignal(signal.SIGTERM)

    def generate(texts, *options, name="in.txt", out="out.parquet"):
        if texts is not None:
            (tmp_path / name).write_text("\n".join(texts) + "\n")
        options = ("--method", "word_swap", "--language", "en", *options)
        call_command("generate_file", str(tmp_path / name), *options, out=tmp_path / out)
        return pq.read_table(tmp_path / out).to_pylist()

    yield generate
    signal.signal(signal.SIGTERM, usual_handler)


@pytest.fixture
def backwards(monkeypatch):
    """Word swap is the fake method, in batches of 5; lists the batches that it rewrites."""
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
    batches = []
    usual = fake.Backwards.outcomes

    def outcomes(self, texts):
        batches.append(texts)
        return usual(self, texts)

    monkeypatch.setattr(fake.Backwards, "outcomes", outcomes)
    return batches


def plain(size):
    return [f"sentence number {n}" for n in range(size)]


@pytest.mark.django_db
def test_the_rows_are_the_candidates_of_a_run_with_the_same_seed(generate):
    corpus = Corpus.objects.create(name="Tests")
    texts = [f"In 1951, {text}" for text in SENTENCES]
    import_sentences([Row(n, text) for n, text in enumerate(texts, 1)], corpus=corpus)
    settings = methods.named("word_swap").preset("balanced").settings
    changed = {"keep_alternatives": 2}
    run = runs.start(corpus, method="word_swap", settings={**settings, **changed}, seed=5)
    work_until_idle()
    rows = generate(texts, "--preset", "balanced", "--set", "keep_alternatives=2", "--seed=5")
    columns = [name for name in COLUMNS if name not in ("source_id", "line", "source", "method")]
    candidates = run.candidate_set.order_by("sentence", "rank")
    assert {row["rank"] for row in rows} == {0, 1}
    assert all(0 < row["paraphrase"] < 1 for row in rows)
    assert [(row["source"], *(row[name] for name in columns)) for row in rows] == list(
        candidates.values_list("sentence__text", *columns)
    )


def test_no_database_is_asked(tmp_path):
    (tmp_path / "in.txt").write_text("\n".join(SENTENCES[:3]))
    command = [sys.executable, "manage.py", "generate_file", tmp_path / "in.txt", "--method"]
    command += ["word_swap", "--language", "en", "--out", tmp_path / "out.parquet"]
    nowhere = os.environ | {"DATABASE_URL": "postgres://nobody@127.0.0.1:9/none"}
    done = subprocess.run(command, cwd=ROOT, env=nowhere, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "of 3 sentences" in done.stdout


def test_a_stopped_file_is_continued_without_rewriting_what_is_finished(
    generate, backwards, monkeypatch, tmp_path
):
    undisturbed = generate(plain(33), out="undisturbed.parquet")
    backwards.clear()
    usual, stops = Generator.rewrite, [11, 16, 31]

    def rewrite(self, sentences):
        if sentences[0].line in stops:
            stops.remove(sentences[0].line)
            os.kill(os.getpid(), signal.SIGTERM)
        return usual(self, sentences)

    monkeypatch.setattr(Generator, "rewrite", rewrite)
    for _ in range(3):
        with pytest.raises(CommandError, match="Go on with the same command") as stopped:
            generate(plain(33))
        assert stopped.value.returncode == 130
        assert not (tmp_path / "out.parquet").exists()
    assert generate(plain(33)) == undisturbed
    assert sum(map(len, backwards)) == 33
    assert not (tmp_path / "out.parquet.parts").exists()


def test_shards_have_together_the_rows_of_the_whole_file(generate, backwards):
    whole = generate(plain(33))
    backwards.clear()
    shards = [
        generate(plain(33), "--shard", f"{number}/3", out=f"{number}.parquet")
        for number in (1, 2, 3)
    ]
    assert sorted(chain(*shards), key=lambda row: row["line"]) == whole
    assert list(map(len, shards)) == [13, 10, 10]  # whole batches of 5


@pytest.mark.parametrize(
    "options", [("--seed", "4"), ("--set", "per_sentence=2"), ("--shard", "2/2")]
)
def test_parts_of_other_settings_are_refused(generate, backwards, options, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(generated_files.Parts, "join", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            generate(plain(8))
    with pytest.raises(CommandError, match=r"differs in (seed|settings|shard)"):
        generate(plain(8), *options)
    with pytest.raises(CommandError, match="differs in input"):
        generate(plain(9))
    assert len(generate(plain(8))) == 8
    with pytest.raises(CommandError, match=r"differs in (seed|settings|shard)"):
        generate(plain(8), *options)


def test_a_damaged_part_is_named(generate, backwards, tmp_path, monkeypatch):
    monkeypatch.setattr(generated_files, "SENTENCES_IN_PART", 5)
    with monkeypatch.context() as patch:
        patch.setattr(generated_files.Parts, "join", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            generate(plain(12))
    first, second, _ = sorted((tmp_path / "out.parquet.parts").glob("*.parquet"))
    first.rename(tmp_path / "first")
    with pytest.raises(CommandError, match=f"{second.name} is damaged, or a part before it"):
        generate(plain(12))
    (tmp_path / "first").rename(first)
    first.write_bytes(first.read_bytes()[:-9])
    with pytest.raises(CommandError, match=f"{first.name} is damaged"):
        generate(plain(12))


def test_two_processes_do_not_write_one_file(generate, backwards, tmp_path):
    parts = generated_files.Parts(tmp_path / "out.parquet", {})
    with parts.open(), pytest.raises(CommandError, match="Another process writes"):
        generate(plain(3))


@pytest.mark.parametrize(
    "name", ["in.txt.gz", "in.txt.xz", "in.csv", "in.tsv", "in.jsonl", "in.parquet"]
)
def test_every_format_has_the_same_rewrites(generate, backwards, tmp_path, name):
    texts = [*plain(7), "a\u202eb"]  # the last is refused
    path, lines = tmp_path / name, "\n".join(texts)
    options = ["--column", "Satz", "--id", "nr"]
    table = {"nr": list(map(str, range(8))), "Satz": texts}
    separator = "\t" if "tsv" in name else ","
    rows = [separator.join(row) for row in zip(*table.values(), strict=True)]
    if name.startswith("in.txt"):
        path.write_bytes((gzip if name.endswith("gz") else lzma).compress(lines.encode()))
        options = []
    elif name == "in.parquet":
        pq.write_table(pa.table(table), path)
    elif name == "in.jsonl":
        path.write_text(
            "\n".join(json.dumps({"nr": n, "Satz": text}) for n, text in enumerate(texts))
        )
    else:
        path.write_text("\n".join([separator.join(table), *rows]))
    rewrites = generate(None, *options, name=name)
    assert [row["text"] for row in rewrites] == [row["text"] for row in generate(plain(7), out="o")]
    assert [row["source_id"] for row in rewrites] == (table["nr"][:7] if options else [""] * 7)


def test_the_file_says_how_it_was_made(generate, backwards, tmp_path, capsys):
    generate(["one word is too few", "word"], "--seed", "3", "--shard", "1/1")
    file = generated_files.read(tmp_path / "out.parquet")
    about = {name: file.about[name] for name in ("method", "settings", "seed", "identities")}
    assert about == {
        "method": "word_swap",
        "settings": fake.DEFAULTS,
        "seed": 3,
        "identities": fake.IDENTITIES,
    }
    assert dict(file.counts.outcomes) == {"accepted": 1, "too_short": 1}
    assert capsys.readouterr().out.splitlines()[1:] == ["  accepted: 1", "  too short: 1"]
    generate(["one word is too few", "word"], "--seed", "3", "--shard", "1/1")
    assert "is complete already" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--set", "beam=many"), "Unknown settings"),
        (("--language", "de"), "works on English only"),
        (("--method", "definitions"), "generate --method definitions"),
        (("--shard", "4/3"), "not a shard such as 3/64"),
        (("--language", "English"), "not a language tag"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    generate, backwards, tmp_path, options, message, monkeypatch
):
    english = replace(fake.METHOD, languages=("en",))
    monkeypatch.setitem(methods.METHODS, "word_swap", english)
    with pytest.raises(CommandError, match=message):
        generate(plain(3), *options)
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


def test_a_generator_rewrites_columns_after_it_was_sent_to_another_process(backwards):
    generator = pickle.loads(pickle.dumps(Generator("word_swap", seed=3, ids="key")))
    columns = generator({"text": [*plain(6), None], "key": [*range(6), None], "other": "abcdefg"})
    assert tuple(columns) == COLUMNS
    assert columns["source_id"] == list("012345")
    assert columns["score"] == [-3.0] * 6
    assert list(map(len, backwards)) == [5, 1]


def test_datasets_maps_with_a_generator():
    sentences = Dataset.from_dict({"text": SENTENCES[:4], "group": list("abcd")})
    generator = Generator("word_swap", preset="default")
    rewrites = sentences.map(generator, batched=True, remove_columns=sentences.column_names)
    assert rewrites["source"][:] == SENTENCES[:4]


@pytest.fixture
def model(settings, tmp_path):
    """A model that exchanges Anna and Boris; its server has the requests."""
    settings.ENDPOINTS_FILE = str(tmp_path / "endpoints.toml")

    def answer(body):
        source = re.findall("Sentence: (.+)\n", body["messages"][-1]["content"])[-1]
        return says(source.replace("Anna", "x").replace("Boris", "Anna").replace("x", "Boris"))

    with serving(answer=answer) as server:
        Path(settings.ENDPOINTS_FILE).write_text(
            f'[local]\naddress = "{server.address}"\n[local.models.small]\n'
        )
        yield server


PROMPTED = ("--method", "prompted", "--set", "generator=local:small", "--set", "samples=1")


@pytest.mark.django_db
def test_a_model_gives_the_rows_of_a_run(generate, model, tmp_path):
    corpus = Corpus.objects.create(name="Tests")
    import_sentences([Row(n, text) for n, text in enumerate(SENTENCES[:5], 1)], corpus=corpus)
    settings = {"generator": "local:small", "samples": 1}
    run = runs.start(corpus, method="prompted", settings=settings)
    work_until_idle()
    rows = generate(SENTENCES[:5], *PROMPTED, "--replies", str(tmp_path / "replies"))
    assert generated_files.read(tmp_path / "out.parquet").about["settings"] == run.settings
    columns = ("text", "kind", "score", "source_score", "alternatives")
    assert rows
    assert [tuple(row[name] for name in columns) for row in rows] == list(
        run.candidate_set.order_by("sentence").values_list(*columns)
    )


def test_replies_of_a_model_are_paid_once_within_their_limit(generate, model, tmp_path):
    options = (*PROMPTED, "--replies", str(tmp_path / "replies"))
    with pytest.raises(CommandError, match="Raise --most-tokens"):
        generate(SENTENCES[:20], *options, "--most-tokens", "1000")
    assert 0 < len(model.bodies) < 20
    generate(SENTENCES[:20], *options, "--most-tokens", "20000")
    assert len(model.bodies) == 20
    generate(SENTENCES[:20], *options, "--set", "per_sentence=2", out="other.parquet")
    assert len(model.bodies) == 20


def test_replies_are_kept_beside_the_output_of_a_stopped_file(generate, model, tmp_path):
    with pytest.raises(CommandError, match="Go on with the same command"):
        generate(SENTENCES[:20], *PROMPTED, "--most-tokens", "1000")
    generate(SENTENCES[:20], *PROMPTED)
    assert len(model.bodies) == 20
    assert (tmp_path / "out.parquet.replies").exists()


def test_a_server_that_refuses_is_named(generate, model, tmp_path):
    model.answer = lambda _body: fails(401)
    with pytest.raises(CommandError, match=r"401.*Go on with the same command"):
        generate(SENTENCES[:3], *PROMPTED, "--replies", str(tmp_path / "replies"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--replies", "r"), "no model on another server"),
        (("--most-tokens", "5"), "asks no model on another server"),
        ((*PROMPTED, "--most-cost", "5"), "the model has no price"),
        ((*PROMPTED, "--replies", "in.txt"), "in.txt cannot keep replies: file is not a database"),
    ],
)
def test_replies_need_a_model(generate, model, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match=message):
        generate(SENTENCES[:3], *options)
