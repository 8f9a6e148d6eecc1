"""Shows what several models say of the same pairs, from the folder of an evaluation."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.stats.latex import escape
from common import commands
from common.display import plural
from evaluation import cells, results, side_by_side
from evaluation.board import TESTED
from evaluation.data import Unusable
from evaluation.experiments.datasets import PUBLISHED_ID
from evaluation.management.releases import HELP, add_out, folder_for, open_release
from evaluation.side_by_side import PICKS, ScoredPair

MOST = 20
LATEX = """\\begin{{tabular}}{{{columns}}}
\\toprule
{header} \\\\
\\midrule
{rows}
\\bottomrule
\\end{{tabular}}"""
# Of a sentence, as a share of the width of the text.
WIDTH = "p{0.3\\textwidth}"


class Command(commands.Command):
    """Writes nothing."""

    help = "Show sentences with the labels and scores of several models side by side."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", type=Path, help=HELP)
        parser.add_argument(
            "--models",
            default="",
            metavar="A,B",
            help="by default all with predictions but never; base+train/bow is one with a base set",
        )
        parser.add_argument("--split", choices=TESTED, default=TESTED[0], help="test by default")
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--ids",
            type=Path,
            metavar="FILE",
            help="the pairs with these ids, one on each line; of a published set, theirs or ours",
        )
        which.add_argument(
            "--pick",
            nargs="+",
            metavar=("HOW", "NAME"),
            help="pairs on which models differ, that are all-wrong, or with only-right NAME",
        )
        parser.add_argument(
            "--most", type=commands.at_least_one, default=MOST, help=f"{MOST} by default"
        )
        parser.add_argument("--format", choices=[*FORMATS], default="text", help="text by default")
        add_out(parser)

    def handle(self, **options: Any) -> None:
        names = commands.names(options["models"])
        try:
            with open_release(options["release"]) as (_, dataset):
                folder = folder_for(options["release"], dataset, options["out"])
                evaluation = results.read_evaluation(folder, dataset.identity)
                pairs = side_by_side.read_pairs(
                    dataset, folder, evaluation, split=options["split"], names=names
                )
            pairs = _choose(pairs, options, dataset.columns.get(PUBLISHED_ID, {}))
        except Unusable as error:
            raise CommandError(str(error)) from error
        shown = pairs[: options["most"]]
        if shown:
            self.stdout.write(FORMATS[options["format"]](shown))
        self.stderr.write(f"{plural(len(pairs), 'pair')}, {len(shown)} shown.")


def _choose(
    pairs: Sequence[ScoredPair], options: Mapping[str, Any], published_ids: Mapping[str, str]
) -> list[ScoredPair]:
    """Return the pairs that the options ask for. Raises Unusable and CommandError."""
    if options["ids"]:
        try:
            lines = options["ids"].read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{options['ids']} cannot be read as UTF-8 text.") from error
        return side_by_side.by_ids(pairs, lines, published_ids=published_ids)
    if not options["pick"]:
        return side_by_side.most_wrong_first(pairs)
    how, *names = options["pick"]
    if how not in PICKS or len(names) != int(how == side_by_side.ONLY_RIGHT):
        raise CommandError("Use --pick differ, --pick all-wrong or --pick only-right NAME.")
    return side_by_side.pick(pairs, how, *names)


def _as_text(pairs: Sequence[ScoredPair]) -> str:
    return "\n\n".join(map(_text_of, pairs))


def _text_of(pair: ScoredPair) -> str:
    facts = [f"label {pair.label}", pair.grade and f"grade {pair.grade}", pair.entity]
    models = [
        f"{model} {_answer(pair, model)}{'' if pair.is_right(model) else ' wrong'}"
        for model in pair.scores
    ]
    lines = [f"{pair.id}: {', '.join(filter(None, facts))}", pair.sentence1, pair.sentence2]
    return "\n".join([*lines, "; ".join(models)])


def _answer(pair: ScoredPair, model: str) -> str:
    return f"{pair.side(model)} ({pair.scores[model]:.2f})"


def _table(
    pairs: Sequence[ScoredPair], emphasise: Callable[[str], str], escape_text: Callable[[str], str]
) -> list[tuple[str, ...]]:
    """Return a header and a row for each pair, wrong answers emphasised."""
    facts = [name for name in ("entity", "grade") if any(getattr(pair, name) for pair in pairs)]
    rows = [
        (
            *map(escape_text, (pair.sentence1, pair.sentence2)),
            *(escape_text(getattr(pair, name)) for name in facts),
            str(pair.label),
            *(
                _answer(pair, model) if pair.is_right(model) else emphasise(_answer(pair, model))
                for model in pair.scores
            ),
        )
        for pair in pairs
    ]
    titles = ("Sentence 1", "Sentence 2", *map(str.capitalize, facts), "Label", *pairs[0].scores)
    return [tuple(map(escape_text, titles)), *rows]


def _as_markdown(pairs: Sequence[ScoredPair]) -> str:
    return cells.table(_table(pairs, "**{}**".format, str))


def _as_latex(pairs: Sequence[ScoredPair]) -> str:
    header, *rows = [" & ".join(row) for row in _table(pairs, "\\textbf{{{}}}".format, escape)]
    others = header.count(" & ") - 1
    return LATEX.format(
        columns=WIDTH * 2 + "l" * others,
        header=header,
        rows="\n".join(f"{row} \\\\" for row in rows),
    )


def _as_jsonl(pairs: Sequence[ScoredPair]) -> str:
    lines = side_by_side.as_lines(pairs)
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)


FORMATS: Mapping[str, Callable[[Sequence[ScoredPair]], str]] = {
    "text": _as_text,
    "md": _as_markdown,
    "latex": _as_latex,
    "jsonl": _as_jsonl,
}
