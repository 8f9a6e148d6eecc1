"""Rankings as files: what the commands write, and that verification finds every kind of damage."""

import itertools
import json
import shutil
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from evaluation.ranking.files import group_line, read_appended, read_groups
from evaluation.ranking.making import RankingSettings, make_ranking, put
from evaluation.ranking.sources import read_source
from generation.methods.model_loaders import load_tagger
from generation.model_store import EMBEDDED
from releases.dataset.folders import pack
from releases.dataset.manifest import as_json
from releases.dataset.verification import verify
from tests.releases.dataset.test_verification import sign

PAIRS = (
    ("The quick fox often chased a small cat near the old house of Maria .",
     "Maria often saw the quick fox that chased a small cat, and she soon left the old house."),
    ("The young painter soon met a rich merchant and quickly sold him two large pictures.",
     "The young painter soon met a rich merchant, and quickly sold the merchant large pictures."),
    ("It rained.", "Rain fell."),
    ("Both are equal.", "Both are equal."),
)  # fmt: skip


def tell(command, *arguments):
    out = StringIO()
    call_command(command, *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "pairs.tsv"
    rows = [f"{number}\t{one}\t{other}\t1\n" for number, (one, other) in enumerate(PAIRS)]
    negative = "9\tA dog bit the man.\tThe man bit a dog.\t0\n"
    path.write_text("".join(("id\tsentence1\tsentence2\tlabel\n", *rows, negative)))
    return path


@pytest.fixture(scope="module")
def ranking(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rankings") / "one"
    tell("make_ranking", table, "--out", folder, "--append")
    return folder


@pytest.fixture
def forged(ranking, table, tmp_path):
    """What is told of a copy of the ranking with other files, whose checksums are right again."""

    def forge(contents=(), *, signed=True, manifest=None, **sources):
        folder = tmp_path / "copy"
        folder.mkdir()
        files = {path.name: path.read_text() for path in ranking.iterdir()} | dict(contents)
        for name, content in files.items():
            if content is not None:
                (folder / name).write_text(content)
        document = json.loads(files["manifest.json"]) | dict(manifest or {})
        (folder / "manifest.json").write_text(as_json(document))
        if signed:
            sign(folder)
        return [str(each) for each in verify(folder, sources.get("source", table))]

    return forge


def test_a_ranking_is_intact_alone_and_beside_its_source(ranking, table, forged):
    assert forged() == []
    assert "is intact" in tell("verify_release", ranking)
    assert "is intact" in tell("verify_release", ranking, "--source", table)


def test_the_same_source_and_seed_give_the_same_bytes(ranking, table, tmp_path):
    tell("make_ranking", table, "--out", tmp_path / "again", "--append")
    tell("make_ranking", table, "--out", tmp_path / "other", "--append", "--seed", 1)
    for path in ranking.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
    for name in ("groups.jsonl", "appended.tsv"):
        assert (ranking / name).read_bytes() != (tmp_path / "other" / name).read_bytes()


def test_every_paraphrase_has_an_outcome(ranking):
    counts = json.loads((ranking / "manifest.json").read_text())["counts"]
    assert counts["outcomes"] == {
        "ranked": 2, "equal_sentences": 1, "too_few_groups": 1, "repeats": 0,
    }  # fmt: skip
    assert (counts["pairs"], counts["groups"], counts["appended"]) == (4, 2, 3 * 7)


def changed(folder, change):
    """The lines of groups.jsonl with a changed first group."""
    first, *others = (json.loads(group_line(group)) for group in read_groups(folder))
    change(first)
    rows = [json.dumps(row, ensure_ascii=False) + "\n" for row in (first, *others)]
    return {"groups.jsonl": "".join(rows)}


def degree(number, **values):
    return lambda group: group["candidates"][4 - number].update(values)


def same_class_twice(group):
    one, other = group["candidates"][1:3]
    one["swapped"][0] = other["swapped"][0]


def repeated(group):
    group["candidates"][3]["text"] = group["candidates"][1]["text"]


def unsaid_step(group):
    """The last candidate is made of the pivot, not of the candidate before."""
    group["candidates"][2]["text"] = group["pivot"]


def other_words(group):
    group["candidates"][3]["text"] += " Indeed."


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (degree(3, degree=2), "the degrees of 0 are not 4, 3, 2, 1"),
        (degree(2, swapped=["noun", "fox", "moon"]), "is not the candidate before with"),
        (degree(1, swapped=None), "does not name exchanges in three different classes"),
        (degree(4, swapped=["noun", "fox", "cat"]), "is the paraphrase, and names an exchange"),
        (same_class_twice, "does not name exchanges in three different classes"),
        (repeated, "two texts of 0 are equal"),
        (unsaid_step, "is not the candidate before with"),
        (other_words, "has other words than the candidate before"),
        (lambda group: group.update(pair="9"), "is no paraphrase of the source"),
        (lambda group: group.update(pair="1"), "has two groups"),
        (degree(4, text="Another sentence."), "is no paraphrase of the source"),
        (lambda group: group.pop("pivot"), "groups.jsonl, line 1: not a row of this file"),
    ],
)
def test_a_false_group_is_found(ranking, forged, change, what):
    assert any(what in each for each in forged(changed(ranking, change)))


def test_a_false_row_of_appended_text_is_found(ranking, forged):
    lines = (ranking / "appended.tsv").read_text().splitlines(keepends=True)
    lines[3] = lines[3].replace(", and ", ", and then ")
    lines[-1] = lines[-1].replace("\t0\n", "\t1\n")
    told = forged({"appended.tsv": "".join(lines)})
    assert any("0 is not its first sentence with ', and' and 10 words" in each for each in told)
    assert any("label 1 at 0 words" in each for each in told)


def test_changed_missing_and_further_files_are_found(forged):
    told = forged({"README.md": "New.", "groups.jsonl": None, "notes": ""}, signed=False)
    for what in ("README.md: has another checksum", "groups.jsonl: is missing", "notes: is no"):
        assert any(each.startswith(what) for each in told)


@pytest.mark.parametrize(
    ("version", "differences"),
    [("0.0.9", []), (settings.VERSION, ["README.md: is not the document of this manifest"])],
)
def test_a_readme_in_other_words_is_valid_if_another_version_wrote_it(forged, version, differences):
    words = {"README.md": "A sentence that was worded in another way.\n"}
    assert forged(words, manifest={"software_version": version}) == differences


def test_another_source_is_found(forged, table, tmp_path):
    other = tmp_path / "pairs.tsv"
    other.write_text(table.read_text().replace("\t0\n", "\t1\n"))
    assert any("another source" in each for each in forged(source=other))


def test_releases_are_read_from_a_folder_and_an_archive(release, tmp_path):
    pack(release, tmp_path / "r.tar.gz", name="r", created="2026-11-21T08:00:00+00:00")
    for source, name in ((release, "one"), (tmp_path / "r.tar.gz", "other")):
        tagger = load_tagger(EMBEDDED)
        put(make_ranking(read_source(source), RankingSettings(), tagger=tagger), tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "other" / path.name).read_bytes()
    assert verify(tmp_path / "one", tmp_path / "r.tar.gz") == []


def test_a_ranking_never_goes_into_the_release_or_over_another(release, ranking, table):
    for out, what in ((release / "ranking", "never changes"), (ranking, "Name a new folder")):
        with pytest.raises(CommandError, match=what):
            tell("make_ranking", release, "--out", out)


def test_what_is_wrong_with_a_source_is_said(tmp_path):
    (tmp_path / "bad.tsv").write_text("id\ttext\n1\tOne.\n")
    for name, what in (("bad.tsv", "sentence1"), ("none.tsv", "does not exist"), ("none", "exist")):
        with pytest.raises(CommandError, match=what):
            tell("make_ranking", tmp_path / name, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_rank_prints_a_row_for_each_scorer_and_writes_the_figures(ranking, tmp_path):
    said = tell("rank", ranking, "--scorers", "order,jaccard", "--json", tmp_path / "figures.json")
    assert said.index("| order |") < said.index("| jaccard |")
    figures = json.loads((tmp_path / "figures.json").read_text())["figures"]
    assert [(each["scorer"], each["groups"]) for each in figures] == [("order", 2), ("jaccard", 2)]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [(("--scorers", "bleu"), "jaccard, cosine"), (("--models", "bow"), "--release")],
)
def test_rank_says_what_it_lacks(ranking, arguments, what):
    with pytest.raises(CommandError, match=what):
        tell("rank", ranking, *arguments)


def test_rank_never_writes_into_the_ranking(ranking):
    with pytest.raises(CommandError, match="never changes"):
        tell("rank", ranking, "--json", ranking / "figures.json")
    assert verify(ranking) == []


def test_appended_words_are_counted_and_begin_alike(ranking):
    rows = list(read_appended(ranking))
    assert [row.words for row in rows[:7]] == [0, 5, 10, 15, 20, 25, 30]
    assert rows[0].sentence1 == PAIRS[0][0]
    start = PAIRS[0][0].removesuffix(" .") + ", and "
    for row, longer in itertools.pairwise(rows[1:7]):
        assert row.sentence1.startswith(start)
        assert row.sentence1.endswith(".")
        assert len(row.sentence1.removeprefix(start).split()) == row.words
        assert longer.sentence1.startswith(row.sentence1[:-1] + " ")
    assert len(rows[6].sentence1.removeprefix(start).split()) == 30


@pytest.mark.parametrize(
    ("name", "change", "what"),
    [
        (
            "groups.jsonl",
            lambda text: text.replace("fox", "dog", 1),
            "groups.jsonl has another",
        ),
        ("appended.tsv", lambda text: text + "\n", "appended.tsv has another"),
        ("back_translated.jsonl", lambda text: "", "back_translated.jsonl is not in"),
        ("manifest.json", lambda text: text.replace("pawsmith-ranking", "other"), "is no ranking"),
    ],
)
def test_rank_refuses_a_changed_ranking(ranking, tmp_path, name, change, what):
    path = shutil.copytree(ranking, tmp_path / "copy") / name
    path.write_text(change(path.read_text() if path.exists() else ""))
    with pytest.raises(CommandError, match=what):
        tell("rank", tmp_path / "copy")


def test_rank_refuses_what_is_no_ranking(release, ranking, tmp_path):
    (shutil.copytree(ranking, tmp_path / "copy") / "groups.jsonl").unlink()
    for folder, what in (
        (release, "is no ranking"),
        (tmp_path, "it has no manifest.json"),
        (tmp_path / "copy", "groups.jsonl is missing. Make the ranking again"),
    ):
        with pytest.raises(CommandError, match=what):
            tell("rank", folder)


def test_rank_says_that_few_groups_say_little(ranking):
    assert "fewer than 30 groups" in tell("rank", ranking, "--scorers", "order")


def test_a_ranking_without_groups_is_not_written(tmp_path):
    source, out = tmp_path / "short.tsv", StringIO()
    source.write_text("id\tsentence1\tsentence2\tlabel\n1\tIt rained.\tRain fell.\t1\n")
    with pytest.raises(CommandError, match="No group could be made of 1 paraphrase"):
        call_command("make_ranking", source, out=tmp_path / "out", stdout=out)
    assert "too_few_groups: 1" in out.getvalue()
    assert not (tmp_path / "out").exists()
