"""Creates translation studies: people translate the dev and test pairs of a release (PAWS-X 2)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Project
from annotation.projects.protocols import guidelines
from annotation.projects.services import projects
from annotation.translations.services import studies
from annotation.translations.services.studies import PairToTranslate
from common import bulk
from common.languages import TAG
from common.names import free_name
from generation.models import Corpus, Sentence
from generation.services.sentences import digest_of
from releases.models import Example, Release, TranslationSource
from releases.selectors.published import is_published_set
from releases.services.published import sentences_of
from releases.translations.selectors import draw_examples, pairs_of


@transaction.atomic
def create(
    release: Release,
    *,
    name: str,
    language: str,
    dev: int | None = None,
    test: int | None = None,
    seed: int = 0,
    validated_share: float = 0.1,
    managers: Iterable[User] = (),
    by: User | None = None,
) -> Project:
    """Create a project that translates the pairs of dev and test into a language.

    The sentences of train become a corpus of the project, for a machine to translate.
    `dev` and `test` are the most pairs of each, drawn in whole families of connected sentences;
    None means all. Raises Refused for a release that is not frozen or has no such pairs, or a
    language that is no tag or that of the release; and ValidationError for a name that exists.
    """
    if release.state != Release.State.FROZEN:
        raise Refused(_("Only a frozen release can be translated."))
    pairs = _draw_pairs(release, dev=dev, test=test, seed=seed)
    sentences = _sentences(release, pairs)
    source = next(iter(sentences.values())).corpus.language
    _refuse_language(language, source)
    guideline_texts = guidelines("translating", "validating")
    settings: dict[str, Any] = {"kinds": studies.KINDS, "guidelines": guideline_texts, "seed": seed}
    project = projects.create(name, managers=managers, by=by, **settings)
    pairs_to_translate = [
        PairToTranslate(
            pair.public_id, sentences[str(pair.sentence1_ref)], sentences[str(pair.sentence2_ref)]
        )
        for pair in pairs
    ]
    languages = {"source_language": source, "language": language}
    studies.open_sentences(
        project, pairs_to_translate, **languages, validated_share=validated_share
    )
    train = _train_corpus(release, source)
    TranslationSource.objects.create(
        project=project, release=release, train=train, dev=dev, test=test, created_by=by
    )
    if train:
        project.corpora.add(train)
    return project


def _draw_pairs(release: Release, *, dev: int | None, test: int | None, seed: int) -> list[Example]:
    """Return the pairs to translate. Raises Refused if there are none."""
    pairs = [
        *draw_examples(release, "dev", dev, seed=seed),
        *draw_examples(release, "test", test, seed=seed),
    ]
    if not pairs:
        raise Refused(
            _("This release has no pairs in dev or test. Build a version that has some first.")
        )
    return pairs


def _train_corpus(release: Release, language: str) -> Corpus | None:
    Release.objects.select_for_update(no_key=True).get(pk=release.pk)
    earlier = TranslationSource.objects.filter(release=release, train__isnull=False).first()
    if earlier:
        return earlier.train
    texts: dict[str, str] = {}
    for pair in pairs_of(release, "train").iterator():
        texts.setdefault(pair.sentence1, str(pair.sentence1_ref))
        texts.setdefault(pair.sentence2, str(pair.sentence2_ref))
    if not texts:
        return None
    name = free_name(Corpus, f"{release}: train")
    corpus = Corpus.objects.create(name=name, language=language)
    rows = [(text, digest_of(text), ref) for text, ref in texts.items()]
    bulk.insert(Sentence, rows, fields=("text", "digest", "external_id"), corpus_id=corpus.pk)
    return corpus


def _sentences(release: Release, pairs: Sequence[Example]) -> Mapping[str, Sentence]:
    if is_published_set(release):
        return sentences_of(release, pairs)
    refs = {ref for pair in pairs for ref in (pair.sentence1_ref, pair.sentence2_ref)}
    rows = Sentence.objects.filter(public_id__in=refs).select_related("corpus")
    return {str(row.public_id): row for row in rows}


def _refuse_language(language: str, source: str) -> None:
    if not TAG.fullmatch(language):
        text = _("“%(language)s” is no language tag. Examples: de, zh, pt-BR.")
        raise Refused(text % {"language": language})
    if language.lower().split("-")[0] == source.lower().split("-")[0]:
        text = _("The release is in this language already (%(language)s). Choose another one.")
        raise Refused(text % {"language": source})
