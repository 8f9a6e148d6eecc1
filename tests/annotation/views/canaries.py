"""A study in which all that annotators must not know bears words that are found again."""

from annotation.models import Guest, GuestJudgment, Intervention, Membership, SentencePair, Skip
from annotation.services import judgments
from generation.models import Candidate, GenerationRun, Sentence
from tests.annotation import cast

SOURCE, REWRITE = "Canarysource sees the mill.", "The mill sees somebody."
NAMES = {"first_name": "Canaryname", "last_name": "Canaryfamily", "email": "canary@example.org"}
METHODS = [("word", "swap"), ("back", "translation")]


def manager_and_secrets(project):
    """Somebody else of the project, with every column filled that tells something about it; and
    the words that are secret, which are longer than an id holds by chance."""
    other = cast.person(project, role=Membership.Role.MANAGER)
    type(other.user).objects.filter(pk=other.user_id).update(username="canaryuser", **NAMES)
    [candidate] = cast.candidates(project, [(SOURCE, REWRITE)])
    cast.pairs(project, 3)
    alternatives = [{"text": "canaryalternative", "score": -1}]
    scores = {"score": -77.125, "source_score": -88.25}
    Candidate.objects.update(kind="canarykind", alternatives=alternatives, **scores)
    models = {"model": "canarymodel"}
    GenerationRun.objects.update(model_identities=models, settings={"canarysetting": 1})
    held = judgments.claim(other)
    judgments.submit(other, pair_public_id=held.pair.public_id, label=1, seconds=9876543210.25)
    pair = SentencePair.objects.first()
    skipped = {"annotator": other.user, "reason": "other", "note": "canarynote"}
    Skip.objects.create(project=project, pair=pair, **skipped)
    warned = {"kind": "warn", "reason": "canaryreason", "evidence": {"canaryevidence": 1}}
    Intervention.objects.create(membership=other, **warned)
    guest = Guest.objects.create(project=project, name="canaryguest", note="canaryasked")
    GuestJudgment.objects.create(guest=guest, pair=pair, label=1, score=0.66125)
    ids = [candidate.public_id, other.user.public_id]
    return other, [
        *("canary", "-77.125", "-88.25", "0.66125", "9876543210", "9,876,543"),
        *(f"{one}{joint}{two}" for one, two in METHODS for joint in "_ -"),
        *map(str, [*ids, *Sentence.objects.values_list("public_id", flat=True)]),
    ]


def found_in(reply, secrets, *, but=""):
    """Secrets in the body, headers and cookies of a reply, leaving out the text `but`."""
    body = b"".join(reply).decode(errors="replace")
    whole = f"{body}\n{reply.headers}\n{reply.cookies}".lower().replace(but.lower(), "")
    return [secret for secret in secrets if secret.lower() in whole]
