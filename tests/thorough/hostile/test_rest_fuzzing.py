"""Requests made up from the schema: no fault of the server, and no answer that it does not promise.

The long form is `scripts/bench api`.
"""

import pytest

from support.fuzzing import Fuzzer, operations
from support.studies import publish_study


@pytest.mark.postgres  # it refuses more: NUL in a text, numbers out of range
def test_every_answer_is_one_that_the_schema_promises(db, settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "releases"
    outcome = Fuzzer(publish_study()).run(examples=4)
    assert outcome.failures == {}, "\n\n".join(outcome.failures.values())
    assert outcome.cases.keys() == {each.label for each in operations()}
    # Requests lead somewhere: they are not all refused before they are read.
    assert {200, 400, 403, 404} <= outcome.statuses.keys()
