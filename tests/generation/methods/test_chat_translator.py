"""Models behind endpoints translate: there, and back."""

import pytest

from generation.endpoints.chat import NoLedger
from generation.endpoints.client import Chat
from generation.errors import BadSettings
from generation.methods import back_translation, translation
from generation.methods.chat_translator import ChatTranslator
from tests.endpoint_server import fails, model_of, says, serving

SINGS = "Anna sings in Rome."


@pytest.fixture
def server(settings, tmp_path):
    settings.ENDPOINTS_FILE = str(tmp_path / "endpoints.toml")
    with serving(answer=_translate) as server:
        table = f'[local]\naddress = "{server.address}"\n[local.models.small]\n'
        (tmp_path / "endpoints.toml").write_text(table)
        yield server


def _translate(body):
    """Sings in German, and in English by other words."""
    prompt = body["messages"][0]["content"]
    into_german = "from English into German" in prompt
    return says('"Anna singt in Rom."' if into_german else "In Rome, Anna sings.")


def translator(server):
    return ChatTranslator(Chat(model_of(server), NoLedger()), "en", "de")


def test_one_translation_is_the_likeliest_and_has_no_score():
    with serving(answer=lambda body: says("Translation: Anna singt in Rom.")) as server:
        [[translation_]] = translator(server).translate([SINGS], 1)
    assert (translation_.text, translation_.score) == ("Anna singt in Rom.", None)
    [body] = server.bodies
    assert (body["temperature"], "from English into German" in str(body)) == (0.0, True)


def test_of_several_samples_the_most_frequent_comes_first():
    texts = iter(["Anna singt.", "Anna sang.", "Anna singt. ", "Anna trällert."])
    with serving(answer=lambda body: says(next(texts))) as server:
        [translations] = translator(server).translate([SINGS], 3)
    assert translations[0].text == "Anna singt."
    assert translations[0].score == pytest.approx(-0.6931, abs=1e-4)
    assert len(translations) == 3


@pytest.mark.parametrize("answer", [says("I'm sorry, I can't help with that."), fails(400)])
def test_a_text_whose_replies_hold_no_sentence_has_no_translation(answer):
    with serving(answer=lambda body: answer) as server:
        assert translator(server).translate([SINGS], 1) == [()]


def test_a_run_translates_from_the_language_of_its_corpus(server):
    method = translation.METHOD
    settings = method.for_corpus(
        method.configure({"language": "de", "forward": "local:small"}), "en"
    )
    [outcome] = method.load(settings, 0).outcomes([SINGS])
    assert outcome.rewrites[0].text == "Anna singt in Rom."
    assert method.endpoint_models(settings) == ["local:small"]
    assert len(method.requests_about(SINGS, settings)) == 1


def test_a_model_translates_into_the_pivot_and_back(server):
    method = back_translation.METHOD
    values = {"forward": "local:small", "backward": "local:small", "pivot": "de", "k": 1}
    settings = method.for_corpus(method.configure(values | {"reordered_share": 0.0}), "en")
    [outcome] = method.load(settings, 0).outcomes([SINGS])
    assert [rewrite.text for rewrite in outcome.rewrites] == ["In Rome, Anna sings."]


def test_without_the_language_of_the_corpus_it_is_refused(server):
    settings = translation.METHOD.configure({"language": "de", "forward": "local:small"})
    with pytest.raises(BadSettings, match="language of the corpus"):
        translation.METHOD.load(settings, 0)
