"""What keeps the open work of a translation study from everyone, and what to do about it."""

from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from annotation.models import Item, Project, Translation, Validation
from annotation.people.selectors import workforce

CLOSED = gettext_lazy("The project is closed: no one gets work.")
# Of each kind of work: that no one can do it, and that some of it may go to none of those who can.
TEXTS = {
    Translation.KIND: (
        gettext_lazy(
            "Sentences wait for a translation, and no one can translate. Add translators."
        ),
        ngettext_lazy(
            "%(n)s of the next sentences can’t be translated: each translator had or skipped it, "
            "or had the other sentence of its pair. Add a translator.",
            "%(n)s of the next sentences can’t be translated: each translator had or skipped them, "
            "or had the other sentences of their pairs. Add a translator.",
            "n",
        ),
    ),
    Validation.KIND: (
        gettext_lazy("Translations wait for validation, and no one can validate. Add validators."),
        ngettext_lazy(
            "%(n)s of the next translations can’t be validated: each validator had its sentence "
            "or skipped it. Add a validator.",
            "%(n)s of the next translations can’t be validated: each validator had their sentences "
            "or skipped them. Add a validator.",
            "n",
        ),
    ),
}


def reasons(project: Project) -> list[str]:
    """Return why open sentences or translations reach no one; empty if all of them can go on."""
    if not project.is_open:
        return [str(CLOSED)]
    people = workforce.people(project)
    able = {kind: len(each) for kind, each in people.items()}
    stuck = workforce.unfinishable(project, people)
    found = list(workforce.lacking(project, TEXTS, able, stuck))
    aside = Item.objects.filter(project=project, set_aside_at__isnull=False, excluded_by=None)
    if number := aside.count():
        text = ngettext(
            "%(n)s item is set aside. Return it to the queue on the page of skipped items.",
            "%(n)s items are set aside. Return them to the queue on the page of skipped items.",
            number,
        )
        found.append(text % {"n": number})
    return found
