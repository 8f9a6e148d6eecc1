"""Each sentence is translated into the likeliest text, or counted with the reason why not."""

import pytest

from generation.errors import BadSettings
from generation.methods import model_loaders
from generation.methods.translation import METHOD
from generation.nlp.translation import SentenceTranslator, TranslationSettings
from tests.generation.nlp.adapters import tiny
from tests.generation.nlp.toy_translators import Fragile, Phrasebook

GERMAN = {
    "The mill burned.": ("Die Mühle brannte.", "Die Mühle hat gebrannt."),
    "Anna Kovar": ("anna  Kovar",),
    "No way": (" \u200b",),
    "NUL": ("a\0b",),
}


def translated(texts, known=GERMAN, **settings):
    book = Phrasebook(known)
    return book, SentenceTranslator(book, TranslationSettings(**settings)).outcomes(texts)


def test_the_likeliest_translation_is_taken_and_equal_sentences_are_translated_once():
    book, outcomes = translated(["The mill burned.", "Anna Kovar", "The mill burned."])
    assert book.asked == ["The mill burned.", "Anna Kovar"]
    first, unchanged, again = outcomes
    assert first == again
    assert [(one.text, one.score) for one in first.rewrites] == [("Die Mühle brannte.", -1.0)]
    assert (unchanged.name, unchanged.rewrites) == ("unchanged", ())


def test_sentences_without_a_translation_are_counted_by_the_reason():
    book, outcomes = translated(
        ["No way", "NUL", "Unknown.", "one two three four five", "磨坊烧毁了"], max_tokens=4
    )
    assert [one.name for one in outcomes] == ["empty", "empty", "empty", "too_long", "too_long"]
    assert "磨坊烧毁了" not in book.asked


def test_a_sentence_that_the_translator_fails_on_fails_alone():
    translator = SentenceTranslator(Fragile(GERMAN, "Boom", ValueError("no")))
    names = [one.name for one in translator.outcomes(["The mill burned.", "Boom"])]
    assert names == ["accepted", "translation_failed"]
    with pytest.raises(ValueError, match="no"):
        translator.outcomes(["Boom"])


def test_a_translator_of_another_language_than_the_setting_is_refused():
    settings = METHOD.configure({})
    assert (settings["language"], METHOD.language(settings)) == ("de", "en")
    assert METHOD.configure({"forward": "our/model", "language": "zh-Hant"})
    back = METHOD.configure({"forward": "Helsinki-NLP/opus-mt-jap-en", "language": "en"})
    assert METHOD.language(back) == "ja"
    for values, said in (
        ({"language": "fr"}, "is for the language de"),
        ({"forward": "Helsinki-NLP/opus-mt-en-fr"}, "set language=fr"),
        ({"language": "German"}, "must be a tag such as de"),
        ({"language": ""}, "must be a tag such as de"),
    ):
        with pytest.raises(BadSettings, match=said):
            METHOD.configure(values)


def test_a_neural_translator_gives_each_sentence_one_text_whatever_comes_with_it(
    tmp_path, settings
):
    settings.DATA_DIR = tmp_path
    model_loaders.load_translator.cache_clear()
    tiny.marian(tmp_path / "models" / "tiny")
    configured = METHOD.configure({"forward": "tiny", "language": "fr"})
    rewriter = METHOD.load(configured, 0)
    assert rewriter.identities == METHOD.identify(configured)
    together = rewriter.outcomes(tiny.TRANSLATED)
    alone = [rewriter.outcomes([text])[0] for text in tiny.TRANSLATED]
    for one, other in zip(together, alone, strict=True):
        assert one.name == other.name
        texts = [[each.text for each in of.rewrites] for of in (one, other)]
        assert texts[0] == texts[1]
        assert len(texts[0]) == (one.name == "accepted")
