"""What pages make of numbers, names, prose, differences, flags, and figures in charts."""

import pytest
from django.template import Context, Template
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from annotation.models import Intervention, Project
from annotation.pairs import differences
from annotation.people.selectors.names import Naming
from annotation.projects import charts
from annotation.projects.charts import Bar, Dot, Tick, axis
from annotation.quality.selectors import interventions
from annotation.stats.agreement import Estimate
from annotation.templatetags import figures
from annotation.templatetags.prose import markdown, why

SPACE = "\N{NO-BREAK SPACE}"
INNER_PAGES = {"skips": "Overview", "reopen_pairs": "Pairs", "qualification_set": "People"}
TEXTS = st.text(st.sampled_from("ab c'’ß的 猫.\t-"), max_size=30)
HALF = axis(0, 1)


def test_numbers_are_rounded_and_grouped_as_the_language_does_it():
    for shown, cases in (
        (figures.number, {(47290,): "47,290", (0.5678, 2): "0.57", (21.05, 1): "21.1"}),
        (figures.number, {(None,): "–", ("", 1): "–", (-0.04, 1): "0.0", (-1.5, 1): "−1.5"}),
        (figures.share, {(0.94749,): f"94.7{SPACE}%", (1,): f"100.0{SPACE}%"}),
        (figures.share, {(None,): "–", ("",): "–"}),
        (figures.shares, {((0.9391, 0.9519),): f"93.9–95.2{SPACE}%", (None,): ""}),
        (figures.between, {((-0.04, 0.62),): "−0.04 to 0.62", ((0.53, 0.9),): "0.53–0.90"}),
        (figures.hours, {(0.001,): "1 minute", (0.5,): "30 minutes", (1.2,): "1 hour"}),
        (figures.hours, {(30,): "30 hours", (48,): "2 days"}),
    ):
        for given_, expected in cases.items():
            assert shown(*given_) == expected, given_
    assert [figures.item({1: "one"}, key) for key in (1, 2)] == ["one", None]
    with translation.override("de"):
        assert (figures.number(47290), figures.share(0.947)) == ("47.290", f"94,7{SPACE}%")


def test_the_reader_decides_what_people_are_called_and_a_name_is_text():
    def shown(tag, **context):
        user = User(pk=7, username="<i>Ada</i>")
        return Template("{% load people %}" + tag).render(Context({"user": user, **context}))

    named = Naming(Project(), by_name=True)
    assert shown("{% called user %}", naming=named) == "<bdi>&lt;i&gt;Ada&lt;/i&gt;</bdi>"
    assert shown("{% called user bare=True %}", naming=named) == "&lt;i&gt;Ada&lt;/i&gt;"
    pseudonym = shown("{% called user %}", naming=Naming(Project(), by_name=False))
    assert pseudonym.startswith("<bdi>annotator-")
    with pytest.raises(KeyError, match="naming"):
        shown("{% called user %}")


def test_nothing_in_guidelines_acts_or_loads():
    for text, acting in (
        ("<script>alert(1)</script>", "<script"),
        ("[go](javascript:alert(1))", 'href="javascript'),
        ('<img src="x" onerror="alert(1)">', "<img"),
        ("![x](https://elsewhere.example/pixel.png)", "<img"),
        ('<form action="https://elsewhere.example"><input name="password"></form>', "<form"),
        ('<p style="position: fixed">over all</p>', "<p style"),
    ):
        assert acting not in markdown(text)
    html = markdown("# Rules\n\n- *one*\n- **two**\n\n| a | b |\n|---|---|\n| c | d |")
    for part in ("<h2>Rules</h2>", "<em>one</em>", "<strong>two</strong>", "<td>c</td>"):
        assert part in html


def test_words_that_the_other_sentence_lacks_are_marked():
    for before, after, expected in (
        ("Ada met Bo.", "Ada met Cy.", [["Bo"], ["Cy"]]),
        ("An apple.", "An red apple.", [[], ["red"]]),
        ("It's here.", "Its here.", [["It's"], ["Its"]]),
        ("猫在家。", "狗在家。", [["猫"], ["狗"]]),
        ("Alike.", "Alike.", [[], []]),
        ("", "New.", [[], ["New."]]),
    ):
        both = differences.pieces(before, after)
        assert [[each.text for each in side if each.differs] for side in both] == expected, after


@given(TEXTS, TEXTS)
def test_the_pieces_add_up_to_the_sentences_and_what_is_not_marked_is_the_same(before, after):
    both = differences.pieces(before, after)
    assert ["".join(piece.text for piece in side) for side in both] == [before, after]
    one, other = ("".join(p.text for p in side if not p.differs).split() for side in both)
    assert "".join(one) == "".join(other)
    for side in both:
        assert all(piece.text == piece.text.strip() for piece in side if piece.differs)


def test_a_flag_is_put_into_words_of_the_page_if_it_has_its_figures():
    fast = {"flag": "fast", "answers": 12, "fast": 8, "floor_seconds": 2.0}
    one_label = {"flag": "one_label", "answers": 20, "same": 0, "most": 20, "of_others": 0.5}
    disagrees = {"flag": "disagrees", "answers": 20, "agreeing": 10, "usual": 0.951}
    all_same = "20 of the last 20 answers are the same label; others gave it to 50 % of these"
    for evidence, words in (
        (fast, "8 of the last 12 answers took less than 2 seconds each."),
        (one_label, f"{all_same} pairs."),
        (disagrees, "10 of the last 20 answers match the majority of the others; 95 % is usual."),
    ):
        assert interventions.in_words(evidence) == words
    for evidence in ({}, {"flag": "fast"}, {"flag": "a rule of old", "answers": 12}):
        with pytest.raises(KeyError):
            interventions.in_words(evidence)
    evidence = {"flag": "gold_wrong", "answers": 8, "wrong": 7}
    of_rule = Intervention(reason="Auf Deutsch.", evidence=evidence)
    assert why(of_rule) == "7 of 8 gold pairs were answered incorrectly."
    assert why(Intervention(reason="Auf Deutsch.")) == "Auf Deutsch."


def test_numbers_of_an_axis_are_round():
    for low, high, numbers in (
        (0.83, 1.0, (0.8, 0.85, 0.9, 0.95, 1.0)), (0, 1, (0.0, 0.5, 1.0)),
        (0, 37, (0, 10, 20, 30, 40)), (0, 4300, (0, 2000, 4000, 6000)),
        (-0.2, 0.9, (-0.5, 0.0, 0.5, 1.0)), (0.4, 0.4, (0.4, 0.41)), (0, 0, (0.0, 0.1)),
    ):  # fmt: skip
        assert axis(low, high).numbers == pytest.approx(numbers), (low, high)
    assert [HALF.place(value) for value in (-7, 0.25, 7)] == [0.0, 0.25, 1.0]
    with pytest.raises(ValueError, match="no axis goes from 2 up to 1"):
        axis(2, 1)


def test_marks_are_drawn_where_their_values_belong():
    dots = charts.dots([Estimate(None), Estimate(0.75, (0.5, 1.0))], HALF, height=100).dots
    assert dots == (Dot(x="75.00%", y="25.0", low="50.0", high="0.0"),)
    unsure = charts.dots([Estimate(0.5)], HALF, height=100).dots
    assert [bool(each.low) for each in dots + unsure] == [True, False]
    panel = charts.bars([0, 2], height=80)
    assert panel.bars == (Bar(x="57.00%", y="40.0", width="36.00%", height="40.0"),)
    assert [(line.y, line.number) for line in panel.grid[:2]] == [("80.0", 0), ("60.0", 1)]
    found = charts.horizontal_dot(Estimate(0.5, (0.25, 1.0)), HALF)
    assert found == Dot("50.00%", "50%", "25.00%", "100.00%")
    assert not charts.horizontal_dot(Estimate(0.5), HALF).low
    assert charts.horizontal_dot(Estimate(None), HALF) is None
    assert (charts.part(3, 4), charts.part(0, 0)) == ("75.00%", "0.00%")
    words = charts.ticks([str(number) for number in range(13)], most=6)
    assert [tick.word for tick in words] == ["0", "3", "6", "9", "12"]
    assert words[1] == Tick(x="23.08%", word="3")
    assert [tick.word for tick in charts.ticks(["", "a", "", "b"])] == ["a", "b"]
    assert charts.ticks([]) == []
