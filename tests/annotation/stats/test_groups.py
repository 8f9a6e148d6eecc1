"""Replies without small groups: totals, and the rows of a release."""

from collections import Counter
from random import Random

from annotation.stats import groups

CHOICES = {"Age": ["18", "30", "50", None], "Language": ["de", "en", "Other", None]}


def random_replies(random, *, people):
    """Each question has favourites of its own, so that some choices are rare."""
    weights = {title: [random.random() ** 3 for _ in choices] for title, choices in CHOICES.items()}
    titles = list(CHOICES)[: random.randint(1, 2)]
    return {
        f"annotator-{number}": {
            title: random.choices(CHOICES[title], weights[title])[0] for title in titles
        }
        for number in range(people)
    }


def test_no_combination_of_replies_is_of_fewer_than_five_people():
    random = Random(1)
    told = 0
    for _ in range(3000):
        replies = random_replies(random, people=12)
        rows = groups.without_rare(replies, 5)
        sizes = Counter(tuple(row.values()) for row in rows.values())
        told_sizes = [n for row, n in sizes.items() if any(choice is not None for choice in row)]
        assert min(told_sizes, default=5) >= 5, replies
        told += len(told_sizes)
        assert rows.keys() == replies.keys()
        for person, row in rows.items():
            for title, choice in row.items():
                assert choice in (None, groups.OTHER, replies[person][title])
    assert told > 2000


def test_choices_of_few_people_are_merged_before_combinations_are_counted():
    replies = {f"a{n}": {"Age": "30"} for n in range(5)}
    replies |= {f"b{n}": {"Age": age} for n, age in enumerate(["18", "50", "50", "Other", "65"])}
    rows = groups.without_rare(replies, 5)
    assert Counter(row["Age"] for row in rows.values()) == {"30": 5, "other": 5}


def test_a_person_whose_combination_is_rare_has_nothing_told():
    replies = {f"a{n}": {"Age": "30", "Language": "de"} for n in range(6)}
    replies |= {f"b{n}": {"Age": "50", "Language": "de"} for n in range(5)}
    replies["c"] = {"Age": "30", "Language": None}
    rows = groups.without_rare(replies, 5)
    assert rows["c"] == {"Age": None, "Language": None}
    assert rows | {"c": replies["c"]} == replies


def test_totals_count_whole_batches_so_that_one_more_reply_tells_nothing():
    replies = ["de"] * 5 + ["en"] * 4 + ["pl"]
    assert groups.totals(replies, 5) == (10, {"de": 5})
    for number in range(4):
        assert groups.totals(replies + ["pl"] * number, 5) == (10, {"de": 5})
    assert groups.totals(replies + ["pl"] * 5, 5) == (15, {"pl": 6})
    assert groups.totals(replies, 1)[1] == {"de": 5, "en": 4, "pl": 1}


def test_totals_do_not_tell_by_what_remains_of_fewer_than_five_people():
    assert groups.totals(["de"] * 9 + ["en"], 5) == (10, {})
    assert groups.totals(["de"] * 10, 5) == (10, {})
    random, shown_totals = Random(2), 0
    for _ in range(3000):
        weights = [random.random() ** 3 for _ in range(4)]
        replies = random.choices("abcd", weights, k=random.randint(5, 30))
        people, numbers = groups.totals(replies, 5)
        others = people - sum(numbers.values())
        assert min(numbers.values(), default=5) >= 5, replies
        assert others >= 5 or (others == 0 and len(numbers) > 1), replies
        shown_totals += len(numbers)
    assert shown_totals > 2000
