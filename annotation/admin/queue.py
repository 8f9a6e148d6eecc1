"""Which items are given out first, and which come back: in bulk, by the services."""

import uuid
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from annotation.models import Project
from generation.admin.rows import ModelAdmin

Change = Callable[[Project, Collection[uuid.UUID]], int]
Order = Callable[[Project, Collection[uuid.UUID], int], int]


@dataclass(frozen=True, slots=True)
class Services:
    """What moves items of one project; each returns how many it changed."""

    order: Order
    take_back: Change


class Queued(ModelAdmin):
    """Items in the queue are not edited, but whoever may change them decides which come first."""

    actions = ("first", "normally", "last", "put_back")
    services: ClassVar[Services]

    def has_order_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    @admin.action(description="Give out before all others", permissions=["order"])
    def first(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._order(request, chosen, 1)

    @admin.action(description="Give out as usual", permissions=["order"])
    def normally(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._order(request, chosen, 0)

    @admin.action(description="Give out after all others", permissions=["order"])
    def last(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._order(request, chosen, -1)

    @admin.action(description="Put back what was set aside", permissions=["order"])
    def put_back(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._change(request, chosen, self.services.take_back)

    def _order(self, request: HttpRequest, chosen: QuerySet[Any], level: int) -> None:
        self._change(request, chosen, lambda project, ids: self.services.order(project, ids, level))

    def _change(self, request: HttpRequest, chosen: QuerySet[Any], change: Change) -> None:
        ids: defaultdict[int, list[uuid.UUID]] = defaultdict(list)
        for project, public_id in chosen.order_by().values_list("project", "public_id"):
            ids[project].append(public_id)
        projects = Project.objects.in_bulk(ids)
        changed = sum(change(projects[key], some) for key, some in ids.items())
        asked = sum(map(len, ids.values()))
        self.message_user(request, f"{changed} of {asked} changed.", messages.SUCCESS)
