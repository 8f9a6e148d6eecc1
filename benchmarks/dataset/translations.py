"""A release of the size of PAWS-X translated into six languages, by commands, and verified."""

from benchmarks.dataset.place import Place, Took
from benchmarks.table import Figure, at_least, at_most
from support import large_study

LANGUAGES = ("de", "es", "fr", "ja", "ko", "zh")
# PAWS-X 2 has 4,968 distinct sentences in 2,000 pairs each of dev and test; ours share more.
EACH, SENTENCES = 3_400, 4_968
# "10-20 in-house professionals" translate (PAWS-X 2).
PEOPLE = 12
SOURCE = "To translate"


def figures(place: Place) -> list[Figure]:
    """Time each step for one language, and count sentences, verified releases and what is left."""
    from annotation.models import Item, Slot

    large_study.make(SOURCE, large_study.Size(3 * EACH))
    source = place.folder / "source"
    build = ("build_release", "--project", SOURCE, "--release", "1.0", "--output", str(source))
    place.manage(*build, "--dev", str(EACH), "--test", str(EACH), "--seed", "1")
    steps: dict[str, list[Took]] = {}
    for language in LANGUAGES:
        for name, took in _translate_release(place, language):
            steps.setdefault(name, []).append(took)
    items = Item.objects.filter(project__name__in=LANGUAGES, kind="translate")
    unanswered = Slot.objects.unanswered().filter(project__name__in=LANGUAGES).count()
    sentences = items.filter(project__name=LANGUAGES[0]).count()
    peak = max(took.peak_mb for command in steps.values() for took in command)
    return [
        Figure("distinct sentences", sentences, "sentences", goal=at_least(SENTENCES)),
        *(
            Figure(
                f"one language, {name}", sum(command.seconds for command in took) / len(took), "s"
            )
            for name, took in steps.items()
        ),
        Figure("verified", len(steps["verification"]), "releases", goal=at_least(len(LANGUAGES))),
        Figure("left unanswered", unanswered, "slots", goal=at_most(0)),
        Figure("peak memory", peak, "MB"),
    ]


def _translate_release(place: Place, language: str) -> list[tuple[str, Took]]:
    """Translate the release into a language; raises RuntimeError where a step fails."""
    release, source = (str(place.folder / name) for name in (language, "source"))
    build = ("build_release", "--project", language, "--release", "1.0", "--output", release)
    create = ("create_project", language, "--protocol", "translation", "--release", "1.0")
    crowd = ("simulate_annotators", "--project", language, "--annotators", str(PEOPLE))
    steps = {
        "project": (*create, "--project", SOURCE, "--language", language),
        "answers": (*crowd, "--accuracy", "0.97", "--seed", "1"),
        "delivery": ("deliver_translations", "--project", language),
        "release": build,
        "verification": ("verify_release", release, "--source", source),
    }
    return [(name, place.manage(*arguments)) for name, arguments in steps.items()]
