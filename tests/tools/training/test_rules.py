"""What each rule catches and loses, from a table of readings and their texts."""

import csv
import lzma

from tools.training import rules

SENTENCES = (
    "Her brother met Mary in Lyon and told Robert that he had sold the house.",
    "The old hall shines when it rains although the wind blows hard.",
    "A small dog saw a large cat in the garden.",
)
# Columns: set, rules, line, one, other, mark, is_noun_phrase and a feature.
READINGS = (
    ("fit", "estimate", 1, 4, 9, "fix", "", 1),  # Mary and Robert
    ("fit", "estimate", 3, 2, 6, "accept", "", 1),  # small and large
    ("test", rules.MOVES, 2, 8, 1, "fix", "", 0),  # a clause that passes another
    ("fit", "estimate", 3, 1, 5, "accept", "", 1),  # an article, of which two begin a phrase
    ("paper", "paper", 3, "", "", "fix", "", 0),  # without places
)


def test_the_command_counts_flawed_and_accepted_candidates_by_rule(tmp_path, capsys, monkeypatch):
    texts = "\n".join(SENTENCES).encode()
    (tmp_path / "wikipedia-input.txt.xz").write_bytes(lzma.compress(texts))
    before = [f"column{number}" for number in range(rules.NOT_FEATURES - 7)]
    names = [*before, "set", "rules", "line", "one", "other", "mark", "file"]
    with (tmp_path / "readings.tsv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t")
        table.writerow([*names, "is_noun_phrase", "is_name"])
        for set_name, kind, line, one, other, mark, *features in READINGS:
            row = [set_name, kind, line, one, other, mark, "wikipedia-input", *features]
            table.writerow([*before, *row])
    monkeypatch.setattr("sys.argv", ["rules", str(tmp_path / "readings.tsv"), str(tmp_path)])
    rules.main()
    printed = capsys.readouterr().out
    assert "4 of 4 readings rebuilt" in printed
    assert "sex: 1 of 1 flawed = 100.0% (0), 0 of 2 accepted = 0.0% (0)" in printed
    assert "clause passes a clause: 1 of 1 flawed = 100.0% (0)" in printed
