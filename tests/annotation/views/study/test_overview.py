"""Where a study stands: the overview, the page of agreement, and their tables as files."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.cells import FORMULA
from annotation.models import (
    Correction,
    Guest,
    GuestJudgment,
    Intervention,
    Membership,
    Project,
    Release,
    Skip,
)
from annotation.services import judgments
from annotation.views.study import spreadsheets
from annotation.views.study.tables import TABLES
from generation.models import Candidate
from tests.annotation import cast, judged
from tests.annotation.views.pages import client_of, page, rows_of, statements, undone

pytestmark = pytest.mark.django_db
VOTES = [[1] * 5, [0] * 5, [0, 0, 0, 0, 1], [1, 1, 1, 0, 0], [1, 1]]


@pytest.fixture(scope="module")
def study(module_db):
    """Three kept pairs, one that is not, one that is not decided, and a hidden one."""
    study = cast.study()
    cast.candidates(study, [(f"S{n} sees.", f"Sees s{n}.") for n in range(7)])
    for action in ("accept", "fix", "fix", "reject", "reject", "reject"):
        cast.correct_next(cast.person(study), action, "Other." if action == "fix" else "")
    people = judged.people(study, 5)
    judged.pairs(study, VOTES, by=people)
    [known] = judged.pairs(study, [[1, 1]], by=people)
    study.pairs.filter(pk=known.pk).update(known_label=1)
    return study


@pytest.fixture(scope="module")
def manager(study):
    return client_of(study)


def overview_of(project, client=None):
    return (client or client_of(project)).get(page("overview", project))


def test_table_3_counts_candidates_and_pairs_of_each_method_without_hidden_ones(study, manager):
    context = overview_of(study, manager).context
    methods = [column.method for column in context["columns"]]
    assert methods == ["word_swap", "back_translation", ""]
    found = {row.line.figure: [cell.number for cell in row.cells] for row in context["table3"]}
    expected = {
        "candidates": [7, 5, 12],
        "accepted": [1, None, 1],
        "fixed": [2, None, 2],
        "rejected": [3, None, 3],
        "waiting": [1, None, 1],
        "pairs": [3, 5, 8],
        "judged.total": [0, 4, 4],
        "judged.paraphrase": [0, 2, 2],
        "judged.non_paraphrase": [0, 2, 2],
        "kept.total": [0, 3, 3],
    }
    assert {name: found[name] for name in expected} == expected


def test_each_number_leads_to_the_list_that_it_counts(study, manager):
    context = overview_of(study, manager).context
    cells = [cell for row in context["table3"] for cell in row.cells if cell.address]
    assert len(cells) > 15
    for cell in cells:
        assert manager.get(cell.address).context["number"] == cell.number, cell.address
    for row in context["balance"]:
        assert (row.of.paraphrases, row.of.pairs) == (1, 3)
        assert manager.get(row.address).context["number"] == 1


def test_agreement_and_charts_are_of_decided_pairs_and_tables_as_well(study, manager):
    reply = overview_of(study, manager)
    assert reply.context["agreement"].value == pytest.approx((5 + 5 + 4 + 3) / 20)
    assert "85.0\N{NO-BREAK SPACE}%" in reply.text
    drawn = reply.context["timeline"]
    assert sum(each.answers for each in drawn.stretches) == 22  # without those of the hidden pair
    assert sum(each.decided for each in drawn.stretches) == 4
    assert all(each.name in reply.text for each in drawn.stretches)
    assert reply.text.count('role="img"') == reply.text.count("<title id=") == 3
    page_of_agreement = manager.get(page("agreement", study))
    human = page_of_agreement.context["measures"][0]
    assert (human.before.value, human.after.value) == (
        pytest.approx(0.85),
        pytest.approx(14 / 15),
    )
    for measure in page_of_agreement.context["measures"]:
        assert measure.meaning in page_of_agreement.text
    assert "at least 4 of 5 answers" in page_of_agreement.text
    assert "Ordinal alpha" not in page_of_agreement.text


def test_agreement_by_kind_and_week(study, manager):
    Candidate.objects.filter(pk=study.pairs.get(consensus__tally=[5, 0]).candidate_id).update(
        kind="adjective"
    )
    people, weeks_ago = judged.people(study, 5), timezone.now() - timedelta(weeks=3)
    judged.pairs(study, [[1] * 5], by=people, at=weeks_ago)
    context = manager.get(page("agreement", study)).context
    assert [line.kind for line in context["kinds"]] == ["not told", "adjectives"]
    weeks = context["weeks"]
    assert [week.measured is not None for week in weeks.rows] == [True, False, False, True]
    assert len(weeks.human.dots) == 2


def test_grades_have_an_ordinal_alpha():
    project = cast.study(protocol="parade")
    agreement = page("agreement", project)
    manager = client_of(project)
    assert "No pair is decided yet." in manager.get(agreement).text
    judged.pairs(project, [[3, 3, 2], [0, 1, 1]], by=judged.people(project, 3))
    assert "Ordinal alpha" in manager.get(agreement).text


def test_what_needs_a_manager_is_one_click_away(study, manager):
    def alert(words):
        found = overview_of(study, manager).context["alerts"]
        [address] = [each.address for each in found if words in each.text]
        return manager.get(address).context

    worker = Membership.objects.get(project=study, user__judgments__pair__known_label=1,
                                    user__judgments__slot=1)  # fmt: skip
    with undone():
        Intervention.objects.create(membership=worker, kind="flag", reason="Too fast.")
        assert [line.person.user for line in alert("1 person is flagged.")["lines"]] == [
            worker.user
        ]
    with undone():
        Membership.objects.filter(pk=worker.pk).update(paused_at=timezone.now())
        assert [line.person.user for line in alert("1 person is paused.")["lines"]] == [worker.user]
    pair = study.pairs.get(consensus=None, known_label=None, correction=None)
    study.pairs.filter(pk=pair.pk).update(set_aside_at=timezone.now())
    assert [each.item for each in alert("set aside")["aside"]] == [pair]


def test_alerts_tell_what_keeps_a_study_from_going_on(project):
    manager = client_of(project)

    def alerts():
        return [alert.text for alert in overview_of(project, manager).context["alerts"]]

    assert alerts() == []
    with undone():
        cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
        Membership.objects.filter(project=project).update(may_correct=False)
        assert "1 candidate waits for correction, and nobody can correct." in alerts()
    cast.pairs(project, 1)
    assert alerts() == ["Only 1 person can judge now, and each pair needs 5."]
    Project.objects.update(is_open=False)
    assert alerts() == ["The project is closed: nobody is given any work."]


def test_a_new_project_says_what_to_do_next_until_it_is_under_way(project):
    manager = client_of(project)
    text = overview_of(project, manager).text
    for step in ("Bring sentences", "Start a run", "Invite people"):
        assert step in text
    cast.pairs(project, 1)
    beginning = overview_of(project, manager).context["beginning"]
    assert (beginning.has_runs, beginning.has_candidates, beginning.has_people) == (1, 1, 0)
    draft = page("draft_release", project)
    judged.pairs(project, [[1, 1, 1, 0, 0]], by=judged.people(project, 5))
    reply = overview_of(project, manager)
    assert "beginning" not in reply.context
    assert draft not in reply.text
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    assert draft in overview_of(project, manager).text
    for state, said in (("draft", "draft"), ("failed", "could not be built")):
        Release.objects.create(project=project, version=state, seed=1, settings={}, state=state)
        text = overview_of(project, manager).text
        assert said in text
        assert draft not in text


def test_researchers_find_no_link_that_would_refuse_them(study):
    researcher = client_of(study, "researcher")
    for name in ("overview", "agreement", "pairs", "annotators", "guests"):
        text = researcher.get(page(name, study)).text
        links = set(re.findall(rf'href="(/projects/{study.public_id}/[^"]*)"', text))
        assert len(links) > 3
        assert {researcher.get(address).status_code for address in links} == {200}, name


def test_the_part_that_is_looked_at_again_is_sent_only_when_it_has_changed(study, manager):
    told = overview_of(study, manager).context["told"]
    figures = page("figures", study)
    assert manager.get(figures, {"told": told}).status_code == 204
    judged.pairs(study, [[1]], by=judged.people(study, 1))
    reply = manager.get(figures, {"told": told})
    assert reply.status_code == 200
    assert reply.context["told"] in reply.text
    assert "<html" not in reply.text


def test_the_end_is_told_as_a_range_of_dates(project):
    [alice] = judged.people(project, 1)
    for hours in (1, 3, 5, 25, 49, 51, 73):
        judged.pairs(project, [[1]], by=[alice], at=timezone.now() - timedelta(hours=hours))
    text = " ".join(overview_of(project).text.split())
    assert "judgments are left." in text
    assert re.search("At this pace the last is given|The last is not given before", text)


def test_pages_take_as_many_statements_for_a_large_study_as_for_a_small_one(study, manager):
    names = ["overview", "figures", "agreement", "pairs", "annotators", "corrections", "skips"]

    def numbers():
        return {name: statements(manager, page(name, study)) for name in names}

    numbers()
    small = numbers()
    people = judged.people(study, 20)
    judged.pairs(study, [[1, 0, 1, 1, 0]] * 40, by=people)
    cast.candidates(study, [(f"{n} a.", f"{n} b.") for n in range(20)])
    for person in people:
        Skip.objects.create(
            project=study, annotator=person.user, pair=study.pairs.first(), reason="unclear"
        )
    assert numbers() == small
    assert max(small.values()) <= 17


@pytest.fixture
def table(study, manager):
    return lambda name, **query: rows_of(manager.get(page("table", study, name), query))


def test_tables_hold_the_figures_of_their_pages(table):
    first, _, last = table("funnel")
    assert (first["method"], last["method"]) == ("word_swap", "all")
    assert (last["pairs"], last["judged"], last["kept"]) == ("8", "4", "3")
    assert float(last["agreement"]) == pytest.approx(0.85)
    rows = table("over-time")
    assert sum(int(row["judgments"]) for row in rows) == 22
    assert sum(int(row["pairs_decided"]) for row in rows) == 4
    for row in table("balance"):
        assert float(row["share_low"]) < float(row["share"]) < float(row["share_high"])
        assert float(row["share"]) == pytest.approx(1 / 3)
    decided, kept = table("agreement")
    assert (decided["pairs"], kept["pairs"]) == ("4", "3")
    for name in ("method", "kind", "week"):
        [row] = table(f"agreement-by-{name}")
        assert (row["pairs"], row["kept"]) == ("4", "3")
    compared = sorted(row["compared"] for row in table("agreement-annotators"))
    assert compared == ["3", "3", "3", "4", "4"]
    actions = [row["action"] for row in table("corrections")]
    assert sorted(actions) == ["", "accept", "fix", "fix", "reject", "reject", "reject"]


def test_pairs_and_annotators_are_under_the_filters_and_order_of_their_pages(study, table):
    made = list(study.pairs.filter(correction=None).order_by("pk"))
    kept = table("pairs", state="kept", order="oldest")
    assert [row["id"] for row in kept] == [str(pair.public_id) for pair in made[:3]]
    assert kept[0]["votes"] == "0 5"
    assert [answer.partition(": ")[2] for answer in kept[0]["answers"].split("; ")] == ["1"] * 5
    rows = table("annotators", order="judgments", down="1")
    assert [row["judgments"] for row in rows] == ["6", "6", "4", "4", "4", *"000000"]


def test_a_row_has_a_cell_for_each_column_and_none_is_a_formula(study, table):
    texts = [("=SUM(A1) is a sum.", "@home is a sum.")]
    cast.candidates(study, texts, method="back_translation")
    pair = study.pairs.latest("pk")
    guest = Guest.objects.create(project=study, name="=Model")
    decided = study.pairs.get(consensus__tally=[0, 5])
    GuestJudgment.objects.create(guest=guest, pair=decided, label=0)
    bob = cast.person(study)
    item = {"correction": Correction.objects.filter(action=None).first()}
    Skip.objects.create(project=study, annotator=bob.user, reason="other", note="=1+1", **item)
    held = judgments.claim(bob)
    for name, wanted in TABLES.items():
        rows = table(name)
        assert rows, name
        for row in rows:
            assert list(row) == wanted.columns.split(), name
            assert None not in row.values(), name
    [row] = table("pairs", words=str(pair.public_id))
    assert (row["sentence1"], row["sentence2"]) == ("'=SUM(A1) is a sum.", "'@home is a sum.")
    [lease] = table("leases")
    assert (lease["id"], lease["annotator"]) == (str(held.pair.public_id), str(bob.user))
    [skip] = table("skips", kind="correction")
    assert skip["note"] == "'=1+1"
    [parting] = table("guest-parting")
    assert (parting["guest"], parting["votes"], parting["guest_label"]) == ("'=Model", "0 5", "0")


def test_an_empty_study_has_tables_with_the_names_of_their_columns(project):
    manager = client_of(project)
    for name, wanted in TABLES.items():
        text = b"".join(manager.get(page("table", project, name))).decode()
        assert text.splitlines()[0].removeprefix("\ufeff").split(",") == wanted.columns.split()


def test_what_no_table_or_list_can_be_asked_for_is_refused(study, manager):
    tables = {"passwords": {}, "pairs": {"state": "x"}, "skips": {"reason": "x"}}
    tables |= {"annotators": {"order": "x"}, "guest-parting": {"guest": "x"}}
    for name, query in tables.items():
        assert manager.get(page("table", study, name), query).status_code == 404, name
    for name, query in (
        ("pairs", {"state": "password"}),
        ("pairs", {"order": "candidate__run__settings"}),
        ("pairs", {"method": "magic"}),
        ("pairs", {"words": "x" * 101}),
        ("pairs", {"after": "1'; DROP"}),
        ("pairs", {"after": "9" * 30}),
        ("annotators", {"order": "password"}),
        ("annotators", {"state": "admin"}),
        ("corrections", {"state": "x"}),
        ("skips", {"reason": "x"}),
        ("history", {"act": "nothing"}),
        ("history", {"by": "nobody"}),
        ("history", {"after": "x"}),
    ):
        reply = manager.get(page(name, study), query)
        assert (reply.status_code, "lines" in reply.context) == (400, False), (name, query)


def test_a_cell_is_what_a_spreadsheet_takes_for_it():
    for text in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1", "\n=1+1", "  =1", "＝1+1"):
        assert spreadsheets.cell(text) == f"'{text}"
    for text in ("", "Ada", "1-2", "a=b", "'quoted", "–dash"):
        assert spreadsheets.cell(text) == text
    values = (-1, 0.5, None, True, False)
    assert [spreadsheets.cell(value) for value in values] == [-1, 0.5, "", "yes", "no"]
    time = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    assert spreadsheets.cell(time) == "2026-01-02T03:04:00+00:00"


TEXTS = st.text(st.characters(codec="utf-8"), max_size=9)


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2), max_size=5))
def test_every_text_comes_back_whole_and_none_is_a_formula(rows):
    reply = spreadsheets.download("“Zürich” / 2026", ["a", "ü"], rows)
    assert reply["Content-Type"] == "text/csv; charset=utf-8"
    assert reply["Content-Disposition"] == 'attachment; filename="zurich-2026.csv"'
    found = [[row["a"], row["ü"]] for row in rows_of(reply)]
    assert [[text.removeprefix("'") for text in row] for row in found] == [
        [text.removeprefix("'") for text in row] for row in rows
    ]
    assert not any(text.startswith(FORMULA) for row in found for text in row)
