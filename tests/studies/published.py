"""A set that was published elsewhere, in the hands of the manager of the study."""

from releases.dataset.metadata import Metadata
from releases.dataset.published.settings import Choices
from releases.models import Release
from releases.services import builds, published_drafts
from releases.services.builds import PREVIEWS
from tests.releases.dataset.published.sets import PAWS, SICK, lines, numbered

FILES = {"SICK.txt": SICK}
METADATA = Metadata("CC-BY-4.0", citation="Doe (2020).", languages=("en",))


# A pair twice, two equal sentences, and a line of another width.
TRAIN = lines([*numbered(), *numbered(6), (11, "It rains.", "It rains.", 1), (12, "Odd")], PAWS)


def draft_of_set(study, files=FILES, **choices):
    """A draft that cannot be built: its files do not say what a paraphrase is."""
    draft = published_drafts.create_set(
        "Rivers, published",
        {name: [content] for name, content in files.items()},
        Choices(**choices),
        version="1.0",
        metadata=METADATA,
        by=study.people["manager"],
    )
    assert PREVIEWS.do_next()
    arguments = {"public_id": draft.public_id, "release_id": draft.public_id}
    study.arguments.update(project_id=draft.project.public_id, **arguments)
    return draft


def draft_of_set_as_read(study):
    """A draft that can be built; a line of its files cannot be read, and others are repeated."""
    files = {"train.tsv": TRAIN, "test.tsv": lines(numbered(), PAWS)}
    draft_of_set(study, files, accepts_refused=True)


def published_set(study):
    draft = draft_of_set(study, paraphrase_from=4)
    builds.build(Release.objects.get(pk=draft.pk))
