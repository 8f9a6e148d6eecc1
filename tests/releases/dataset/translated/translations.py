"""A release of translations for tests: every word of the invented source gets an ending."""

import re
from dataclasses import dataclass, field, replace

from annotation.stats.labels import SAME_OR_DIFFERENT, Scheme
from releases.dataset.manifest import MANIFEST, sha256
from releases.dataset.reader import read_release
from releases.dataset.rows import ReleasedPair
from releases.dataset.translated.figures import validation
from releases.dataset.translated.files import SourceRelease, TranslationSettings
from releases.dataset.translated.plan import ends, plan
from releases.dataset.translated.rows import TranslationRow, UntranslatableRow
from releases.dataset.translated.writer import TranslatedContent, write_translations
from tests.releases.dataset.studies import FACTS

PEOPLE = ("translator-1", "translator-2")
CHECKER = "translator-3"
MODELS = ({"method": "translation", "sha256": "cd" * 32},)


def german(text):
    return re.sub(r"(\w+)", r"\1en", text)


def settings_of(source):
    origin = SourceRelease("Trial pairs", "1.0.0", sha256(source / MANIFEST))
    models = {"forward": "en-de", "backward": "de-en", "scheme": scheme_of(source)}
    return TranslationSettings("en", "de", origin, seed=7, accepts_errors=True, **models)


def scheme_of(source):
    scheme = read_release(source).settings.scheme
    return SAME_OR_DIFFERENT if scheme.is_binary else scheme


@dataclass
class Translations:
    """All rows of a translation, which a test may change before it is planned and written."""

    pairs: list
    sentences: list = field(default_factory=list)
    untranslated: list = field(default_factory=list)
    validations: list = field(default_factory=list)
    scheme: Scheme = SAME_OR_DIFFERENT

    def of(self, text, by="human"):
        """The place of the translation of a source text."""
        texts = dict(end for pair in self.pairs for end in ends(pair))
        return next(
            at
            for at, row in enumerate(self.sentences)
            if row.by == by and row.language == "de" and texts[row.translates] == text
        )

    def change(self, text, /, **new):
        at = self.of(text)
        self.sentences[at] = self.sentences[at]._replace(**new)

    def planned(self):
        about = {"language": "de", "scheme": self.scheme}
        return plan(self.pairs, self.sentences, self.untranslated, **about)

    def content(self):
        made = self.planned()
        return TranslatedContent(
            made.pairs, self.sentences, self.untranslated, self.validations, made.left_out
        )

    def pair(self, split, label) -> ReleasedPair:
        return next(
            pair
            for pair in self.pairs
            if (pair.split, pair.label) == (split, label) and pair.text1 != pair.text2
        )


def translations(source):
    """Translate dev and test of a release by people, train by machine, and all of dev back."""
    pairs = [pair for pair in read_release(source).pairs if pair.subset == "labeled_final"]
    made = Translations(pairs, scheme=scheme_of(source))
    done = set()
    for pair in pairs:
        by = "machine" if pair.split == "train" else "human"
        for key, text in ends(pair):
            if (text, by) not in done:
                done.add((text, by))
                made.sentences += rows(key, text, by, number=len(done))
    return made


def rows(key, text, by, *, number):
    if by == "machine":
        return [TranslationRow(f"de-{key}", german(text), "de", key, by, model="en-de")]
    translator = PEOPLE[number % 2]
    return [
        TranslationRow(f"de-{key}", german(text), "de", key, by, translator=translator),
        TranslationRow(f"en-{key}", text, "en", f"de-{key}", "machine", model="de-en"),
    ]


def complete(source):
    """A translation with everything that there can be."""
    made = translations(source)
    collapsed, equal = made.pair("dev", 0), made.pair("dev", 1)
    for pair in (collapsed, equal):
        made.change(pair.text2, text=made.sentences[made.of(pair.text1)].text)
    lost = made.pair("test", 0)
    row = made.sentences.pop(made.of(lost.text1))
    made.sentences = [each for each in made.sentences if each.translates != row.id]
    reasons = ("incomplete", "ambiguous")
    made.untranslated.append(UntranslatableRow(row.translates, lost.text1, reasons))
    of_train = made.pair("train", 1)
    made.sentences.pop(made.of(of_train.text1, "machine"))
    validate(made)
    simulate(made, PEOPLE[1])
    return made


def simulate(made, person):
    """Mark a translator as a program."""
    for at, row in enumerate(made.sentences):
        if row.translator == person:
            made.sentences[at] = row._replace(simulated=True)


def validate(made):
    """Accept 12 translations, fix one, and reject one that was then translated by another."""
    people = [row for row in made.sentences if row.by == "human"]
    for number, row in enumerate(people[:14]):
        action = {12: "fix", 13: "reject"}.get(number, "accept")
        after = {"fix": f"Ja, {row.text}", "reject": None}.get(action, row.text)
        columns = {"sentence": row.translates, "translator": row.translator, "action": action}
        check = validation(row.text, after, language="de", validator=CHECKER, **columns)
        made.validations.append(check)
        at = made.sentences.index(row)
        if action == "reject":
            made.sentences[at] = row._replace(translator="translator-4")
        else:
            made.sentences[at] = row._replace(validated=action, text=after)


def write(folder, source, made, **facts):
    facts = replace(FACTS, models=MODELS, language="de", name="Trial pairs (de)", **facts)
    return write_translations(folder, made.content(), facts=facts, settings=settings_of(source))
