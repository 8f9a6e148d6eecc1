"""What happens to a project as a whole: duplicate, archive, restore, delete."""

from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Intervention, Membership, Project, QualificationPair
from annotation.projects.services import projects
from annotation.projects.settings import SETTINGS
from annotation.questions import services as questions
from annotation.work import kinds, queue


@transaction.atomic
def duplicate(project: Project, *, name: str, by: User) -> Project:
    """Create a project with the same settings, questions and qualification set, managed by `by`.

    People, sentences, pairs and gold pairs are not copied. Raises ValidationError for a name that
    is taken, and Refused for a study whose kinds of work cannot, such as translation.
    """
    project.refresh_from_db()
    for kind in kinds.of_project(project):
        if kind.not_duplicated:
            raise Refused(str(kind.not_duplicated))
    settings = {setting: getattr(project, setting) for setting in SETTINGS if setting != "name"}
    copy = projects.create(name, managers=[by], by=by, kinds=list(project.kinds), **settings)
    pairs = project.qualification_pairs.values_list(
        "position", "sentence1", "sentence2", "label", "explanation"
    )
    QualificationPair.objects.bulk_create(
        QualificationPair(
            project=copy,
            position=position,
            sentence1=sentence1,
            sentence2=sentence2,
            label=label,
            explanation=explanation,
        )
        for position, sentence1, sentence2, label, explanation in pairs
    )
    questions.copy(project, to=copy)
    return copy


@transaction.atomic
def archive(project: Project, *, by: User) -> None:
    """Close a project, leave it out of lists and make it read-only. Answers and files stay.

    Items in progress return to their queues. Archiving twice changes nothing.
    """
    active = Project.objects.filter(pk=project.pk, archived_at=None)
    if active.update(is_open=False, archived_at=timezone.now()):
        queue.give_back_all(project.slots.all())
        audit.record(Act.PROJECT_ARCHIVED, by=by, on=project)


@transaction.atomic
def restore(project: Project, *, by: User) -> None:
    """Make an archived project changeable again. It stays closed until a manager opens it."""
    archived = Project.objects.filter(pk=project.pk, archived_at__isnull=False)
    if archived.update(archived_at=None):
        audit.record(Act.PROJECT_RESTORED, by=by, on=project)


def is_empty(project: Project) -> bool:
    """Return whether nothing would be lost with the project: no candidate, pair, or release."""
    return not (project.items.exists() or project.intakes.exists() or project.releases.exists())


@transaction.atomic
def delete(project: Project, *, by: User) -> None:
    """Delete an empty project with its settings, members and invitations.

    Raises Refused if it has candidates, pairs or releases, or if something else depends on it.
    """
    Project.objects.select_for_update().get(pk=project.pk)
    if not is_empty(project):
        raise Refused(_("This project has pairs or releases, so it can only be archived."))
    audit.record(Act.PROJECT_DELETED, by=by, on=project)
    try:
        with transaction.atomic():
            Intervention.objects.filter(membership__project=project).delete()
            Membership.objects.filter(project=project).delete()
            project.delete()
    except ProtectedError as error:
        raise Refused(
            _("Other data depends on this project, so it can only be archived.")
        ) from error
