"""A graded study of the size of PARADE: from flashcards to a verified release, by commands."""

from pathlib import Path
from random import Random

from benchmarks.dataset.place import Place, Took
from benchmarks.table import Figure, at_least, at_most

# PARADE 4.4: 10,182 pairs of 788 entities; 20 definitions of an entity give about 13 pairs.
ENTITIES, DEFINITIONS = 788, 20
PAIRS = 10_182
PEOPLE, CARELESS = 40, 2
NAME = "Graded"
SUBJECTS = "program server table stack queue router compiler kernel cache index".split()  # noqa: SIM905
VERBS = "stores reads sends keeps moves checks builds splits joins counts sorts".split()  # noqa: SIM905
OBJECTS = "data files records pages messages keys blocks numbers rows names".split()  # noqa: SIM905
PLACES = "memory network database disk order step parallel advance groups".split()  # noqa: SIM905


def figures(place: Place) -> list[Figure]:
    """Time each step, and count the pairs, the answers judged again and the pairs released."""
    from annotation.models import SentencePair, Slot

    cards = place.folder / "flashcards.tsv"
    _write_cards(cards)
    release = place.folder / "graded-release"
    commands: dict[str, Took] = {}

    def step(name: str, *arguments: str) -> None:
        commands[name] = place.manage(*arguments)

    step("import of flashcards", "import_flashcards", str(cards), "--corpus", NAME)
    step("project", "create_project", NAME, "--preset", "graded")
    method = ("--method", "definitions", "--wait")
    step("pairs of definitions", "generate", "--corpus", NAME, "--project", NAME, *method)
    crowd = ("simulate_annotators", "--project", NAME, "--annotators", str(PEOPLE - CARELESS))
    careless = [f"--careless=random:{CARELESS}"]
    step("judgments", *crowd, "--accuracy", "0.95", "--seed", "1", *careless)
    step("re-issue", "reissue", "--project", NAME)
    reserved = Slot.objects.filter(project__name=NAME, reserved=True).count()
    step("judgments of the best", *crowd, "--accuracy", "0.95", "--seed", "1", *careless)
    unanswered = Slot.objects.unanswered().filter(project__name=NAME).count()
    build = ("build_release", "--project", NAME, "--release", "1.0", "--output", str(release))
    step("release", *build)
    step("verification", "verify_release", str(release))
    pairs = SentencePair.objects.filter(project__name=NAME, gold_label=None).count()
    return [
        Figure("pairs of definitions", pairs, "pairs", goal=at_least(PAIRS)),
        *(
            Figure(f"graded study, {name}", command.seconds, "s")
            for name, command in commands.items()
        ),
        Figure("graded study, reserved for the best", reserved, "slots", goal=at_least(1)),
        Figure("graded study, left unanswered", unanswered, "slots", goal=at_most(0)),
        Figure(
            "graded study, peak memory", max(command.peak_mb for command in commands.values()), "MB"
        ),
    ]


def _write_cards(path: Path) -> None:
    """Write definitions as sentences of common words, so that clusters differ in likeness."""
    random = Random(17)
    lines = ["entity\tdefinition"]
    for entity in range(ENTITIES):
        texts = set[str]()
        while len(texts) < DEFINITIONS:
            word_lists = (
                SUBJECTS,
                VERBS,
                OBJECTS,
                ["in"],
                PLACES,
                ["that"],
                VERBS,
                OBJECTS,
                ["of"],
            )
            text = " ".join(
                random.choice(words) for words in (*word_lists, [f"unit{entity}"], OBJECTS)
            )
            texts.add(f"a {text}")
        lines += [f"entity {entity}\t{text}" for text in sorted(texts)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
