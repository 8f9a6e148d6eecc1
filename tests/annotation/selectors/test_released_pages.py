"""A release is read some rows at a time: how many makes no difference to its files."""

import pytest

from annotation.selectors import released_answers, released_sentences
from annotation.selectors import releases as frozen
from annotation.services import releases
from tests.annotation import cast

pytestmark = pytest.mark.django_db
PAIRS = 5


@pytest.fixture
def release():
    project = cast.study(judgments_per_pair=2, consensus_min_votes=2)
    cast.pairs(project, PAIRS)
    for label in (1, 0):
        cast.judge_all(cast.person(project), label)
    return releases.freeze(project, version="1.0", dev=0, test=0)


@pytest.mark.parametrize("size", [1, 2, PAIRS, PAIRS + 1])
def test_the_size_of_pages(release, monkeypatch, size):
    entries, sentences, answers = read(release)
    for module, name in (
        (frozen, "CHUNK"),
        (released_sentences, "CHUNK"),
        (released_answers, "AT_ONCE"),
    ):
        monkeypatch.setattr(module, name, size)
    assert read(release) == (entries, sentences, answers)
    assert (len(sentences), len(answers)) == (2 * PAIRS, 2 * PAIRS)
    assert len([entry for entry in entries if hasattr(entry.pair, "votes")]) == PAIRS


def read(release):
    rows = (frozen.entries_of, frozen.sentences_of, frozen.judgments_of)
    return tuple(list(of(release)) for of in rows)
