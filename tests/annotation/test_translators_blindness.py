"""What translators and validators must not know is in no reply of any address.

Of a pair they must know neither its partner, nor its label and votes, nor its ids.
"""

from datetime import UTC, datetime
from unittest.mock import Mock

import pytest
from django.contrib.humanize.templatetags import humanize
from django.urls import NoReverseMatch, reverse

from annotation.models import Slot, TranslatedPair
from annotation.translations.kinds import Translate, source_of
from generation.models import Sentence
from releases.models import Example
from releases.translations.selectors import labels_of
from tests.annotation import make, translating
from tests.annotation.pages import HTMX, client_of, page, signed_in, undone
from tests.annotation.rest import NOWHERE, routes
from tests.annotation.test_blindness import everything, found_in
from tests.annotation.test_page_matrix import PAGES, address_of
from tests.studies.complete import CompleteStudy, complete_study

pytestmark = pytest.mark.django_db
PAIRS = [
    ("Ada met Canaryone in Rome.", "Canarytwo met Ada in Rome."),
    ("Canaryfour rests.", "Canaryfive sleeps."),
]
SENTENCES = [text for pair in PAIRS for text in pair]
LABEL, VOTES = 9876543210, [8765432109, 7654321098]  # no id or time holds these by chance
WRITTEN, NOTE = "Canarythree traf Ada.", "canarynote: who met whom?"


@pytest.fixture
def study():
    """A study of a release of two pairs: one person has translated a sentence, another gave one up.

    The addresses of releases are asked about the one that is translated.
    """
    complete = complete_study()
    project = translating.of_release(PAIRS, people=2, validated_share=1.0)
    release = project.translation_source.release
    assert release.examples.update(label=LABEL, votes=VOTES) == len(PAIRS)
    complete.arguments.update(
        project_id=project.public_id, public_id=release.public_id, release_id=release.public_id
    )
    complete = CompleteStudy(project, complete.people, complete.arguments)
    first, second = translating.people(project)
    for member in (first, second):
        type(member.user).objects.filter(pk=member.user_id).update(last_name="Canaryname")
    translating.translate_next(first, WRITTEN)
    translating.translate_next(second, action="other", note=NOTE)
    return complete


def secrets_of(project, *known):
    """What a person who knows only these texts of the study must not be told."""
    texts = [*SENTENCES, WRITTEN, NOTE, "Canaryname", "back_translation", "back translation"]
    numbers = [*map(str, (LABEL, *VOTES)), *(f"{number:,}" for number in (LABEL, *VOTES))]
    ids = [*TranslatedPair.objects.filter(project=project).values_list("public_id", flat=True)]
    ids += Sentence.objects.filter(text__in=SENTENCES).values_list("public_id", flat=True)
    return [text for text in [*texts, *numbers, *map(str, ids)] if text not in known]


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
    """The secrets that the replies tell, by path."""
    found = {}
    for reply in replies(study, client):
        if told := found_in(reply, secrets):
            found.setdefault(reply.request["PATH_INFO"], set()).update(told)
    return found


def known_of(item):
    """The partner of a sentence, the label of their pair, and its id."""
    pair = (item.pairs_as_first.all() | item.pairs_as_second.all()).get()
    partner = pair.item2 if pair.item1 == item else pair.item1
    return source_of(partner), str(labels_of(item.project)[pair.public_id]), str(pair.public_id)


def test_a_translator_is_told_their_own_sentences_alone(study, monkeypatch):
    first, _second = translating.people(study.project)
    first.duties.filter(kind="validate").update(allowed=False)
    assert translating.turn(first).shown is not None
    own = Slot.objects.filter(annotator=first.user, project=study.project)
    sources = [source_of(slot.item) for slot in own]
    assert len(sources) == 2  # one of each pair
    secrets = secrets_of(study.project, *sources, WRITTEN)
    assert leaks(study, signed_in(first.user), secrets) == {}
    monkeypatch.setattr(Translate, "sentences", lambda self, item: (" ".join(known_of(item)),))
    recent = page("recent", study.project, "translate")
    leaked = leaks(study, signed_in(first.user), secrets)[recent]
    # On Postgres the column of the label is too small for it, and holds another number.
    assert leaked >= {*known_of(own.get(text=WRITTEN).item)} & {*secrets}


def test_the_label_of_a_pair_changes_nothing_in_a_reply(study, monkeypatch):
    # Replies say how many seconds ago an answer was.
    monkeypatch.setattr(
        humanize, "datetime", Mock(now=lambda _zone: datetime(2100, 1, 1, tzinfo=UTC))
    )
    first, _second = translating.people(study.project)
    replies = []
    for label in (0, 1):
        with undone():
            Example.objects.update(label=label, votes=[label] * 5)
            replies.append([everything(each) for each in posted(study, signed_in(first.user))])
    assert replies[0] == replies[1] != []


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
