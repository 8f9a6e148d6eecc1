"""Pairs of a release are judged again: the study, its release, and the published labels."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix

from annotation.models import SentencePair
from annotation.work.simulation import crowd, work
from releases.dataset.facts import has_machine_sentences
from releases.dataset.verification import verify
from releases.models import Comparison, Release
from releases.selectors import comparisons as selectors
from releases.selectors.relabelled import published_labels
from releases.selectors.releases import facts_of, folder_of
from releases.services import comparisons, publication
from support.studies import freeze_version
from tests.annotation import judged, make, pages
from tests.annotation.pages import client_of, page, rows_of
from tests.releases.published import STATED

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
HUNDRED, ADDRESS = 100, "https://example.org/boats"
LOOKS = {"0": {"criterion": "Another concept."}}


@pytest.fixture
def published(tmp_path):
    """A set of a hundred test pairs, and as many of dev, whose every third pair is a paraphrase."""
    for split in ("dev", "test"):
        lines = (
            f"The {split} boat {n} left the old harbour.\tBoat {n} of {split} left.\t{n % 3 == 0:d}"
            for n in range(HUNDRED)
        )
        text = "\n".join(["sentence1\tsentence2\tlabel", *lines])
        (tmp_path / f"{split}.tsv").write_text(f"{text}\n")
    with pages.release_folder(tmp_path / "releases"):
        files = [str(tmp_path / name) for name in ("dev.tsv", "test.tsv")]
        call_command("import_release", *files, *STATED, f"--address={ADDRESS}", stdout=StringIO())
        yield Release.objects.get()


def judge(comparison):
    """Three people give every other four pairs the highest label; two give every other pair 1."""
    project = comparison.project
    people = judged.people(project, project.judgments_per_pair)
    for number, pair in enumerate(project.pairs.order_by("pk")):
        labels = [number // 4 % 2 * (project.scheme.size - 1)] * 3 + [number % 2] * 2
        judged.give(pair, labels[: len(people)], by=people, at=timezone.now())


def both_labels(comparison):
    """Published and new labels of decided pairs, by their texts alone."""
    labels = {
        (row.sentence1, row.sentence2): row.label for row in comparison.release.examples.all()
    }
    pairs = SentencePair.objects.filter(project=comparison.project, consensus__label__isnull=False)
    both = [
        (labels[pair.sentence1.text, pair.sentence2.text], pair.consensus)
        for pair in pairs.select_related("sentence1", "sentence2", "consensus")
    ]
    return [label for label, _ in both], [consensus for _, consensus in both]


def test_a_hundred_published_pairs_judged_again_agree_as_scikit_learn_says(published):
    comparison = comparisons.judge_again(published, name="Again", preset="judging")
    for _ in work(crowd(comparison.project, size=5, accuracy=0.8, seed=3)):
        pass
    figures = published_labels(comparison)
    old, consensus = both_labels(comparison)
    new = [row.label for row in consensus]
    assert (figures.pairs, figures.decided, figures.all.pairs) == (HUNDRED, HUNDRED, HUNDRED)
    assert figures.all.accuracy.value == pytest.approx(accuracy_score(old, new))
    assert figures.all.kappa.value == pytest.approx(cohen_kappa_score(old, new))
    assert figures.table == confusion_matrix(old, new).tolist()
    kept = [place for place, row in enumerate(consensus) if row.kept]
    assert figures.kept.pairs == len(kept) < HUNDRED
    assert figures.kept.kappa.value == pytest.approx(
        cohen_kappa_score([old[place] for place in kept], [new[place] for place in kept])
    )
    majorities = [max(row.tally) for row in consensus]
    assert {name: part.pairs for name, part in figures.parts["votes"].items()} == {
        f"{votes}-{5 - votes}": majorities.count(votes) for votes in (5, 4, 3)
    }


def test_the_study_is_released_and_its_release_verifies(published):
    comparison = comparisons.judge_again(published, name="Again", preset="judging", sample=40)
    judge(comparison)
    release = freeze_version(comparison.project, version="1.0", dev=0.1, test=0.1)
    publication.publish(release)
    assert verify(folder_of(release)) == []
    assert {*release.examples.values_list("domain", flat=True)} == {"Trial"}
    croissant = json.loads((folder_of(release) / "croissant.json").read_text())
    assert [source["@id"] for source in croissant["prov:wasDerivedFrom"]] == [ADDRESS]


def test_its_release_cites_the_publishers(published):
    comparison = comparisons.judge_again(published, name="Again", preset="judging", sample=40)
    judge(comparison)
    authors = [{"name": "Roe, Ann"}]
    release = freeze_version(comparison.project, version="1.0", dev=0.1, test=0.1)
    release.facts["metadata"] = {"authors": authors}
    release.save()
    publication.publish(release)
    text = {path.name: path.read_text() for path in folder_of(release).glob("[!m]*.*")}
    citing = ("README.md", "paper.tex", "CITATION.cff", ".zenodo.json", "croissant.json")
    assert all("Doe (2020)" in text[name] for name in citing)
    assert "Its pairs are those of `Trial 1.0`, judged again." in text["README.md"]
    assert not any(words in text["README.md"] for words in ("source sentences", "elsewhere and"))
    assert "created elsewhere" not in text["croissant.json"]


@pytest.mark.parametrize("stated", [True, False, None])
def test_its_release_says_of_machines_what_the_set_states(published, stated):
    published.settings["is_synthetic"] = stated
    published.save()
    comparison = comparisons.judge_again(published, name="Again", preset="judging", sample=40)
    judge(comparison)
    release = freeze_version(comparison.project, version="1.0", dev=0.1, test=0.1)
    assert has_machine_sentences(facts_of(release)) is stated


def test_a_released_rewrite_of_a_rewrite_has_all_its_sources(tmp_path):
    project = make.study()
    make.pairs(project, 1)
    make.rewrites(project, project.pairs.get().sentence2, ["A rewrite of the rewrite."])
    judged.all_that_is_open(project, [1] * 5)
    source = freeze_version(project, version="1.0", dev=0, test=1.0)
    source.examples.filter(pair__sentence1__candidate=None).update(split="dev")
    comparison = comparisons.judge_again(source, name="Again")
    judged.all_that_is_open(comparison.project, [1] * 5)
    release = freeze_version(comparison.project, version="1.0", dev=0, test=0)
    with pages.release_folder(tmp_path):
        publication.publish(release)
        assert verify(folder_of(release)) == []
        lines = (folder_of(release) / "sentences.jsonl").read_text().splitlines()
    assert len(lines) == 3


def test_grades_on_one_scale_make_a_table_of_grades(db):
    project = make.study(protocol="parade", label_looks=LOOKS)
    experts = judged.people(project, 3)
    judged.pairs(project, [(3, 3, 2), (0, 1, 1), (2, 2, 1), (0, 0, 2)] * 5, by=experts)
    release = freeze_version(project, version="1.0", dev=0, test=1.0)
    comparison = comparisons.judge_again(release, name="Again")
    assert comparison.project.label_looks == LOOKS
    judge(comparison)
    figures = published_labels(comparison)
    assert (len(figures.table), figures.grades.pairs) == (4, 20)
    assert figures.grades.accuracy.value == pytest.approx(
        sum(row[place] for place, row in enumerate(figures.table)) / 20
    )
    sides = comparisons.judge_again(release, name="Sides", preset="judging")
    judge(sides)
    assert len(published_labels(sides).table) == 2


def test_a_sample_is_drawn_out_of_all_splits_that_are_named(published):
    options = ("--release=1.0", "--purpose=labels", "--preset=judging", "--splits=test,dev")
    call_command("create_comparison", *options, "--sample=30", stdout=StringIO())
    comparison = Comparison.objects.get()
    splits = [row.split for row in selectors.drawn_examples(comparison).values()]
    assert {*splits} == {"dev", "test"}
    assert (comparison.splits, len(splits), comparison.project.pairs.count()) == (
        ["dev", "test"],
        30,
        30,
    )


def test_what_cannot_be_judged_again_is_refused_with_the_reason(published):
    with pytest.raises(comparisons.TooFew, match="100 labelled pairs in test"):
        comparisons.judge_again(published, name="Again", sample=101)
    with pytest.raises(comparisons.TooFew, match="no labelled pairs in train"):
        comparisons.judge_again(published, name="Again", splits=["train"])
    options = {"release": "1.0", "stdout": StringIO()}
    with pytest.raises(CommandError, match="--taught is for --purpose people"):
        call_command("create_comparison", purpose="labels", taught=3, **options)
    with pytest.raises(CommandError, match="--preset is for --purpose labels"):
        call_command("create_comparison", preset="judging", **options)


def test_the_report_has_the_published_labels(published):
    comparison = comparisons.judge_again(published, name="Again", preset="judging", sample=20)
    judge(comparison)
    printed, as_json = StringIO(), StringIO()
    call_command("report", project="Again", stdout=printed)
    call_command("report", "--json", project="Again", stdout=as_json)
    assert "Published labels: Trial 1.0" in printed.getvalue()
    assert "Generators" not in printed.getvalue()
    figures = json.loads(as_json.getvalue())["published_labels"]
    assert figures["table"] == published_labels(comparison).table


def test_table_10_has_a_row_for_each_study_of_people(published):
    sizes = {"Experts": 20, "Students": 12}
    for name, sample in sizes.items():
        judge(comparisons.create(published, name=name, sample=sample, taught=0, people=5))
    printed = StringIO()
    call_command("report", "--table10", *sizes, stdout=printed)
    rows = [line.split() for line in printed.getvalue().splitlines()[3:]]
    studies = [Comparison.objects.get(project__name=name) for name in sizes]
    scores = [selectors.comparison_results(study).majority.scores for study in studies]
    assert [row[2:4] for row in rows] == [
        [str(size), f"{of.accuracy:.2f}"] for size, of in zip(sizes.values(), scores, strict=True)
    ]
    comparisons.judge_again(published, name="Again")
    with pytest.raises(CommandError, match="Again compares no people"):
        call_command("report", "--table10", "Again")


def test_a_form_on_the_release_creates_the_study_whose_page_lists_differing_pairs(published):
    manager = client_of(published.project)
    at = page("judge_again", published.project, published.public_id)
    asked = manager.get(at).context["form"]
    assert (asked["preset"].value(), asked["splits"].value()) == ("judging", ["test"])
    values = {"name": "Again", "preset": "judging", "splits": ["dev"], "sample": 40, "seed": 1}
    made = manager.post(at, values)
    comparison = Comparison.objects.get()
    assert made.url == page("comparison", comparison.project)
    assert "No pair is decided yet" in manager.get(made.url).content.decode()
    judge(comparison)
    shown = manager.get(made.url)
    figures = shown.context["figures"]
    rows = rows_of(manager.get(page("comparison_table", comparison.project)))
    assert len(rows) == figures.table[0][1] + figures.table[1][0]
    assert all(row["published_label"] != row["label"] for row in rows)
