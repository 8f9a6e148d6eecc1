"""Uploads of labelled lines by managers."""

from collections.abc import Callable

from django.contrib import messages

from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.pairs.forms import LabelledFileForm
from generation.records import Report, UnreadableFile


def bring(request: Request, form: LabelledFileForm, add: Callable[[], Report]) -> bool:
    """Store uploaded lines with `add` and report the result; return whether nothing needs fixing.

    Otherwise the form shows the errors: its own, those of the file, or the refused lines.
    """
    if not form.is_valid():
        return False
    try:
        form.report = report = add()
    except (UnreadableFile, Refused) as error:
        form.add_error(None, str(error))
        return False
    if report.added:
        messages.success(request, form.added % {"count": report.added})
    if report.duplicates:
        messages.info(request, form.duplicates % {"count": report.duplicates})
    return not report.refused
