"""URLs of the pages."""

from django.urls import URLPattern, URLResolver, include, path, register_converter
from django.urls.converters import StringConverter

from annotation.agreement import model as annotator_model
from annotation.agreement import views as agreement
from annotation.comments import views as comments
from annotation.crowd.views import entrance as crowd
from annotation.crowd.views import recruiting
from annotation.glossary import views as glossary
from annotation.imports.views import data, one_import
from annotation.model_judgments import task_views
from annotation.model_judgments import views as model_judgments
from annotation.pairs import many as many_pairs
from annotation.pairs import views as pairs
from annotation.people.views import entrance, home, invitations, members, people, person
from annotation.projects.views import (
    files,
    history,
    lifecycle,
    overview,
    pickers,
    plan,
    project_form,
    saved_views,
    settings,
)
from annotation.quality.views import interventions, qualification
from annotation.questions import views as questions
from annotation.runs.views import comparison, new_run, run, runs
from annotation.translations import views as translations
from annotation.work.kinds import KINDS
from annotation.work.views import lists, pages


class KindConverter(StringConverter):
    """The name of a kind of work."""

    regex = "[a-z]+"

    def to_python(self, value: str) -> str:
        if value not in KINDS:
            raise ValueError(value)
        return value

    to_url = to_python


register_converter(KindConverter, "kind")

project: list[URLPattern | URLResolver] = [
    # The most requested first: URL patterns are tried in order.
    path("<kind:kind>/", pages.work, name="work"),
    path("<kind:kind>/undo/", pages.undo, name="undo"),
    path("<kind:kind>/skip/", pages.skip, name="skip"),
    path("<kind:kind>/recent/", pages.recent, name="recent"),
    path("<kind:kind>/note/", comments.note, name="note"),
    path("<kind:kind>/checks/", translations.checks, name="checks"),
    path("earlier/", translations.earlier, name="earlier"),
    path("glossary/", glossary.glossary, name="glossary"),
    path("glossary/propose/", glossary.propose_term, name="propose_term"),
    path("glossary/upload/", glossary.upload_terms, name="upload_terms"),
    path("glossary/<uuid:term_id>/", glossary.term, name="term"),
    path("notes/", comments.notes, name="notes"),
    path("notes/confirm/", comments.confirm_replies, name="confirm_replies"),
    path("comments/", comments.comments, name="comments"),
    path("comments/<uuid:thread_id>/", comments.answer_comment, name="answer_comment"),
    path("", overview.overview, name="overview"),
    path("figures/", overview.figures, name="figures"),
    path("tables/<slug:table>.csv", files.download, name="table"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("agreement/model/", annotator_model.fit_model, name="fit_model"),
    path("models/", model_judgments.models, name="models"),
    path("models/ask/", task_views.ask_model, name="ask_model"),
    path("models/tasks/", task_views.model_tasks, name="model_tasks"),
    path(
        "models/tasks/<uuid:task_id>/<slug:step>/",
        task_views.steer_model_task,
        name="steer_model_task",
    ),
    path("models/remove/", model_judgments.remove_model_judgments, name="remove_model_judgments"),
    path("pairs/", pairs.pairs, name="pairs"),
    path("pairs/<uuid:pair_id>/", pairs.pair, name="pair"),
    path("pairs/chosen/", many_pairs.change_pairs, name="change_pairs"),
    path("views/", saved_views.save_view, name="save_view"),
    path("views/<int:view_id>/", saved_views.change_view, name="change_view"),
    path("pairs/reopen/", many_pairs.reopen_pairs, name="reopen_pairs"),
    path("pairs/decide/", many_pairs.decide_pairs, name="decide_pairs"),
    path("pairs/<uuid:pair_id>/adjudicate/", pairs.adjudicate, name="adjudicate"),
    path("pairs/<uuid:pair_id>/exclude/", pairs.exclude_pair, name="exclude_pair"),
    path("pairs/<uuid:pair_id>/include/", pairs.include_pair, name="include_pair"),
    path("pairs/<uuid:pair_id>/hide-reason/", pairs.hide_reason, name="hide_reason"),
    path("pairs/<uuid:pair_id>/comment/", comments.comment_pair, name="comment_pair"),
    path("pairs/<uuid:pair_id>/priority/", lists.give_priority, name="give_priority"),
    path("translations/", translations.translations, name="translations"),
    path("translations/pairs/", translations.source_pairs, name="source_pairs"),
    path("translations/untranslatable/", translations.untranslatable, name="untranslatable"),
    path("translations/equal/", translations.collapsed, name="collapsed"),
    path("translations/settings/", translations.change_plan, name="change_plan"),
    path("translations/top-up/", translations.top_up, name="top_up"),
    path("translations/widen/<uuid:user_id>/", translations.widen, name="widen"),
    path("translations/deliver/", translations.deliver, name="deliver"),
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
    path("me/questions/", questions.about_me, name="about_me"),
    path("questions/", questions.questions, name="questions"),
    path("questions/ready/", questions.add_questions, name="add_questions"),
    path("questions/new/", questions.add_question, name="add_question"),
    path("questions/<uuid:question_id>/", questions.question, name="question"),
    path("people/", people.people, name="people"),
    path("people/chosen/", interventions.intervene_many, name="intervene_many"),
    path("people/reissue/", interventions.reissue, name="reissue"),
    path("people/reissue/release/", interventions.release_reserved, name="release_reserved"),
    path("people/<uuid:user_id>/", person.person, name="person"),
    path("people/<uuid:user_id>/actions/", person.person_actions, name="person_actions"),
    path("people/<uuid:person_id>/place/", members.person_place, name="person_place"),
    path("people/<uuid:person_id>/remove/", members.remove_member, name="remove_member"),
    path("people/<uuid:person_id>/password/", members.password_link, name="password_link"),
    path("people/<uuid:person_id>/attempt/", members.grant_attempt, name="grant_attempt"),
    path("people/<uuid:person_id>/pass/", members.let_pass, name="let_pass"),
    path("people/<uuid:user_id>/same/", interventions.same_person, name="same_person"),
    path("people/<uuid:user_id>/separate/", interventions.separate, name="separate"),
    path("people/<uuid:user_id>/<slug:step>/", interventions.intervene, name="intervene"),
    path("invitations/", invitations.invitations, name="invitations"),
    path("invitations/new/", invitations.invite, name="invite"),
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
        invitations.revoke_invitation,
        name="revoke_invitation",
    ),
    path("qualification/", qualification.qualification_set, name="qualification_set"),
    path("qualification/pair/", qualification.add_pair, name="add_qualification_pair"),
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
    path("known/", qualification.gold_pairs, name="gold_pairs"),
    path("data/", data.data, name="data"),
    path("data/upload/", data.upload, name="upload"),
    path("data/imports/<uuid:import_id>/", one_import.one_import, name="import"),
    path(
        "data/imports/<uuid:import_id>/progress/",
        one_import.import_progress,
        name="import_progress",
    ),
    path("data/imports/<uuid:import_id>/refused/", one_import.refused_lines, name="refused_lines"),
    path("data/imports/<uuid:import_id>/<slug:step>/", one_import.import_step, name="import_step"),
    path("data/corpora/add/", data.add_corpus, name="add_corpus"),
    path("data/corpora/<int:corpus_id>/", data.corpus, name="corpus"),
    path("data/corpora/<int:corpus_id>/change/", data.change_corpus, name="change_corpus"),
    path("data/corpora/<int:corpus_id>/remove/", data.remove_corpus, name="remove_corpus"),
    *(
        path(f"settings/{page}/", settings.project_settings, {"page": page}, f"{page}_settings")
        for page in ("work", "joining", "quality", "protocol")
    ),
    path("generation/", runs.generation_runs, name="generation_runs"),
    path("generation/new/", new_run.new_run, name="new_run"),
    path("generation/comparison/", comparison.compare_runs, name="compare_runs"),
    path("generation/add/", runs.add_run, name="add_run"),
    path("generation/<uuid:run_id>/", run.run, name="run"),
    path("generation/<uuid:run_id>/progress/", run.run_progress, name="run_progress"),
    path("generation/<uuid:run_id>/steer/", run.steer_run, name="steer_run"),
    path("generation/<uuid:run_id>/cancel/", run.cancel_run, name="cancel_run"),
    path("generation/<uuid:run_id>/remove/", runs.remove_run, name="remove_run"),
    path("settings/project/", lifecycle.project_actions, name="project_actions"),
    path("settings/project/open/", lifecycle.open_project, name="open_project"),
    path("settings/project/duplicate/", lifecycle.duplicate_project, name="duplicate_project"),
    path("settings/project/transfer/", lifecycle.transfer_project, name="transfer_project"),
    path("settings/project/archive/", lifecycle.archive_project, name="archive_project"),
    path("settings/project/restore/", lifecycle.restore_project, name="restore_project"),
    path("settings/project/delete/", lifecycle.delete_project, name="delete_project"),
    path("history/", history.history, name="history"),
    path("history/file/", history.history_file, name="history_file"),
    path("notices/", pages.notices, name="notices"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("keys/", home.shortcuts, name="shortcuts"),
    path("join/", entrance.invited, name="invited"),
    path("join/<str:secret>/", entrance.join, name="join"),
    path("take-part/", crowd.take_part, name="take_part"),
    path("take-part/<str:link_secret>/", crowd.recruit, name="recruit"),
    path("languages/", pickers.find_language, name="find_language"),
    path("licences/", pickers.find_licence, name="find_licence"),
    path("projects/new/", project_form.create_project, name="create_project"),
    path("projects/plan/", plan.plan_study, name="plan_study"),
    path("projects/preview/", project_form.preview, name="preview"),
    path("projects/protocol/", project_form.check_protocol, name="check_protocol"),
    path("projects/<uuid:project_id>/", include(project)),
]
