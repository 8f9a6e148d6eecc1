"""Requests made up from the schema: no fault of the server, and no answer that it does not promise.

The long form is `scripts/bench api`.
"""

import pytest

from tests.annotation.api.fuzzing import Fuzzer, operations
from tests.annotation.filled import filled


@pytest.fixture
def study(db, settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "releases"
    return filled()


# One engine is enough, and this one refuses more: NUL in a text, numbers out of range.
@pytest.mark.postgres
def test_every_answer_is_one_that_the_schema_promises(study):
    outcome = Fuzzer(study).run(examples=3)

    assert outcome.failures == {}, "\n\n".join(outcome.failures.values())
    assert outcome.cases.keys() == {each.label for each in operations()}
    # Requests lead somewhere: they are not all refused before they are read.
    assert {200, 204, 400, 403, 404} <= outcome.statuses.keys()
