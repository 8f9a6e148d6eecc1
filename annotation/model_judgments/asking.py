"""What a model is asked about a pair, and what its replies say: a model as judge.

A verdict is a label of the study's scheme, by its place, and a score: how sure the model is of the
upper side.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from hashlib import sha256
from json import dumps
from math import exp
from typing import Any

from annotation.stats.labels import BadScheme, Scheme
from common.marked import gettext_noop as _
from generation.endpoints.chat import Reply, Request

MOST_CHARACTERS = 8_000
MOST_GUIDELINES = 20_000
FEWEST_SAMPLES, MOST_SAMPLES = 2, 20
# Models that think before they answer need room; others stop after a word.
MOST_REPLY_TOKENS = 1_024
LIKELIEST = 20
NEEDED = ("labels", "sentence1", "sentence2")
PLACES = re.compile(r"\{(guidelines|labels|sentence1|sentence2)\}")
NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?!\w|[.,]\d)")
PROMPT = """{guidelines}

Labels:
{labels}

Sentence 1: {sentence1}
Sentence 2: {sentence2}

Reply with the number of the label alone."""


class Unusable(StrEnum):
    """Why a reply gives no label."""

    REFUSED = "refused_by_server"
    EMPTY = "empty"
    OFF_SCALE = "number_off_the_scale"
    NO_LABEL = "no_label"


UNUSABLE = {
    Unusable.REFUSED: _("refused by the server"),
    Unusable.EMPTY: _("empty"),
    Unusable.OFF_SCALE: _("a number that is no label"),
    Unusable.NO_LABEL: _("no label in the first line"),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model says about a pair; `label` is None if under half of its replies give one.

    `score` is the share or probability of the upper side, None without sides. In a tie the lowest
    of the leading labels counts.
    """

    label: int | None
    score: float | None
    unusable: Counter[Unusable]
    is_tied: bool = False


@dataclass(frozen=True, slots=True)
class Interview:
    """How a model is asked about each pair of a study.

    Attributes:
        prompt: with the places of NEEDED, and {guidelines} if wanted.
        labels: what `label_lines` returns.
        guidelines: as judges read them.
        samples: an even number; half of them with the sentences exchanged, as models prefer one
            place, except where the order of the sentences has a meaning.
        by_logprobs: ask once in each order for the probabilities of the labels, instead of samples.
        seed: of the first sample.
    """

    scheme: Scheme
    prompt: str
    labels: str
    guidelines: str = ""
    samples: int = 4
    temperature: float = 1.0
    by_logprobs: bool = False
    seed: int = 0

    @property
    def parameters(self) -> dict[str, Any]:
        """What the replies depend on, besides the model, the scheme and the pair."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        del values["scheme"]
        if "{guidelines}" not in self.prompt:
            values["guidelines"] = ""
        return values

    def requests(self, sentence1: str, sentence2: str) -> list[Request]:
        """Return the requests about a pair, in the order that `verdict` takes their replies."""
        orders = [(sentence1, sentence2), (sentence2, sentence1)]
        if self.scheme.directed:
            orders = orders[:1]
        if self.by_logprobs:
            return [self._request(*order, logprobs=LIKELIEST) for order in orders]
        return [
            self._request(*orders[number % len(orders)], sample=number)
            for number in range(self.samples)
        ]

    def verdict(self, replies: Sequence[Reply]) -> Verdict:
        """Return what the replies to the requests about a pair say together."""
        if self.by_logprobs:
            return self._likeliest(replies)
        unusable, places = Counter[Unusable](), Counter[int]()
        for reply in replies:
            label = read_label(reply, self.scheme)
            if isinstance(label, Unusable):
                unusable[label] += 1
            else:
                places[label] += 1
        usable = places.total()
        if 2 * usable < len(replies) or not usable:
            return Verdict(None, None, unusable)
        label = min(places, key=lambda place: (-places[place], place))
        is_tied = [*places.values()].count(places[label]) > 1
        score = None
        if self.scheme.is_binary:
            upper = sum(n for place, n in places.items() if self.scheme.outcome(place))
            score = upper / usable
        return Verdict(label, score, unusable, is_tied)

    @property
    def text(self) -> str:
        """The prompt with guidelines and labels, without the sentences."""
        values = {"guidelines": self.guidelines, "labels": self.labels}
        return PLACES.sub(lambda match: values.get(match[1], match[0]), self.prompt).strip()

    def _request(
        self, sentence1: str, sentence2: str, *, sample: int = 0, logprobs: int = 0
    ) -> Request:
        values = {
            "guidelines": self.guidelines,
            "labels": self.labels,
            "sentence1": sentence1,
            "sentence2": sentence2,
        }
        text = PLACES.sub(lambda match: values[match[1]], self.prompt).strip()
        return Request(
            messages=(("user", text),),
            temperature=0.0 if logprobs else self.temperature,
            top_p=1.0,
            max_tokens=1 if logprobs else MOST_REPLY_TOKENS,
            seed=self.seed + sample,
            sample=sample,
            logprobs=logprobs,
        )

    def _likeliest(self, replies: Sequence[Reply]) -> Verdict:
        """Return the label with the highest mean probability among all labels."""
        unusable, shares = Counter[Unusable](), []
        for reply in replies:
            if share := _shares(reply.logprobs, self.scheme):
                shares.append(share)
            else:
                unusable[Unusable.REFUSED if reply.refused else Unusable.NO_LABEL] += 1
        if 2 * len(shares) < len(replies) or not shares:
            return Verdict(None, None, unusable)
        means = [sum(share[place] for share in shares) for place in range(self.scheme.size)]
        label = max(range(len(means)), key=lambda place: (means[place], -place))
        score = None
        if self.scheme.is_binary:
            upper = sum(mean for place, mean in enumerate(means) if self.scheme.outcome(place))
            score = min(1.0, upper / sum(means))
        return Verdict(label, score, unusable, is_tied=means.count(means[label]) > 1)


def label_lines(scheme: Scheme, criteria: Mapping[int, str]) -> str:
    """Return the value, name and criterion of each label, one in each line.

    `criteria` says what labels mean, by their places.
    """
    lines = []
    for place, value in enumerate(scheme.values):
        name = scheme.name_of(place)
        words = "" if name == str(value) else f" {name}"
        criterion = criteria.get(place, "")
        lines.append(f"{value}{words}{criterion and f': {criterion}'}")
    return "\n".join(lines)


def problem_of(interview: Interview) -> str:
    """Return what is wrong with an interview, in words to be translated; "" if all is well."""
    if missing := [name for name in NEEDED if f"{{{name}}}" not in interview.prompt]:
        return MISSING[missing[0]]
    if len(interview.prompt) > MOST_CHARACTERS:
        return _("The prompt is longer than 8,000 characters. Shorten it.")
    if "{guidelines}" in interview.prompt and len(interview.guidelines) > MOST_GUIDELINES:
        return _(
            "The guidelines are longer than 20,000 characters. Remove {guidelines} from the prompt "
            "and write what matters there."
        )
    if interview.by_logprobs and any(len(str(value)) > 1 for value in interview.scheme.values):
        return _(
            "Probabilities need labels of one digit, as a model writes others in several parts. "
            "Ask for samples."
        )
    return ""


MISSING = {
    "labels": _("The prompt lacks {labels}. Write it where the labels are to stand."),
    "sentence1": _("The prompt lacks {sentence1}. Write it where the first sentence is to stand."),
    "sentence2": _("The prompt lacks {sentence2}. Write it where the second sentence is to stand."),
}


def revision_of(identity: Mapping[str, str], interview: Interview) -> str:
    """Return 12 characters that change with the model, the prompt and each parameter."""
    text = dumps(
        [dict(identity), interview.parameters, interview.scheme.to_dict()],
        sort_keys=True,
        ensure_ascii=False,
    )
    return sha256(text.encode()).hexdigest()[:12]


def read_label(reply: Reply, scheme: Scheme) -> int | Unusable:
    """Return the place of the label in the first line of a reply: a number, else a label's name."""
    if reply.refused:
        return Unusable.REFUSED
    lines = [line.strip() for line in reply.text.splitlines() if line.strip()]
    if not lines:
        return Unusable.EMPTY
    numbers = [int(text.replace("−", "-")) for text in NUMBER.findall(lines[0])]
    for number in numbers:
        if number in scheme.values:
            return scheme.values.index(number)
    if numbers:
        return Unusable.OFF_SCALE
    try:
        return scheme.place(lines[0].strip(" .!*\"'“”"))
    except BadScheme:
        return Unusable.NO_LABEL


def _shares(logprobs: Mapping[str, float], scheme: Scheme) -> list[float]:
    """Return the probability of each label among all labels; empty if no label is likely."""
    weights = defaultdict[str, float](float)
    for token, logprob in logprobs.items():
        weights[token.strip()] += exp(logprob)
    by_place = [weights[str(value)] for value in scheme.values]
    total = sum(by_place)
    return [weight / total for weight in by_place] if total > 0 else []
