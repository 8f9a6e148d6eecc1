"""What must not be told is not in the reply: canaries stand in every column that tells."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.models import Judgment, SentencePair
from annotation.services import judgments
from generation.models import Candidate, GenerationRun, Sentence
from tests.annotation import cast
from tests.annotation.views.conftest import HTMX

SOURCE = "Canarysource sees the mill."
REWRITE = "The mill sees somebody."
HIDDEN = ["canarykind", "canarymodel", "canaryalternative", "canarysetting", "-77.125", "-88.25"]
METHOD = ["word_swap", "word swap", "word-swap"]


@pytest.fixture
def candidate(project) -> Candidate:
    """One candidate that is telling in every column."""
    [made] = cast.candidates(project, [(SOURCE, REWRITE)])
    Candidate.objects.update(
        kind="canarykind",
        score=-77.125,
        source_score=-88.25,
        alternatives=[{"text": "canaryalternative", "score": -1}],
    )
    GenerationRun.objects.update(
        model_identities={"model": "canarymodel"}, settings={"canarysetting": 1}
    )
    return made


def everything_in(reply: HttpResponse) -> str:
    """Body, headers and cookies, in lower case."""
    return f"{reply.text}\n{reply.headers}\n{reply.cookies}".lower()


def secrets_of(candidate: Candidate) -> list[str]:
    return [*HIDDEN, *METHOD, str(candidate.public_id), str(candidate.sentence.public_id)]


def assert_tells_none(reply: HttpResponse, secrets: list[str]) -> None:
    assert [secret for secret in secrets if secret.lower() in everything_in(reply)] == []


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_a_corrector_is_shown_the_candidate_and_nothing_about_it(
    client, correct_page, candidate, headers
):
    reply = client.get(correct_page, headers=headers)
    assert REWRITE in reply.text
    assert_tells_none(reply, [SOURCE, "canarysource", *secrets_of(candidate)])


@pytest.mark.parametrize("text", ["", "A bell \x07 rings."], ids=["nothing", "control character"])
def test_a_refused_fix_tells_nothing_either(client, correct_page, candidate, text):
    item = client.get(correct_page).context["item"].id
    answer = {"item": item, "action": "fix", "text": text}
    reply = client.post(correct_page, answer, headers=HTMX)
    assert reply.status_code == 422
    assert_tells_none(reply, ["canarysource", *secrets_of(candidate)])


def test_taking_a_correction_back_tells_nothing_either(client, project, correct_page, candidate):
    item = client.get(correct_page).context["item"].id
    client.post(correct_page, {"item": item, "action": "fix", "text": "Other."}, headers=HTMX)
    undo = reverse("undo_correction", args=[project.public_id])
    reply = client.post(undo, {"item": ""}, headers=HTMX)
    assert REWRITE in reply.text
    assert_tells_none(reply, ["canarysource", *secrets_of(candidate)])


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_a_judge_is_shown_both_sentences_and_nothing_about_them(
    client, project, judge_page, candidate, headers
):
    corrector = cast.person(project)
    cast.correct_next(corrector, "fix", "The mill sees canaryfix.")
    reply = client.get(judge_page, headers=headers)
    assert SOURCE in reply.text
    assert "The mill sees canaryfix." in reply.text
    sentences = [str(each) for each in Sentence.objects.values_list("public_id", flat=True)]
    assert_tells_none(reply, [*secrets_of(candidate), *sentences, REWRITE, corrector.user.username])


def test_nothing_but_their_order_tells_the_two_sentences_apart(client, project, judge_page):
    cast.pairs(project, 1)
    unflipped, flipped = _page(client, judge_page, False), _page(client, judge_page, True)
    pair = SentencePair.objects.get()
    assert unflipped != flipped
    assert flipped == _exchanged(unflipped, pair.sentence1.text, pair.sentence2.text)


def test_the_answers_of_others_change_nothing_in_the_page(client, project, judge_page):
    cast.pairs(project, 1)
    before = _page(client, judge_page, False)
    for label in (1, 1, 0):
        cast.judge_all(cast.person(project), label)
    assert Judgment.objects.exclude(label=None).count() == 3
    assert _page(client, judge_page, False) == before


def test_a_corrector_is_not_given_the_pair_to_judge(client, alice, judge_page, candidate):
    cast.correct_next(alice)
    assert client.get(judge_page).context["item"] is None
    assert judgments.claim(cast.person(alice.project)) is not None


def _page(client: Client, address: str, flipped: bool) -> str:
    SentencePair.objects.update(flipped=flipped)
    token = r'name="csrfmiddlewaretoken" value="\w+"'
    return re.sub(token, "", client.get(address).text)


def _exchanged(page: str, first: str, second: str) -> str:
    return page.replace(first, "\0").replace(second, first).replace("\0", second)
