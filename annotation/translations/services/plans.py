"""The plan of a translation study: locked, changed, and final once delivered."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import ARCHIVED, Refused
from annotation.models import Project, Translation, TranslationPlan

SETTINGS = ("validated_share", "least_validated", "most_error", "keeps_partners_apart")
# With another share, early and late translations would not be drawn by the same chance.
FIXED_BY_WORK = ("validated_share",)


def hold_plan(project_id: int) -> None:
    """Let no one deliver or put up many translations before the transaction ends.

    Answers call it before they lock slots. They do not wait for each other.
    """
    if connection.vendor == "postgresql":  # on SQLite, transactions that write follow each other
        statement = "SELECT 1 FROM annotation_translationplan WHERE project_id = %s FOR KEY SHARE"
        with connection.cursor() as cursor:
            cursor.execute(statement, [project_id])


def lock(project: Project) -> TranslationPlan:
    """Return the plan as it is stored, and let answers wait until the transaction ends."""
    return TranslationPlan.objects.select_for_update(of=("self",)).get(project=project)


def lock_undelivered(project: Project) -> TranslationPlan:
    """Return the locked plan. Raises Refused if the translations are delivered."""
    plan = lock(project)
    if plan.delivered_at is not None:
        raise Refused(_("The translations are delivered, so nothing about them can change."))
    return plan


def fixed_settings(plan: TranslationPlan) -> tuple[str, ...]:
    """Return the settings that can no longer change."""
    if plan.delivered_at is not None:
        return SETTINGS
    has_begun = Translation.objects.filter(project=plan.project_id).answered().exists()
    return FIXED_BY_WORK if has_begun else ()


@transaction.atomic
def change(project: Project, values: Mapping[str, Any], *, by: User | None) -> list[str]:
    """Change settings; return the names of those that changed.

    Raises Refused after delivery, and ValidationError for values out of bounds, for a setting that
    is fixed because work has begun, and for an archived project.
    """
    plan = lock_undelivered(project)
    before = {name: getattr(plan, name) for name in values}
    changes = {name: value for name, value in values.items() if before[name] != value}
    if not changes:
        return []
    if Project.objects.filter(pk=project.pk, archived_at__isnull=False).exists():
        raise ValidationError(ARCHIVED)
    if locked := [name for name in fixed_settings(plan) if name in changes]:
        raise ValidationError(dict.fromkeys(locked, _("This is fixed, because work has begun.")))
    for name, value in changes.items():
        setattr(plan, name, value)
    plan.full_clean()
    plan.save(update_fields=list(changes))
    record = {name: [before[name], value] for name, value in changes.items()}
    audit.record(Act.PLAN_CHANGED, by=by, on=project, values=record)
    return list(changes)
