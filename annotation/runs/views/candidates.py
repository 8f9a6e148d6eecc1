"""The table of candidates on the page of a run."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.access.gates import Request
from annotation.projects.views import table_page
from annotation.runs.forms import CandidatesForm
from annotation.runs.selectors import candidates
from annotation.runs.selectors.candidates import Order
from annotation.runs.selectors.runs import compared
from generation.models import GenerationRun

# The id of the table on the page.
PART = "run-list"
ORDERS = {
    Order.CORPUS: _("In corpus order"),
    Order.HIGHEST: _("Highest estimate first"),
    Order.LOWEST: _("Lowest estimate first"),
}


def context(request: Request, run: GenerationRun) -> dict[str, Any]:
    """Return the page of candidates that was asked for.

    If there is none, return the `problem` with the order, or "" if it is the page.
    """
    orders = candidates.orders(run)
    form = CandidatesForm(request.GET, orders=orders)
    if not form.is_valid():
        return {"problem": " ".join(map(str, form.errors.get("order", [])))}
    number_without = candidates.number_without(run)
    found = {"orders": [(each, ORDERS[each]) for each in orders], "number_without": number_without}
    if number_without and form.cleaned_data["without"]:
        without = candidates.without(run, **form.place(1))
        links = table_page.links(request.GET, without, part=PART)
        return found | {"number": number_without, "without": without.rows, "links": links}
    order = Order(form.cleaned_data["order"] or Order.CORPUS)
    page = candidates.page(run, order, **form.place(len(candidates.COLUMNS[order])))
    return found | {
        "order": order,
        "number": candidates.number(run, order),
        "candidates": [compared(run, each.sentence, each) for each in page.rows],
        "links": table_page.links(request.GET, page, part=PART),
    }
