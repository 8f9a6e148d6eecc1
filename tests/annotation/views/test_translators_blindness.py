"""What translators and validators must not know is in no reply of any address."""

import pytest
from django.urls import NoReverseMatch, reverse

from annotation.models import Slot, TranslatedPair
from annotation.work.translate import Translate, source_of
from tests.annotation import make, translating
from tests.annotation.api.routes import NOWHERE, routes
from tests.annotation.views.pages import HTMX, client_of, page, signed_in
from tests.annotation.views.test_blindness import found_in
from tests.annotation.views.test_page_matrix import PAGES, address_of
from tests.browser.complete_study import CompleteStudy, complete_study

pytestmark = pytest.mark.django_db
PAIRS = [
    ("Ada met Canaryone in Rome.", "Canarytwo met Ada in Rome."),
    ("Canaryfour rests.", "Canaryfive sleeps."),
]
SENTENCES = [text for pair in PAIRS for text in pair]
WRITTEN, NOTE = "Canarythree traf Ada.", "canarynote: who met whom?"


@pytest.fixture
def study():
    """A study of two pairs: one person has translated a sentence, another gave one up."""
    complete = complete_study()
    project = translating.study(PAIRS, people=2, validated_share=1.0)
    complete.arguments["project_id"] = project.public_id
    complete = CompleteStudy(project, complete.people, complete.arguments)
    first, second = translating.people(project)
    for member in (first, second):
        type(member.user).objects.filter(pk=member.user_id).update(last_name="Canaryname")
    translating.translate_next(first, WRITTEN)
    translating.translate_next(second, action="other", note=NOTE)
    return complete


def secrets_of(project, *known):
    """What a person who knows only these texts of the study must not be told."""
    texts = [*SENTENCES, WRITTEN, NOTE, "Canaryname", "word_swap", "word swap"]
    ids = TranslatedPair.objects.filter(project=project).values_list("public_id", flat=True)
    return [text for text in [*texts, *map(str, ids)] if text not in known]


def addresses(study):
    """Every address of the pages and of REST that is about the study or about no study."""
    kinds = [f"{name} {kind}" for name in KINDS_OF_PAGES for kind in ("translate", "validate")]
    yield from (address_of(study, name) for name in [*PAGES, *kinds] if name not in OF_SECRETS)
    for name in routes().keys() - ABOUT_NO_STUDY:
        for arguments in ({}, {"public_id": study.project.public_id}):
            try:
                yield reverse(name, kwargs=arguments)
            except NoReverseMatch:
                continue


KINDS_OF_PAGES = ("work", "skip", "undo", "recent", "note", "answers", "checks")
ABOUT_NO_STUDY = {"api_schema", "api_docs", NOWHERE}
OF_SECRETS = {"release_step", "import_step"}  # their tests name further arguments


def replies(study, client):
    for address in addresses(study):
        yield client.get(address)
        yield client.get(address, headers=HTMX)
    yield from posted(study, client)


def posted(study, client):
    """The replies to what a person sends who has an item in progress, of either kind."""
    for kind, sent in (
        ("translate", {"action": "translate", "text": "Etwas anderes."}),
        ("validate", {"action": "fix", "text": "Etwas anderes."}),
    ):
        address = page("work", study.project, kind)
        reply = client.get(address)
        if reply.status_code == 404 or not (shown := reply.context["item"]):
            continue
        item = {"item": shown.id}
        yield client.post(page("checks", study.project, kind), item | {"text": WRITTEN})
        for answer in ({"action": "dance"}, sent):
            yield client.post(address, item | answer, headers=HTMX)
        after = reply.context["item"]
        yield client.post(page("undo", study.project, kind), {"item": ""}, headers=HTMX)
        yield client.get(page("recent", study.project, kind), headers=HTMX)
        assert after


def leaks(study, client, secrets):
    found = {}
    for reply in replies(study, client):
        if told := found_in(reply, secrets):
            found[str(reply.request["PATH_INFO"])] = told
    return found


def test_a_translator_is_told_their_own_sentences_alone(study, monkeypatch):
    first, _second = translating.people(study.project)
    first.duties.filter(kind="validate").update(allowed=False)
    assert translating.turn(first).shown is not None
    own = Slot.objects.filter(annotator=first.user, project=study.project)
    sources = [source_of(slot.item) for slot in own]
    assert len(sources) == 2  # one of each pair
    secrets = secrets_of(study.project, *sources, WRITTEN)
    assert leaks(study, signed_in(first.user), secrets) == {}
    monkeypatch.setattr(Translate, "sentences", lambda self, item: (SENTENCES[0], SENTENCES[1]))
    assert page("recent", study.project, "translate") in leaks(
        study, signed_in(first.user), secrets
    )


def test_a_validator_is_told_the_sentence_and_its_translation_alone(study):
    validator = make.person(study.project, kinds=["validate"])
    translated = Slot.objects.get(project=study.project, text=WRITTEN)
    secrets = secrets_of(study.project, source_of(translated.item), WRITTEN)
    client = signed_in(validator.user)
    assert WRITTEN in client.get(page("work", study.project, "validate")).text
    assert leaks(study, client, secrets) == {}


def test_a_manager_sees_all_of_it(study):
    """So that the words would be found where they are told."""
    listed = client_of(study.project).get(page("answers", study.project, "translate"))
    assert {*SENTENCES, WRITTEN, NOTE} <= {*found_in(listed, secrets_of(study.project))}
