"""The pages of a project in which people only compare texts with their sources."""

import re

import pytest

from annotation.errors import Refused
from annotation.models import Item, Membership, Project, Role
from annotation.projects import additions
from annotation.translations.services import studies
from annotation.work import answers
from generation.models import Corpus, Sentence
from generation.services.sentences import digest_of
from tests.annotation import make
from tests.annotation.pages import page, signed_in
from tests.annotation.translating import turn, validate_next

pytestmark = pytest.mark.django_db
TEXTS = [("Ada met Bo.", "Bo was met by Ada."), ("It rained.", "Rain fell.")]


@pytest.fixture
def project():
    corpus = Corpus.objects.create(name="Texts", language="en")
    made = make.study(kinds=studies.ONLY_VALIDATES)

    def stored(text):
        return Sentence.objects.create(corpus=corpus, text=text, digest=digest_of(text))

    studies.open_texts(made, [(stored(one), stored(other)) for one, other in TEXTS])
    return Project.objects.get(pk=made.pk)


def text(member, name, project, *args):
    reply = signed_in(member.user).get(page(name, project, *args))
    assert reply.status_code == 200, name
    return reply.content.decode()


def test_both_sentences_are_shown_and_nothing_speaks_of_translating(project):
    shown = text(make.person(project), "work", project, "validate")
    for words in (*TEXTS[0], "Does the second sentence say exactly the same?"):
        assert words in shown
    for words in ("ranslation", "Term list"):
        assert words not in shown


def test_managers_see_how_far_it_is_and_only_pages_that_it_has(project):
    manager = make.person(project, role=Role.MANAGER)
    assert "no one can validate" in text(manager, "overview", project)
    person = make.person(project)
    validate_next(person, "fix", "Ada has met Bo.")
    overview = " ".join(text(manager, "overview", project).split())
    assert "Compare sentences" in overview
    for state in ("waiting", "fixed"):
        assert f'?state={state}">{state}</a></th><td class="number">1</td>' in overview
    assert "Ada has met Bo." in re.sub("<[^>]+>", "", text(manager, "answers", project, "validate"))
    assert "<b>3</b> source words" in text(person, "me", project)
    for name in ("releases", "generation_runs", "translations", "pairs"):
        assert signed_in(manager.user).get(page(name, project)).status_code == 404


def test_the_work_is_not_called_translating(project):
    person, manager = make.person(project), make.person(project, role=Role.MANAGER)
    home = signed_in(person.user).get("/").text
    for shown in (home, text(person, "me", project)):
        assert "Compare sentences" in shown
        assert "Validate translations" not in shown
    answers = text(manager, "answers", project, "validate")
    assert "<h1>Comparisons</h1>" in answers
    assert "Validations" not in answers


def test_a_rejection_asks_nobody_and_can_be_undone(project):
    person = make.person(project)
    slot = validate_next(person, "reject")
    assert Item.objects.filter(project=project).count() == len(TEXTS)
    undone = answers.undo(Membership.objects.get(pk=person.pk).duty("validate"))
    assert undone is not None
    assert undone.pk == slot.pk
    slot.refresh_from_db()
    assert slot.action == ""
    assert turn(person, "validate").shown.sentences == TEXTS[0][:1]


@pytest.mark.parametrize("check", [additions.check, additions.check_runs])
def test_what_no_one_would_judge_is_refused(project, check):
    with pytest.raises(Refused, match="No one judges pairs"):
        check(project)
