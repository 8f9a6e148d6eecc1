"""python -m scripts.mutation.sample OUTPUT: draw mutants of core code with mutmut's operators.

Writes a JSON list of mutants, each with its group, module, function, lines and mutated source.
"""

import argparse
import json
import random
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path
from types import CodeType
from typing import Any

import libcst
from libcst.metadata import MetadataWrapper
from mutmut.mutation.file_mutation import Mutation, MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

from scripts.mutation.codes import codes

WORK = "annotation/work/services"
NLP = "generation/nlp"
# Paths or glob patterns of modules.
GROUPS = {
    "stats": ["annotation/stats/*.py"],
    "dataset": ["releases/dataset/*.py"],
    "consensus": [
        "annotation/stats/consensus.py",
        "annotation/stats/replacements.py",
        "annotation/agreement/selectors/votes.py",
        "annotation/agreement/services/*.py",
        "annotation/quality/services/exclusion.py",
    ],
    "recombination": [
        f"releases/dataset/{name}.py" for name in ("connected_texts", "recombination", "unlabeled")
    ],
    "claims and submissions": [
        f"{WORK}/turns/*.py",
        *(
            f"{WORK}/{name}.py"
            for name in ("corrections", "judgments", "new_slots", "skips", "slots")
        ),
        "annotation/pairs/services/pairs.py",
    ],
    "permissions": [
        "accounts/authentication.py",
        "accounts/scopes.py",
        "accounts/tokens.py",
        "annotation/access/api.py",
        "annotation/access/selectors.py",
        "annotation/access/gates.py",
    ],
    "filters and search": [
        f"{NLP}/{name}.py"
        for name in (
            *("compared_numbers", "exchange_rules", "filters", "fixed_phrases", "grammar_frames"),
            *("pair_filter", "rescoring", "search", "templates", "token_rescoring", "token_search"),
        )
    ],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--size", type=int, default=300, help="mutants drawn from each group")
    parser.add_argument("--seed", type=int, default=13)
    options = parser.parse_args()
    groups: list[list[dict[str, object]]] = []
    for group, patterns in GROUPS.items():
        files = sorted({file for pattern in patterns for file in _files(pattern)})
        possible = [place for file in files for place in _mutations(file)]
        random.Random(options.seed).shuffle(possible)
        mutants = filter(None, (_mutant(*place) for place in possible))
        chosen = list(islice(mutants, options.size))
        print(f"{group}: {len(chosen)} mutants of {len(possible)} possible mutations")
        groups.append([{"group": group, **mutant} for mutant in chosen])
    # The first of each group comes before the second of any.
    drawn = [each for rank in zip_longest(*groups) for each in rank if each]
    numbered = [{"id": number, **mutant} for number, mutant in enumerate(drawn)]
    options.output.write_text(json.dumps(numbered))


def _files(pattern: str) -> list[Path]:
    """Return the modules that match. Raises FileNotFoundError if there is none."""
    if not (files := list(Path().glob(pattern))):
        raise FileNotFoundError(f"GROUPS names {pattern}, which no module matches.")
    return files


def _mutations(file: Path) -> Iterator[tuple[Path, libcst.Module, Mutation]]:
    wrapper = MetadataWrapper(libcst.parse_module(file.read_text()))
    visitor = MutationVisitor(mutation_operators, IgnoredCode(set(), set(), set()))
    wrapper.visit(visitor)
    return ((file, wrapper.module, mutation) for mutation in visitor.mutations)


def _mutant(file: Path, module: libcst.Module, mutation: Mutation) -> dict[str, object] | None:
    """Return the mutant; None if it changes no function body, as code run at import is skipped."""
    mutated: Any = module.deep_replace(mutation.original_node, mutation.mutated_node)
    original = codes(compile(module.code, str(file), "exec"))
    try:
        changed = codes(compile(mutated.code, str(file), "exec"))
    except SyntaxError:
        return None
    names = [name for name, code in original.items() if not _same(code, changed.get(name))]
    if not names:
        return None
    pairs = zip(module.code.split("\n"), mutated.code.split("\n"), strict=False)
    return {
        "module": str(file),
        "function": names[0],
        "line": next(number for number, (a, b) in enumerate(pairs, 1) if a != b),
        "lines": _lines(original[names[0]]),
        "before": module.code_for_node(mutation.original_node).strip(),
        "after": module.code_for_node(mutation.mutated_node).strip(),
        "source": mutated.code,
    }


def _same(one: CodeType, other: CodeType | None) -> bool:
    if other is None or one.co_code != other.co_code or len(one.co_consts) != len(other.co_consts):
        return False
    if one.co_names != other.co_names or one.co_varnames != other.co_varnames:
        return False
    return all(
        _same(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else repr(a) == repr(b)
        for a, b in zip(one.co_consts, other.co_consts, strict=True)
    )


def _lines(code: CodeType) -> list[int]:
    """Return the lines of a function's body, including nested functions."""
    own = {line for _, _, line in code.co_lines() if line and line > code.co_firstlineno}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            own |= {*_lines(constant), constant.co_firstlineno}
    return sorted(own)


if __name__ == "__main__":
    main()
