"""URLs of the release pages."""

from django.urls import URLPattern, URLResolver, include, path

from releases.translations import views as translations
from releases.views import comparisons, drafts, judged_again, pairs, published, releases, report

release = [
    path("", releases.release, name="release"),
    path("edit/", drafts.edit_release, name="edit_release"),
    path("read/", published.read_again, name="read_again"),
    path("preview/", drafts.preview_release, name="preview_release"),
    path("progress/", releases.release_progress, name="release_progress"),
    path("pairs/", pairs.release_pairs, name="release_pairs"),
    path("withdraw/", releases.withdraw_release, name="withdraw_release"),
    path("forget/", releases.forget_names, name="forget_names"),
    path("hub/", drafts.upload_release, name="upload_release"),
    path("hub/progress/", drafts.upload_progress, name="upload_progress"),
    path("hub/cancel/", drafts.cancel_upload, name="cancel_upload"),
    path("compare/", comparisons.compare_release, name="compare_release"),
    path("judge/", judged_again.judge_again, name="judge_again"),
    path("translate/", translations.translate_release, name="translate_release"),
    path("archive/", releases.release_archive, name="release_archive"),
    path("files/<path:path>", releases.release_file, name="release_file"),
    path("<slug:step>/", drafts.release_step, name="release_step"),
]

project: list[URLPattern | URLResolver] = [
    path("", releases.releases, name="releases"),
    path("new/", drafts.draft_release, name="draft_release"),
    path("new/version/", published.create_version, name="create_version"),
    path("comparison/", comparisons.comparison, name="comparison"),
    path("comparison/table/", comparisons.comparison_table, name="comparison_table"),
    path("tables.tex", report.report_latex, name="report_latex"),
    path("<uuid:public_id>/", include(release)),
]

urlpatterns = [
    path("projects/new/published/", published.create_set, name="create_set"),
    path("projects/new/translation/", translations.choose_release, name="choose_release"),
    path("projects/<uuid:project_id>/releases/", include(project)),
    path("projects/<uuid:project_id>/settings/", drafts.study_settings, name="project_settings"),
]
