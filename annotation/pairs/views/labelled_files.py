"""Files of labelled lines that managers bring."""

from collections.abc import Callable

from django.contrib import messages

from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.pairs.forms import LabelledFileForm
from annotation.pairs.labelled_lines import Report
from generation.records import UnreadableFile


def bring(request: Request, form: LabelledFileForm, add: Callable[[], Report]) -> bool:
    """Let `add` store what was sent, and tell what became of it; whether nothing is left to mend.

    Where something is, the form says what: of itself, of the file, or of the lines refused.
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
