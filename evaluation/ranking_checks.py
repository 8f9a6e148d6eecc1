"""Lets people compare the back-translated sentences of a ranking with their pivots."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db import transaction

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Project, Validation
from annotation.projects.protocols import guidelines
from annotation.projects.services import projects
from annotation.translations.services import studies
from common import bulk
from common.display import plural
from common.names import free_name
from evaluation.ranking.back_translated import BackTranslatedRow, Check, apply_answers
from evaluation.ranking.files import Ranking
from evaluation.ranking.sources import language_of
from generation.models import Corpus, Sentence
from generation.nlp.back_translation import MAX_CHARACTERS
from generation.nlp.text import RefusedText, check, pair_key
from generation.services.sentences import digest_of

CHECKS = {
    Validation.Action.ACCEPT: Check.ACCEPTED,
    Validation.Action.FIX: Check.FIXED,
    Validation.Action.REJECT: Check.REJECTED,
}
NOTHING = "The ranking of {name} has no back-translated sentences to check."
OTHERS = (
    "{project} has not compared {texts} of this ranking. Name the project that was made of it "
    "with --project."
)
WAITING = "{project} is not finished: {texts} of the ranking wait for an answer."


@transaction.atomic
def create(ranking: Ranking, *, name: str, managers: Iterable[User] = ()) -> Project:
    """Raises Refused without an unchecked row, and ValidationError for a name that exists."""
    pairs = _texts(ranking)
    if not pairs:
        raise Refused(NOTHING.format(name=ranking.source["name"]))
    kinds, guideline_texts = studies.ONLY_VALIDATES, guidelines("comparing")
    seed = ranking.settings["seed"]
    project = projects.create(
        name, managers=managers, kinds=kinds, guidelines=guideline_texts, seed=seed
    )
    corpus = Corpus.objects.create(
        name=free_name(Corpus, f"{name}: sentences"),
        language=language_of(ranking.source),
        licence=ranking.source.get("licence", ""),
    )
    project.corpora.add(corpus)
    sentence_of_text = _store_sentences(corpus, [text for pair in pairs for text in pair])
    studies.open_texts(
        project, [(sentence_of_text[pivot], sentence_of_text[text]) for pivot, text in pairs]
    )
    return project


def _texts(ranking: Ranking) -> Sequence[tuple[str, str]]:
    """Return the pivot and the text of each unchecked row, as they are stored. Raises Refused."""
    pivots = {group.pair: group.pivot for group in ranking.groups}
    rows = [row for row in ranking.rows if row.check is Check.UNCHECKED]
    return [(_storable(row, pivots[row.pair]), _storable(row, row.text)) for row in rows]


def _storable(row: BackTranslatedRow, text: str) -> str:
    try:
        return check(text, max_characters=MAX_CHARACTERS)
    except RefusedText as refusal:
        raise Refused(f"A sentence of {row.pair} cannot be shown: {refusal.reason}.") from refusal


def _store_sentences(corpus: Corpus, texts: Iterable[str]) -> Mapping[str, Sentence]:
    distinct = list(dict.fromkeys(texts))
    keys = bulk.keys(Sentence, len(distinct))
    rows = [(key, text, digest_of(text)) for key, text in zip(keys, distinct, strict=True)]
    bulk.insert(Sentence, rows, fields=("id", "text", "digest"), corpus_id=corpus.pk)
    return {text: Sentence(pk=key, text=text) for key, text in zip(keys, distinct, strict=True)}


def rows_with_answers(ranking: Ranking, project: Project) -> Sequence[BackTranslatedRow | Check]:
    """Return what people left. Raises Refused if nothing is unchecked or an answer is missing."""
    if not any(row.check is Check.UNCHECKED for row in ranking.rows):
        raise Refused(NOTHING.format(name=ranking.source["name"]))
    pivots = {group.pair: group.pivot for group in ranking.groups}
    keys = {row.pair: pair_key(pivots[row.pair], row.text) for row in ranking.rows}
    answers_by_key = _answers(project)
    if missing := [key for key in keys.values() if key not in answers_by_key]:
        waiting = plural(len(missing), "sentence")
        number = project.items.filter(bulk.among("texts_key", missing)).count()
        text = WAITING if number == len({*missing}) else OTHERS
        raise Refused(text.format(project=project, texts=waiting))
    answers = {pair: answers_by_key[key] for pair, key in keys.items()}
    checks = (row for row in ranking.back_translated or () if isinstance(row, Check))
    return (*apply_answers(ranking.rows, ranking.groups, answers), *checks)


def _answers(project: Project) -> Mapping[UUID, tuple[Check, str]]:
    validations = Validation.objects.filter(project=project, excluded_by=None).answered()
    rows = validations.values_list("item__texts_key", "action", "text")
    return {key: (CHECKS[Validation.Action(action)], text) for key, action, text in rows if key}
