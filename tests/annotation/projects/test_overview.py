"""The progress of a study: the overview, the page of agreement, and their tables as files."""

import re

import pytest
from django.utils import timezone

from annotation.models import (
    Duty,
    Intervention,
    Item,
    JudgingModel,
    Judgment,
    ModelJudgment,
    Skip,
)
from annotation.projects.views.files import TABLES
from common import spreadsheets
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, rows_of, statements

pytestmark = pytest.mark.django_db
VOTES = [[1] * 5, [0] * 5, [0, 0, 0, 0, 1], [1, 1, 1, 0, 0], [1, 1], [1, 1]]


@pytest.fixture(scope="module")
def study(module_db):
    """Three kept pairs, one that is not, one that is not decided, and a gold pair."""
    study = make.study()
    make.candidates(study, [(f"S{n} sees.", f"Sees s{n}.") for n in range(7)])
    for action in ("accept", "fix", "fix", "reject", "reject", "reject"):
        make.correct_next(make.person(study), action, "Other." if action == "fix" else "")
    *_, known = judged.pairs(study, VOTES, by=judged.people(study, 5))
    study.pairs.filter(pk=known.pk).update(gold_label=1)
    return study


@pytest.fixture(scope="module")
def manager(study):
    return client_of(study)


@pytest.fixture
def overview(study, manager):
    return manager.get(page("overview", study))


@pytest.fixture
def table(study, manager):
    return lambda name, **query: rows_of(manager.get(page("table", study, name), query))


def _figure(line):
    return line.figure if line.outcome is None else (line.figure, line.outcome)


def test_table_3_counts_each_method_without_gold_pairs_and_leads_to_lists(study, manager):
    context = manager.get(page("agreement", study)).context
    methods = [column.method for column in context["columns"]]
    assert methods == ["word_swap", "back_translation", ""]
    found = {_figure(row.line): [cell.number for cell in row.cells] for row in context["table3"]}
    for figure, *numbers in (
        *(("candidates", 7, 5, 12), ("accepted", 1, None, 1), ("fixed", 2, None, 2)),
        *(("rejected", 3, None, 3), ("waiting", 1, None, 1), ("pairs", 3, 5, 8)),
        *(("judged.total", 0, 4, 4), ("kept.total", 0, 3, 3)),
        *((("judged.by_outcome", 0), 0, 2, 2), (("judged.by_outcome", 1), 0, 2, 2)),
    ):
        assert found[figure] == numbers, figure
    cells = [cell for row in context["table3"] for cell in row.cells if cell.address]
    assert len(cells) > 15
    for cell in cells:
        assert manager.get(cell.address).context["number"] == cell.number, cell.address
    for row in context["balance"]:
        assert (row.of.kept.by_outcome[1], row.of.kept.total) == (1, 3)
        assert manager.get(row.address).context["number"] == 1


def test_agreement_is_of_decided_pairs_without_gold_pairs(study, manager, overview):
    assert "85.0\N{NO-BREAK SPACE}%" in overview.text
    human = manager.get(page("agreement", study)).context["measures"][0]
    assert (human.before.value, human.after.value) == pytest.approx((0.85, 14 / 15))


def test_what_needs_a_manager_is_one_click_away(study, manager):
    gold = Judgment.objects.get(project=study, number=1, item__gold_label=1)
    place = study.memberships.get(user=gold.annotator)
    evidence = {"flag": "same_browser"}
    Intervention.objects.create(membership=place, kind="flag", reason="Who?", evidence=evidence)
    pair = study.pairs.get(consensus=None, gold_label=None, origin=None)
    study.pairs.filter(pk=pair.pk).update(set_aside_at=timezone.now())
    reply = manager.get(page("overview", study))
    address_by_text = {need.text: need.address for need in reply.context["needs"]}
    groups = manager.get(address_by_text["1 person is flagged."]).context["groups"]
    flagged = [row.place.user for _title, rows in groups for row in rows]
    assert flagged == [gold.annotator]
    [aside] = manager.get(address_by_text["1 item is set aside."]).context["aside"]
    assert aside.item == pair


def test_what_stops_a_study_is_said_first():
    stuck = make.study(asks_qualification=True)
    make.candidates(stuck, [("Ada saw Bo.", "Bo saw Ada.")])
    make.pairs(stuck, 1)
    manager, member = client_of(stuck), make.person(stuck)
    Duty.objects.filter(membership__project=stuck, kind="correct").update(allowed=False)

    def said():
        needs = manager.get(page("overview", stuck)).context["needs"]
        return [(need.text.split(",")[0], need.address.split("/")[-2]) for need in needs]

    uncorrected = ("1 candidate is waiting for correction", "invitations")
    assert said() == [("No one has passed the qualification test yet.", "people"), uncorrected]
    stuck.asks_qualification = False
    stuck.save()
    assert said() == [uncorrected, ("1 person can judge now", "invitations")]
    stuck.memberships.filter(pk=member.pk).update(paused_at=timezone.now())
    assert said()[1] == ("0 people can judge now", "invitations")
    assert said()[2] == ("1 person is paused.", "people")
    stuck.is_open = False
    stuck.save()
    assert said()[0] == ("The project is closed: no one gets work.", "project")


def test_the_stage_of_candidates_leads_to_as_many_as_it_counts(project):
    make.candidates(project, [("Ada saw Bo.", "Bo saw Ada.")])
    manager = client_of(project)

    def stage():
        [stage] = [
            stage
            for stage in manager.get(page("overview", project)).context["stages"]
            if stage.name == "Candidates"
        ]
        return stage.number, stage.address

    assert stage() == (1, page("answers", project, "correct"))
    make.pairs(project, 1)  # of a method that is not corrected
    assert stage() == (2, page("generation_runs", project))


def test_the_overview_says_what_a_worker_has_yet_to_add(project):
    make.candidates(project, [("Ada saw Bo.", "Bo saw Ada."), ("Bo saw Cy.", "Cy saw Bo.")])
    manager, notice = client_of(project), "2 candidates can’t be corrected or judged yet."
    assert notice not in manager.get(page("overview", project)).text
    project.intakes.all().delete()
    assert notice in manager.get(page("overview", project)).text


def test_lists_are_filtered_by_methods_that_occur(study, manager):
    form = manager.get(page("pairs", study)).context["form"]
    offered = [name for name, _ in form.fields["method"].widget.choices]
    assert offered == ["", "word_swap", "back_translation"]


def test_researchers_find_no_link_that_would_refuse_them(study):
    researcher = client_of(study, "researcher")
    for name in ("overview", "agreement", "pairs", "people", "models"):
        text = researcher.get(page(name, study)).text
        links = set(re.findall(rf'href="(/projects/{study.public_id}/[^"]*)"', text))
        assert len(links) > 3
        assert {researcher.get(address).status_code for address in links} == {200}, name


def test_the_part_that_is_looked_at_again_is_sent_only_when_it_has_changed(
    study, manager, overview
):
    figures, digest = page("figures", study), {"digest": overview.context["digest"]}
    assert manager.get(figures, digest).status_code == 204
    judged.pairs(study, [[1]], by=judged.people(study, 1))
    reply = manager.get(figures, digest)
    assert (reply.status_code, "<html" in reply.text) == (200, False)
    assert reply.context["digest"] in reply.text


def test_a_file_of_rows_has_a_plain_name_and_no_formula_and_texts_come_back_whole():
    texts = ["=1+1", "+1", "-1", "@x", "\t=", "\r=", "a=1", 'é,"\r\n', "", "\N{PAW PRINTS}"]
    reply = spreadsheets.download("“Zürich” / 2026", ["ü"], [[text] for text in texts])
    assert reply["Content-Type"] == "text/csv; charset=utf-8"
    assert reply["Content-Disposition"] == 'attachment; filename="zurich-2026.csv"'
    found = [row["ü"] for row in rows_of(reply)]
    assert found == [*(f"'{text}" for text in texts[:6]), *texts[6:]]


def test_pages_take_as_many_statements_for_a_large_study_as_for_a_small_one(study, manager):
    names = ["overview", "figures", "agreement", "pairs", "people", "skips"]
    addresses = [page(name, study) for name in names]
    addresses += [page("answers", study, kind) for kind in study.kinds]

    def numbers():
        return {address: statements(manager, address) for address in addresses}

    numbers()
    small = numbers()
    judged.pairs(study, [[1, 0, 1, 1, 0]] * 40, by=judged.people(study, 20))
    make.candidates(study, [(f"{n} a.", f"{n} b.") for n in range(20)])
    assert numbers() == small
    assert max(small.values()) <= 45


def test_tables_hold_the_figures_of_their_pages(table):
    first, _, last = table("funnel")
    assert (first["method"], last["method"]) == ("word_swap", "all")
    assert (last["pairs"], last["judged"], last["kept"]) == ("8", "4", "3")
    assert sum(int(row["judgments"]) for row in table("over-time")) == 22
    assert {row["share"][:6] for row in table("balance")} == {"0.3333"}
    assert [row["pairs"] for row in table("agreement")] == ["4", "3"]
    actions = [row["action"] for row in table("corrections")]
    assert sorted(actions) == ["", "accept", "fix", "fix", "reject", "reject", "reject"]
    judgments = table("judgments")
    assert len(judgments) == 22
    assert {row["round"] for row in judgments} == {"1"}
    [row] = table("pairs", state="kept", label="1")
    assert row["votes"] == "0 5"
    assert [answer.partition(": ")[2] for answer in row["judgments"].split("; ")] == ["1"] * 5


def test_each_table_has_a_cell_for_each_column_and_none_is_a_formula(project, study, table):
    model = JudgingModel.objects.create(project=study, name="=Model")
    decided = study.pairs.get(consensus__tally=[0, 5])
    ModelJudgment.objects.create(model=model, pair=decided, label=0)
    bob = make.person(study)
    waiting = Item.objects.get(project=study, kind="correct", slots__submitted_at=None)
    skipped = {"annotator": bob.user, "reason": "other", "note": "=1+1"}
    Skip.objects.create(project=study, item=waiting, **skipped)
    held, empty = make.claim(bob), client_of(project)
    of_others = {  # of translation studies
        *("translations", "translators", "validators", "answers-translate", "answers-validate")
    }
    for name, wanted in TABLES.items():
        if name in of_others:
            continue
        for row in table(name):
            assert list(row) == wanted.columns_in(study), name
            assert None not in row.values(), name
        text = b"".join(empty.get(page("table", project, name))).decode()
        assert text.splitlines()[0].removeprefix("\ufeff").split(",") == wanted.columns_in(study)
    [lease] = table("leases")
    assert (lease["id"], lease["annotator"]) == (str(held.item.public_id), str(bob.user))
    [skip] = table("skips", kind="correct")
    assert skip["note"] == "'=1+1"
    [parting] = table("model-parting")
    assert (parting["model"], parting["votes"], parting["model_label"]) == ("'=Model", "0 5", "0")


def test_what_cannot_be_asked_for_is_refused(study, manager):
    for name, query in (
        *(("pairs", {"state": "password"}), ("pairs", {"order": "candidate__run__settings"})),
        *(("pairs", {"words": "x" * 101}), ("pairs", {"after": "1'; DROP"})),
        *(("pairs", {"after": "9" * 30}), ("people", {"order": "password"})),
        *(("answers", {"state": "x"}), ("skips", {"reason": "x"})),
    ):
        kinds = ["correct"] if name == "answers" else []
        reply = manager.get(page(name, study, *kinds), query)
        assert (reply.status_code, "lines" in reply.context) == (400, False), (name, query)
        if "after" not in query:
            table = {"answers": "corrections", "people": "annotators"}.get(name, name)
            assert manager.get(page("table", study, table), query).status_code == 404
    assert manager.get(page("table", study, "passwords")).status_code == 404
    assert manager.get(page("answers", study, "translate")).status_code == 404


def test_each_page_of_a_project_has_its_own_title_and_tells_where_it_is():
    project = make.study()
    client, titles = client_of(project), {}
    for route in (
        *("overview", "agreement", "leases", "skips", "models", "pairs", "people", "releases"),
        *("invitations", "qualification_set", "project_settings", "gold_pairs", "project_actions"),
        *("history", "archive_project", "delete_project"),
    ):
        text = client.get(page(route, project)).text
        [title] = re.findall(r"<title>(.+?) · [^<]* · Pawsmith</title>", text)
        assert title not in titles, (route, titles[title])
        titles[title] = route
        rail = text.split('class="rail"')[1].split("</nav>")[0]
        assert rail.count("aria-current") == 1, route
        assert re.search(r"<h1>\s*(<bdi>)?\w", text), route
