"""What a release holds: what counted when it was frozen, whatever happens later."""

import re
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from annotation.access import readers as readable
from annotation.agreement import services as agreement
from annotation.agreement.selectors import votes
from annotation.models import JudgingModel, Judgment, ModelJudgment, SentencePair
from annotation.projects.selectors import progress, study_rows
from annotation.quality.services import interventions
from releases.dataset.rows import AdjudicationRow, ModelJudgmentRow
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors import content as frozen
from releases.selectors import releases as published
from releases.selectors import report
from releases.selectors import study as dataset
from releases.services import publication
from releases.services.publication import Unwritable
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.releases.dataset.studies import contents

pytestmark = pytest.mark.django_db
exclude = partial(interventions.exclude, by=None, reason="Too fast")
reinstate = partial(interventions.reinstate, by=None, reason="They were right")
freeze = partial(freeze_version, version="1.0", dev=0, test=0)


def judge(project, *labels):
    people = judged.people(project, len(labels))
    for member, label in zip(people, labels, strict=True):
        make.judge_next(member, label)
    return people


@pytest.fixture
def files(tmp_path):
    def files(release):
        folder = tmp_path / f"{release.pk}-{len(list(tmp_path.iterdir()))}"
        publication.write_files(release, folder)
        assert verify(folder) == []
        return contents(folder)

    return files


def labels_in(built):
    lines = built["judgments.jsonl"].decode().splitlines()
    return sorted(int('"label": 1' in line) for line in lines)


@pytest.mark.both_engines
def test_answers_that_are_asked_for_again_are_in_later_releases_alone(files):
    project = make.study(judgments_per_pair=3, consensus_min_votes=3)
    for labels in ((1, 1, 1), (1, 1, 0)):
        make.pairs(project, 1)
        judge(project, *labels)
    again = [pair.public_id for pair in project.pairs.all()]
    built = [(first := freeze(project), files(first))]
    make.spare(project)
    assert agreement.reopen(project, again, by=make.person(project).user) == 1
    built.append((meanwhile := freeze(project, version="1.1"), files(meanwhile)))
    random, *_ = judge(project, 0, 0, 0)
    built.append((last := freeze(project, version="1.2"), files(last)))
    found = [labels_in(before) for _, before in built]
    assert found == [[0, 1, 1, 1, 1, 1], [1, 1, 1], [0, 0, 0, 1, 1, 1]]
    for step in (exclude, reinstate, lambda _: None):  # of a round that is over
        assert all(files(release) == before for release, before in built)
        step(random)


def test_rewrites_of_one_source_are_in_one_split(files):
    project = make.study()
    made = make.pairs(project, 6)
    for each in made:
        make.rewrites(project, each.sentence, [f"Another {each.text}", f"A third {each.text}"])
    judged.all_that_is_open(project, [1, 1, 1, 1, 1])
    written = files(freeze(project, dev=0.34, test=0.34))
    splits = {
        name: set(re.findall(r"Source \d+\.", written[f"labeled_final/{name}.tsv"].decode()))
        for name in ("train", "dev", "test")
    }
    assert [len(sources) for sources in splits.values()] == [2, 2, 2]
    assert len(set.union(*splits.values())) == 6


def test_a_pair_that_was_decided_early_keeps_its_answers_when_it_is_asked_again(files):
    project = make.study(decides_early=True)
    make.pairs(project, 1)
    random, *_ = judge(project, 1, 1, 1, 1)
    before = files(release := freeze(project))
    assert labels_in(before) == [1] * 4
    exclude(random)
    judge(project, 0, 1)
    reinstate(random)
    assert project.pairs.get().slots.filter(label__isnull=False).count() == 6
    assert files(release) == before


def test_gold_pairs_and_excluded_answers_count_nowhere(files):
    """Five people say 0 of two pairs and of a gold pair; the sixth said 1 and was excluded."""
    project = make.study(gold_every=2)
    make.pairs(project, 2)
    [gold] = make.gold_pairs(project, [1])
    out, other, *_ = people = judged.people(project, 5)
    for member in people:
        make.judge_all(member, int(member == out))
    assert Judgment.objects.filter(item=gold).exclude(submitted_at=None).count() == 5
    exclude(out)
    make.judge_all(make.person(project), 0)
    assert votes(project).every == {(5, 0): 2}
    done = progress.of_project(project)
    assert [done[name] for name in ("pairs", "judgments", "to_judge", "kept")] == [2, 10, 0, 2]
    written = report.report_of_project(project)
    figures = {person.name: person.judgments for person in written.annotators}
    assert (out.user.username in figures, [*figures.values()]) == (False, [2] * 5)
    assert written.agreement.overall.before.pairs == 2
    pairs = study_rows.with_counts(SentencePair.objects.filter(project=project, gold_label=None))
    assert set(pairs.values_list("answers", "asked", "slot_count")) == {(5, 5, 6)}
    assert gold not in readable.pairs(make.person(project, role="researcher").user)
    assert [row.tally for row in dataset.decided_pairs(project)] == [(5, 0)] * 2
    assert str(gold.sentence2.public_id) not in {row.id for row in dataset.sentences(project)}
    assert out.user not in dataset.judges(project)
    before = files(release := freeze(project))
    assert [answer.label for answer in frozen.judgments_of(release)] == [0] * 10
    for step, member in ((reinstate, out), (exclude, other), (exclude, out)):
        step(member)
        make.judge_all(make.person(project), 1)
        assert files(release) == before


def test_it_is_read_some_rows_at_a_time_and_how_many_makes_no_difference(monkeypatch):
    project = make.study(judgments_per_pair=2, consensus_min_votes=2)
    make.pairs(project, 5)
    for _ in range(2):
        make.judge_all(make.person(project), 1)
    release, parts = freeze(project), []
    for size in (100, 1, 2, 5, 6):
        for module in (frozen, dataset):
            monkeypatch.setattr(module, "CHUNK", size)
        monkeypatch.setattr(frozen, "PAIRS_AT_ONCE", size)
        readers = (frozen.pairs_of, dataset.sentences_of, frozen.judgments_of)
        parts.append([list(of(release)) for of in readers])
    assert [len(rows) for rows in parts[0]] == [10, 10, 10]  # with silver pairs
    assert parts == [parts[0]] * 5


def test_raw_pairs_are_all_generated_ones_in_the_report_and_on_the_card(files):
    project = make.study()
    make.candidates(project, [(f"Ada met Bo {n}.", f"Bo met Ada {n}.") for n in range(4)])
    make.correct_next(make.person(project, kinds=["correct"]))
    judged.all_that_is_open(project, [1] * 5)
    [(_, rows)] = report.report_of_project(project).tables.items()
    assert dict(rows)["# Raw pairs"] == "4"
    assert b"| # Raw pairs | 4 |" in files(freeze(project))["README.md"]


def test_candidates_that_are_the_same_once_corrected_are_repeats_and_not_accepted(files):
    project = make.study()
    make.candidates(project, [("Ada met Bo.", "Bo met Ada!"), ("Ada met Bo.", "Bo met Ada.")])
    corrector = make.person(project, kinds=["correct"])
    for _ in range(2):
        make.correct_next(corrector, "fix", "Bo met Ada there.")
    judged.all_that_is_open(project, [1] * 5)
    card = files(freeze(project))["README.md"].decode()
    rows = ("# Raw pairs | 2", "Repeats of earlier pairs | 1", "# Fixed pairs | 1")
    assert [row for row in rows if row not in card] == []


@pytest.mark.both_engines
def test_sentences_of_pairs_that_are_not_released_are_there_as_origins_and_pairs_are_composed():
    project = make.study()
    make.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    make.correct_next(make.person(project, kinds=["correct"]))
    make.rewrites(project, project.pairs.get().sentence2, ["Ada was met by Bo."])
    by, at = judged.people(project, 5), timezone.now() - timedelta(hours=1)
    swapped, second = project.pairs.order_by("pk")
    judged.give(second, [1] * 5, by=by, at=at)
    texts = [row.text for row in dataset.sentences_of(freeze(project))]
    assert texts == ["Ada met Bo.", "Bo met Ada.", "Ada was met by Bo."]
    judged.give(swapped, [0] * 5, by=by, at=at)
    found = frozen.pairs_of(freeze(project, version="1.1"))
    [composed] = [pair for pair in found if pair.origin == "recombined"]
    assert (composed.votes, composed.label) == (None, 0)
    assert {*composed.via} == {str(swapped.public_id), str(second.public_id)}


def test_the_next_version_counts_the_last_number_on_past_those_that_are_taken(project):
    assert published.next_version(project) == "1.0"
    for version, following in [("1.9", "1.10"), ("3", "4"), ("2", "4"), ("beta", "beta.1")]:
        Release.objects.create(project=project, version=version, seed=0, settings={})
        assert published.next_version(project) == following


def test_what_experts_and_models_said_until_it_was_frozen_is_released(tmp_path, settings):
    settings.RELEASES_DIR = tmp_path / "releases"
    project = make.study()
    votes = [[1, 1, 1, 0, 0], [1] * 5]
    pair, _kept = judged.pairs(project, votes, by=judged.people(project, 5))
    expert = make.person(project).user

    def model(name):
        model = JudgingModel.objects.create(project=project, name=name, revision="7")
        ModelJudgment.objects.create(model=model, pair=pair, label=1, score=0.75)

    model("large-judge")
    for label in (1, 0):
        agreement.adjudicate(pair, by=expert, label=label)
    release = freeze(project)
    agreement.adjudicate(pair, by=expert, label=None)
    model("later-judge")
    assert list(frozen.adjudications_of(release)) == [AdjudicationRow(str(pair.public_id), 0)]
    row = ModelJudgmentRow(str(pair.public_id), "large-judge", "7", 1, 0.75)
    assert list(frozen.model_judgments_of(release)) == [row]
    publication.write_files(release, tmp_path / "elsewhere")
    assert not published.is_whole(release)  # without its files
    release.names_forgotten_at = release.frozen_at
    with pytest.raises(Unwritable, match="identity mapping"):
        publication.write_files(release, tmp_path / "a")
