"""Addresses of the pages."""

from django.urls import URLPattern, URLResolver, include, path

from annotation.views.entrance import home, joining, personal, qualifying, welcome
from annotation.views.setup import (
    designing,
    known_pairs,
    people,
    project_settings,
    qualification_set,
)
from annotation.views.study import (
    agreement,
    annotator,
    annotators,
    dashboard,
    drafts,
    ending,
    interventions,
    pairs,
    releases,
    steering,
    tables,
    verdicts,
    work_lists,
)
from annotation.views.work import correcting, guidelines, judging, notices, recent

release = [
    path("", releases.release, name="release"),
    path("edit/", drafts.edit_release, name="edit_release"),
    path("preview/", drafts.preview_release, name="preview_release"),
    path("progress/", releases.release_progress, name="release_progress"),
    path("withdraw/", ending.withdraw_release, name="withdraw_release"),
    path("forget/", ending.forget_names, name="forget_names"),
    path("archive/", releases.release_archive, name="release_archive"),
    path("files/<path:path>", releases.release_file, name="release_file"),
    path("<slug:step>/", drafts.release_step, name="release_step"),
]

project: list[URLPattern | URLResolver] = [
    # First those that are asked for a thousand times a day: addresses are tried in turn.
    path("judge/", judging.judge, name="judge"),
    path("judge/undo/", judging.undo_judgment, name="undo_judgment"),
    path("judge/skip/", judging.skip_judgment, name="skip_judgment"),
    path("judge/recent/", recent.recent_judgments, name="recent_judgments"),
    path("correct/", correcting.correct, name="correct"),
    path("correct/undo/", correcting.undo_correction, name="undo_correction"),
    path("correct/skip/", correcting.skip_correction, name="skip_correction"),
    path("correct/recent/", recent.recent_corrections, name="recent_corrections"),
    path("", dashboard.overview, name="overview"),
    path("figures/", dashboard.figures, name="figures"),
    path("tables/<slug:table>.csv", tables.download, name="table"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("pairs/", pairs.pairs, name="pairs"),
    path("pairs/<uuid:pair_id>/", pairs.pair, name="pair"),
    path("pairs/reopen/", verdicts.reopen_pairs, name="reopen_pairs"),
    path("pairs/<uuid:pair_id>/adjudicate/", verdicts.adjudicate, name="adjudicate"),
    path("pairs/<uuid:pair_id>/priority/", steering.give_priority, name="give_priority"),
    path("annotators/", annotators.annotators, name="annotators"),
    path("annotators/<uuid:user_id>/", annotator.annotator, name="annotator"),
    path("annotators/<uuid:user_id>/same/", interventions.same_person, name="same_person"),
    path("annotators/<uuid:user_id>/separate/", interventions.separate, name="separate"),
    path("annotators/<uuid:user_id>/<slug:step>/", interventions.intervene, name="intervene"),
    path("corrections/", work_lists.corrections, name="corrections"),
    path("leases/", work_lists.leases, name="leases"),
    path("skips/", work_lists.skips, name="skips"),
    path("skips/back/", steering.put_back, name="put_back"),
    path("releases/", releases.releases, name="releases"),
    path("releases/new/", drafts.draft_release, name="draft_release"),
    path("releases/<uuid:public_id>/", include(release)),
    path("guidelines/", guidelines.guidelines, name="guidelines"),
    path("welcome/", welcome.welcome, name="welcome"),
    path("welcome/begin/", welcome.begin, name="begin"),
    path("qualify/", qualifying.qualify, name="qualify"),
    path("qualify/begin/", qualifying.begin_attempt, name="begin_attempt"),
    path("me/", personal.me, name="me"),
    path("people/", people.people, name="people"),
    path("people/invite/", people.invite, name="invite"),
    path("people/<uuid:person_id>/", people.person, name="person"),
    path("people/<uuid:person_id>/attempt/", people.grant_attempt, name="grant_attempt"),
    path("people/<uuid:person_id>/pass/", people.let_pass, name="let_pass"),
    path(
        "invitations/<uuid:invitation_id>/revoke/",
        people.revoke_invitation,
        name="revoke_invitation",
    ),
    path("qualification/", qualification_set.qualification_set, name="qualification_set"),
    path("qualification/pair/", qualification_set.add_pair, name="add_qualification_pair"),
    path("qualification/lines/", qualification_set.add_lines, name="add_qualification_lines"),
    path(
        "qualification/<uuid:pair_id>/remove/",
        qualification_set.remove_pair,
        name="remove_qualification_pair",
    ),
    path(
        "qualification/preview/<int:number>/",
        qualification_set.preview_set,
        name="preview_qualification",
    ),
    path("known/", known_pairs.known_pairs, name="known_pairs"),
    path("known/add/", known_pairs.add_known_pairs, name="add_known_pairs"),
    path("settings/", project_settings.project_settings, name="project_settings"),
    path("settings/open/", project_settings.open_project, name="open_project"),
    path("settings/runs/", project_settings.let_run_in, name="let_run_in"),
    path("settings/runs/<uuid:run_id>/remove/", project_settings.keep_run_out, name="keep_run_out"),
    path("notices/", notices.notices, name="notices"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("join/", joining.invited, name="invited"),
    path("join/<str:secret>/", joining.join, name="join"),
    path("projects/new/", project_settings.create_project, name="create_project"),
    path("projects/preview/", designing.preview, name="preview"),
    path("projects/protocol/", designing.check_protocol, name="check_protocol"),
    path("projects/<uuid:project_id>/", include(project)),
]
