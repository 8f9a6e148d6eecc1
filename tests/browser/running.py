"""How the installation may be found that a house stands in."""

from datetime import timedelta

from django.utils import timezone

from annotation.models import Release
from generation.models import GenerationRun, Worker
from generation.services import signs_of_life
from tests.browser.house import House


def well(_: House) -> None:
    """Two workers show signs of life."""
    signs_of_life.show("7c1f09aa2b31:7", "celery", ["beat", "cpu"])
    signs_of_life.show("7c1f09aa2b31:8", "celery", ["gpu"])


def amiss(house: House) -> None:
    """A release waits, a run stands still, a batch is parked, and the one worker fell silent."""
    version = {"version": "9.9", "seed": 0, "settings": {}}
    Release.objects.create(project=house.project, state="queued", **version)
    first, *_ = runs = list(GenerationRun.objects.order_by("pk"))
    GenerationRun.objects.filter(pk=first.pk).update(
        state="running", created_at=timezone.now() - timedelta(hours=3)
    )
    first.batches.update(state="open", finished_at=None)
    runs[-1].batches.update(state="parked", finished_at=None)
    signs_of_life.show("7c1f09aa2b31:7", "celery", ["beat", "cpu"])
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=20))
