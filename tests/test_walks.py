"""The walks of docs/contributor/architecture.md: their functions are called in that order."""

import re
import sys
from pathlib import Path

import pytest

from annotation.pairs.services import intake
from annotation.runs import services as runs
from annotation.seals import services as seals
from generation.models import Corpus
from generation.readers import Row
from generation.services.sentences import import_sentences
from releases.services import builds, frozen
from support.workers import work_until_idle
from tests.annotation import make
from tests.annotation.pages import page, signed_in
from tests.releases.services.conftest import _place  # noqa: F401

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/contributor/architecture.md").read_text(encoding="utf-8")
FUNCTION = re.compile(r"`([a-z]\w*)`\s\(`([\w/]+\.py)`\)")
FILE = re.compile(r"`(\w+/[\w/]+\.\w+)`")


def walk(title):
    """The functions of a walk's steps, as (name, file)."""
    [steps] = re.findall(rf"^### {title}$(.*?)^##", PAGE, re.MULTILINE | re.DOTALL)
    return FUNCTION.findall(steps)


def called(functions, act):
    """Those of the functions that `act` calls, in the order of their first calls."""
    calls = {}

    def note(frame, event, _argument):
        if event == "call":
            code = frame.f_code
            calls.setdefault((code.co_name, code.co_filename))

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    places = [(name, path.removeprefix(f"{ROOT}/")) for name, path in calls]
    return [place for place in places if place in functions]


def release(project):
    builds.build(frozen.propose_release(project, version="1.0"))


def test_every_file_that_the_page_names_exists():
    assert {path for path in FILE.findall(PAGE) if not (ROOT / path).exists()} == set()


def test_a_sentence_goes_its_way_to_a_release():
    project = make.study()
    corpus = Corpus.objects.create(name="Rivers")
    manager = make.person(project, role="manager").user

    def act():
        text = "The company moved its office from Berlin to Vienna in 1921."
        import_sentences([Row(1, text)], corpus=corpus)
        runs.start(project, [corpus], method="word_swap", started_by=manager)
        work_until_idle()
        intake.take_in_all()
        make.correct_next(make.person(project))
        for _ in range(5):
            make.judge_all(make.person(project), 0)
        release(project)

    functions = walk("From a sentence to a release")
    assert called(functions, act) == functions


def test_a_click_goes_its_way_to_a_release():
    project = make.study()
    make.pairs(project, 2)
    for _ in range(4):
        make.judge_all(make.person(project), 0)
    last = make.person(project)
    pair = make.claim(last).item
    client = signed_in(last.user)

    def act():
        sent = {"item": pair.public_id, "label": 0, "seconds": 2}
        client.post(page("work", project, "judge"), sent)
        seals.seal_waiting()
        release(project)

    functions = walk("From a click to the release")
    assert called(functions, act) == functions
