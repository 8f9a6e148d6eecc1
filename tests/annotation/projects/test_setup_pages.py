"""Setting a project up: its settings, its people, the qualification set and the gold pairs."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from annotation.imports.services.work import IMPORTS
from annotation.models import Import, Invitation, Membership, Project, QualificationAttempt, Role
from annotation.pairs.labelled_lines import GoldPair
from annotation.people.services import invitations
from annotation.projects.labels import GRADES
from annotation.quality.services import gold_pairs
from annotation.stats.labels import SAME_OR_DIFFERENT
from common import leases
from tests.annotation import make
from tests.annotation.pages import client_of, form_at, page, scheme_inputs, signed_in

CREATE = "/projects/new/"
FORM = {"name": "Towns"}
FORM |= {"judgments_per_pair": 3, "consensus_min_votes": 2}
FORM |= {"corrected_methods": ["word_swap", "imported"], "order": "breadth", "seed": 7}
SENT = FORM | scheme_inputs(GRADES)
OFFER = {"role": "annotator", "kinds": "judge", "most_people": "3", "days": "7", "note": "May"}
SHOWING = {"gold_pairs": "gold_pairs", "qualification": "qualification_set"}
HEADER = "sentence1\tsentence2\tlabel\texplanation\n"
TWO = HEADER + "Ada saw Bo.\tBo saw Ada.\t0\tSwap.\nIt rained a lot.\tIt rained much.\t1\t\n"


@pytest.fixture
def manager(project):
    return make.person(project, role=Role.MANAGER)


@pytest.fixture
def client(manager):
    return signed_in(manager.user)


def test_a_link_is_shown_once_counted_and_taken_back(client, project):
    invite, links = page("invite", project), page("invitations", project)
    reply = client.post(invite, OFFER, follow=True)
    [secret] = re.findall(r'value="http://testserver/join/([\w-]{43})/"', reply.text)
    made = Invitation.objects.get()
    assert (made.most_people, made.kinds) == (3, ["judge"])
    assert 6 <= (made.expires_at - timezone.now()).days <= 7
    assert Client().get(f"/join/{secret}/").url == "/join/"
    assert "no-store" in reply.headers["Cache-Control"]
    assert secret in client.get(invite).text  # reloaded, or in another language
    assert secret not in client.get(links).text + str(dict(client.session))
    assert client.get(invite).url == links
    invitations.join(str(made.public_id), make.person(make.study()).user)
    assert "1 of 3" in client.get(links).text
    client.post(page("revoke_invitation", project, made.public_id))
    assert "revoked" in client.get(links).text
    assert not invitations.is_open(str(made.public_id))


def test_a_recruiting_link_is_shown_until_the_list_is_opened(client, project):
    address, links = page("recruit_people", project), page("recruiting", project)
    sent = {"platform": "prolific", "kinds": ["judge"], "days": 7, "most_people": 3}
    reply = client.post(address, sent | {"completion_code": "C1ABCDEF"}, follow=True)
    [link] = re.findall(r'value="http://testserver(/take-part/[^"?]+)', reply.text)
    assert link in client.get(address).text
    assert link not in client.get(links).text + str(dict(client.session))
    assert (client.get(address).url, project.recruitments.count()) == (links, 1)


def test_a_members_password_link_is_shown_until_their_page_is_opened(client, project):
    person = make.person(project).user.public_id
    address, place = page("password_link", project, person), page("person_place", project, person)
    reply = client.post(address, follow=True)
    [link] = re.findall(r'value="http://testserver(/accounts/password/[^"]+)"', reply.text)
    assert link in client.get(address).text
    assert link not in client.get(place).text + str(dict(client.session))
    assert client.get(address).url == place


def test_role_and_work_are_changed_but_the_last_manager_stays(client, project, manager):
    def change(member, **sent):
        return client.post(page("person_place", project, member.user.public_id), sent)

    ada = make.person(project)
    for sent, kinds in (({}, []), ({"despite_votes": "on"}, ["judge"])):
        reply = change(ada, role="researcher", kinds=["judge"], **sent)
        assert reply.url == page("person_place", project, ada.user.public_id)
        ada.refresh_from_db()
        assert (ada.role, ada.kinds) == (Role.RESEARCHER, kinds)
        shown = client.get(page("person_place", project, ada.user.public_id)).context["form"]
        assert shown["despite_votes"].subwidgets[0].data["attrs"].get("checked", False) is bool(
            kinds
        )
    reply = change(manager, role="annotator")
    assert reply.status_code == 422
    assert "at least one manager" in reply.text
    make.person(project, role=Role.MANAGER)
    assert change(manager, role="annotator").url == "/"


@pytest.mark.parametrize("kind", ["gold_pairs", "qualification"])
def test_pasted_pairs_are_added_once_and_the_others_refused_with_reasons(
    client, project, kind, settings, tmp_path, monkeypatch
):
    settings.IMPORTS_DIR = tmp_path
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)
    assert f"?kind={kind}#upload" in client.get(page(SHOWING[kind], project)).text
    text = TWO + "Only one\nA b.\tB a.\t7\t\n"
    client.post(page("upload", project), {"kind": kind, "text": text})
    assert IMPORTS.do_next()
    row = Import.objects.get()
    assert "Tab" in client.get(page("import", project, row.public_id)).text
    columns = {f"column_{place}": name for name, place in row.columns.items()}
    client.post(page("import", project, row.public_id), row.layout | columns | {"start": "yes"})
    assert IMPORTS.do_next()
    text = client.get(page("import", project, row.public_id)).text
    for said in ("Wrong number of columns", "no label of the project"):
        assert said in text
    gold = project.pairs.values_list("gold_label", flat=True)
    asked = project.qualification_pairs.values_list("label", flat=True)
    assert sorted([*gold, *asked]) == [0, 1]


def test_a_qualification_pair_is_added_by_hand_previewed_and_removed(client, project):
    add = page("add_qualification_pair", project)
    sent = {"sentence1": "A b.", "sentence2": "B a.", "label": 0, "explanation": "Canarywhy."}
    broken = [("sentence1", ""), ("sentence2", " "), ("label", "2"), ("label", "")]
    for field, value in (*broken, ("sentence1", "a\x07b")):
        assert client.post(add, sent | {field: value}).status_code == 422, field
    client.post(add, sent)
    pair = project.qualification_pairs.get()
    assert (pair.label, pair.explanation) == (0, "Canarywhy.")
    preview = client.get(page("preview_qualification", project, 1)).text
    assert ("A b." in preview, "Canarywhy" in preview) == (True, False)
    assert client.get(page("preview_qualification", project, 2)).status_code == 404
    assert not QualificationAttempt.objects.exists()
    other = make.study()
    client_of(other).post(page("remove_qualification_pair", other, pair.public_id))
    assert project.qualification_pairs.exists()
    client.post(page("remove_qualification_pair", project, pair.public_id))
    assert not project.qualification_pairs.exists()


@pytest.fixture
def root(db):
    return signed_in(User.objects.create_superuser("root"))


def test_a_project_has_what_was_entered_and_its_creator_as_manager(root):
    form = root.get(CREATE).context["form"]
    assert (form["corrected_methods"].value(), form["seed"].value()) == (
        ["word_swap", "prompted"],
        0,
    )
    reply = root.post(CREATE, SENT)
    project = Project.objects.get()
    assert reply.url == page("overview", project)
    assert {name: getattr(project, name) for name in FORM} == FORM
    assert project.scheme == GRADES
    place = project.memberships.get()
    assert (place.user.username, place.role) == ("root", "manager")
    assert "name" in root.post(CREATE, SENT).context["form"].errors


def test_a_project_may_have_no_candidate_corrected(root):
    root.post(CREATE, {key: value for key, value in SENT.items() if key != "corrected_methods"})
    assert Project.objects.get().corrected_methods == []


def test_a_mistake_is_said_beside_its_field_and_nothing_is_lost(root):
    for field, value, said in (
        ("consensus_min_votes", 4, "Only 3 people judge each pair, so 4 votes are impossible."),
        (
            "scheme-border",
            4,
            "The lowest value of the upper side is that of a label other than the lowest.",
        ),
        ("scheme-name-1", "Not equivalent", "Two labels are called “Not equivalent”."),
        ("scheme-value-1", "x", "“x” is no whole number."),
        ("judgments_per_pair", 10**400, "less than or equal to 100"),
        ("name", "nul\0", "Null characters are not allowed."),
        ("corrected_methods", ["magic"], "not one of the available choices"),
    ):
        reply = root.post(CREATE, SENT | {field: value})
        assert reply.status_code == 422
        assert said in str(reply.context["form"].errors[field.partition("-")[0]])
        assert reply.context["form"]["seed"].value() == "7"


def test_texts_are_previewed_without_their_scripts(root):
    text = root.post("/projects/preview/", {"consent": "*Hello* <script>alert(1)</script>"}).text
    assert "<em>Hello</em>" in text
    assert "<script" not in text


def save(project, client, route, **changes):
    address = page(route, project)
    reply = client.post(address, form_at(client, address, **changes), follow=True)
    project.refresh_from_db()
    return reply.text


def test_settings_are_saved(project):
    changes = {"lease_minutes": 5, "limit_judge": 200, "guidelines": "New."}
    assert "Saved." in save(project, client_of(project), "work_settings", **changes)
    assert (project.lease_minutes, project.limits) == (5, {"judge": 200})
    assert (project.description, project.guidelines) == ("About towns.", "New.")


def test_saving_one_setting_takes_at_most_twelve_statements(project):
    make.pairs(project, 1)
    manager, address = client_of(project), page("work_settings", project)
    form = form_at(manager, address, lease_minutes=45)
    with CaptureQueriesContext(connection) as captured:
        assert manager.post(address, form).status_code == 302
    project.refresh_from_db()
    assert project.lease_minutes == 45
    assert len(captured) <= 12, [query["sql"] for query in captured]


def test_a_locked_protocol_lists_only_methods_that_occur(project):
    make.pairs(project, 1)
    form = client_of(project).get(page("protocol_settings", project)).context["form"]
    offered = [name for name, _ in form.fields["corrected_methods"].choices]
    # The first and the last are the project's setting.
    assert offered == ["word_swap", "back_translation", "prompted"]


def test_settings_and_a_new_consent_text_are_checked_against_what_is_there(project):
    manager = client_of(project)
    text = save(project, manager, "joining_settings", asks_qualification="on")
    assert "The qualification set is empty." in text
    save(project, manager, "protocol_settings", **scheme_inputs(GRADES))
    pair = {"sentence1": "A b.", "sentence2": "B a.", "label": 3, "explanation": ""}
    manager.post(page("add_qualification_pair", project), pair)
    assert "The qualification set has pairs with labels that are gone. Change those first." in save(
        project, manager, "protocol_settings", **scheme_inputs(SAME_OR_DIFFERENT)
    )
    assert (project.asks_qualification, project.scheme) == (False, GRADES)
    make.person(project)
    text = save(project, manager, "joining_settings", consent="You may stop.", stops=1)
    assert "must accept the new text before continuing" in text


def test_the_second_of_two_managers_is_told_and_may_then_decide(project):
    address, manager = page("joining_settings", project), client_of(project)
    mine = form_at(manager, address, attempts=4)
    save(project, client_of(project), "joining_settings", consent="Be *kind*.", attempts=3)
    # A mistake does not make the form fresh.
    mistaken = manager.post(address, mine | {"pass_mark": 101})
    assert mistaken.status_code == 422
    reply = manager.post(address, mine | {"read": mistaken.context["read"]})
    assert reply.status_code == 409
    assert [*reply.context["stale"]] == ["Consent text", "Attempts"]
    assert "Be *kind*." in reply.text
    project.refresh_from_db()
    assert (project.consent, project.attempts) == ("Be *kind*.", 3)
    manager.post(address, mine | {"read": reply.context["read"]})
    project.refresh_from_db()
    assert (project.consent, project.attempts) == ("", 4)


def test_changes_of_another_page_neither_stop_nor_undo_those_of_this_one(project):
    manager = client_of(project)
    address = page("joining_settings", project)
    mine = form_at(manager, address, attempts=4)
    save(project, client_of(project), "work_settings", guidelines="Judge *kindly*.")
    assert manager.post(address, mine | {"guidelines": "Mine."}).status_code == 302
    project.refresh_from_db()
    assert (project.guidelines, project.attempts) == ("Judge *kindly*.", 4)


def test_the_page_of_a_locked_protocol_says_so_in_its_link_and_saves_nothing(project):
    manager, address = client_of(project), page("protocol_settings", project)
    assert "locked" not in manager.get(address).text
    make.pairs(project, 1)
    text = manager.get(address).text
    assert 'Protocol <span class="chip">locked</span>' in text
    assert "save-bar" not in text


def test_only_a_run_that_the_manager_may_see_is_added_and_none_of_gold_pairs(project):
    user = make.person(project, role=Role.MANAGER).user
    manager, other, address = signed_in(user), make.study(), page("add_run", project)
    make.pairs(other, 1)
    run = other.runs.get()
    manager.post(address, {"run": run.pk})
    assert not project.runs.exists()
    Membership.objects.create(project=other, user=user, role=Role.MANAGER)
    gold_pairs.add(other, [GoldPair("Ada saw Bo.", "Bo saw Ada.", 0)])
    gold = other.pairs.get(gold_label=0).candidate.run
    for each in (gold, run):
        manager.post(address, {"run": each.pk})
    assert project.runs.get() == run


def test_an_invitation_is_for_as_many_people_as_are_missing(project, client):
    make.person(project)
    shown = client.get(page("invitations", project))
    assert shown.context["form"]["most_people"].value() == 5
    assert "At least 6 people are needed. Nobody does two kinds of work" in shown.text


def test_a_setting_that_is_too_low_is_told_its_own_bound(client, project):
    sent = {"judgments_per_pair": -7, "consensus_min_votes": 1}
    reply = client.post(page("protocol_settings", project), sent)
    assert "greater than or equal to 1." in reply.text
    assert "greater than or equal to 0." not in reply.text


def test_a_text_that_was_not_touched_is_not_listed_as_changed(client, project):
    project.guidelines = "Judge *fairly*.\n\nSlowly.\n"
    project.label_looks = {"0": {"example": "Ada saw Bo.\nBo saw Ada.\nOthers see."}}
    project.save()
    sent = {
        "guidelines": "Judge *fairly*.\r\n\r\nSlowly.\r\n",
        "example_0": "Ada saw Bo.\r\nBo saw Ada.\r\nOthers see.",
        "lease_minutes": "0",
    }
    form = client.post(page("work_settings", project), sent).context["form"]
    assert "lease_minutes" in form.changed_data
    assert not {"guidelines", "example_0"} & {*form.changed_data}


def test_a_filter_that_is_none_names_its_field(client, project):
    text = client.get(page("pairs", project), {"method": "xyz"}).text
    assert "Method: Select a valid choice." in text
    assert "Clear filters" in text


def test_a_change_of_labels_is_told_in_words(project):
    manager = client_of(project)
    save(project, manager, "protocol_settings", **scheme_inputs(GRADES))
    assert (
        "0 Different meaning, 1 Same meaning → 0 Not equivalent"
        in manager.get(page("history", project)).text
    )
