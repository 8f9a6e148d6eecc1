"""The companion folder of a release, its tables, and predictions that were made elsewhere."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from evaluation import brought, cells, charts, results, tables
from evaluation.data import Unusable
from evaluation.experiments import artefacts, cross_domain, curve, plain
from evaluation.experiments.fits import Part, Study
from evaluation.experiments.sets import Base
from tests.evaluation.small import Memory, dataset, pairs
from tests.releases.dataset.studies import contents


def span(mean, low=None, high=None):
    return {"mean": mean, "low": mean if low is None else low, "high": high or mean}


def entry(of, **scores):
    """The entry of a plain experiment with a score for each pair of test, for each model."""
    base = Base("other.tsv", "cd" * 32, pairs("base", [0, 1]), pairs("base dev", [0, 1]))
    study = Study(datasets=[of], models=[*scores], seeds=[0], base=base)
    done = {
        fit.key: Part(7, {"dev": np.zeros(4), "test": np.array(scores[fit.model][fit.data])})
        for fit in plain.fits(study)
    }
    models = {name: Memory(name) for name in scores}
    return results.experiment_entry(study, models, plain.figures(study, done))


ALL, NONE = [1.0] * 4, [0.0] * 4
SCORES = {"train": ALL, "base": NONE, "base+train": [0, 0, 0, 1.0]}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "evaluations/1.0"


def put(folder, of, name="plain", value=None, **options):
    def change(evaluation):
        evaluation["experiments"][name] = value or entry(of, memory=SCORES)

    results.update_folder(folder, of, change, files={}, **options)


def readme_of(folder, name, experiment, study, score):
    """The README with the tables of an experiment, whose models score pairs by `score`."""
    done = {
        fit.key: Part(7, {test: score(fit, pairs) for test, pairs in fit.tests.items()})
        for fit in experiment.fits(study)
    }
    models = {model: Memory(model) for model in study.models}
    figures = experiment.figures(study, done)
    put(folder, study.dataset, name, results.experiment_entry(study, models, figures))
    return (folder / results.README).read_text()


def all_zero(fit, pairs):
    return np.zeros(len(pairs))


def all_one(fit, pairs):
    return np.ones(len(pairs))


def test_the_readme_has_the_tables_of_the_paper(folder):
    put(folder, dataset())
    readme = (folder / results.README).read_text()
    assert "| memory | 7 | 75.0 | 75.0 | 85.7 | 75.0 | 100.0 |" in readme
    assert "| memory | 25.0 | 75.0 | 50.0 (+25.0) | 83.3 (+8.3) | 75.0 | 75.0 |" in readme
    assert (
        "The test set has 4 pairs: chance in their choice moves an accuracy or AUC-PR by up to\n"
        "about 49.0 points" in readme
    )
    assert "simulated" not in readme


def test_the_readme_names_kinds_as_the_page_does(folder):
    kinds = ["mixed", "noun", "noun", "not_the_same_words"]
    of = dataset(kinds={f"test-{number}": kind for number, kind in enumerate(kinds)})
    put(folder, of)
    readme = (folder / results.README).read_text()
    for row in ("more than one kind | 1 | 0.0", "nouns | 2 | 100.0", "not the same words | 1"):
        assert f"| {row} |" in readme


def test_figures_that_rest_on_simulated_answers_are_marked(folder):
    put(folder, dataset(simulated=True))
    assert "no figure is a finding" in (folder / results.README).read_text()


def test_the_readme_has_a_row_for_each_sum_of_train_sets(folder):
    one = dataset(name="A", swap=pairs("swap", [0, 1]))
    other = dataset(name="B", train=pairs("more", [0, 1]), test=pairs("else", [0, 1]))
    study = Study(datasets=[one, other], models=["memory"], seeds=[0])
    readme = readme_of(folder, "cross", cross_domain, study, all_zero)
    rows = [line for line in readme.splitlines() if line.startswith(("| A", "| B"))]
    assert [row.split(" |")[:2] for row in rows] == [
        ["| A", " 8"],
        ["| A+swap", " 10"],
        ["| B", " 2"],
        ["| A+B", " 10"],
        ["| A+B+swap", " 12"],
    ]
    assert "| A+B+swap | 12 | 25.0 / 75.0 | 50.0 / 50.0 |" in readme
    assert "test sets of" not in readme


def test_the_readme_counts_the_sentences_that_two_test_sets_share(folder):
    other = dataset(name="B", test=dataset().test.take([0, 2]) + pairs("else", [0, 1]))
    study = Study(datasets=[dataset(name="A"), other], models=["memory"], seeds=[0])
    readme = readme_of(folder, "cross", cross_domain, study, all_zero)
    assert "The test sets of A and B share 4 sentences." in readme


def test_the_readme_has_the_range_of_a_curve_and_its_advice(folder):
    study = Study(datasets=[dataset()], models=["memory"], seeds=[0, 1])
    readme = readme_of(
        folder, "curve", curve, study, lambda fit, pairs: np.array(NONE if fit.seed else ALL)
    )
    assert "| 100 % | 8 | 50.0 ± 25.0 / 75.0 |" in readme
    assert "This does not tell whether more pairs would help. Evaluate again with three" in readme


@pytest.mark.parametrize(("pairs_of", "result"), [(1, "too few pairs to tell"), (100, "as chance")])
def test_a_control_on_few_pairs_tells_nothing(folder, pairs_of, result):
    of = dataset(test=pairs("test", [0, 1, 1, 1] * pairs_of))
    study = Study(datasets=[of], models=[], seeds=[0])
    readme = readme_of(folder, "artefacts", artefacts, study, all_one)
    start = f"| {artefacts.SENTENCE2} |"
    [row] = [line for line in readme.splitlines() if line.startswith(start)]
    assert row.split(" | ")[2:4] == ["75.0", "75.0"]
    assert row.endswith(f" | 75.0 | {result} |")


def test_gains_are_differences_of_the_figures_as_printed():
    assert cells.gain(span(0.57649), span(0.34751)) == "57.6 (+22.8)"
    assert cells.gain(span(0.5), None) == "50.0"
    assert cells.spread(span(0.5, 0.496, 0.504)) == "50.0 ± 0.4"
    assert (cells.spread(span(0.5)), cells.spread(None)) == ("50.0", "–")


def test_an_experiment_replaces_itself_alone(folder):
    put(folder, dataset(), "errors", {"seeds": [0], "releases": [], "models": [],
        "settings": {"base": None}, "figures": {"models": []}})  # fmt: skip
    put(folder, dataset())
    put(folder, dataset())
    content = json.loads((folder / results.EVALUATION).read_text())
    assert [*content["experiments"]] == ["errors", "plain"]
    assert content["format"] == "pawsmith-evaluation/1"
    assert content["release"]["sha256"] == "ab" * 32
    assert content["experiments"]["plain"]["models"][0]["name"] == "memory"


def test_a_folder_never_has_half_of_an_evaluation(folder, monkeypatch):
    put(folder, dataset())
    before = contents(folder)

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(tables, "readme", full)
        with pytest.raises(OSError, match="No space"):
            put(folder, dataset(simulated=True))
    assert contents(folder) == before


def test_a_process_killed_between_two_renames_loses_nothing(folder):
    put(folder, dataset(), "kept", {})
    folder.rename(folder.with_name(".1.0.previous"))
    put(folder, dataset())
    content = json.loads((folder / results.EVALUATION).read_text())
    assert {*content["experiments"]} == {"kept", "plain"}
    assert not folder.with_name(".1.0.previous").exists()


def test_folders_of_other_releases_and_of_the_release_itself_are_refused(folder, tmp_path):
    put(folder, dataset())
    with pytest.raises(Unusable, match=r"of another release than this Trial .* Use another --out"):
        put(folder, dataset(sha256="ef" * 32))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("mine")
    for place, message in (
        (tmp_path / "mine", "something else than an evaluation"),
        (tmp_path / "1.0/inside", "which must not change"),
    ):
        with pytest.raises(Unusable, match=message):
            results.refuse_folder(place, tmp_path / "1.0")


def test_releases_of_one_version_have_folders_of_their_own(tmp_path):
    first, second = dataset().identity, dataset().identity | {"sha256": "of another"}
    (tmp_path / "evaluations/1.0").mkdir(parents=True)
    before = {"format": results.FORMAT, "release": first}
    (tmp_path / "evaluations/1.0/evaluation.json").write_text(json.dumps(before))
    folders = [
        results.default_folder(tmp_path / name, identity | {"version": "1.0"})
        for name, identity in (("first", first), ("second.tar.gz", second))
    ]
    assert folders == [tmp_path / "evaluations/1.0", tmp_path / "evaluations/second"]


def test_the_learning_curve_is_a_chart_with_a_point_for_each_share(folder):
    study = Study(datasets=[dataset()], models=["a & b"], seeds=[0])
    readme = readme_of(folder, "curve", curve, study, all_one)
    drawn = ElementTree.fromstring((folder / results.CURVE).read_text())
    assert len(drawn.findall(".//{*}circle")) == 4
    assert "](curve.svg)" in readme
    assert charts.svg({"models": []}).endswith("</svg>\n")


def predictions(*lines):
    return ("\n".join(lines) + "\n").encode()


def test_brought_scores_are_taken_by_id():
    rows = ["score\tid", "0.9\ttest-3", "0.8\ttest-2", "0.3\ttest-1", "0.1\ttest-0"]
    scores, found = brought.score_file(dataset(), "test", predictions(*rows))
    assert scores.tolist() == [0.1, 0.3, 0.8, 0.9]
    assert (found["figures"]["accuracy"], found["figures"]["average_precision"]) == (0.75, 1.0)
    labels = ["id\tlabel", *(f"test-{number}\t1" for number in range(4))]
    scores, found = brought.score_file(dataset(), "test", predictions(*labels))
    assert (scores.tolist(), found["column"]) == ([1.0] * 4, "label")


def test_brought_scores_of_a_published_set_are_taken_by_its_own_ids():
    published = dataset()
    ids = {key: f"own {key}" for key in published.test.ids}
    rows = ["published_id\tscore", *(f"own test-{number}\t0.{number}" for number in range(4))]
    with_ids = replace(published, columns={"published_id": ids})
    scores, _ = brought.score_file(with_ids, "test", predictions(*rows))
    assert scores.tolist() == [0.0, 0.1, 0.2, 0.3]
    with pytest.raises(brought.Unscorable, match="Line 1 must name the columns"):
        brought.score_file(published, "test", predictions(*rows))


def test_lines_that_cannot_be_scored_are_named():
    lines = ["id\tlabel", "test-0\t1", "test-0\t1", "test-1\tyes", "dev-0\t1", "test-2"]
    with pytest.raises(Unusable) as caught:
        brought.score_file(dataset(), "test", predictions(*lines))
    assert str(caught.value).split("\n") == [
        "Line 3: test-0 is on line 2 too. Remove one of them.",
        "Line 4: the label is “yes”. Write 0 or 1.",
        "Line 5: the set has no pair “dev-0”. Remove this line.",
        "Line 6: the label is “”. Write 0 or 1.",
        "No line has the pair test-3. Add one.",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id\tscore\ntest-0\tnan", "Line 2: the score is “nan”. Write a number from 0 to 1."),
        (b"id\tscore\ntest-0\t0_1", "Line 2: the score is “0_1”. Write a number from 0 to 1."),
        (b"id\tscore\tlabel\ntest-0\t1\t0", "both a score and a label"),
        (b"id\tscore\tscore\ntest-0\t1\t0", "names a column twice"),
        (b"test-0\t1", "Line 1 must name the columns"),
        (b"", "Line 1 must name the columns"),
        (b"id,score\ntest-0,1", "Line 1 must name the columns"),
        (b"id\tscore\n\xff\t1", "not UTF-8 text"),
        (b"id\tscore\n" + b"x" * 200_000, "Line 2 cannot be read"),
        (b"id\tscore\ntest-0\t1\n" + b"x\t1\n" * 30, "Reading stopped here"),
        # What comes later is not read.
        (b"id\tscore\ntest-0\t1\n" + b"x\t1\n" * 9_000 + b"\xff", "Reading stopped here"),
        (b"id\tscore\n" + b"x\t1\n" * 9_000 + b"\xff", "for another release or set"),
        (b"id\tscore\ndev-0\t1\n\ndev-1\t1\n", "^No id in the file .* for another release or set"),
    ],
)
def test_a_file_that_cannot_be_scored_is_refused_with_what_to_do(content, message):
    with pytest.raises(brought.Unscorable, match=message):
        brought.score_file(dataset(), "test", content)


def test_predictions_for_a_set_without_pairs_are_refused():
    with pytest.raises(Unusable, match="has no dev set"):
        brought.score_file(replace(dataset(), dev=pairs("dev", [])), "dev", b"")
