"""A set that was published elsewhere, translated like a release of our own (PAWS-X 2)."""

import pytest

from annotation.models import Item
from generation.models import Corpus
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.services import builds, frozen
from releases.services.published import sentences_of
from releases.translations import services as translations
from tests.annotation import make, pages, translating
from tests.releases.published import import_trial

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


@pytest.fixture
def published(tmp_path):
    with pages.release_folder(tmp_path / "releases"):
        yield import_trial(tmp_path)


def test_the_release_of_a_translation_verifies_against_the_set(published):
    study = translations.create(published, name="German", language="de")
    study.translation_plan.validated_share = 0.0
    study.translation_plan.least_validated = 0
    study.translation_plan.save()
    for _ in range(3):
        make.person(study)
    translating.translate_all(study)
    release = frozen.propose_release(study, version="1.0", accepts_errors=True)
    builds.build(release)
    assert Release.objects.get(pk=release.pk).manifest["counts"]["subsets"]["translated"]
    assert verify(folder_of(release), folder_of(published)) == []
    for name in ("README.md", "paper.tex", "croissant.json"):
        text = (folder_of(release) / name).read_text()
        assert "Doe (2020)" in text
        assert "Cite the source release" not in text


def test_sentences_are_stored_once_and_for_the_pairs_that_need_them_alone(published):
    assert not Corpus.objects.exists()
    first, *others = published.examples.order_by("position")
    sentences = sentences_of(published, [first])
    assert {row.text for row in sentences.values()} == {first.sentence1, first.sentence2}
    again = sentences_of(published, [first, *others])
    assert again.items() >= sentences.items()
    [corpus] = Corpus.objects.all()
    assert corpus.sentence_set.count() == len(again)
    assert not Item.objects.exists()
