"""What a model is asked about a pair, and what its replies say."""

from uuid import uuid4

import pytest

from annotation.model_judgments.asking import (
    PROMPT,
    Interview,
    Unusable,
    label_lines,
    problem_of,
    read_label,
    revision_of,
)
from annotation.projects.labels import INFERENCE
from annotation.projects.ratings import OPINIONS
from annotation.stats.labels import SAME_OR_DIFFERENT
from generation.endpoints.chat import Reply

SINGER, PAINTER = "The singer thanked the painter.", "The painter thanked the singer."


def says(text: str, *, refused: str = "", **logprobs: float) -> Reply:
    tokens = {name.removeprefix("t"): value for name, value in logprobs.items()}
    return Reply(uuid4(), "local:m", text, "stop", 9, 1, False, 0, tokens, "", 0.1, refused)


def interview(scheme=SAME_OR_DIFFERENT, **parameters) -> Interview:
    values = {"prompt": PROMPT, "labels": label_lines(scheme, {}), "guidelines": "Read well."}
    return Interview(scheme, **values | parameters)


def test_half_of_the_requests_have_the_sentences_exchanged():
    requests = interview().requests(SINGER, PAINTER)
    firsts = [request.messages[0][1].index(SINGER) for request in requests]
    seconds = [request.messages[0][1].index(PAINTER) for request in requests]
    assert [one < two for one, two in zip(firsts, seconds, strict=True)] == [True, False] * 2
    assert len({(request.seed, request.sample) for request in requests}) == 4


def test_a_directed_study_never_exchanges_its_sentences():
    requests = interview(INFERENCE).requests(SINGER, PAINTER)
    assert {request.messages[0][1] for request in requests} == {requests[0].messages[0][1]}


def test_a_sentence_with_a_place_of_the_prompt_is_shown_as_it_is():
    text = interview().requests("Write {sentence2} here.", PAINTER)[0].messages[0][1]
    assert "Sentence 1: Write {sentence2} here.\nSentence 2: The painter" in text


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("1", 1),
        (" 0.", 0),
        ("Label: 1\nbecause 0 would be wrong", 1),
        ("**Same meaning**", 1),
        ("On a scale to 5 I say 1", 1),
        ("7", Unusable.OFF_SCALE),
        ("1.5", Unusable.NO_LABEL),
        ("I cannot say.", Unusable.NO_LABEL),
        (" \n", Unusable.EMPTY),
    ],
)
def test_the_label_is_the_first_number_on_the_scale_or_a_name(text, label):
    assert read_label(says(text), SAME_OR_DIFFERENT) == label


@pytest.mark.parametrize("text", ["-3", "−3", "I say -3, not 3"])
def test_a_negative_value_is_read(text):
    assert read_label(says(text), OPINIONS) == OPINIONS.values.index(-3)


def test_the_most_frequent_label_wins_with_its_share_as_score():
    verdict = interview().verdict([says("1"), says("0"), says("1"), says("none")])
    assert (verdict.label, verdict.score) == (1, 2 / 3)
    assert verdict.unusable == {Unusable.NO_LABEL: 1}


def test_the_lowest_label_wins_a_tie():
    assert interview().verdict([says("1"), says("0")] * 2).label == 0


def test_a_pair_with_too_few_usable_replies_gets_no_label():
    refused = says("", refused="too long")
    verdict = interview().verdict([says("1"), refused, refused, says("?")])
    assert (verdict.label, verdict.score) == (None, None)
    assert verdict.unusable == {Unusable.REFUSED: 2, Unusable.NO_LABEL: 1}


def test_labels_without_sides_have_no_score():
    verdict = interview(INFERENCE).verdict([says("2"), says("contradiction"), says("0"), says("2")])
    assert (verdict.label, verdict.score) == (2, None)


def test_probabilities_are_shares_among_the_labels_over_both_orders():
    replies = [says("1", t1=-0.5108, t0=-1.6094, tYes=-0.1), says("0", t1=-1.6094, t0=-0.5108)]
    verdict = interview(by_logprobs=True).verdict(replies)
    assert verdict.score == pytest.approx(0.5, abs=1e-4)
    assert verdict.label in (0, 1)
    surer = interview(by_logprobs=True).verdict([replies[0], replies[0]])
    assert (surer.label, surer.score) == (1, pytest.approx(0.75, abs=1e-4))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"prompt": "{labels} {sentence1}"}, "lacks {sentence2}"),
        ({"prompt": PROMPT + "x" * 9000}, "8,000"),
        ({"guidelines": "x" * 20_001}, "20,000"),
        ({"by_logprobs": True, "scheme": OPINIONS}, "one digit"),
    ],
)
def test_an_interview_that_cannot_be_is_refused(parameters, words):
    assert words in problem_of(interview(**parameters))


def test_the_revision_changes_with_model_prompt_or_guidelines():
    identity = {"name": "local:m", "served": "m"}
    revisions = {
        revision_of(identity, interview()),
        revision_of(identity | {"revision": "2"}, interview()),
        revision_of(identity, interview(samples=6)),
        revision_of(identity, interview(guidelines="Read twice.")),
        revision_of(identity, interview(prompt=PROMPT + " ")),
    }
    assert len(revisions) == 5
