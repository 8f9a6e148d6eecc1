"""Expert labels for pairs on which too few people agree, recorded alongside the votes."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Adjudication, Consensus, Judgment, SentencePair


@transaction.atomic
def decide(pair: SentencePair, *, by: User, label: int | None, note: str = "") -> Adjudication:
    """Record an expert decision on a pair: 1 paraphrase, 0 not, None unclear.

    The latest decision is in force; earlier ones stay on record. It changes no consensus and no
    figure about annotators. Raises Refused for a pair that is kept or not decided, for an invalid
    label, and for a note that is too long.
    """
    longest = Adjudication._meta.get_field("note").max_length or 0
    if label not in (None, 0, 1):
        raise Refused(_("Choose one of the answers."))
    if len(note) > longest:
        raise Refused(_("The note is longer than %(most)d characters.") % {"most": longest})
    # Deciding and reopening a pair take these locks too.
    list(Judgment.objects.filter(item=pair).order_by("number").select_for_update(of=("self",)))
    if not Consensus.objects.filter(pair=pair, kept=False).exists():
        raise Refused(_("Only a decided pair on which too few people agree is adjudicated."))
    audit.record(Act.ADJUDICATED, by=by, on=pair, label=label)
    return Adjudication.objects.create(pair=pair, by=by, label=label, note=note.strip())
