"""The base class of all tasks: adds the task and the original request to each log line."""

from typing import Any

from celery.contrib.django.task import DjangoTask
from structlog.contextvars import bound_contextvars, get_contextvars

from common.statements import watched_statements

HEADER = "pawsmith-request"


class LoggedTask(DjangoTask):
    """Carries the id of the request that queued it, and watches its SQL statements."""

    abstract = True

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run the task with its name and ids in each log line."""
        told = {"task": self.name, "task_id": self.request.id}
        if request := (self.request.headers or {}).get(HEADER):
            told["request"] = request
        with bound_contextvars(**told), watched_statements():
            return self.run(*arguments, **options)

    def apply_async(self, *arguments: Any, **options: Any) -> Any:
        """Queue the task with the id of the current request."""
        if request := get_contextvars().get("request"):
            options["headers"] = {**(options.get("headers") or {}), HEADER: request}
        return super().apply_async(*arguments, **options)
