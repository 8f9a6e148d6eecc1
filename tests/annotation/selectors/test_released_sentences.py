"""A release holds what its sentences were made from, released or not."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.selectors import released_sentences
from annotation.services import releases
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db


def test_sentences_of_pairs_that_are_not_released_are_there_as_origins():
    project = cast.study()
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    cast.correct_next(cast.person(project, may_judge=False))
    swapped = project.pairs.get().sentence2
    back = cast.rewrites(project, swapped, ["Ada was met by Bo."])[0]
    pair = project.pairs.get(candidate=back)
    by = judged.people(project, 5)
    judged.give(pair, [1] * 5, by=by, at=timezone.now() - timedelta(hours=1))
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    texts = [row.text for row in released_sentences.of(release)]
    assert texts == ["Ada met Bo.", "Bo met Ada.", "Ada was met by Bo."]
