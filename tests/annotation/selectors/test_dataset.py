"""What a release is planned from is read in time that grows with the study and no faster."""

import pytest

from annotation.selectors import dataset
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.mark.postgres
def test_sentences_are_not_held_against_every_key_of_the_study():
    plan = dataset.sentences_of(cast.study()).explain()

    assert "generation_sentence" in plan
    assert "SubPlan" not in plan
