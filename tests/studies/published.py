"""A set that was published elsewhere, in the hands of the manager of the study."""

from releases.dataset.metadata import Metadata
from releases.dataset.published.settings import Choices
from releases.models import Release
from releases.services import builds, published_drafts
from releases.services.builds import PREVIEWS
from tests.releases.dataset.published.sets import SICK

METADATA = Metadata("CC-BY-4.0", citation="Doe (2020).", languages=("en",))


def draft_of_set(study, **choices):
    """A draft that cannot be built: its files do not say what a paraphrase is."""
    draft = published_drafts.create_set(
        "Rivers, published",
        {"SICK.txt": [SICK]},
        Choices(language="en", **choices),
        version="1.0",
        metadata=METADATA,
        by=study.people["manager"],
    )
    assert PREVIEWS.do_next()
    arguments = {"public_id": draft.public_id, "release_id": draft.public_id}
    study.arguments.update(project_id=draft.project.public_id, **arguments)
    return draft


def published_set(study):
    draft = draft_of_set(study, paraphrase_from=4)
    builds.build(Release.objects.get(pk=draft.pk))
