"""Translation studies are made from the dev and test pairs of a frozen release."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.errors import Refused
from annotation.models import Item, Project, TranslatedPair
from releases import services as releases
from releases.selectors.translations import pairs_of
from releases.services import translations
from tests.annotation import judged, make

pytestmark = pytest.mark.django_db


@pytest.fixture
def release():
    """Forty pairs, of which four are the dev set and ten the test set."""
    project = make.study(protocol="parade")
    judged.pairs(project, [(3, 3, 2), (0, 1, 1)] * 20, by=judged.people(project, 3))
    return releases.freeze(project, version="1.0", dev=0.1, test=0.25)


def texts_of(project):
    return set(
        Item.objects.filter(project=project, kind="translate").values_list(
            "sentence1__text", flat=True
        )
    )


def both_texts(pairs):
    return {text for pair in pairs for text in (pair.sentence1, pair.sentence2)}


def test_each_distinct_sentence_of_dev_and_test_is_to_translate_and_train_is_a_corpus(release):
    project = translations.create(release, name="German", language="de")
    chosen = [*pairs_of(release, "dev"), *pairs_of(release, "test")]
    assert len(chosen) == 14
    ids = TranslatedPair.objects.filter(project=project).values_list("public_id", flat=True)
    assert set(ids) == {pair.public_id for pair in chosen}
    assert texts_of(project) == {
        text for pair in chosen for text in (pair.sentence1, pair.sentence2)
    }
    for row in TranslatedPair.objects.filter(project=project).select_related("item1__sentence1"):
        [pair] = [each for each in chosen if each.public_id == row.public_id]
        assert row.item1.sentence1.text == pair.sentence1
    plan = project.translation_plan
    assert (plan.source_language, plan.language) == ("en", "de")
    train = project.translation_source.train
    known = set(train.sentence_set.values_list("text", flat=True))
    assert known == both_texts(pairs_of(release, "train"))
    assert not known & texts_of(project)
    again = translations.create(release, name="French", language="fr")
    assert again.translation_source.train == train


def test_a_smaller_number_draws_whole_families_by_the_seed(release):
    drawn = [
        translations.create(release, name=f"{n}", language="de", dev=2, test=5, seed=seed)
        for n, seed in enumerate([1, 1, 2])
    ]
    assert [each.translated_pairs.count() for each in drawn] == [7, 7, 7]
    assert texts_of(drawn[0]) == texts_of(drawn[1]) != texts_of(drawn[2])


@pytest.mark.parametrize("language", ["en", "en-GB", "EN", "german", "", "d"])
def test_a_language_that_is_none_or_that_of_the_release_is_refused(release, language):
    with pytest.raises(Refused):
        translations.create(release, name="Study", language=language)
    assert not Project.objects.filter(name="Study").exists()


def test_a_release_without_dev_and_test_is_refused():
    project = make.study(protocol="parade")
    judged.pairs(project, [(3, 3, 2)] * 4, by=judged.people(project, 3))
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    with pytest.raises(Refused, match="no pairs in dev or test"):
        translations.create(release, name="Study", language="de")


def test_the_command_makes_a_study_and_names_what_is_missing(release):
    out = StringIO()
    options = {"protocol": "translation", "release": "1.0", "language": "de", "test": 3}
    call_command("create_project", "German", stdout=out, **options)
    assert "Created the project German" in out.getvalue()
    assert "sentences of 7 pairs" in out.getvalue()
    assert Project.objects.get(name="German").translated_pairs.count() == 7
    with pytest.raises(CommandError, match="--release and --language"):
        call_command("create_project", "Study", protocol="translation", release="1.0")
