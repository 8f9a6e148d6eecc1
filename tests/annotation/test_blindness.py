"""What annotators must not know is in no reply; tests/thorough/blindness/ asks every address."""

import re

import pytest
from django.db import transaction

from annotation import models
from generation.models import Candidate, GenerationRun, Sentence
from tests.annotation import make
from tests.annotation.pages import HTMX, client_of, page, signed_in

SOURCE, REWRITE = "Canarysource sees the mill.", "The mill sees somebody."
NAMES = {"first_name": "Canaryname", "last_name": "Canaryfamily", "email": "canary@example.org"}
METHODS = [("word", "swap"), ("back", "translation")]
ANYWHERE = ("notices", "guidelines", "welcome", "me")
TOKEN = r'name="csrfmiddlewaretoken" value="\w+"'


def manager_and_secrets(project):
    """Another member of the project, with every column filled that tells something about it; and
    the words that are secret, which are longer than an id holds by chance."""
    project.reasons = "optional"
    project.save()
    other = make.person(project, role=models.Membership.Role.MANAGER, kinds=project.kinds)
    type(other.user).objects.filter(pk=other.user_id).update(username="canaryuser", **NAMES)
    [candidate] = make.candidates(project, [(SOURCE, REWRITE)])
    make.pairs(project, 3)
    alternatives = [{"text": "canaryalternative", "score": -1}]
    scores = {"score": -77.125, "source_score": -88.25, "probability": 0.61375}
    Candidate.objects.update(kind="canarykind", alternatives=alternatives, **scores)
    settings = {"canarysetting": 1}
    GenerationRun.objects.update(model_identities={"model": "canarymodel"}, settings=settings)
    Sentence.objects.update(entity="canaryentity", group="canarygroup")
    held = make.claim(other)
    reason = {"reason": "canarywhy", "words": [(1, 0, 4)]}
    make.submit(other, item=held.item.public_id, label=1, seconds=9876543210.25, **reason)
    assert models.Judgment.objects.get(text="canarywhy").words
    pair = models.SentencePair.objects.first()
    skipped = {"annotator": other.user, "reason": "other", "note": "canarynote"}
    models.Skip.objects.create(project=project, item=pair, **skipped)
    warned = {"kind": "warn", "reason": "canaryreason", "evidence": {"canaryevidence": 1}}
    models.Intervention.objects.create(membership=other, **warned)
    model = models.JudgingModel.objects.create(
        project=project, name="canarymodelname", note="canaryasked"
    )
    models.ModelJudgment.objects.create(model=model, pair=pair, label=1, score=0.66125)
    ids = [candidate.public_id, other.user.public_id]
    return other, [
        *("canary", "-77.125", "-88.25", "0.61375", "0.66125", "9876543210", "9,876,543"),
        *(f"{one}{joint}{two}" for one, two in METHODS for joint in "_ -"),
        *map(str, [*ids, *Sentence.objects.values_list("public_id", flat=True)]),
    ]


def found_in(reply, secrets, *, but=""):
    """Secrets in the body, headers and cookies of a reply, leaving out the text `but`."""
    body = b"".join(reply).decode(errors="replace")
    whole = f"{body}\n{reply.headers}\n{reply.cookies}".lower().replace(but.lower(), "")
    return [secret for secret in secrets if secret.lower() in whole]


@pytest.mark.parametrize("kind", ["correct", "judge"])
def test_no_page_of_work_tells_an_annotator_what_they_must_not_know(project, kind):
    _, secrets = manager_and_secrets(project)
    client, address = client_of(project, "annotator", kinds=[kind]), page("work", project, kind)
    shown = [page(name, project, kind) for name in ("work", "skip", "recent")]
    shown += [page(name, project) for name in ANYWHERE]
    replies = [client.get(each, headers=part) for each in (*shown, "/") for part in ({}, HTMX)]
    item = client.get(address).context["item"].id
    for sent in ({"label": 7, "action": "fix", "text": ""}, {"label": 1, "action": "accept"}):
        reply = client.post(address, {"item": item, **sent}, headers=HTMX)
        replies.append(reply)
    following = reply.context["item"]
    undo, change = page("undo", project, kind), {"label": 0, "action": "reject", "change": 1}
    replies.append(client.post(undo, {"answer": item}, headers=HTMX))
    assert replies[-1].context["item"].id == item
    replies.append(client.post(address, {"item": item, **change}, headers=HTMX))
    sent = {"item": following.id if following else ""}
    replies.append(client.post(undo, sent, headers=HTMX))
    assert replies[-1].context["item"].id == item
    for reply in replies:
        assert found_in(reply, secrets) == [], reply.request


def test_a_corrector_sees_the_rewrite_and_a_judge_both_sentences(project):
    make.candidates(project, [(SOURCE, REWRITE)])
    corrector = make.person(project)
    correcting = signed_in(corrector.user).get(page("work", project, "correct"))
    assert REWRITE in correcting.text
    assert SOURCE not in correcting.text
    make.correct_next(corrector, "fix", "The mill sees canaryfix.")
    reply = client_of(project, "annotator").get(page("work", project, "judge"))
    assert SOURCE in reply.text
    assert "The mill sees canaryfix." in reply.text
    for secret in (REWRITE, corrector.user.username, "word_swap"):
        assert secret not in reply.text
    assert make.claim(corrector) is None


def test_only_their_order_tells_the_two_sentences_apart(client, project, judge_page):
    def shown(*, flipped):
        models.SentencePair.objects.update(flipped=flipped)
        return re.sub(TOKEN, "", client.get(judge_page).text)

    make.pairs(project, 1)
    one, other = shown(flipped=False), shown(flipped=True)
    pair = models.SentencePair.objects.get()
    first, second = pair.sentence1.text, pair.sentence2.text
    assert one != other
    assert other == one.replace(first, "\0").replace(second, first).replace("\0", second)


def everything(reply):
    """A reply without the time of day, a token that is new each time, and the request's name."""
    headers = set(reply.headers.items())
    varying = {"Expires", "Set-Cookie", "X-Request-ID"}
    body = re.sub(rf"{TOKEN}|<time.*?</time>", "", reply.text)
    return reply.status_code, body, {each for each in headers if each[0] not in varying}


def test_what_others_answered_and_what_is_known_change_nothing_in_a_reply(
    client, project, judge_page
):
    make.pairs(project, 2)
    recent, own = page("recent", project, "judge"), page("me", project)
    item = client.get(judge_page).context["item"].id
    replies = []
    for others, known in ((0, None), (4, None), (0, 1)):
        with transaction.atomic():
            for label in [1, 0, 1, 1][:others]:
                make.judge_next(make.person(project), label)
            project.pairs.filter(public_id=item).update(gold_label=known)
            pages = [client.get(judge_page, headers=HTMX)]
            pages += [client.post(judge_page, {"item": item, "label": 1}, headers=HTMX)]
            pages += [client.get(recent, headers=HTMX), client.get(own), client.get("/")]
            assert models.Judgment.objects.exclude(submitted_at=None).count() == others + 1
            transaction.set_rollback(True)
        replies.append([everything(each) for each in pages])
    assert "Saved" in replies[0][1][1]
    assert replies[1] == replies[2] == replies[0]
