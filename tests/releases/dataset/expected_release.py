"""python -m tests.releases.dataset.expected_release: regenerate the expected release files."""

import json
import tempfile
from pathlib import Path

from releases.dataset.reader import read_release
from releases.dataset.writers import write_release
from tests.releases.dataset.studies import FACTS_1_0, FORMAT_1, SETTINGS, complete_content
from tests.releases.dataset.test_false_releases import BROKEN, written
from tests.releases.dataset.test_files import EXPECTED, descriptions


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "release"
        about = {"facts": FACTS_1_0, "settings": SETTINGS, "release_format": FORMAT_1}
        write_release(folder, complete_content(version=1), **about)
        card, manifest, croissant = descriptions(folder)
        (EXPECTED / "README.md").write_text(card)
        for name, described in (("manifest.json", manifest), ("croissant.json", croissant)):
            text = json.dumps(described, indent=2, ensure_ascii=False)
            (EXPECTED / name).write_text(text + "\n")
        found = []
        for number, (rule, change, _what) in enumerate(BROKEN):
            release = read_release(written(Path(place) / str(number), change))
            found.append(f"{next(rule(release))}\n")
        (EXPECTED / "broken_rules.txt").write_text("".join(found))


if __name__ == "__main__":
    main()
