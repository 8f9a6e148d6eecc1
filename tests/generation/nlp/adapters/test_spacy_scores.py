"""Probabilities of entities, from the scores of pipelines that are not ours."""

from collections.abc import Callable
from pathlib import Path

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language

from generation.nlp.adapters.spacy_scores import score_names, shares_of
from generation.nlp.adapters.spacy_tagger import SpacyTagger
from generation.nlp.tagging import Entity
from tests.generation.nlp.adapters import tiny_pipelines as tiny

TEXTS = [tiny.TEXT, tiny.MORE[0], "", "Oslo and Marie Warsaw left Rome for Curie."]


@pytest.fixture(scope="module")
def unsure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recogniser that has learnt little, so that its beam holds parses that differ."""
    folder = tmp_path_factory.mktemp("unsure")
    return tiny.saved(tiny.with_recogniser(steps=20), folder)


@pytest.fixture(scope="module")
def sure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recogniser that knows its two sentences by heart."""
    return tiny.saved(tiny.with_recogniser(steps=60), tmp_path_factory.mktemp("sure"))


def entities(pipeline: Path, *texts: str) -> list[tuple[Entity, ...]]:
    return [tagged.entities for tagged in SpacyTagger(pipeline).tag(texts)]


def test_a_recogniser_gives_its_entities_probabilities(unsure: Path) -> None:
    probabilities = [e.probability or 0 for found in entities(unsure, *TEXTS) for e in found]

    assert all(0 < probability <= 1 for probability in probabilities)
    assert any(0.05 < probability < 0.95 for probability in probabilities)


def test_a_recogniser_that_knows_a_sentence_is_nearly_certain(sure: Path) -> None:
    ((person, *places),) = entities(sure, tiny.TEXT)

    assert (person.start, person.end, person.label) == (0, 2, "PERSON")
    assert [place.label for place in places] == ["LOCATION", "LOCATION"]
    assert all((e.probability or 0) > 0.9 for e in (person, *places))


def test_probabilities_are_those_of_a_beam_over_the_bare_text(unsure: Path) -> None:
    nlp = spacy.load(unsure)
    recogniser = nlp.get_pipe("ner")
    (beam,) = recogniser.beam_parse([nlp.make_doc(TEXTS[-1])], beam_width=16, beam_density=0.0001)
    parses = recogniser.moves.get_beam_parses(beam)

    (found,) = entities(unsure, TEXTS[-1])

    for entity in found:
        holding = [score for score, names in parses if _holds(names, entity)]
        assert entity.probability == pytest.approx(sum(holding) / sum(s for s, _ in parses))


def _holds(names: list[tuple[int, int, str]], entity: Entity) -> bool:
    return any((start, end) == (entity.start, entity.end) for start, end, _ in names)


def test_a_sentence_is_scored_alike_alone_and_among_others(unsure: Path) -> None:
    among = entities(unsure, *TEXTS)
    alone = [entities(unsure, text)[0] for text in TEXTS]

    for found, expected in zip(among, alone, strict=True):
        assert [(e.start, e.end, e.label) for e in found] == [
            (e.start, e.end, e.label) for e in expected
        ]
        assert [e.probability for e in found] == pytest.approx([e.probability for e in expected])


def test_entities_that_stand_there_already_are_kept_without_a_probability(unsure: Path) -> None:
    nlp = spacy.load(unsure)
    ruler = nlp.add_pipe("entity_ruler", before="ner")
    ruler.add_patterns([{"label": "ORG", "pattern": "Marie Curie left"}])  # type: ignore[attr-defined]
    score_names(nlp)

    doc = nlp(tiny.TEXT)

    scored = [(span.start, span.end) for span in doc.spans["names"]]
    assert (doc.ents[0].text, doc.ents[0].label_) == ("Marie Curie left", "ORG")
    assert (0, 3) not in scored
    assert scored == [(span.start, span.end) for span in doc.ents[1:]]


def test_shared_token_vectors_are_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("tok2vec")
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96}
    nlp.add_pipe("ner", config={"model": {"tok2vec": listener}})
    examples = [tiny.example(nlp, tiny.TEXT, {"entities": tiny.ENTITIES})]
    nlp.initialize(lambda: examples)
    score_names(nlp)
    calls = _calls_of_tok2vec(nlp, monkeypatch)

    list(nlp.pipe(TEXTS))

    assert calls == [4]


def _calls_of_tok2vec(nlp: Language, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the batches that the token-to-vector layer will see."""
    model, calls = nlp.get_pipe("tok2vec").model, []  # type: ignore[attr-defined]
    forward: Callable[..., object] = model._func

    def counted(model: object, docs: list[object], is_train: bool) -> object:
        calls.append(len(docs))
        return forward(model, docs, is_train)

    monkeypatch.setattr(model, "_func", counted)
    return calls


def test_a_span_categoriser_gives_entities_with_its_scores(tmp_path: Path) -> None:
    folder = tiny.saved(tiny.with_span_categoriser(), tmp_path)

    ((person, *places), *_) = entities(folder, *TEXTS)

    assert (person.start, person.end, person.label) == (0, 2, "PERSON")
    assert [place.label for place in places] == ["LOCATION", "LOCATION"]
    assert all(0.3 <= (e.probability or 0) <= 1 for e in (person, *places))


def test_spans_that_overlap_give_way_to_the_best() -> None:
    nlp = tiny.with_span_categoriser()
    nlp.get_pipe("spancat").cfg["threshold"] = 0.0  # type: ignore[attr-defined]
    score_names(nlp)

    doc = nlp(tiny.TEXT)

    scored = list(zip(doc.spans["found"], doc.spans["found"].attrs["scores"], strict=True))
    assert len(scored) > len(doc.ents) > 0
    best, _ = max(scored, key=lambda pair: pair[1])
    assert (best.start, best.end) in {(span.start, span.end) for span in doc.ents}


def test_names_from_a_list_have_no_probability(tmp_path: Path) -> None:
    folder = tiny.saved(tiny.with_rules(), tmp_path)

    assert entities(folder, tiny.TEXT) == [(Entity(5, 6, "LOCATION", None),)]


PARSES = st.lists(
    st.tuples(
        st.floats(0.001, 1),
        st.lists(
            st.tuples(st.integers(0, 3), st.integers(4, 6), st.sampled_from(["ORG", "GPE"])),
            unique_by=lambda name: name[:2],
        ),
    ),
    min_size=1,
)


@given(PARSES)
def test_a_share_is_one_where_all_parses_agree_and_never_more(
    parses: list[tuple[float, list[tuple[int, int, str]]]],
) -> None:
    shares = {place: sum(labels.values()) for place, labels in shares_of(parses).items()}

    assert all(0 < share <= 1 + 1e-9 for share in shares.values())
    everywhere = set.intersection(*({name[:2] for name in names} for _, names in parses))
    assert all(shares[place] == pytest.approx(1) for place in everywhere)


@given(PARSES, st.floats(1, 10))
def test_the_more_the_parses_that_hold_a_name_score_the_larger_its_share(
    parses: list[tuple[float, list[tuple[int, int, str]]]], factor: float
) -> None:
    name = (0, 4, "ORG")
    held = [*parses, (0.5, [name])]
    more = [(s * factor if any(n[:2] == (0, 4) for n in names) else s, names) for s, names in held]

    before, after = (sum(shares_of(beam)[0, 4].values()) for beam in (held, more))

    assert after >= before - 1e-9
