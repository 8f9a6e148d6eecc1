"""Published sets as they lie on the disks of people: the rows are those that pandas reads."""

import ast
import json

import pandas as pd
import pytest

from releases.dataset.published.layout import read_layout
from releases.dataset.published.reading import read_set
from tests.releases.dataset.published.sets import PAIRS, SETS


def read_by_pandas(path, published):
    if path.suffix == ".parquet":
        table = pd.read_parquet(path)
    elif path.suffix == ".json":
        table = pd.json_normalize(list(json.loads(path.read_text()).values()), max_level=1)
        answers = table.filter(like="annotations.").to_dict("records")
        table["annotations"] = [
            json.dumps({name.partition(".")[2]: text for name, text in row.items()})
            for row in answers
        ]
    elif path.suffix == ".jsonl":
        table = pd.read_json(path, lines=True)
    else:
        table = pd.read_csv(path, **published.read)
    return [
        (decoded(one), decoded(other).replace("\n", " "), str(label))
        for one, other, label in table[list(published.columns)].itertuples(index=False)
    ]


def decoded(text):
    return ast.literal_eval(text).decode() if text.startswith(("b'", 'b"')) else text


@pytest.mark.parametrize("published", SETS.values(), ids=SETS)
def test_a_set_in_the_layout_of_its_publishers_has_the_rows_that_pandas_reads(tmp_path, published):
    for name, content in published.files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    read = read_set(
        read_layout([tmp_path], published.choices), published.choices, name="Trial", version="1.0"
    )
    labelled = [name for name in published.files if name != published.without_labels]
    rows = [row for name in labelled for row in read_by_pandas(tmp_path / name, published)]
    expected = list(zip(rows, [*published.labels] * len(labelled), strict=True))
    # Pairs on which too few people agree come last.
    expected.sort(key=lambda row: row[1] is None)
    pairs = [((p.text1, p.text2, p.published_label), p.label) for p in read.pairs]
    assert pairs == expected
    assert read.counts.refused.total() == 0
    assert read.counts.left_out.total() == (len(PAIRS) if published.without_labels else 0)
