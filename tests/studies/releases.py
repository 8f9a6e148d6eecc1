"""Drafts with their previews, releases in each state, uploads, and a comparison."""

from datetime import timedelta
from functools import partial

from django.utils import timezone

from releases.dataset.documentation import Documentation
from releases.dataset.metadata import Metadata
from releases.models import Comparison, HubUpload, Release, ReleasePreview
from releases.services import drafts, publication
from releases.services.builds import PREVIEWS

DAY, NOW = timedelta(days=1), timezone.now()
SOON = NOW + DAY


def _draft(study, dev=0):
    """A second version, to which the addresses lead."""
    metadata = Metadata(documentation=Documentation("To test models.", ("Short sentences.",)))
    draft = drafts.create_draft(study.project, version="1.1", metadata=metadata, dev=dev, test=0)
    study.arguments["public_id"] = draft.public_id
    return Release.objects.filter(pk=draft.pk)


def previewed_draft(study, dev=0):
    _draft(study, dev)
    assert PREVIEWS.do_next()


def waiting_draft(study, **preview):
    _draft(study)
    ReleasePreview.objects.update(asked_at=timezone.now() - DAY, **preview)


def unfinished_release(study, **columns):
    _draft(study).update(failure="OSError: No space left on device", **columns)


def upload(study, **columns):
    asked = {"repository": "my-lab/pairs", "is_private": True, "asked_at": timezone.now()}
    release = Release.objects.get(public_id=study.arguments["public_id"])
    HubUpload.objects.create(release=release, asked_by=study.people["manager"], **asked | columns)


def with_test_set(study):
    release = Release.objects.get(public_id=study.arguments["public_id"])
    release.examples.filter(origin="judged").update(subset="labeled_final", split="test")
    return release


def compared(study, sample=10, purpose="people"):
    """The study is compared with its own release, whose judged pairs are its test set."""
    release = with_test_set(study)
    Comparison.objects.create(
        project=study.project,
        release=release,
        purpose=purpose,
        sample=sample,
        taught=3,
        seed=0,
    )


def withdrawn_release(study):
    release = Release.objects.get(public_id=study.arguments["public_id"])
    publication.withdraw(release, by=study.people["manager"], reason="A source was not free.")


not_compared_yet = partial(compared, sample=0)
judged_again = partial(compared, sample=None, purpose="labels")
not_judged_again_yet = partial(judged_again, sample=0)
impossible_draft = partial(previewed_draft, dev=4000)
draft_being_previewed = partial(
    waiting_draft, state="under_way", step="reading", done=1200, lease_until=SOON
)
failed_preview = partial(waiting_draft, state="failed", failure="MemoryError")
queued_release = partial(unfinished_release, state="queued")
failed_release = partial(unfinished_release, state="failed")
release_being_built = partial(
    unfinished_release, state="building", step="freezing", done=1200, total=4000, lease_until=SOON
)
upload_waiting = partial(upload, state="waiting")
upload_under_way = partial(
    upload, state="under_way", step="uploading", done=120, total=4000, lease_until=SOON
)
upload_failed = partial(upload, state="failed", failure="The Hub refused this.")
uploaded = partial(
    upload, state="done", url="https://huggingface.co/datasets/my-lab/pairs", uploaded_at=NOW
)
