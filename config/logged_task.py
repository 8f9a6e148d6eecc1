"""What all tasks have in common: whatever they log says which task it was, and who asked for it."""

from typing import Any

from celery.contrib.django.task import DjangoTask
from structlog.contextvars import bound_contextvars, get_contextvars

from common.statements import watched_statements

HEADER = "pawsmith-request"


class LoggedTask(DjangoTask):
    """Carries the id of the request that sent it, and watches its statements."""

    abstract = True

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run, as Celery does, with what names this run of the task in each line of the log."""
        told = {"task": self.name, "task_id": self.request.id}
        if request := (self.request.headers or {}).get(HEADER):
            told["request"] = request
        with bound_contextvars(**told), watched_statements():
            return self.run(*arguments, **options)

    def apply_async(self, *arguments: Any, **options: Any) -> Any:
        """Send, with the id of the request that is at work."""
        if request := get_contextvars().get("request"):
            options["headers"] = {**(options.get("headers") or {}), HEADER: request}
        return super().apply_async(*arguments, **options)
