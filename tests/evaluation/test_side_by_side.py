"""What models say of the same pairs, side by side: against pandas, and as people get it."""

import json

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from evaluation import board, results, side_by_side
from evaluation.data import Unusable
from tests.evaluation.small import dataset

LABELS = [0, 1, 1, 1]
# Scores of test by model and seed.
OURS = {
    ("bow", 0): [0.2, 0.4, 0.9, 0.1],
    ("bow", 1): [0.4, 0.2, 0.8, 0.3],
    ("never", 0): [0.6] * 4,
    ("never", 1): [0.6] * 4,
    ("base+train/bow", 0): [0.9, 0.9, 0.1, 0.1],
    ("base+train/bow", 1): [0.7, 0.9, 0.1, 0.1],
}
THEIRS = [0.9, 0.8, 0.7, 0.4]


@pytest.fixture
def folder(tmp_path):
    """The folder of an evaluation with the scores above."""
    of, models = dataset(), []
    ids = [*of.dev.ids, *of.test.ids]
    for (name, seed), scores in OURS.items():
        data, _, model = name.rpartition("/")
        models.append({"data": data or "train", "model": model})
        path = tmp_path / board.predictions_path(model, seed, data=data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(results.predictions_text(ids, pd.Series([0.0] * 4 + scores)))
    path = tmp_path / board.brought_path("Theirs", "test")
    path.parent.mkdir(parents=True)
    path.write_text(results.predictions_text(of.test.ids, pd.Series(THEIRS)))
    return tmp_path, {
        "experiments": {"plain": {"figures": {"models": models}, "seeds": [0, 1]}},
        "brought": {"Theirs": {"test": {}}},
    }


def read(folder, names=(), split="test", **columns):
    of = dataset(columns=columns)
    return side_by_side.read_pairs(of, *folder, split=split, names=names)


def expected_scores():
    ours = pd.DataFrame(OURS).T.groupby(level=0).mean().T
    return ours.assign(Theirs=THEIRS)


def ids_of(pairs):
    return [pair.id for pair in pairs]


def test_scores_are_means_over_seeds_as_pandas_computes_them(folder):
    names = ["bow", "never", "base+train/bow", "Theirs"]
    found = pd.DataFrame([pair.scores for pair in read(folder, names)])
    pd.testing.assert_frame_equal(found[names], expected_scores()[names], check_names=False)


def test_without_names_all_models_fitted_to_train_are_shown_but_never(folder):
    assert {*read(folder)[0].scores} == {"bow", "Theirs"}


@pytest.mark.parametrize(
    ("how", "name"),
    [("differ", ""), ("all-wrong", ""), ("only-right", "bow"), ("only-right", "Theirs")],
)
def test_pairs_are_picked_as_pandas_picks_them(folder, how, name):
    names = ["bow", "base+train/bow", "Theirs"]
    scores, labels = expected_scores()[names], pd.Series(LABELS)
    right = (scores > 0.5).eq(labels == 1, axis=0)
    masks = {
        "differ": (scores > 0.5).nunique(axis=1) > 1,
        "all-wrong": ~right.any(axis=1),
        "only-right": right.sum(axis=1).eq(1) & right.get(name, True),
    }
    error = scores.sub(labels, axis=0).abs().mean(axis=1)[masks[how]]
    expected = [f"test-{at}" for at in error.sort_values(ascending=False, kind="stable").index]
    assert ids_of(side_by_side.pick(read(folder, names), how, name)) == expected


def test_the_picks_above_are_not_empty(folder):
    pairs = read(folder, ["bow", "base+train/bow", "Theirs"])
    counts = [
        len(side_by_side.pick(pairs, *how))
        for how in [("differ",), ("all-wrong",), ("only-right", "bow")]
    ]
    assert counts == [3, 1, 1]


def test_pairs_are_shown_in_the_order_of_their_ids_in_a_file(folder):
    lines = ["id\tnote", "test-2\tfirst", "", "test-0"]
    shown = side_by_side.by_ids(read(folder), lines, published_ids={})
    assert ids_of(shown) == ["test-2", "test-0"]
    with pytest.raises(Unusable, match="no pair 'test-9'"):
        side_by_side.by_ids(read(folder), ["test-9"], published_ids={})


def test_pairs_are_named_by_the_ids_of_their_publishers_too(folder):
    published_ids = {"test-0": "11", "test-2": "7"}
    lines = ["published_id", "7", "test-1", "11"]
    shown = side_by_side.by_ids(read(folder), lines, published_ids=published_ids)
    assert ids_of(shown) == ["test-2", "test-1", "test-0"]


@pytest.mark.parametrize(
    ("names", "split", "message"),
    [
        (["esim"], "test", "no predictions of esim on test. There are: bow, never, base"),
        (["Theirs"], "dev", "no predictions of Theirs on dev"),
    ],
)
def test_models_without_predictions_are_refused(folder, names, split, message):
    with pytest.raises(Unusable, match=message):
        read(folder, names, split)


def test_a_missing_file_of_predictions_is_named(folder):
    (folder[0] / "predictions/bow-1.tsv").unlink()
    with pytest.raises(Unusable, match=r"bow-1\.tsv is missing. Evaluate the release again"):
        read(folder, ["bow"])


def test_only_right_needs_a_model_that_is_compared(folder):
    with pytest.raises(Unusable, match="needs one of the models: bow, Theirs"):
        side_by_side.pick(read(folder), "only-right", "esim")


def test_a_line_has_what_is_known_of_the_pair(folder):
    told = {"entity": {"test-1": "mole"}, "grade": {"test-1": "2"}}
    line = [*side_by_side.as_lines(read(folder, ["bow"], **told))][1]
    assert line == {
        "id": "test-1",
        "sentence1": "test 1 is one sentence",
        "sentence2": "test 1 other",
        "entity": "mole",
        "grade": 2,
        "label": 1,
        "models": {"bow": {"label": 0, "score": pytest.approx(0.3), "right": False}},
    }


def compare(trial, capsys, *options):
    call_command("compare_predictions", trial, *options)
    return capsys.readouterr()


@pytest.fixture
def evaluated(trial, capsys):
    call_command("evaluate", trial, "--models", "never,overlap,bow", "--seeds", "1")
    capsys.readouterr()
    return trial


def test_the_command_shows_pairs_in_each_format(evaluated, capsys):
    options = ("--models", "never,overlap", "--most", "2")
    text, markdown, latex, lines = (
        compare(evaluated, capsys, *options, "--format", name).out.rstrip("\n")
        for name in ("text", "md", "latex", "jsonl")
    )
    first, second = map(json.loads, lines.splitlines())
    answers = [
        f"{model} {answer['label']} ({answer['score']:.2f}){'' if answer['right'] else ' wrong'}"
        for model, answer in first["models"].items()
    ]
    assert text.splitlines()[:4] == [
        f"{first['id']}: label {first['label']}",
        first["sentence1"],
        first["sentence2"],
        "; ".join(answers),
    ]
    header, _rule, row, _ = markdown.splitlines()
    assert header == "| Sentence 1 | Sentence 2 | Label | never | overlap |"
    cells = [f"**{answer[:-6]}**" if answer.endswith(" wrong") else answer for answer in answers]
    cells = [cell.replace("never ", "").replace("overlap ", "") for cell in cells]
    texts = f"{first['sentence1']} | {first['sentence2']} | {first['label']}"
    assert row == f"| {texts} | {' | '.join(cells)} |"
    assert latex.count(" \\\\\n") == 3
    assert f"{second['sentence1']} & {second['sentence2']} & {second['label']} & " in latex
    assert "\\textbf{" in latex


def test_the_command_says_how_many_pairs_there_are(evaluated, capsys):
    said = compare(evaluated, capsys, "--pick", "differ", "--most", "1").err
    assert said.endswith(" 1 shown.\n")


@pytest.mark.parametrize("asked", [["all"], ["only-right"], ["differ", "bow"]])
def test_picks_that_there_are_not_are_refused(evaluated, capsys, asked):
    with pytest.raises(CommandError, match="Use --pick differ, --pick all-wrong or"):
        compare(evaluated, capsys, "--pick", *asked)


def test_a_release_without_an_evaluation_is_told_what_to_do(trial, capsys):
    with pytest.raises(CommandError, match="Evaluate the release, or add predictions"):
        compare(trial, capsys)
