"""Which pairs appear in translation, by hand."""

import pytest

from releases.dataset.rows import ReleasedPair
from releases.dataset.translated.plan import Waiting, plan
from releases.dataset.translated.rows import LeftOut, TranslationRow, UntranslatableRow


def pair(key, one, other, label, split):
    ends = {"sentence1": f"{key}-1", "sentence2": f"{key}-2", "text1": one, "text2": other}
    return ReleasedPair(key, label=label, split=split, subset="labeled_final", **ends)


def human(of, text):
    return TranslationRow(f"de-{of}", text, "de", of, "human", translator="translator-1")


def machine(of, text, language="de"):
    return TranslationRow(f"{language}-{of}", text, language, of, "machine", model="model")


def planned(pairs, *rows, untranslated=()):
    return plan(pairs, rows, untranslated, language="de")


def test_one_translation_serves_every_sentence_with_its_text():
    pairs = [pair("p", "A cat.", "A dog.", 0, "dev"), pair("q", "A dog.", "A hen.", 0, "dev")]
    rows = [human("p-1", "Katze."), human("q-1", "Hund."), human("q-2", "Huhn.")]
    found = planned(pairs, *rows)
    assert [(each.text1, each.text2) for each in found.pairs] == [
        ("Katze.", "Hund."),
        ("Hund.", "Huhn."),
    ]
    assert found.pairs[0].sentence2 == found.pairs[1].sentence1 == "de-q-1"


def test_equal_translations_leave_dev_and_test_if_the_pair_is_a_paraphrase():
    rows = [human("p-1", "Gleich."), human("p-2", "Gleich.")]
    for label, split, stays in ((1, "dev", False), (1, "test", False), (0, "dev", True)):
        found = planned([pair("p", "A cat.", "One cat.", label, split)], *rows)
        assert bool(found.pairs) == stays
        assert found.collapsed == ({split: ["p"]} if stays else {})
    machines = [machine("p-1", "Gleich."), machine("p-2", "Gleich.")]
    assert planned([pair("p", "A cat.", "One cat.", 1, "train")], *machines).pairs


def test_a_sentence_that_waits_stops_everything_and_one_given_up_only_its_pairs():
    one = pair("p", "A cat.", "A dog.", 0, "test")
    with pytest.raises(Waiting, match="1 sentence waits for a translation"):
        planned([one], human("p-1", "Katze."))
    given_up = UntranslatableRow("p-2", "A dog.", ("incomplete", "incomplete"))
    found = planned([one], human("p-1", "Katze."), untranslated=[given_up])
    assert found.left_out == {LeftOut.UNTRANSLATABLE: {"test": ["p"]}}


def test_train_shares_no_translation_with_dev_or_test_unless_the_source_does():
    test = pair("p", "A cat.", "A dog.", 0, "test")
    rows = [human("p-1", "Katze."), human("p-2", "Hund.")]
    train = pair("q", "One cat.", "A hen.", 0, "train")
    machines = [machine("q-1", "Katze."), machine("q-2", "Huhn.")]
    found = planned([test, train], *rows, *machines)
    assert found.left_out == {LeftOut.SHARED: {"train": ["q"]}}
    shared = pair("q", "A cat.", "A hen.", 0, "train")
    assert not planned([test, shared], *rows, *machines).left_out


def test_pairs_without_machine_translations_are_left_out_where_there_are_some():
    train = [pair("p", "A cat.", "A dog.", 0, "train"), pair("q", "A hen.", "An eel.", 0, "train")]
    assert planned(train).left_out == {}
    found = planned(train, machine("p-1", "Katze."), machine("p-2", "Hund."))
    assert found.left_out == {LeftOut.NO_MACHINE_TRANSLATION: {"train": ["q"]}}
    dev = [each._replace(split="dev") for each in train]
    people = [human(f"{key}-{end}", f"{key}{end}") for key in "pq" for end in "12"]
    back = [machine("de-p-1", "A cat!", "en"), machine("de-p-2", "A dog!", "en")]
    found = planned(dev, *people, *back)
    assert [each.text1 for each in found.back] == ["A cat!"]
    assert (len(found.pairs), found.left_out) == (
        2,
        {LeftOut.NO_MACHINE_TRANSLATION: {"dev": ["q"]}},
    )
