"""Which files make up a model."""

import pytest

from generation.fetching.files import Kind, kind_of, needed, pickled


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["config.cfg", "meta.json", "config.json"], Kind.SPACY),
        (["config.json", "model.safetensors"], Kind.TRANSFORMERS),
        (["meta.json"], None),
        ([], None),
    ],
)
def test_the_files_tell_what_loads_a_model(names: list[str], kind: Kind | None) -> None:
    assert kind_of(names) == kind


def test_of_transformers_one_set_of_weights_is_taken() -> None:
    names = ["config.json", "flax_model.msgpack", "model.safetensors", "pytorch_model.bin"]

    assert needed(names, Kind.TRANSFORMERS) == ["config.json", "model.safetensors"]


def test_weights_in_parts_come_with_their_index() -> None:
    parts = [f"model-0000{i}-of-00002.safetensors" for i in (1, 2)]
    others = ["model.safetensors.index.json", "pytorch_model.bin.index.json", "tf_model.h5"]

    assert needed([*parts, *others], Kind.TRANSFORMERS) == [*parts, "model.safetensors.index.json"]


def test_pickled_weights_are_taken_where_there_are_no_others() -> None:
    names = ["config.json", "pytorch_model.bin", "source.spm", "target.spm", "vocab.json"]

    assert needed(names, Kind.TRANSFORMERS) == names
    assert pickled(names) == ["pytorch_model.bin"]


def test_code_other_formats_and_folders_are_left_behind() -> None:
    names = [".gitattributes", "model.safetensors", "modeling.py", "onnx/config.json", "a.onnx"]

    assert needed(names, Kind.TRANSFORMERS) == ["model.safetensors"]


def test_tokenizers_of_all_sorts_are_taken() -> None:
    names = ["merges.txt", "model.safetensors", "sentencepiece.bpe.model", "vocab.txt"]

    assert needed(names, Kind.TRANSFORMERS) == names


def test_without_weights_nothing_is_needed() -> None:
    assert needed(["config.json", "tf_model.h5"], Kind.TRANSFORMERS) == []


def test_of_a_spacy_pipeline_all_is_taken_but_code_and_archives() -> None:
    kept = ["config.cfg", "meta.json", "ner/cfg", "ner/model", "vocab/strings.json"]
    left = ["__init__.py", "en-any-py3-none-any.whl", ".gitattributes", "ner/.hidden", "x.pkl"]

    assert needed([*kept, *left], Kind.SPACY) == kept
