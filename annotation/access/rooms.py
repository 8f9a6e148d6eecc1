"""Which pages a project has: those about work that no one does in it are hidden and not found."""

from annotation.models import Project

# The beginning of an address after the project.
OF_TRANSLATING = ("translations/", "tables/translat", "tables/validators")
OF_JUDGING = (
    *("data/", "pairs/", "agreement/", "models/"),
    *("qualification/", "qualify/", "known/", "generation/comparison/"),
    *("settings/quality/", "settings/protocol/"),
    *("tables/pairs", "tables/judgments", "tables/agreement"),
    *("tables/model-parting", "tables/generators"),
    *("tables/funnel", "tables/over-time", "tables/balance"),
)
# Kappas with the consensus say whose answers others give again.
OF_DECIDING = ("people/reissue/",)
OF_EITHER = ("generation/", "releases/")
OF_WORK = (
    "generation/",
    "recruiting/",
    "leases/",
    "skips/",
    "questions/",
    "guidelines/",
)


def has_page(project: Project, path: str) -> bool:
    page = path.partition(f"/{project.public_id}/")[2]
    if page.startswith(OF_TRANSLATING):
        return project.translates
    if page.startswith(OF_JUDGING):
        return project.judges
    if page.startswith(OF_DECIDING):
        return project.judges and project.scheme.decides
    if not project.kinds:  # it holds what others made
        return not page.startswith(OF_WORK)
    return project.judges or project.translates or not page.startswith(OF_EITHER)
