"""What managers see of participants: answers, time and pay."""

from annotation.models import Membership, Role
from annotation.projects.services import projects
from tests.annotation import make, translating
from tests.annotation.crowd.arriving import ADA, account, begin
from tests.annotation.pages import client_of, page, rows_of, signed_in


def test_the_report_counts_translations(recruit, manager):
    project = translating.study()
    projects.add_member(project, manager, role=Role.MANAGER)
    begin(recruit(project=project, kinds=["translate"]))
    translating.translate_next(Membership.objects.get(user=account()))
    project.slots.answered().update(seconds=60.0)
    [row] = rows_of(signed_in(manager).get(page("recruiting_report", project)))
    assert (row["translations"], row["judgments"], row["answers_per_hour"]) == ("1", "0", "60.0")


def test_the_report_has_measured_time_and_pay_for_managers_alone(recruit, project, manager):
    make.pairs(project, 2)
    link = recruit(reward="2.00", currency="EUR")
    client, report = begin(link), page("recruiting_report", project)
    member = Membership.objects.get(user=account())
    make.judge_all(member, 1)
    member.project.slots.of_member(member).update(seconds=300.0)
    client.get(page("finish", project))
    [row] = rows_of(signed_in(manager).get(report))
    assert (row["participant_id"], row["outcome"], row["judgments"]) == (ADA, "completed", "2")
    assert (row["minutes"], row["answers_per_hour"]) == ("10.0", "12.0")
    assert (row["pay"], row["currency"], row["pay_per_hour"]) == ("2.0", "EUR", "12.0")
    assert ADA in signed_in(manager).get(page("recruiting", project)).text
    researcher = client_of(project, "researcher")
    assert researcher.get(report).status_code == 404
    assert ADA not in researcher.get(page("people", project)).text
