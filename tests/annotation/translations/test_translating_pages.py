"""What helps translators while they write: warnings, terms, and their earlier translations."""

import pytest
from django.core.cache import cache
from django.utils import timezone

from annotation.models import Slot, Term
from annotation.translations.selectors import for_translators
from tests.annotation import translating
from tests.annotation.pages import HTMX, page, signed_in, statements
from tests.annotation.translating import people, study, translate_next, turn

pytestmark = pytest.mark.django_db
TEXTS = [("On 12 May the old mill (in Rome) burned.", "It rained."), ("It snows.", "Snow falls.")]
MILL = TEXTS[0][0]


def term(project, source, target, *, approved=True, note=""):
    at = timezone.now() if approved else None
    return Term.objects.create(
        project=project, source=source, target=target, note=note, approved_at=at
    )


def warned(member, text, kind="translate"):
    """The reply about a text for the item that the person has in progress."""
    shown = turn(member, kind).shown
    sent = {"item": shown.id, "text": text}
    return signed_in(member.user).post(page("checks", member.project, kind), sent)


def member_with(project, text):
    """A person who has this sentence in progress."""
    for member in people(project):
        while (shown := turn(member).shown) and shown.sentences[0] != text:
            translate_next(member)
        if shown:
            return member
    raise AssertionError("nobody got the sentence")


def test_a_writer_is_warned_in_words_about_what_is_missing_or_used_twice():
    project = study(TEXTS, people=4)
    term(project, "old mill", "alte Mühle")
    term(project, "Rome", "Rom", approved=False)
    member = member_with(project, MILL)
    other = Slot.objects.filter(project=project, action="translate").first()
    said = warned(member, "Sie brannte").text
    for part in (
        "missing: 12",
        "bracket of the source is missing",
        "not used: alte Mühle",
        "ends with “.”",
    ):
        assert part in said, part
    assert warned(member, "Am 12. Mai brannte die alte Mühle (in Rom).").text.strip() == ""
    assert "is no translation" in warned(member, "N/A").text
    assert "may only say that there is no translation" in warned(member, "(Keine)").text
    assert "has 2,001 characters, and at most 2,000 are" in warned(member, "x" * 2001).text
    assert "same as the source" in warned(member, MILL).text
    assert other is None or "exactly the same" in warned(member, other.text).text


def test_nobody_else_gets_warnings_and_asking_for_them_keeps_the_item():
    project = study(TEXTS, people=2)
    first, second = people(project)
    sent = {"item": turn(first).shown.id, "text": "Es"}
    address = page("checks", project, "translate")
    held = Slot.objects.get(annotator=first.user, submitted_at=None)
    Slot.objects.filter(pk=held.pk).update(lease_until=timezone.now())
    assert signed_in(first.user).post(address, sent).status_code == 200
    held.refresh_from_db()
    assert held.lease_until > timezone.now()
    refused = signed_in(second.user).post(address, sent)
    assert (refused.status_code, "no longer assigned" in refused.content.decode()) == (409, True)
    assert signed_in(first.user).post(address, sent | {"item": "x"}).status_code == 404


def test_unusual_lengths_are_learned_from_the_projects_own_translations(monkeypatch):
    monkeypatch.setattr("annotation.translations.stats.checks.FEWEST_RATIOS", 2)
    project = study(TEXTS, people=4)
    cache.clear()
    for member in people(project)[:2]:
        translate_next(member)
    assert for_translators.band(project).low > 1
    member = next(each for each in people(project) if turn(each).shown)
    assert "Unusually short" in warned(member, "Es.").text


@pytest.mark.both_engines
def test_the_terms_of_a_sentence_are_shown_with_it_in_any_case_and_language():
    project = study([("The Old Mill burned.", "It rained.")], people=2, source_language="en")
    term(project, "old mill", "alte Mühle", note="the one in town")
    term(project, "mill", "Mühle")
    term(project, "rain", "Regen")
    term(project, "burned", "brannte", approved=False)
    member = member_with(project, "The Old Mill burned.")
    shown = signed_in(member.user).get(page("work", project, "translate"))
    assert [each.target for each in shown.context["terms"]] == ["alte Mühle"]
    assert "the one in town" in shown.text


def test_the_size_of_the_glossary_and_of_the_project_adds_no_statement():
    project = study(TEXTS, people=2)
    [member, _other] = people(project)
    client = signed_in(member.user)
    turn(member)
    before = statements(client, page("work", project, "translate"))
    for number in range(30):
        term(project, f"mill {number}", "Mühle")
    assert statements(client, page("work", project, "translate")) == before


@pytest.mark.parametrize("language", ["ar", "he", "fa", "ur"])
def test_the_field_is_in_the_language_and_direction_of_the_translation(language):
    project = study(TEXTS, people=1, language=language)
    [member] = people(project)
    shown = signed_in(member.user).get(page("work", project, "translate")).text
    field = shown[shown.index("<textarea") :].partition(">")[0]
    assert f'lang="{language}" dir="rtl"' in field
    assert '<div class="sheet" lang="en" dir="ltr"' in shown


def test_a_search_finds_ones_own_translations_by_source_and_text():
    project = study(TEXTS, people=2)
    first, second = people(project)
    mine = translate_next(first, "Blitz und Donner.")
    others = translate_next(second, "Hagel und Donner.")
    address, client = page("earlier", project), signed_in(first.user)
    for words in ("blitz", "donner", mine.item.sentence1.text[:5], ""):
        found = client.get(address, {"words": words}, headers=HTMX).text
        assert mine.text in found, words
        assert others.text not in found, words
    assert "None of your translations" in client.get(address, {"words": "hagel"}).text


def test_a_sentence_is_given_up_with_a_reason_and_the_answer_is_shown_after_undo():
    project = study(TEXTS, people=1)
    [member] = people(project)
    client, address = signed_in(member.user), page("work", project, "translate")
    item = client.get(address).context["item"].id
    sent = {"item": item, "action": "other", "note": ""}
    assert client.post(address, sent, headers=HTMX).status_code == 422
    reply = client.post(address, sent | {"note": "Who met whom?"}, headers=HTMX)
    assert "Saved: another reason" in reply.text
    recent = client.get(page("recent", project, "translate")).text
    assert '<p class="fixed" dir="auto">Who met whom?</p>' in recent
    undo = {"item": reply.context["item"].id}
    undone = client.post(page("undo", project, "translate"), undo, headers=HTMX).text
    assert "Your last answer:" in undone
    assert "Who met whom?" in undone


def test_what_others_translated_and_validated_is_listed_for_managers_in_its_language():
    project = study(TEXTS, people=2, validated_share=1.0, language="ar")
    first, second = people(project)
    made = translate_next(first, "قطة.")
    translating.validate_next(second, "fix", "كلب.")
    manager = translating.make.person(project, role="manager")
    client = signed_in(manager.user)
    source = f'<span lang="en" dir="auto">{made.item.sentence1.text}'
    for kind in ("translate", "validate"):
        listed = client.get(page("answers", project, kind)).text
        assert source in listed, kind
        assert '<span lang="ar" dir="auto">' in listed, kind
        assert "View pair" not in listed, kind
        assert 'name="method"' not in listed, kind
    assert "<mark>كلب</mark>" in listed
