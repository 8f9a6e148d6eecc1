"""Files of releases in plain words."""

import pytest

from releases.dataset import card_judging
from releases.dataset.columns import ENTITY, GRADE
from releases.dataset.formats import EVERY_FILE
from releases.dataset.manifest import MANIFEST
from releases.dataset.plain_names import GRADED, plain_name


def test_every_file_of_every_format_has_a_name_with_a_sentence():
    for file in (*EVERY_FILE, MANIFEST):
        name, about = plain_name(file)
        assert name, file
        assert about.endswith("."), file
    with pytest.raises(KeyError):
        plain_name("other/train.tsv")


def test_pages_say_of_pairs_labelled_by_method_what_the_card_says():
    [line] = [line for line in card_judging.OF_SIDES if "unlabeled_final/" in line]
    about = plain_name("unlabeled_final").about
    assert all("judged or not" in text.casefold() for text in (line, about))


def test_labelled_pairs_with_grades_are_told_apart():
    assert plain_name("labeled_final", [ENTITY]) != GRADED == plain_name("labeled_final", [GRADE])
