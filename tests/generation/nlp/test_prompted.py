"""Prompts and replies of chat models: what is asked, and which samples are kept."""

import numpy as np
import pytest

from generation.nlp import prompts
from generation.nlp.chat_replies import Fault, sentence_of
from generation.nlp.prompted import PromptedSettings, longest_reply
from generation.nlp.rewrites import ACCEPTED
from generation.nlp.samples import Reason, Sample, outcome

SOURCE = "The old baker taught the young miller to dance."
SWAP = "The young baker taught the old miller to dance."
OTHER_SWAP = "The old miller taught the young baker to dance."
MOVED = "To dance the old baker taught the young miller."
LIST = "Ada bought apples, plums and a pear in the old town."
INSTRUCTION = prompts.fill_in(prompts.REORDER, sentence="", language="English")


def results(*texts, source=SOURCE, scorer=None, **settings):
    samples = [text if isinstance(text, Sample) else Sample(text) for text in texts]
    return outcome(source, samples, PromptedSettings(**settings), scorer)


def kept(*texts, **options):
    return [rewrite.text for rewrite in results(*texts, **options).rewrites]


def test_a_prompt_takes_the_sentence_literally():
    prompt = "In {language}: {sentence} {0} {other}"
    text = prompts.fill_in(prompt, sentence="{language} \\1 %s", language="Welsh")
    assert text == "In Welsh: {language} \\1 %s {0} {other}"


@pytest.mark.parametrize(
    ("prompt", "error"),
    [
        ("Rewrite it.", "it is there 0 times"),
        ("{sentence} {sentence}", "it is there 2 times"),
        ("{sentence}" + "x" * 8_000, "has 8,010 characters; at most 8,000"),
    ],
)
def test_a_prompt_that_cannot_be_filled_in_is_refused(prompt, error):
    with pytest.raises(ValueError, match=error):
        PromptedSettings(prompt=prompt)


@pytest.mark.parametrize(
    "reply",
    [
        SWAP,
        f"  {SWAP}\n",
        f"```\n{SWAP}\n```",
        f"```text\n{SWAP}\n```",
        f"Here is the sentence:\n\n{SWAP}",
        f"**Here it is:**\n\n{SWAP}",
        f"Rewrite: {SWAP}",
        f"Sure, here is the rewritten sentence: “{SWAP}”",
        f"1. {SWAP}",
        f"- {SWAP}",
        f"1) **New sentence:** {SWAP}",
        f"**{SWAP}**",
        f'"{SWAP}"',
        f"„{SWAP}“",
        f"«{SWAP}»",
    ],
)
def test_what_models_put_around_a_sentence_is_removed(reply):
    assert sentence_of(reply, source=SOURCE, instruction=INSTRUCTION) == SWAP


@pytest.mark.parametrize(
    ("source", "reply"),
    [
        ("1. FC Nord won in Ulm.", "1. FC Ulm won in Nord."),
        ("Ulm: the town by the river.", "Ulm: the river by the town."),
        ("The town by the river is Ulm.", "By the river: the town is Ulm."),
        ('"No," said Bo to Ada.', '"No," said Ada to Bo.'),
        ('Bo said "no" and Ada "yes"', '"Bo" said "no and Ada yes"'),
        ("I am sorry that Bo left Ada.", "I am sorry that Ada left Bo."),
        ("At 10:30 Bo met Ada.", "At 10:30 Ada met Bo."),
    ],
)
def test_what_belongs_to_a_sentence_stays(source, reply):
    assert sentence_of(reply, source=source, instruction=INSTRUCTION) == reply


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", Fault.EMPTY),
        ("```\n```", Fault.EMPTY),
        ("...", Fault.EMPTY),
        ("I’m sorry, but I can’t help with that.", Fault.DECLINED),
        ("Es tut mir leid, das geht nicht.", Fault.DECLINED),
        ("对不起，我不能改写。", Fault.DECLINED),
        ("Use every word of the sentence.", Fault.ECHO),
        (f"{SWAP}\n\nI exchanged two adjectives.", Fault.SEVERAL_LINES),
        (SWAP.replace(" old", "\told"), Fault.BAD_TEXT),
        (SWAP.replace(" old", "\x00old"), Fault.BAD_TEXT),
    ],
)
def test_a_reply_without_one_sentence_says_why(reply, fault):
    assert sentence_of(reply, source=SOURCE, instruction=INSTRUCTION) is fault


@pytest.mark.parametrize(
    ("sample", "settings", "reason"),
    [
        (Sample("", is_refused=True), {}, Reason.REFUSED_BY_SERVER),
        (Sample(SWAP, "length"), {}, Reason.CUT_OFF),
        (Sample("", "content_filter"), {}, Reason.FILTERED),
        (SOURCE.upper(), {}, Reason.UNCHANGED),
        ("The old, baker taught the young miller to dance!", {}, Reason.UNCHANGED),
        ("The young baker taught an old miller to dance.", {}, Reason.OTHER_WORDS),
        ("Nobody came.", {"same_words": False, "min_similarity": 0.7}, Reason.BELOW_SIMILARITY),
        (
            "The old baker taught the tall miller to dance.",
            {"same_words": False, "reordered_above": 0.02},
            Reason.SAME_ORDER,
        ),
        ("The old baker taught the young miller.", {"same_words": False}, Reason.CONTAINED),
    ],
)
def test_a_sample_that_is_no_candidate_says_why(sample, settings, reason):
    refusal = results(sample, **settings)
    assert (refusal.name, dict(refusal.dropped)) == (reason, {reason: 1})


def test_a_list_in_another_order_is_no_rewrite():
    rewrite = "Ada bought plums, a pear and apples in the old town."
    assert results(rewrite, source=LIST, corpus_language="en").name == Reason.LIST_PERMUTATION
    assert kept(rewrite, source=LIST, same_words=False) == [rewrite]


def test_every_sample_is_a_rewrite_or_an_alternative_or_counted():
    texts = [SOURCE, SWAP, SWAP.lower(), "No.", MOVED, OTHER_SWAP]
    result = results(*texts, keep_alternatives=1)
    assert (result.name, result.rewrites[0].text) == (ACCEPTED, SWAP)
    assert [other.text for other in result.rewrites[0].alternatives] == [MOVED]
    assert result.dropped == {
        Reason.UNCHANGED: 1,
        Reason.REPEATED: 1,
        Reason.OTHER_WORDS: 1,
        Reason.SURPLUS: 1,
    }


def test_the_outcome_is_the_reason_of_the_sample_that_passed_most_checks():
    result = results(SOURCE, "The old baker danced.", "")
    assert result.name == Reason.OTHER_WORDS
    assert result.refused is not None
    assert result.refused.text == "The old baker danced."


class Scores:
    """A judge that finds a text as likely as its score."""

    def __init__(self, **scores):
        self.scores = {globals()[name]: score for name, score in scores.items()}

    def log_likelihoods(self, groups):
        for texts in groups:
            yield np.array([self.scores[text] for text in texts])


def test_the_likeliest_rewrite_comes_first():
    scorer = Scores(SOURCE=-20.0, SWAP=-29.0, MOVED=-31.0, OTHER_SWAP=-22.0)
    result = results(SWAP, MOVED, OTHER_SWAP, scorer=scorer, per_sentence=2, max_loss=10.0)
    scores = [(rewrite.text, rewrite.score, rewrite.source_score) for rewrite in result.rewrites]
    assert scores == [(OTHER_SWAP, -22.0, -20.0), (SWAP, -29.0, -20.0)]
    assert result.dropped == {Reason.UNLIKELY: 1}


@pytest.mark.parametrize(
    ("intent", "kind"), [("near miss", "near miss"), ("paraphrase", "paraphrase"), ("any", "")]
)
def test_the_intent_is_the_kind_of_the_candidates(intent, kind):
    assert results(SWAP, intent=intent).rewrites[0].kind == kind


def test_seeds_depend_on_the_run_alone():
    seeds = [[PromptedSettings(seed=run).seed_of(sample) for sample in range(20)] for run in (1, 2)]
    assert len({*seeds[0], *seeds[1]}) == 40
    assert all(0 <= seed < 2**31 for seed in seeds[0])
    assert seeds[0] == [PromptedSettings(seed=1).seed_of(sample) for sample in range(20)]


def test_a_reply_may_be_three_times_as_long_as_its_sentence():
    assert [longest_reply("word " * number) for number in (10, 1_000)] == [94, 1_024]
