"""What rooms above annotation add to it. They register in their `apps.py`: annotation never
imports them."""

import uuid
from collections.abc import Callable, Collection
from typing import Any

from annotation.models import Guest, Project

# More context for the overview of a project.
overview: list[Callable[[Project], dict[str, Any]]] = []
# Names, by public id, of other rows that the history of a project mentions.
names_in_history: list[Callable[[Project, Collection[uuid.UUID]], dict[uuid.UUID, str]]] = []
# Called before model judgments are removed; raises Refused where something relies on them.
before_removing_model_judgments: list[Callable[[Guest], None]] = []
