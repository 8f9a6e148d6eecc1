"""Sets that were published elsewhere: their projects, their files until a release is built, and
the plans of releases.
"""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings as installation
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Project
from annotation.projects.services import projects
from common import bulk
from common.leases import Progress
from common.names import free_name
from generation.models import Corpus, Sentence
from generation.services.sentences import digest_of
from releases.dataset.facts import CROISSANT_1_1
from releases.dataset.formats import PUBLISHED
from releases.dataset.metadata import Metadata
from releases.dataset.published.archives import SUFFIXES as ARCHIVES
from releases.dataset.published.archives import unpacked
from releases.dataset.published.layout import SetFile, name_tables, read_layout
from releases.dataset.published.outline import Outline
from releases.dataset.published.pairs import PublishedPair, sentence_id
from releases.dataset.published.reading import PublishedSet as PublishedPairs
from releases.dataset.published.reading import choices_of, files_at, read_set
from releases.dataset.published.settings import Choices, PublishedSettings, UnusableSet
from releases.models import Example, PublishedSet, Release
from releases.selectors.published import COLUMNS, FIELDS, source_of, sources_of

# The columns of Example that `example_rows` fills.
EXAMPLE_COLUMNS = (
    *("position", "origin", "kept", "subset", "votes", "sentence1_ref", "sentence2_ref"),
    *COLUMNS,
)
# Texts of Example are empty where PublishedPair has None.
TEXTS = ("method", "entity", "domain", "published_id")


class UnreadSet(ValueError):
    """A set that cannot be used as it is, with what was read of it."""

    def __init__(self, error: UnusableSet, outline: Outline) -> None:
        super().__init__(str(error))
        self.error, self.outline = error, outline

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values, in the place of a Preview."""
        asked = {"problem": self.error.problem, "choice": self.error.choice}
        return {"published": asked | {"outline": self.outline.to_dict()}}


@dataclass(frozen=True, slots=True)
class PublishedPlan:
    """What a release of a published set holds: all pairs that were read, as they are."""

    published_set: PublishedPairs
    outline: Outline

    @property
    def pairs(self) -> list[PublishedPair]:
        return self.published_set.pairs

    @property
    def silver(self) -> tuple[PublishedPair, ...]:
        return ()

    @property
    def totals(self) -> dict[str, Any]:
        """What is stored with the release besides its rows."""
        return self.published_set.counts.to_dict()

    def figures(self, language: str) -> dict[str, Any]:
        """None: all figures follow from the rows."""
        return {}


@transaction.atomic
def project_for(name: str, *, managers: Iterable[User] = (), by: User | None = None) -> Project:
    """Return the project of a published set; a new one if no project has its name.

    Raises Refused if it is another project's, and ValidationError for what is no name.
    """
    project = Project.objects.filter(name=name).first()
    if project is None:
        project = projects.create(name, kinds=[], managers=managers, by=by)
        PublishedSet.objects.create(project=project, created_by=by)
    elif not PublishedSet.objects.filter(project=project).exists():
        text = _("The project %(name)s exists, and is no published set. Choose another name.")
        raise Refused(text % {"name": name})
    return project


def propose_version(
    project: Project,
    files: Sequence[SetFile],
    choices: Choices,
    *,
    version: str,
    metadata: Metadata,
) -> Release:
    """Return an unsaved release that is made of these files, which are kept until it is built.

    Raises Refused for a version that exists, and ValidationError for one that is no file name.
    """
    release = new_version(project, choices, version=version, metadata=metadata)
    release.settings |= {
        "files": [
            {"name": file.name, "split": file.split, "layout": file.layout.to_dict()}
            for file in files
        ]
    }
    folder = sources_of(release)
    for file in files:
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file.path, path)
    return release


def new_version(project: Project, choices: Choices, *, version: str, metadata: Metadata) -> Release:
    """Return an unsaved release whose files are not read yet. Raises as `propose_version`."""
    if project.releases.filter(version=version).exists():
        text = _("%(name)s has a version %(version)s already. Choose another one.")
        raise Refused(text % {"name": project, "version": version})
    release = Release(
        project=project,
        version=version,
        format=PUBLISHED.name,
        seed=choices.seed,
        settings={"choices": asdict(choices)},
        metadata=metadata.to_dict(),
    )
    release.full_clean(exclude=["facts", "left_out"])
    return release


def discard_sources(release: Release) -> None:
    shutil.rmtree(sources_of(release), ignore_errors=True)


def plan_published(release: Release, progress: Progress) -> PublishedPlan:
    """Read the files of a release. Raises UnreadSet."""
    stored, choices, folder = release.settings, choices_now(release), sources_of(release)
    identity, outline = {"name": release.project.name, "version": release.version}, Outline()
    try:
        with unpacked(_paths_in(folder)) as paths:
            if "files" in stored:
                files = files_at(name_tables(paths) | _files_in(folder), stored["files"])
            else:
                files = read_layout(paths, choices, outline)
            published_set = read_set(
                files, choices, **identity, outline=outline, counting=progress.counting
            )
    except UnusableSet as error:
        raise UnreadSet(error, outline) from error
    return PublishedPlan(published_set, outline)


def choices_now(release: Release) -> Choices:
    """Return the choices of a draft as people made them, or, once it was read, all of them."""
    if "choices" in release.settings:
        return Choices.from_dict(release.settings["choices"])
    return choices_of(PublishedSettings.from_dict(release.settings))


def _paths_in(folder: Path) -> list[Path]:
    """Return a folder, whose card may say the splits; or what is in it if archives are."""
    if not folder.is_dir():
        raise UnusableSet("The files of this version are gone. Discard it, and make a new one.")
    paths = sorted(folder.iterdir())
    return paths if any(path.name.casefold().endswith(ARCHIVES) for path in paths) else [folder]


def _files_in(folder: Path) -> dict[str, Path]:
    return {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }


def published_facts(release: Release) -> dict[str, Any]:
    """Return the fields of ReleaseFacts except `created`, which is the time of freezing."""
    metadata = Metadata.from_dict(release.metadata)
    documented = metadata.documentation.to_dict()
    return {
        "name": release.project.name,
        "version": release.version,
        "software_version": installation.VERSION,
        "language": metadata.languages[0],
        "licence": metadata.licence,
        "citation": metadata.bibtex or metadata.citation,
        "croissant": CROISSANT_1_1,
        **({"metadata": {"documentation": documented}} if documented else {}),
    }


def example_rows(name: str, pairs: Iterable[PublishedPair]) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each pair of the set of this name, with `EXAMPLE_COLUMNS`."""
    for position, pair in enumerate(pairs, start=1):
        texts = {column: getattr(pair, column) or "" for column in TEXTS}
        stored = pair._replace(id=UUID(pair.id), **texts)  # type: ignore[arg-type]
        yield (
            position,
            Example.Origin.PUBLISHED.value,
            pair.label is not None,
            pair.subset,
            pair.votes,
            UUID(sentence_id(name, pair.text1)),
            UUID(sentence_id(name, pair.text2)),
            *(getattr(stored, field) for field in FIELDS),
        )


@transaction.atomic
def sentences_of(release: Release, examples: Iterable[Example]) -> dict[str, Sentence]:
    """Return the sentences of pairs by the ids there; what no study needed before is stored."""
    corpus = corpus_of(release)
    texts: dict[UUID, str] = {}
    for example in examples:
        texts[example.sentence1_ref] = example.sentence1
        texts[example.sentence2_ref] = example.sentence2
    digests = {digest_of(text): text for text in texts.values()}
    stored = Sentence.objects.filter(corpus=corpus, candidate=None, digest__in=digests)
    missing = digests.keys() - {*stored.values_list("digest", flat=True)}
    rows = [(text, digest) for digest, text in digests.items() if digest in missing]
    bulk.insert(Sentence, rows, fields=("text", "digest"), corpus_id=corpus.pk)
    sentences = {row.text: row for row in stored.select_related("corpus")}
    return {str(ref): sentences[text] for ref, text in texts.items()}


@transaction.atomic
def corpus_of(release: Release) -> Corpus:
    """Return the corpus of the sentences that studies need; a new one for the first of them."""
    published_set = PublishedSet.objects.select_for_update().get(project=release.project_id)
    if published_set.corpus:
        return published_set.corpus
    facts = published_facts(release)
    name = free_name(Corpus, str(release.project))
    published_set.corpus = Corpus.objects.create(
        name=name,
        language=facts["language"],
        licence=facts["licence"],
        description=source_of(release).address,
    )
    published_set.save(update_fields=["corpus"])
    return published_set.corpus
