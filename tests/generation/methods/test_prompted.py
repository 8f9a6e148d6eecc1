"""Rewrites by a chat model, against a server that answers well and badly by turns."""

import re
from collections import Counter

import pytest

from generation.endpoints.chat import EndpointRefused, NoLedger
from generation.endpoints.client import Chat
from generation.methods import model_loaders
from generation.methods.prompted import METHOD, PromptedRewriter
from generation.model_store import EMBEDDED
from generation.nlp import samples
from generation.nlp.list_permutations import permutes_list
from generation.nlp.prompted import PromptedSettings
from generation.nlp.rewrites import ACCEPTED
from generation.nlp.samples import Reason
from generation.nlp.words import tokens, words
from tests.endpoint_server import fails, model_of, says, serving

PEOPLE = ("nurse", "baker", "painter", "farmer", "sailor", "miller")
VERBS = ("thanked", "called", "followed", "paid", "visited")
ENDS = (
    "before the concert in the old town",
    "after they had bought bread and milk",
    "while it rained",
    "in May, June and July",
    "because of the letter",
    "at the harbour",
    "and then went home",
    "for the first time",
    "on the long way to the market",
    "without a word",
)
SENTENCES = [
    f"The {person} {verb} the {other} {end}."
    for end in ENDS
    for verb in VERBS
    for person in PEOPLE
    for other in PEOPLE
    if person < other
][::2]


def source_of(body):
    [source] = re.findall(r"Sentence: (.+)\nRewrite:\Z", body["messages"][-1]["content"])
    return source


def swapped(source):
    return re.sub(r"(The )(\w+)( \w+ the )(\w+)", r"\1\4\3\2", source)


def answer(body):
    """Swap both people, repeat the sentence, permute its list, or chat: by the seed."""
    source = source_of(body)
    listed = source.replace("bread and milk", "milk and bread")
    answers = (
        f"Here is the sentence:\n\n“{swapped(source)}”",
        source,
        listed.replace("May, June and July", "June, July and May"),
        f"Sure! {swapped(source)} I hope this helps.",
        f"Rewrite: {swapped(source)}",
        "I’m sorry, but I can’t help with that.",
        f"{swapped(source)}\n\nI exchanged both people.",
    )
    return says(answers[(body["seed"] + len(source)) % len(answers)])


def rewriter(server, scorer=EMBEDDED, **settings):
    own = PromptedSettings(**{"corpus_language": "en"} | settings)
    judge = model_loaders.load_scorer(scorer) if scorer else None
    return PromptedRewriter(Chat(model_of(server), NoLedger()), own, judge)


def check_reordered(sentences):
    """Rewrite sentences by the preset `reorder`, and check all that it promises."""
    with serving(answer=answer) as server:
        results = list(rewriter(server).outcomes(sentences))
    dropped = Counter[str]()
    for source, result in zip(sentences, results, strict=True):
        number = sum(result.dropped.values())
        dropped.update(result.dropped)
        for rewrite in result.rewrites:
            texts = [rewrite.text, *(other.text for other in rewrite.alternatives)]
            number += len(texts)
            for text in texts:
                assert sorted(words(text.casefold())) == sorted(words(source.casefold()))
                assert not permutes_list(tokens(source), tokens(text), "en")
        assert number == 4
        assert (result.name == ACCEPTED) == bool(result.rewrites)
    assert len(server.bodies) == 4 * len({*sentences})
    return Counter(result.name for result in results), dropped


def test_reordered_sentences_keep_their_words():
    outcomes, dropped = check_reordered(SENTENCES[::10][:30])
    assert outcomes[ACCEPTED] > 15
    expected = (Reason.UNCHANGED, Reason.REPEATED, Reason.OTHER_WORDS, Reason.LIST_PERMUTATION)
    assert {*expected, Reason.DECLINED, Reason.SEVERAL_LINES} <= dropped.keys()


def test_a_repeated_sentence_is_asked_about_once():
    with serving(answer=answer) as server:
        outcomes = list(rewriter(server).outcomes([SENTENCES[0], "No.", SENTENCES[0]]))
    assert len(server.bodies) == 4
    assert outcomes[0] == outcomes[2]
    assert outcomes[1].name == "too_short"


def test_a_refused_request_is_counted():
    with serving(answer=lambda _body: fails(400)) as server:
        [outcome] = rewriter(server).outcomes(SENTENCES[:1])
    assert (outcome.name, dict(outcome.dropped)) == (
        Reason.REFUSED_BY_SERVER,
        {Reason.REFUSED_BY_SERVER: 4},
    )


def test_a_server_that_does_not_sample_is_named():
    with (
        serving(answer=lambda body: says(swapped(source_of(body)))) as server,
        pytest.raises(EndpointRefused, match="local:small does not sample: all answers to a"),
    ):
        list(rewriter(server).outcomes(SENTENCES[:10]))


@pytest.mark.parametrize("settings", [{"temperature": 0.0}, {"samples": 1}])
def test_equal_samples_may_be_meant(settings):
    with serving(answer=lambda body: says(swapped(source_of(body)))) as server:
        outcomes = list(rewriter(server, **settings).outcomes(SENTENCES[:10]))
    assert {outcome.name for outcome in outcomes} == {ACCEPTED}


def test_seeds_are_those_of_the_run():
    with serving(answer=answer) as server:
        for seed in (1, 1, 2):
            list(rewriter(server, seed=seed).outcomes(SENTENCES[:1]))
    seeds = [
        sorted(body["seed"] for body in server.bodies[start : start + 4]) for start in (0, 4, 8)
    ]
    assert seeds[0] == seeds[1]
    assert not {*seeds[0]} & {*seeds[2]}


@pytest.mark.parametrize("preset", METHOD.presets, ids=lambda preset: preset.name)
def test_the_example_of_a_preset_passes_its_filter(preset):
    own = PromptedSettings.from_dict({"corpus_language": "en"} | dict(preset.settings))
    assert samples.fault(*preset.example, own) is None
