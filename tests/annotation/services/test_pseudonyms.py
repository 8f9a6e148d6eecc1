"""Names of a release: drawn with a secret key of the project, and forgotten on demand."""

import hashlib
import hmac
import re

import pytest
from django.contrib.admin.models import LogEntry
from django.db import IntegrityError
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Pseudonym, PseudonymKey, Release
from annotation.services import pseudonyms
from tests.annotation import cast


@given(
    st.binary(min_size=32, max_size=32),
    st.from_regex(re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,49}", re.ASCII), fullmatch=True),
    st.uuids(version=4),
)
def test_a_name_is_the_documented_digest(key, version, public_id):
    digest = hmac.new(key, version.encode() + public_id.bytes, hashlib.sha256).hexdigest()
    name = pseudonyms._name(key, Release(version=version), User(public_id=public_id))
    assert name == f"annotator-{digest[:16]}"


@pytest.fixture
def people(db):
    return [User.objects.create_user(f"judge-{number}") for number in range(4)]


def drawn(project, people, version="1.0", **columns):
    """A release of the project in which these people have names."""
    settings = {"state": Release.State.FROZEN, "frozen_at": project.created_at} | columns
    settings |= {"seed": 1, "settings": {}}
    release = Release.objects.create(project=project, version=version, **settings)
    pseudonyms.draw(release, people)
    return release


def names(release):
    return dict(release.pseudonyms.values_list("annotator_id", "name"))


def key_of(project):
    return bytes(PseudonymKey.objects.get(project=project).key)


@pytest.mark.both_engines
def test_everybody_gets_one_name_in_a_release_with_the_key_of_its_project(project, people):
    other = cast.study()
    made = [drawn(project, people), drawn(project, people, "1.1"), drawn(other, people)]
    for release in made:
        key = key_of(release.project)
        named = {person.pk: pseudonyms._name(key, release, person) for person in people}
        assert names(release) == named
    assert len(key_of(project)) == 32
    assert key_of(project) != key_of(other)
    assert Pseudonym.objects.values("name").distinct().count() == 3 * len(people)
    with pytest.raises(IntegrityError):
        pseudonyms.draw(made[0], people)


def test_forgetting_deletes_the_names_of_one_release_and_replaces_the_key(project, people):
    first, second = drawn(project, people), drawn(project, people, "1.1")
    key, forgotten, kept = key_of(project), set(names(first).values()), names(second)
    pseudonyms.forget(first, by=people[2])
    new_key, at = key_of(project), first.names_forgotten_at
    assert (names(first), names(second)) == ({}, kept)
    assert new_key != key
    assert forgotten.isdisjoint(pseudonyms._name(new_key, first, each) for each in people)
    assert Release.objects.get(pk=first.pk).names_forgotten_at == at is not None
    entry = LogEntry.objects.get()
    assert (entry.user, entry.get_edited_object()) == (people[2], first)
    pseudonyms.forget(first, by=people[1])
    assert (key_of(project), first.names_forgotten_at) == (new_key, at)
    assert LogEntry.objects.count() == 1


def test_only_names_of_what_is_or_was_published_are_forgotten(project, people):
    for state in ("draft", "queued", "building", "failed"):
        release = drawn(project, people, version=state, state=state, frozen_at=None)
        with pytest.raises(Refused, match="not frozen"):
            pseudonyms.forget(release, by=people[0])
    release = drawn(project, people, state="withdrawn", withdrawn_at=project.created_at)
    pseudonyms.forget(release, by=people[0])
    assert names(release) == {}
