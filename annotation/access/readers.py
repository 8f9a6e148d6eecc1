"""What a person may read whole, so not blind: rows of projects that they manage or research.

Nothing here is for annotators: of a project in which they only work, they read nothing.
"""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from annotation.models import Guest, Membership, Project, SentencePair
from generation.models import Corpus, GenerationRun

READERS = [Membership.Role.MANAGER, Membership.Role.RESEARCHER]
Reader = User | AnonymousUser


def projects(reader: Reader) -> QuerySet[Project]:
    """Projects that the person manages or researches; all for an administrator."""
    if reader.is_superuser:
        return Project.objects.all()
    return Project.objects.filter(memberships__user=reader.pk, memberships__role__in=READERS)


def pairs(reader: Reader) -> QuerySet[SentencePair]:
    """The pairs of those projects, without hidden ones whose answer is known."""
    return SentencePair.objects.filter(project__in=projects(reader), known_label=None)


def guests(reader: Reader) -> QuerySet[Guest]:
    """The models that labelled pairs of those projects."""
    return Guest.objects.filter(project__in=projects(reader))


def runs(reader: Reader) -> QuerySet[GenerationRun]:
    """The runs that those projects have adopted; all for an administrator."""
    if reader.is_superuser:
        return GenerationRun.objects.all()
    return GenerationRun.objects.filter(pk__in=projects(reader).values("runs"))


def corpora(reader: Reader) -> QuerySet[Corpus]:
    """The corpora that those runs rewrote; all for an administrator."""
    if reader.is_superuser:
        return Corpus.objects.all()
    return Corpus.objects.filter(pk__in=runs(reader).values("corpus"))
