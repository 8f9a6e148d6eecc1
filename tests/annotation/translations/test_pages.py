"""The pages of a translation study, as managers and researchers see them."""

import re

import pytest

from annotation.models import Role, TranslatedPair
from annotation.people.selectors import names
from annotation.projects.views.files import TABLES
from annotation.translations.services import validation
from tests.annotation import make
from tests.annotation.pages import client_of, page, rows_of
from tests.annotation.translating import (
    deliver_all,
    pairs,
    people,
    study,
    translate_all,
    translate_next,
    turn,
    validate_next,
)

pytestmark = pytest.mark.django_db
# Of studies that judge pairs.
JUDGING = ("Judge", "judge", "Gold pair", "gold pair", "kappa", "Kappa", "candidate", "Candidate")
JUDGING += ("consensus", "Consensus", "correct", "paraphrase")
EVERY_PAGE = [
    "overview",
    "translations",
    "source_pairs",
    "untranslatable",
    "people",
    "leases",
    "skips",
    "comments",
    "releases",
]
HIDDEN = ["data", "pairs", "agreement", "models", "qualification_set", "gold_pairs"]
HIDDEN += ["quality_settings", "protocol_settings"]
OF_MANAGERS = ["invitations", "recruiting", "project_settings", "project_actions", "history"]
OF_MANAGERS += ["work_settings", "joining_settings", "change_plan"]


def text(client, name, project, *args):
    reply = client.get(page(name, project, *args))
    assert reply.status_code == 200, name
    return reply.content.decode()


@pytest.mark.parametrize("role", ["manager", "researcher"])
@pytest.mark.parametrize("state", ["new", "under way", "delivered"])
def test_no_page_of_the_study_speaks_of_judging(role, state):
    project = study(pairs(2), people=3, validated_share=1.0)
    if state != "new":
        translate_next(people(project)[0])
        validate_next(people(project)[1], "fix", "Ganz anders.")
        turn(people(project)[2])
    if state == "delivered":
        deliver_all(project)
    client = client_of(project, role)
    pages = [*EVERY_PAGE, *(OF_MANAGERS if role == "manager" else ())]
    spoken = {name: judging(text(client, name, project)) for name in pages}
    assert not {name: found for name, found in spoken.items() if found}
    for name in ("translate", "validate"):
        text(client, "answers", project, name)
    for person in people(project)[:3]:
        shown = text(client, "person", project, person.user.public_id)
        assert not judging(shown)


def judging(html):
    """The words of judging that a page shows."""
    main = html[html.index("<main") :]
    without_choices = re.sub(r"<select.*?</select>", "", main, flags=re.DOTALL)
    shown = re.sub(r"<[^>]*>", " ", without_choices)
    return {word for word in JUDGING if word in shown}


def test_pages_about_pairs_to_judge_are_hidden_and_not_found():
    project = study(pairs(1))
    client = client_of(project, "manager")
    links = text(client, "overview", project) + text(client, "people", project)
    for name in HIDDEN:
        assert client.get(page(name, project)).status_code == 404, name
        assert f'href="{page(name, project)}"' not in links
    judging = make.study()
    assert client_of(judging, "manager").get(page("translations", judging)).status_code == 404


def test_a_table_is_found_where_its_page_is():
    of_either = {"annotators", "glossary", "leases", "skips"}
    of_translating = {"translations", "translators", "validators"}
    of_translating |= {"answers-translate", "answers-validate"}
    of_judging = {*TABLES} - of_either - of_translating
    for project, tables in ((study(pairs(1)), of_translating), (make.study(), of_judging)):
        client = client_of(project)
        statuses = {name: client.get(page("table", project, name)).status_code for name in TABLES}
        assert {name for name in TABLES if statuses[name] == 200} == tables | of_either


def test_the_table_of_translators_has_rates_marks_and_buttons():
    project = study(pairs(2), people=3, validated_share=0.0, least_validated=1)
    first, second, _third = people(project)
    translate_next(first, "Eins zwei drei vier.")
    client = client_of(project, "manager")
    assert "too few validated" in text(client, "translations", project)
    posted = client.post(page("widen", project, first.user.public_id))
    assert posted.status_code == 302
    validate_next(second, "fix", "Eins zwei drei acht.")
    translate_next(first)
    shown = text(client, "translations", project)
    assert "20.0" in shown
    assert "too many errors" in shown
    assert "all are validated" in shown
    assert page("widen", project, first.user.public_id) not in shown
    [row] = rows_of(client.get(page("table", project, "translators")))
    assert (row["translator"], row["word_error_rate"], row["below"]) == (
        first.user.username,
        "0.2",
        "no",
    )


def test_a_paper_gets_the_tables_without_translators():
    project = study(pairs(2), people=3, validated_share=1.0)
    first, second, _third = people(project)
    translate_next(first)
    validate_next(second)
    client = client_of(project, Role.RESEARCHER)
    address = page("report_latex", project)
    assert f'href="{address}"' in text(client, "translations", project)
    tables = client.get(address).content.decode()
    assert "\\caption{Word error rates}" in tables
    assert first.user.username not in tables


def test_researchers_read_pseudonyms_and_change_nothing():
    project = study(pairs(2), people=3, validated_share=1.0)
    first, second, _third = people(project)
    translate_next(first)
    validate_next(second)
    client = client_of(project, Role.RESEARCHER)
    shown = text(client, "translations", project)
    assert first.user.username not in shown
    assert names.pseudonym(project, first.user_id) in shown
    rows = rows_of(client.get(page("table", project, "translations")))
    [row] = [each for each in rows if each["translation"]]
    assert row["translator"] == names.pseudonym(project, first.user_id)
    assert (row["validated"], row["words"], row["final"]) == ("accept", "6", row["translation"])
    for name in ("top_up", "deliver", "change_plan"):
        assert client.post(page(name, project)).status_code == 404


def test_a_manager_sees_why_sentences_are_untranslatable_and_which_pairs_are_equal():
    project = study(pairs(2), people=3)
    first, second, _third = people(project)
    given_up = translate_next(first, action="other", note="Who are they?").item
    while translate_next(second, action="incomplete").item != given_up:
        pass
    translate_all(project, text="Gleich.")
    client = client_of(project, "manager")
    shown = text(client, "untranslatable", project)
    assert "Who are they?" in shown
    assert "incomplete" in shown
    equal = text(client, "collapsed", project)
    count = TranslatedPair.objects.filter(project=project).count()
    assert f"{count - 1} pair" in equal


def test_delivery_is_confirmed_and_says_what_is_missing():
    project = study(pairs(1), people=3, validated_share=0.0, least_validated=1)
    client = client_of(project, "manager")
    translate_all(project)
    refused = client.post(page("deliver", project))
    assert (refused.status_code, "too few" in refused.content.decode()) == (422, False)
    validation.top_up(project)
    for member in people(project)[:3]:
        while turn(member, "validate").shown:
            validate_next(member)
    assert "Everything is translated" in text(client, "translations", project)
    assert "This cannot be undone" in text(client, "deliver", project)
    assert client.post(page("deliver", project)).status_code == 302
    assert "Delivered on" in text(client, "translations", project)
    assert client.get(page("deliver", project)).status_code == 302


def test_the_plan_is_changed_on_the_page_of_the_settings():
    project = study(pairs(1), people=3)
    client = client_of(project, "manager")
    shown = text(client, "change_plan", project)
    assert "Translations to validate, in percent" in shown
    sent = {
        "plan-validated_share": "50",
        "plan-least_validated": "3",
        "plan-most_error": "4",
        "plan-keeps_partners_apart": "on",
    }
    assert client.post(page("change_plan", project), sent).status_code == 302
    plan = project.translation_plan
    plan.refresh_from_db()
    assert (plan.validated_share, plan.least_validated, plan.most_error) == (0.5, 3, 0.04)
    refused = client.post(page("change_plan", project), sent | {"plan-most_error": "101"})
    assert refused.status_code == 422
    translate_next(people(project)[0])
    assert "share is locked" in text(client, "change_plan", project)
    client.post(page("change_plan", project), sent | {"plan-most_error": "5"})
    plan.refresh_from_db()
    assert (plan.validated_share, plan.most_error) == (0.5, 0.05)


def test_source_pairs_are_listed_with_their_differences():
    project = study(pairs(2), people=3)
    shown = text(client_of(project, "researcher"), "source_pairs", project)
    assert "2 pairs of the release" in shown
    assert shown.count('<a class="texts"') + shown.count('<span class="texts"') == 2
