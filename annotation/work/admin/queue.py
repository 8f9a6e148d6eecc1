"""Bulk admin actions that set the priority of items or return them to the queue."""

import uuid
from collections import defaultdict
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User
from annotation.models import Project
from annotation.work import order
from common.admin import ModelAdmin

Ids = Collection[uuid.UUID]
Change = Callable[[Project, Ids], int]


class Queued(ModelAdmin):
    """Read-only items whose priority can be set by users with the change permission."""

    actions = ("first", "normally", "last", "put_back")

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
        self._change(request, chosen, partial(order.put_back, by=_asker(request)))

    def _order(self, request: HttpRequest, chosen: QuerySet[Any], level: int) -> None:
        change = partial(order.prioritize, level=level, by=_asker(request))
        self._change(request, chosen, change)

    def _change(self, request: HttpRequest, chosen: QuerySet[Any], change: Change) -> None:
        ids: defaultdict[int, list[uuid.UUID]] = defaultdict(list)
        for project, public_id in chosen.order_by().values_list("project", "public_id"):
            ids[project].append(public_id)
        projects = Project.objects.in_bulk(ids)
        changed = sum(change(projects[key], some) for key, some in ids.items())
        asked = sum(map(len, ids.values()))
        self.message_user(request, f"{changed} of {asked} changed.", messages.SUCCESS)


def _asker(request: HttpRequest) -> User:
    return cast(User, request.user)
