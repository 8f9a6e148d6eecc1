"""Two simulated projects: what their second runs learn from the corrections of their first."""

import json
from statistics import mean
from zlib import crc32

import pytest

from annotation.pairs.services import intake
from annotation.runs import services as project_runs
from annotation.runs.selectors import accepted
from generation import methods
from generation.models import Corpus
from generation.readers import Row
from generation.services.sentences import import_sentences
from support import fake
from support.places import DEMONSTRATION
from support.workers import work_until_idle
from tests.annotation import make

DEFAULTS = methods.METHODS["word_swap"].configure({})
SENTENCES = 110  # of each run


def likes_most(candidate):
    return crc32(candidate.text.encode()) % 9 > 0


def dislikes_adjectives(candidate):
    return candidate.kind != "adjective" and likes_most(candidate)


def corpus(name, first):
    texts = [json.loads(line)["text"] for line in DEMONSTRATION.read_text().splitlines()]
    made = Corpus.objects.create(name=name)
    rows = [Row(n, text) for n, text in enumerate(texts[first : first + SENTENCES], 1)]
    import_sentences(rows, corpus=made)
    return made


def finished_run(project, sentences, settings=None):
    [run] = project_runs.start(project, [sentences], method="word_swap", settings=settings)
    work_until_idle()
    intake.take_in_all()
    return run


def study_with_a_first_run(sentences, likes):
    project = make.study()
    run = finished_run(project, sentences)
    corrector = make.person(project)
    while slot := make.claim(corrector, "correct"):
        action = "accept" if likes(slot.item.candidate) else "reject"
        make.submit(corrector, item=slot.item.public_id, action=action, text="", seconds=3.0)
    assert run.candidate_set.count() > 50
    return project


def share_liked(run, likes):
    candidates = list(run.candidate_set.all())
    return sum(map(likes, candidates)) / len(candidates)


def error_of_estimates(run):
    """How far the mean estimate is from the share that the people accept."""
    estimates = run.candidate_set.values_list("probability", flat=True)
    return abs(mean(estimates) - share_liked(run, dislikes_adjectives))


@pytest.fixture
def first(db):
    return corpus("First", 0)


@pytest.fixture
def second(db):
    return corpus("Second", SENTENCES)


def test_a_project_that_dislikes_adjectives_gets_more_that_it_accepts(first, second):
    project = study_with_a_first_run(first, dislikes_adjectives)
    learnt = accepted.of_project(project)
    assert learnt.worse == ["adjective"]
    movable = [kind for kind in DEFAULTS["movable"] if kind not in learnt.worse]
    unchanged, corrected, without, again = (
        finished_run(make.study(), second, settings)
        for settings in (
            {},
            learnt.settings,
            learnt.settings | {"movable": movable},
            learnt.settings | {"movable": movable},
        )
    )
    before = share_liked(unchanged, dislikes_adjectives)
    assert share_liked(without, dislikes_adjectives) > before + 0.15
    assert error_of_estimates(corrected) < error_of_estimates(unchanged)
    assert fake.rows(again) == fake.rows(without)


def test_a_project_that_likes_all_kinds_alike_is_told_to_leave_out_none(first, second):
    project = study_with_a_first_run(first, likes_most)
    assert accepted.of_project(project).worse == []
    run = finished_run(project, second)
    assert run.settings == DEFAULTS
    assert fake.rows(run) == fake.rows(finished_run(make.study(), second))
