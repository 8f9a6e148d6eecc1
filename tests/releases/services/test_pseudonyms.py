"""Names of a release: drawn with a secret key of the project, and forgotten on demand."""

import hmac

import pytest
from django.db import IntegrityError

from accounts.audited_acts import Act
from accounts.models import AuditEntry, User
from annotation.errors import Refused
from releases.models import Pseudonym, PseudonymKey, Release
from releases.services import pseudonyms
from tests.annotation import make


@pytest.fixture
def people(db):
    return [User.objects.create_user(f"judge-{number}") for number in range(4)]


def drawn(project, people, version="1.0", **columns):
    """A release of the project in which these people have names."""
    settings = {"state": Release.State.FROZEN, "frozen_at": project.created_at} | columns
    settings |= {"seed": 1, "settings": {}}
    release = Release.objects.create(project=project, version=version, **settings)
    pseudonyms.draw_pseudonyms(release, people)
    return release


def names(release):
    return dict(release.pseudonyms.values_list("annotator_id", "name"))


def key_of(project):
    return bytes(PseudonymKey.objects.get(project=project).key)


def documented_names(release, people):
    key, version = key_of(release.project), release.version.encode()
    digests = [hmac.digest(key, version + each.public_id.bytes, "sha256").hex() for each in people]
    return {each.pk: f"annotator-{it[:16]}" for each, it in zip(people, digests, strict=True)}


@pytest.mark.both_engines
def test_everybody_gets_one_name_in_a_release_with_the_key_of_its_project(project, people):
    other = make.study()
    made = [drawn(project, people), drawn(project, people, "1.1"), drawn(other, people)]
    for release in made:
        assert names(release) == documented_names(release, people)
    assert len(key_of(project)) == 32
    assert key_of(project) != key_of(other)
    assert Pseudonym.objects.values("name").distinct().count() == 3 * len(people)
    with pytest.raises(IntegrityError):
        pseudonyms.draw_pseudonyms(made[0], people)


def test_forgetting_deletes_the_names_of_one_release_and_replaces_the_key(project, people):
    first, second = drawn(project, people), drawn(project, people, "1.1")
    key, forgotten, kept = key_of(project), set(names(first).values()), names(second)
    pseudonyms.forget_pseudonyms(first, by=people[2])
    new_key, at = key_of(project), first.names_forgotten_at
    assert (names(first), names(second)) == ({}, kept)
    assert new_key != key
    assert forgotten.isdisjoint(documented_names(first, people).values())
    assert Release.objects.get(pk=first.pk).names_forgotten_at == at is not None
    pseudonyms.forget_pseudonyms(first, by=people[1])
    assert (key_of(project), first.names_forgotten_at) == (new_key, at)
    entry = AuditEntry.objects.get(act=Act.NAMES_FORGOTTEN)
    assert (entry.by, entry.public_id) == (people[2], first.public_id)


def test_only_names_of_what_is_or_was_published_are_forgotten(project, people):
    for state in ("draft", "queued", "building", "failed"):
        release = drawn(project, people, version=state, state=state, frozen_at=None)
        with pytest.raises(Refused, match="isn't frozen"):
            pseudonyms.forget_pseudonyms(release, by=people[0])
    release = drawn(project, people, state="withdrawn", withdrawn_at=project.created_at)
    pseudonyms.forget_pseudonyms(release, by=people[0])
    assert names(release) == {}
