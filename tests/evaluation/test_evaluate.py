"""The commands evaluate and score_predictions: from the files of a release, without a database."""

import json
import os
import shutil
import tarfile
from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from evaluation import models_by_name
from evaluation.management.commands.score_predictions import MOST_BYTES
from releases.dataset.tables import TABLES
from releases.dataset.verification import verify
from tests.evaluation.small import Memory
from tests.releases.dataset.studies import contents, study, write
from tests.releases.dataset.test_definitions import definitions, written
from tests.releases.dataset.test_verification import sign
from tests.releases.dataset.translated import translations
from tests.releases.dataset.translated.test_verification import Forger


@pytest.fixture
def memory(monkeypatch):
    """The only model that there is."""
    only = Memory()

    def model(name, *, folder, device):
        if name != only.name:
            raise models_by_name.NoModel(f"There is no model {name!r}.")
        return only

    monkeypatch.setattr(models_by_name, "model", model)
    return only


def evaluate(*arguments):
    call_command("evaluate", *arguments, "--models", "memory")


def content_of(folder):
    return json.loads((folder / "evaluation.json").read_text())


def rows_of(trial, split):
    lines = (trial / f"labeled_final/{split}.tsv").read_text().splitlines()[1:]
    return [line.split("\t") for line in lines]


def predictions(trial, *, split="test", label="1"):
    """A file with this label for each pair, or with the label of the pair itself."""
    file = trial.parent / "theirs.tsv"
    rows = (f"{row[0]}\t{label or row[3]}" for row in rows_of(trial, split))
    file.write_text("\n".join(["id\tlabel", *rows]) + "\n")
    return file


def test_a_folder_and_its_archive_give_the_same_evaluation_and_stay_as_they_are(
    trial, memory, tmp_path
):
    archive = tmp_path / "packed/trial.tar.gz"
    archive.parent.mkdir()
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(trial, "trial")
    evaluate(trial, "--seeds", "2")
    evaluate(archive, "--seeds", "2")
    one, two = (place / "evaluations/trial" for place in (tmp_path, archive.parent))
    assert content_of(one) == content_of(two)
    predicted = (one / "predictions/memory-1.tsv").read_text().splitlines()
    assert predicted[0] == "id\tscore"
    ids = [row[0] for split in ("dev", "test") for row in rows_of(trial, split)]
    assert [line.split("\t")[0] for line in predicted[1:]] == ids
    assert verify(trial) == []


def test_the_same_command_continues_a_stopped_one(trial, memory, monkeypatch, capsys, tmp_path):
    fit = Memory.fit

    def stopped(self, train, dev, *, seed, tell):
        if seed == 2:
            raise KeyboardInterrupt
        return fit(self, train, dev, seed=seed)

    with monkeypatch.context() as patch:
        patch.setattr(Memory, "fit", stopped)
        with pytest.raises(CommandError, match=r"2 of 3 fits are kept. The same command continues"):
            evaluate(trial)
    assert not (tmp_path / "evaluations/trial").exists()
    evaluate(trial)
    assert [seed for *_, seed in memory.fits] == [0, 1, 2]
    assert capsys.readouterr().out.count("kept from an earlier run") == 2


def test_a_run_does_not_replace_what_another_wrote_meanwhile(trial, memory, monkeypatch, tmp_path):
    fit = Memory.fit

    def beside_another(self, train, dev, *, seed, tell):
        if seed == 2:
            monkeypatch.setattr(Memory, "fit", fit)
            evaluate(trial, "--seeds", "1")
        return fit(self, train, dev, seed=seed)

    monkeypatch.setattr(Memory, "fit", beside_another)
    with pytest.raises(CommandError, match="Another run has written the experiment plain"):
        evaluate(trial)
    folder = tmp_path / "evaluations/trial"
    assert content_of(folder)["experiments"]["plain"]["seeds"] == [0]
    evaluate(trial)
    assert content_of(folder)["experiments"]["plain"]["seeds"] == [0, 1, 2]


def test_predictions_made_elsewhere_are_in_the_same_table(trial, memory, tmp_path, capsys):
    evaluate(trial, "--seeds", "1")
    theirs = predictions(trial, label=None)
    call_command("score_predictions", trial, theirs, "--name", "Theirs")
    scored = "Theirs on test: accuracy 100.0, AUC-PR 100.0."
    assert f"{scored}\n" in capsys.readouterr().out
    call_command("score_predictions", trial, theirs, "--name", "Theirs")
    assert f"{scored} Earlier predictions of this name were replaced." in capsys.readouterr().out
    readme = (tmp_path / "evaluations/trial/README.md").read_text()
    assert "| Theirs (brought) | – | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 |" in readme
    assert "| memory | 3 |" in readme
    assert "|  | Pairs | memory | Theirs (brought) |" in readme
    evaluate(trial, "--seeds", "1")
    assert (tmp_path / "evaluations/trial/brought/test/Theirs.tsv").exists()
    with pytest.raises(CommandError, match="letters"):
        call_command("score_predictions", trial, theirs, "--name", "../theirs")
    os.truncate(theirs, MOST_BYTES + 1)
    with pytest.raises(CommandError, match="larger than 100 MB"):
        call_command("score_predictions", trial, theirs, "--name", "Theirs")


def test_the_kind_of_each_pair_is_in_a_file_and_brought_predictions_are_in_its_table(
    trial, memory, tmp_path
):
    folder, theirs = tmp_path / "evaluations/trial", predictions(trial)
    ids = {split: [row[0] for row in rows_of(trial, split)] for split in ("dev", "test")}
    call_command("score_predictions", trial, theirs, "--name", "Before")
    evaluate(trial, "--seeds", "1")
    call_command("score_predictions", trial, theirs, "--name", "After")
    header, *rows = (folder / "kinds.tsv").read_text().splitlines()
    kinds = dict(row.split("\t") for row in rows)
    assert (header, [*kinds]) == ("id\tkind", ids["dev"] + ids["test"])
    content = content_of(folder)
    [own] = content["experiments"]["plain"]["figures"]["models"]
    sizes = {kind: of["pairs"] for kind, of in own["groups"]["kind"].items()}
    assert sizes == Counter(kinds[key] for key in ids["test"])
    before, after = (content["brought"][name]["test"]["groups"] for name in ("Before", "After"))
    assert before["kind"] == after["kind"]
    assert before["kind"].keys() == sizes.keys()
    (folder / "kinds.tsv").write_text("id\tkind\n")
    with pytest.raises(CommandError, match=r"kinds\.tsv is damaged"):
        call_command("score_predictions", trial, theirs, "--name", "After")


def test_predictions_made_elsewhere_can_be_removed(trial, memory, tmp_path):
    evaluate(trial, "--seeds", "1")
    folder = tmp_path / "evaluations/trial"
    before = contents(folder)
    for split in ("test", "dev"):
        theirs = predictions(trial, split=split)
        named = ("--name", "Theirs", "--split", split)
        call_command("score_predictions", trial, theirs, *named)
    call_command("score_predictions", trial, "--remove", *named)
    assert {*content_of(folder)["brought"]["Theirs"]} == {"test"}
    call_command("score_predictions", trial, "--remove", "--name", "Theirs")
    assert contents(folder) == before
    with pytest.raises(CommandError, match="no predictions called “Theirs” on test or dev"):
        call_command("score_predictions", trial, "--remove", "--name", "Theirs")
    for asked in ([], [theirs, "--remove"]):
        with pytest.raises(CommandError, match="either a file of predictions or --remove"):
            call_command("score_predictions", trial, *asked, "--name", "Theirs")


def test_one_command_runs_several_experiments_and_the_readme_has_them_all(
    trial, memory, tmp_path, capsys
):
    evaluate(trial, "--seeds", "1", "--experiment", "cross")
    evaluate(trial, "--seeds", "1", "--experiment", "plain,curve,artefacts")
    folder = tmp_path / "evaluations/trial"
    assert {*content_of(folder)["experiments"]} == {"cross", "plain", "shape", "curve", "artefacts"}
    readme = (folder / "README.md").read_text()
    titles = ("Models on test", "Accuracy by kind of words", "Learning curve", "Controls that see")
    for title in (*titles, "Rules that see only the shape", "Training on some"):
        assert f"## {title}" in readme
    assert (folder / "curve.svg").exists()
    assert capsys.readouterr().out.count("The tables are in") == 2


def test_models_that_leave_the_tables_are_named_before_the_fits(trial, memory, capsys):
    evaluate(trial, "--seeds", "1")
    evaluate(trial, "--seeds", "1")
    assert "which also have" not in capsys.readouterr().out
    memory.name = "other"
    call_command("evaluate", trial, "--models", "other", "--seeds", "1")
    said, _, fits = capsys.readouterr().out.partition("which also have memory.")
    assert "plain" in said
    assert "other on train, seed 0" in fits
    assert "other on train, seed 0" not in said


def test_nothing_is_fitted_if_one_of_several_experiments_cannot_be_done(trial, memory):
    with pytest.raises(CommandError, match="at least two with --models"):
        evaluate(trial, "--experiment", "plain,errors")
    assert not memory.fits


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--models", "other"], "There is no model 'other'"),
        (["--models", "memory", "--experiment", "artefacts"], "Leave out --models"),
        (["--experiment", "errors", "--base", "other.tsv"], "errors takes no --base"),
        (["--experiment", "plain,other"], "there is no experiment 'other'"),
        (["--experiment", "plain,curve", "--pretrain"], "curve takes no --pretrain"),
        (["--models", "memory", "--base", "other.tsv"], "other.tsv does not exist"),
        (["--models", "memory", "--base", "other"], "other does not exist"),
        (["--experiment", "errors", "--shared", "keep"], "errors takes no --shared"),
        (["--by", "domain"], "plain takes no --by"),
        (["--models", "memory", "--experiment", "cross", "--by", "domain"], "column domain"),
        (["--models", "memory", "--experiment", "regimes"], "each translation of it"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(trial, memory, options, message):
    with pytest.raises(CommandError, match=message):
        call_command("evaluate", trial, *options)


def test_a_release_that_cannot_be_read_is_named(trial, memory, tmp_path):
    with pytest.raises(CommandError, match="curve takes one release"):
        call_command("evaluate", trial, trial, "--experiment", "curve")
    changed = shutil.copytree(trial, tmp_path / "changed")
    with (changed / "labeled_final/dev.tsv").open("a") as file:
        file.write("new\tone\ttwo\t1\n")
    with pytest.raises(CommandError, match=r"changed: labeled_final/dev.tsv: differs from its"):
        evaluate(changed)
    for path, message in (
        ("nothing", "nothing does not exist: name the folder of a release, or its .tar.gz"),
        ("trial/README.md", "neither a folder"),
    ):
        with pytest.raises(CommandError, match=message):
            evaluate(tmp_path / path)
    write(tmp_path / "tiny", study(1, families=3))
    with pytest.raises(CommandError, match="Build a version of the release"):
        evaluate(tmp_path / "tiny")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("verify_release FILE", "import_release makes a release): name the folder of a release"),
        ("verify_release RELEASE --source FILE", "is not needed: a release of pairs that were"),
        ("evaluate FILE", "import_release makes a release): name the folder of a release"),
        ("score_predictions FILE FILE --name X", "is neither a folder nor a .tar.gz"),
        ("make_ranking FILE --out OUT", "or its .tar.gz, or a .tsv file of pairs."),
        ("rank FILE", "is no ranking: it has no manifest.json. Name a folder that make_ranking"),
        ("check_ranking FILE --project X", "is no ranking: it has no manifest.json"),
    ],
)
def test_a_file_that_is_no_release_is_refused_in_a_sentence(trial, tmp_path, command, expected):
    names = {"FILE": tmp_path / "pairs.csv", "RELEASE": trial, "OUT": tmp_path / "out"}
    names["FILE"].write_text("id,sentence1,sentence2,label\n")
    name, *arguments = [names.get(word, word) for word in command.split()]
    with pytest.raises(CommandError, match=r"^\S*pairs\.csv [^\n]+\.$") as refusal:
        call_command(name, *arguments)
    assert expected in str(refusal.value)


@pytest.mark.parametrize("name", ["bow", "ESIM", "theirs"])
def test_predictions_may_not_have_the_name_of_another_model(trial, tmp_path, name):
    file = predictions(trial)
    call_command("score_predictions", trial, file, "--name", "Theirs")
    with pytest.raises(CommandError, match=r"hoose another name"):
        call_command("score_predictions", trial, file, "--name", name)
    assert [*content_of(tmp_path / "evaluations/trial")["brought"]] == ["Theirs"]


def test_pairs_with_an_empty_sentence_are_evaluated_by_every_experiment(trial, tmp_path, capsys):
    forger = Forger(trial)
    for table in TABLES[:3]:
        forger.cell(table, 0, sentence1="")
        forger.cell(table, 1, sentence2=" ")
    sign(trial)
    names = "plain,curve,cross,errors,artefacts"
    call_command("evaluate", trial, "--experiment", names, "--seeds", "1")
    call_command("evaluate", trial, "--crossfit", "3", "--seeds", "1")
    key = forger.rows(TABLES[2])[0][0]
    said = "test: 2 pairs with an empty sentence, scored as a text without words: " + key
    assert said in capsys.readouterr().out
    experiments = content_of(tmp_path / "evaluations/trial")["experiments"]
    assert {*experiments} == {*names.split(","), "shape", "crossfit"}


def test_a_graded_release_is_evaluated_together_with_its_translation(memory, tmp_path):
    graded, german = tmp_path / "graded", tmp_path / "de"
    written(graded, *definitions())
    translations.write(german, graded, translations.translations(graded))
    evaluate(graded, german, "--seeds", "1", "--experiment", "regimes")
    [regimes] = content_of(tmp_path / "evaluations/graded")["experiments"].values()
    assert regimes["figures"]["missing"] == []
    assert [each["name"] for each in regimes["figures"]["sets"]] == ["en", "de"]


def test_several_releases_have_a_folder_each_beside_one_table(trial, memory, tmp_path, capsys):
    write(tmp_path / "second", study(5, families=60))
    out = tmp_path / "out"
    evaluate(trial, tmp_path / "second", "--seeds", "1", "--out", out)
    table = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert table[0].startswith("| Test set of | Model | Parameters | Accuracy |")
    for line, name in zip(table[2:], ("trial", "second"), strict=True):
        [figures] = content_of(out / name)["experiments"]["plain"]["figures"]["models"]
        accuracy = figures["test"]["accuracy"]["mean"]
        assert line.startswith(f"| Trial pairs 1.0.0 | memory | 3 | {100 * accuracy:.1f} |")
    with pytest.raises(CommandError, match="the same folder for their tables"):
        evaluate(trial, trial, "--seeds", "1")


def test_a_release_is_the_base_of_another(trial, memory, tmp_path, capsys):
    write(tmp_path / "second", study(5, families=60))
    options = ("--base", tmp_path / "second", "--shared", "drop", "--seeds", "1")
    evaluate(trial, *options, "--experiment", "plain,cross")
    experiments = content_of(tmp_path / "evaluations/trial")["experiments"]
    assert experiments["plain"]["settings"]["base"]["name"] == "Trial pairs 1.0.0"
    assert experiments["cross"]["settings"]["shared"] == "drop"
    assert experiments["cross"]["figures"]["sets"][0]["name"] == "base"
    readme = (tmp_path / "evaluations/trial/README.md").read_text()
    assert "On the test set of Trial pairs 1.0.0; in brackets" in readme


def test_cross_trains_on_each_domain_of_a_release(trial, memory, tmp_path):
    for table in TABLES[:3]:
        header, *rows = (trial / table.tsv).read_text().splitlines()
        cells = (["news", "wiki"][number % 2] for number in range(len(rows)))
        lines = [f"{header}\tdomain", *map("\t".join, zip(rows, cells, strict=True))]
        (trial / table.tsv).write_text("\n".join(lines) + "\n")
    sign(trial)
    options = ("--experiment", "cross", "--by", "domain", "--shared", "keep", "--seeds", "1")
    evaluate(trial, *options)
    cross = content_of(tmp_path / "evaluations/trial")["experiments"]["cross"]
    assert len(cross["figures"]["rows"]) == 3
    assert {row["train"] for row in cross["figures"]["rows"]} >= {"news", "wiki"}
    assert {release["part"] for release in cross["releases"]} == {"news", "wiki"}


def test_seeds_begin_with_the_first_one(trial, memory):
    evaluate(trial, "--seed", "4", "--seeds", "2")
    assert [seed for *_, seed in memory.fits] == [4, 5]
