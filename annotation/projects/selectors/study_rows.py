"""The rows that figures count: those of the study itself, without its hidden pairs."""

from django.db.models import QuerySet

from annotation.models import Consensus, Judgment, Project, SentencePair


def pairs(project: Project) -> QuerySet[SentencePair]:
    """Pairs whose answer is to be found out."""
    return SentencePair.objects.filter(project=project, known_label=None)


def decided(project: Project) -> QuerySet[Consensus]:
    """What became of them."""
    return Consensus.objects.filter(pair__project=project, pair__known_label=None)


def slots(project: Project) -> QuerySet[Judgment]:
    """Slots of those pairs. The few hidden pairs are looked up once, not joined to each slot."""
    hidden = SentencePair.objects.filter(project=project, known_label__isnull=False)
    return Judgment.objects.filter(project=project).exclude(pair__in=hidden.values("pk"))


def counted(project: Project) -> QuerySet[Judgment]:
    """Answers that count: of the latest round of their pair, and not held out."""
    return slots(project).filter(label__isnull=False, held_out=None, superseded_by=None)


def to_judge(project: Project) -> QuerySet[Judgment]:
    """Slots that wait for an answer: open, and of a pair that is not set aside."""
    aside = SentencePair.objects.filter(project=project, set_aside_at__isnull=False)
    return slots(project).filter(label=None).exclude(pair__in=aside.values("pk"))
