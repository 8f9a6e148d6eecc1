"""Delivers the translations of a study: its final texts become a corpus (PAWS-X 2)."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Item, Project, TranslationPlan
from annotation.translations.selectors import figures, readiness
from annotation.translations.selectors.figures import Study
from annotation.translations.selectors.readiness import NameOf
from annotation.translations.services import plans
from common import bulk
from common.names import free_name
from generation.models import Corpus, Sentence
from generation.services.sentences import digest_of

AT_ONCE = 1000
# Sentence and source, by final text: the first of several sentences with the same translation.
Texts = Mapping[str, Sequence[int]]


class NotReady(Refused):
    """What is missing, one reason each in `reasons`."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__(_("The translations can’t be delivered yet.") + " " + " ".join(reasons))
        self.reasons = reasons


@transaction.atomic
def deliver(project: Project, *, by: User | None = None, name_of: NameOf | None = None) -> Corpus:
    """Store the final texts as the sentences of a corpus, once; return the corpus.

    Each has the public id of its source as its external id, the first one where several sources
    have the same translation, and `Item.sentence2` links to it. Afterwards no answer can be given
    or taken back. Raises NotReady with everything that is missing; people by `name_of`.
    """
    plan = plans.lock(project)
    if plan.corpus is not None:
        return plan.corpus
    study = figures.read(project)
    if reasons := readiness.obstacles(figures.of_study(study), name_of or _user_name):
        raise NotReady(reasons)
    plan.corpus = _corpus(project, plan, study, by=by)
    texts = _items_by_text(study)
    _link(texts, _store_texts(plan.corpus, study, texts))
    plan.delivered_at = timezone.now()
    plan.save(update_fields=["corpus", "delivered_at"])
    project.corpora.add(plan.corpus)
    audit.record(
        Act.TRANSLATIONS_DELIVERED, by=by, on=project, corpus=plan.corpus.name, sentences=len(texts)
    )
    return plan.corpus


def _corpus(project: Project, plan: TranslationPlan, study: Study, *, by: User | None) -> Corpus:
    """Create the corpus, under the licence of the sources, by a name that no other has."""
    source = Sentence.objects.select_related("corpus").get(pk=study.results[0].sentence)
    corpus = Corpus(
        name=free_name(Corpus, f"{project.name.replace('/', '-')} ({plan.language})"),
        language=plan.language,
        licence=source.corpus.licence,
        description=f"Translations of {project}",
        owner=by,
    )
    corpus.full_clean()
    corpus.save()
    return corpus


def _items_by_text(study: Study) -> Texts:
    """Return the items of each final text, in order."""
    items_by_text: dict[str, list[int]] = {}
    for result in study.results:
        if result.standing:
            items_by_text.setdefault(result.standing.final_text, []).append(result.item)
    return items_by_text


def _store_texts(corpus: Corpus, study: Study, texts: Texts) -> Mapping[str, int]:
    """Store each text, and return its key."""
    source_by_item = {result.item: result.sentence for result in study.results}
    sources = Sentence.objects.filter(bulk.among("id", source_by_item.values()))
    ids = dict(sources.values_list("pk", "public_id"))
    keys = dict(zip(texts, bulk.keys(Sentence, len(texts)), strict=True))
    rows = [
        (keys[text], text, digest_of(text), str(ids[source_by_item[items[0]]]))
        for text, items in texts.items()
    ]
    columns = ("id", "text", "digest", "external_id")
    bulk.insert(Sentence, rows, fields=columns, corpus_id=corpus.pk)
    return keys


def _link(texts: Texts, keys: Mapping[str, int]) -> None:
    items = [
        Item(pk=item, sentence2_id=keys[text])
        for text, keys_of_items in texts.items()
        for item in keys_of_items
    ]
    Item.objects.bulk_update(items, ["sentence2"], batch_size=AT_ONCE)


def _user_name(user: int) -> str:
    return User.objects.get(pk=user).get_username()
