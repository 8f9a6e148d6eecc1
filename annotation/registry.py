"""Extension points for packages that annotation never imports; they register in `apps.py`."""

import uuid
from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.db.models import OuterRef, QuerySet
from django.utils.functional import Promise

from annotation.models import JudgingModel, Project

# Functions that add template context to a project's overview.
overview: list[Callable[[Project], dict[str, Any]]] = []
# Functions that return the version of a project's newest release, as a query of one value; with
# `is_withdrawn`, of the newest one that is withdrawn.
newest_version: list[Callable[..., QuerySet[Any]]] = []  # one at most
# Functions that return names, by public id, of other rows in a project's history.
names_in_history: list[Callable[[Project, Collection[uuid.UUID]], dict[uuid.UUID, str]]] = []
# Why no corpora, runs or pairs may be added to some projects: the reason, and a function whose
# query has a row for those.
why_complete: list[tuple[Promise, Callable[[Project | OuterRef], QuerySet[Any]]]] = []
# Functions that return the released labels of pairs that a project translates, by public id.
labels_of_pairs: list[Callable[[Project], dict[uuid.UUID, int]]] = []
# Functions that return the labels with which a project's people are compared, by key of the pair.
compared_labels: list[Callable[[Project], Mapping[int, int]]] = []
# Called before model judgments are removed. Raise Refused if something uses them.
before_removing_model_judgments: list[Callable[[JudgingModel], None]] = []
