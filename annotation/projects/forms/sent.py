"""Settings that a program sends, checked by the forms of the settings pages."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from annotation.models import Project
from annotation.projects import settings
from annotation.projects.forms.projects import LOOKS, NO_VOTES, SettingsForm


def checked_settings(project: Project, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings in `sent` as the pages would store them.

    `project` may be unsaved; it takes the values. Settings that it lets no one change are returned
    as they are: `projects.change` refuses them. Raises ValidationError with the reasons by setting,
    or by its part, such as `limits.judge`.
    """
    values = dict(sent)
    problems: dict[str, list[ValidationError]] = {}
    # The protocol first: other pages ask for its labels.
    for page in sorted(settings.PAGES, key=lambda page: page != "protocol"):
        names = sent.keys() & {*settings.in_effect(project, page)}
        unsent = SettingsForm(instance=project, page=page)
        if not names or unsent.is_fixed:
            continue
        data = {
            name: unsent.get_initial_for_field(field, name)
            for name, field in unsent.fields.items()
            if _sent_name(name).partition(".")[0] not in names
        } | _form_values({name: sent[name] for name in names})
        form = SettingsForm(data, instance=project, page=page)
        problems |= {_sent_name(name): errors for name, errors in form.errors.as_data().items()}
        for name in data.keys() - form.fields.keys():
            problems[_sent_name(name)] = [ValidationError("There is no such field.", "unknown")]
        if form.is_valid():
            values |= {n: v for n, v in form.settings().items() if n in names or n in NO_VOTES}
    if problems:
        raise ValidationError(problems)
    return values


def _form_values(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the form for these settings; some have one for each of their parts."""
    fields = {name: value for name, value in sent.items() if name not in ("limits", "label_looks")}
    fields |= {f"limit_{kind}": most for kind, most in sent.get("limits", {}).items()}
    for value, look in sent.get("label_looks", {}).items():
        fields |= {f"{part}_{value}": text for part, text in look.items()}
    return fields


def _sent_name(field: str) -> str:
    """Return what a program calls the field of a form."""
    prefix, _, rest = field.partition("_")
    if prefix == "limit":
        return f"limits.{rest}"
    return f"label_looks.{rest}.{prefix}" if prefix in LOOKS else field
