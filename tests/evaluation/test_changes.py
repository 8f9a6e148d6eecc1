"""The kind of change of a pair: what changed places between two sentences with the same words."""

import pytest

from evaluation.data import Pairs
from evaluation.experiments.changes import DIFFERENT, kinds_of_change
from generation.methods.model_loaders import load_tagger
from generation.model_store import EMBEDDED


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("The dog bites the man.", "The man bites the dog.", "noun"),
        ("New York is larger than Paris.", "Paris is larger than New York.", "name"),
        ("In 1990 Anna met Paul.", "Anna met Paul in 1990.", "date"),
        ("He fed an old ox and a wild cat.", "He fed a wild ox and an old cat.", "adjective"),
        ("She ran quickly and swam slowly.", "She ran slowly and swam quickly.", "adverb"),
        ("The old dog bit a young man.", "The young man bit an old dog.", "mixed"),
        ("The dog bites the man.", "The dog bites the cat.", DIFFERENT),
        ("The dog bites the dog.", "The dog bites.", DIFFERENT),
    ],
)
def test_what_changed_places_is_named(first, second, kind):
    assert kinds_of_change(Pairs.from_rows([("a", first, second, 0)]), load_tagger(EMBEDDED)) == {
        "a": kind
    }


def test_each_pair_has_its_own_kind():
    rows = [
        ("a", "The dog bites the man.", "The man bites the dog.", 0),
        ("b", "A dog bites.", "A cat bites.", 0),
        ("c", "She ran quickly and swam slowly.", "She ran slowly and swam quickly.", 1),
    ]
    found = kinds_of_change(Pairs.from_rows(rows), load_tagger(EMBEDDED))
    assert found == {"a": "noun", "b": DIFFERENT, "c": "adverb"}
