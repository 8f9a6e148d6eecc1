"""What the release of a house may be found as."""

from datetime import timedelta

from django.utils import timezone

from annotation.models import Release, ReleasePreview
from annotation.services import releases
from tests.browser.house import House

FAR = timedelta(days=1)


def _another(house: House, **columns: object) -> None:
    """A second version, to which the addresses lead."""
    draft = releases.draft(house.project, version="1.1", dev=0, test=0)
    Release.objects.filter(pk=draft.pk).update(**columns or {"step": ""})
    house.arguments["public_id"] = draft.public_id


def unseen(house: House) -> None:
    """A draft that waits for a worker, as it has for long."""
    _another(house)
    ReleasePreview.objects.update(asked_at=timezone.now() - FAR)


def looked_at(house: House) -> None:
    """A worker finds out what a draft would hold."""
    _another(house)
    until = timezone.now() + FAR
    under_way = {"state": "under_way", "step": "reading", "done": 1200, "lease_until": until}
    ReleasePreview.objects.update(**under_way)


def drafted(house: House) -> None:
    """A draft, and what it would hold."""
    _another(house)
    assert releases.preview_next()


def outrun(house: House) -> None:
    """A draft that was looked at yesterday, before anything was decided."""
    drafted(house)
    ReleasePreview.objects.update(read_at=timezone.now() - FAR, decided=0, candidates=0)


def outdated(house: House) -> None:
    """A draft that was looked at before its project decided otherwise."""
    drafted(house)
    ReleasePreview.objects.update(settings_digest="of others")


def unseeable(house: House) -> None:
    """A draft that no worker could look at."""
    _another(house)
    ReleasePreview.objects.update(state="failed", failure="MemoryError: no memory left")


def impossible(house: House) -> None:
    """A draft that asks for more than there is."""
    draft = releases.draft(house.project, version="1.1", dev=4000)
    assert releases.preview_next()
    house.arguments["public_id"] = draft.public_id


def queued(house: House) -> None:
    """It waits for a worker, and a first attempt went wrong."""
    _another(house, state="queued", failure="OSError: No space left on device")


def being_built(house: House) -> None:
    """A worker is at it."""
    until = timezone.now() + FAR
    _another(house, state="building", step="freezing", done=1200, total=4000, lease_until=until)


def failed(house: House) -> None:
    """No worker could build it."""
    _another(house, state="failed", failure="OSError: No space left on device")


def withdrawn(house: House) -> None:
    """Its files are gone."""
    release = Release.objects.get(public_id=house.arguments["public_id"])
    releases.withdraw(release, by=house.people["manager"], reason="A source was not free.")
