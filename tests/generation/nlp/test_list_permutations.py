"""Lists in another order, told by the tokens of two texts alone."""

import pytest

from generation.nlp.list_permutations import permutes_list
from generation.nlp.words import tokens


@pytest.mark.parametrize(
    ("before", "after", "language"),
    [
        ("The dog and the cat sleep.", "The cat and the dog sleep.", "en"),
        ("She likes tea, milk or beer.", "She likes beer, tea or milk.", "en"),
        ("Ada and Bo met Cy and Dee.", "Bo and Ada met Dee and Cy.", "en"),
        ("The red dog and cat", "The cat and red dog", "en"),
        ("Der Hund und die Katze schlafen.", "Die Katze und der Hund schlafen.", "de-AT"),
        ("Er mag Tee oder Bier.", "Er mag Bier oder Tee.", "de"),
        ("Il aime le thé et la bière.", "Il aime la bière et le thé.", "fr"),
        ("彼は茶、水を飲む。", "彼は水、茶を飲む。", "ja"),
        ("Minä syön leipää, lihaa.", "Minä syön lihaa, leipää.", "fi"),
    ],
)
def test_items_of_a_list_in_another_order(before, after, language):
    assert permutes_list(tokens(before), tokens(after), language)


@pytest.mark.parametrize(
    ("before", "after", "language"),
    [
        ("The dog saw the cat.", "The cat saw the dog.", "en"),
        ("Ada, who met Bo, saw Cy.", "Bo, who met Ada, saw Cy.", "en"),
        ("Ada and Bo met Cy and Dee.", "Bo and Ada met Cy and Dee there.", "en"),
        ("Ada and Bo met Cy and Dee.", "Cy and Bo met Ada and Dee.", "en"),
        ("Ada and Bo met Cy.", "Bo and Ada saw Cy.", "en"),
        ("The dog sleeps.", "The dog sleeps.", "en"),
        ("Hän näki koiran ja kissan.", "Hän näki kissan ja koiran.", "fi"),
    ],
)
def test_other_changes(before, after, language):
    assert not permutes_list(tokens(before), tokens(after), language)
