"""python -m scripts.translations update | compile: see docs/contributor/translating.md."""

import sys

from scripts.translations import catalogues
from scripts.translations.extraction import template


def update() -> None:
    """Update the translation file of every language, and print what is missing or wrong."""
    found = template()
    for path in catalogues.paths():
        catalogues.update(path, found)
        for fault in catalogues.faults(catalogues.read(path), found):
            print(f"{path.parent.parent.name}: {fault}")


def compile_() -> None:
    """Compile the translation file of every language."""
    for path in catalogues.paths():
        catalogues.compile_(path)


COMMANDS = {"update": update, "compile": compile_}

if __name__ == "__main__":
    if sys.argv[1:2] not in [[name] for name in COMMANDS]:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]]()
