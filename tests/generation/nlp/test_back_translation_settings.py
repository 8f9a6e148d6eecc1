import pytest

from generation.nlp.back_translation_settings import BackTranslationSettings
from generation.nlp.pair_filter import PairFilter


def test_the_defaults_are_those_of_the_paper() -> None:
    settings = BackTranslationSettings()
    assert settings.k == 5
    assert settings.filter == PairFilter(
        min_similarity=0.9, reordered_above=0.02, reordered_share=0.5, seed=0
    )


def test_they_come_back_from_plain_values() -> None:
    settings = BackTranslationSettings(k=3, reordered_share=0.25, seed=9)
    assert BackTranslationSettings.from_dict(settings.to_dict()) == settings


@pytest.mark.parametrize(
    "values",
    [
        {"pivot": "de"},
        {"k": 0},
        {"k": 2.5},
        {"k": True},
        {"min_similarity": "high"},
        {"min_similarity": 1.5},
        {"reordered_share": -0.1},
        {"max_tokens": 10**6},
    ],
)
def test_what_it_does_not_know_or_take_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(values))):
        BackTranslationSettings.from_dict(values)
