"""URLs of the pages."""

from django.urls import URLPattern, URLResolver, include, path, register_converter
from django.urls.converters import StringConverter

from annotation.agreement import views as agreement
from annotation.crowd.views import entrance as crowd
from annotation.crowd.views import recruiting
from annotation.model_judgments import views as model_judgments
from annotation.pairs import views as pairs
from annotation.people.views import annotators, entrance, home, members
from annotation.projects.views import files, history, overview, project_form, settings
from annotation.quality.views import gold_pairs, interventions, qualification
from annotation.work.kinds import KINDS
from annotation.work.views import lists, pages, shortcuts


class KindConverter(StringConverter):
    """The name of a kind of work."""

    regex = "|".join(KINDS)


register_converter(KindConverter, "kind")

project: list[URLPattern | URLResolver] = [
    # The most requested first: URL patterns are tried in order.
    path("<kind:kind>/", pages.work, name="work"),
    path("<kind:kind>/undo/", pages.undo, name="undo"),
    path("<kind:kind>/skip/", pages.skip, name="skip"),
    path("<kind:kind>/recent/", pages.recent, name="recent"),
    path("", overview.overview, name="overview"),
    path("figures/", overview.figures, name="figures"),
    path("tables/<slug:table>.csv", files.download, name="table"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("models/", model_judgments.models, name="models"),
    path("models/add/", model_judgments.add_model_judgments, name="add_model_judgments"),
    path("models/remove/", model_judgments.remove_model_judgments, name="remove_model_judgments"),
    path("pairs/", pairs.pairs, name="pairs"),
    path("pairs/<uuid:pair_id>/", pairs.pair, name="pair"),
    path("pairs/reopen/", pairs.reopen_pairs, name="reopen_pairs"),
    path("pairs/<uuid:pair_id>/adjudicate/", pairs.adjudicate, name="adjudicate"),
    path("pairs/<uuid:pair_id>/exclude/", pairs.exclude_pair, name="exclude_pair"),
    path("pairs/<uuid:pair_id>/include/", pairs.include_pair, name="include_pair"),
    path("pairs/<uuid:pair_id>/priority/", lists.give_priority, name="give_priority"),
    path("annotators/", annotators.annotators, name="annotators"),
    path("annotators/<uuid:user_id>/", annotators.annotator, name="annotator"),
    path("annotators/<uuid:user_id>/same/", interventions.same_person, name="same_person"),
    path("annotators/<uuid:user_id>/separate/", interventions.separate, name="separate"),
    path("annotators/<uuid:user_id>/<slug:step>/", interventions.intervene, name="intervene"),
    path("answers/<kind:kind>/", lists.answers, name="answers"),
    path("leases/", lists.leases, name="leases"),
    path("skips/", lists.skips, name="skips"),
    path("skips/back/", lists.put_back, name="put_back"),
    path("guidelines/", pages.guidelines, name="guidelines"),
    path("finish/", crowd.finish, name="finish"),
    path("welcome/", entrance.welcome, name="welcome"),
    path("welcome/begin/", entrance.begin, name="begin"),
    path("qualify/", qualification.qualify, name="qualify"),
    path("qualify/begin/", qualification.begin_attempt, name="begin_attempt"),
    path("me/", home.me, name="me"),
    path("people/", members.people, name="people"),
    path("people/invite/", members.invite, name="invite"),
    path("people/<uuid:person_id>/", members.person, name="person"),
    path("people/<uuid:person_id>/attempt/", members.grant_attempt, name="grant_attempt"),
    path("people/<uuid:person_id>/pass/", members.let_pass, name="let_pass"),
    path("recruiting/", recruiting.recruiting, name="recruiting"),
    path("recruiting/new/", recruiting.recruit_people, name="recruit_people"),
    path("recruiting/report.csv", recruiting.recruiting_report, name="recruiting_report"),
    path(
        "recruiting/<uuid:recruitment_id>/revoke/",
        recruiting.revoke_recruitment,
        name="revoke_recruitment",
    ),
    path(
        "invitations/<uuid:invitation_id>/revoke/",
        members.revoke_invitation,
        name="revoke_invitation",
    ),
    path("qualification/", qualification.qualification_set, name="qualification_set"),
    path("qualification/pair/", qualification.add_pair, name="add_qualification_pair"),
    path("qualification/lines/", qualification.add_lines, name="add_qualification_lines"),
    path(
        "qualification/<uuid:pair_id>/remove/",
        qualification.remove_pair,
        name="remove_qualification_pair",
    ),
    path(
        "qualification/preview/<int:number>/",
        qualification.preview_set,
        name="preview_qualification",
    ),
    path("known/", gold_pairs.gold_pairs, name="gold_pairs"),
    path("known/add/", gold_pairs.add_gold_pairs, name="add_gold_pairs"),
    path("settings/", settings.project_settings, name="project_settings"),
    path("settings/open/", settings.open_project, name="open_project"),
    path("settings/runs/", settings.add_run, name="add_run"),
    path("settings/runs/<uuid:run_id>/remove/", settings.remove_run, name="remove_run"),
    path("history/", history.history, name="history"),
    path("history/file/", history.history_file, name="history_file"),
    path("notices/", pages.notices, name="notices"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("keys/", shortcuts.shortcuts, name="shortcuts"),
    path("join/", entrance.invited, name="invited"),
    path("join/<str:secret>/", entrance.join, name="join"),
    path("take-part/", crowd.take_part, name="take_part"),
    path("take-part/<str:link_secret>/", crowd.recruit, name="recruit"),
    path("projects/new/", project_form.create_project, name="create_project"),
    path("projects/preview/", project_form.preview, name="preview"),
    path("projects/protocol/", project_form.check_protocol, name="check_protocol"),
    path("projects/<uuid:project_id>/", include(project)),
]
