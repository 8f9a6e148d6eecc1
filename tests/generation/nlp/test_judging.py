"""A second language model: what it lets pass, and in which order."""

from dataclasses import replace

import numpy as np

from generation.nlp.acceptance import Acceptance
from generation.nlp.judging import UNLIKELY, Judging
from generation.nlp.phrases import Kind
from generation.nlp.recalibration import Recalibration
from generation.nlp.rewrites import ACCEPTED, Outcome, Rewrite
from generation.nlp.settings import WordSwapSettings
from generation.nlp.word_swap import WordSwapper
from tests.generation.nlp.toy import Bigrams, tagged

SCORES = {"abc": -10.0, "acb": -12.0, "bac": -11.0, "cba": -15.0, "xyz": -5.0, "zyx": -30.0}


# One nat less halves the odds, about.
ACCEPTANCE = Acceptance(0.0, {}, {"constant": 0.0, "logit": 1.0, "loss": -0.7})


class Listed:
    """A judge with a list of scores, which reads all groups first."""

    def __init__(self, scores=SCORES):
        self.scores, self.asked = scores, []

    def log_likelihoods(self, groups):
        self.asked = list(groups)
        for texts in self.asked:
            yield np.array([self.scores[text] for text in texts])


def accepted(*texts):
    best, *others = texts
    alternatives = tuple(Rewrite(text, "noun", -1.0) for text in others)
    return Outcome(ACCEPTED, (Rewrite(best, "name", -1.0, -2.0, alternatives),))


def judged(outcomes, *, most=8, threshold=4.0, keep_alternatives=5, **more):
    judging = Judging(Listed(), most, threshold, ACCEPTANCE)
    texts, found = zip(*outcomes, strict=True)
    settings = WordSwapSettings(keep_alternatives=keep_alternatives, acceptance=0.6, **more)
    return list(judging.outcomes(texts, iter(found), settings))


def test_the_likeliest_rewrite_that_passes_is_first_with_the_scores_of_the_judge():
    nothing = Outcome("too_short")
    sentences = [("?", nothing), ("abc", accepted("acb", "cba", "bac")), ("!", nothing)]
    sentences += [("xyz", accepted("zyx")), ("?", nothing)]
    first, found, between, unlikely, last = judged(sentences)
    (rewrite,) = found.rewrites
    assert (found.name, rewrite.text, rewrite.kind) == (ACCEPTED, "bac", "noun")
    assert (rewrite.score, rewrite.source_score) == (-11.0, -10.0)
    assert rewrite.alternatives == (Rewrite("acb", "name", -12.0, -10.0),)
    assert (unlikely.name, unlikely.refused.text) == (UNLIKELY, "zyx")
    assert first == between == last == nothing


def test_an_alternative_that_the_judge_prefers_keeps_its_estimate_of_paraphrases():
    best = Rewrite("cba", "noun", paraphrase=0.9)
    preferred = Rewrite("bac", "noun", paraphrase=0.2)
    first = replace(best, alternatives=(preferred,))
    (outcome,) = judged([("abc", Outcome(ACCEPTED, (first,)))], threshold=10.0)
    assert [(row.text, row.paraphrase) for row in outcome.rewrites] == [("bac", 0.2)]


def test_an_estimate_is_combined_with_what_the_judge_finds():
    good, bad = (Rewrite(text, "noun", -1.0, -2.0, (), 0.8) for text in ("bac", "cba"))
    better = Rewrite("bac", "noun", -1.0, -2.0, (), 0.8)
    first = replace(bad, probability=0.9, alternatives=(better,))
    (outcome,) = judged([("abc", Outcome(ACCEPTED, (first,)))], threshold=0.0)
    assert (outcome.rewrites[0].text, round(outcome.rewrites[0].probability, 2)) == ("bac", 0.67)
    assert outcome.rewrites[0].alternatives == ()
    # Several candidates of a sentence are judged each by itself.
    (outcome,) = judged([("abc", Outcome(ACCEPTED, (bad, good)))])
    assert [rewrite.text for rewrite in outcome.rewrites] == ["bac"]


def test_a_moved_adverbial_keeps_its_estimate_and_comes_after_what_passes():
    swap = Rewrite("bac", "noun", -1.0, -2.0, (), 0.8)
    move = Rewrite("cba", "adverbial", -1.0, -2.0, (), 0.9)
    (outcome,) = judged([("abc", Outcome(ACCEPTED, (move, swap)))])
    assert [(each.text, round(each.probability, 2)) for each in outcome.rewrites] == [
        ("bac", 0.67),
        ("cba", 0.9),
    ]


def test_an_estimate_is_recalibrated_once_after_the_judge():
    settings = WordSwapSettings(estimate_slope=0.5, estimate_shift=1.0)
    first = Judging(Listed(), 8, 4.0, ACCEPTANCE).shortlisting(settings)
    assert first.recalibration == Recalibration()
    swap = Rewrite("bac", "noun", -1.0, -2.0, (), 0.8)  # 0.67 after the judge, its logit 0.69
    (outcome,) = judged([("abc", Outcome(ACCEPTED, (swap,)))], estimate_shift=1.0)
    assert round(outcome.rewrites[0].probability, 2) == 0.84


def test_only_as_many_rewrites_are_judged_and_kept_as_the_settings_say():
    sentence = [("abc", accepted("acb", "cba", "bac"))]
    (outcome,) = judged(sentence, most=2, threshold=100.0)
    assert [outcome.rewrites[0].text, outcome.rewrites[0].alternatives[0].text] == ["acb", "cba"]
    (outcome,) = judged(sentence, threshold=100.0, keep_alternatives=1)
    assert (outcome.rewrites[0].text, len(outcome.rewrites[0].alternatives)) == ("bac", 1)


TEXT = "Ann met Bob in May."


class Tagger:
    def tag(self, texts):
        assert list(texts) == [TEXT]
        return [tagged("Ann/NNP met/VBD Bob/NNP in/IN May/NN ./.")]


def test_a_word_swapper_asks_the_judge_about_what_the_first_model_lets_pass():
    judge = Listed({TEXT: -9.0, "Bob met Ann in May.": -10.0})
    settings = WordSwapSettings(keep_alternatives=0, movable=(Kind.NAME,))
    swapper = WordSwapper(Tagger(), Bigrams(), settings, judging=Judging(judge, 3, 4.0))
    (outcome,) = swapper.outcomes([TEXT])
    assert (outcome.rewrites[0].text, outcome.rewrites[0].score) == ("Bob met Ann in May.", -10.0)
    assert judge.asked == [[TEXT, "Bob met Ann in May."]]
