"""How a dataset came about, in sentences: on its card, and in a paper."""

from dataclasses import replace

import pytest

from annotation.stats.labels import scale
from releases.dataset import prose
from releases.dataset.croissant_rai import missing
from releases.dataset.documentation import Documentation
from releases.dataset.metadata import Metadata, parse_bibtex
from releases.dataset.methods import methods
from releases.dataset.paper import paper
from releases.dataset.settings import ReleaseSettings
from releases.dataset.translated.files import SourceRelease, TranslationSettings
from releases.dataset.translated.methods import methods as translation_methods
from releases.dataset.translated.methods import missing as missing_translations
from tests.releases.dataset.studies import FACTS
from tests.releases.dataset.test_card import COUNTS, DEV

SEED_3 = {"method": "word_swap", "revision": "7", "seed": "3"}
TOLD = replace(
    FACTS,
    corpora={
        "news_1": {"language": "en", "licence": "cc-by-4.0", "sentences": 1234},
        "rivers": {"language": "en", "licence": "", "sentences": 1},
    },
    collected=("2026-01-02", "2026-02-03"),
    models=(SEED_3 | {"part": "scorer", "name": "trigram"},),
)
COMPLETE = COUNTS | {
    "kept": 43647, "judged": 47290, "recombined": 12, "conflicts": 1, "unknown": 0, "excluded": 1,
    "raw": {"word_swap": 50000, "back_translation": 26897}, "reopened": 2, "adjudications": 1,
    "model_judgments": [{"model": "Model", "revision": "7", "labels": 1200}],
    "corpora": {
        "news_1": {
            "word_swap": {"raw": 50000, "accept": 39903, "fix": 7387, "reject": 2710, "votes": []},
            "back_translation": {"raw": 9, "accept": 0, "fix": 0, "reject": 0, "votes": []},
        }
    },
}  # fmt: skip
IN_MARKDOWN = """\
**Sources.** The source sentences come from `news_1` (1,234 sentences, language `en`, licence \
`cc-by-4.0`) and `rivers` (1 sentence, language `en`).

**Generation.** Back translations bring a sentence into another language and back: 26,897 \
candidates. Word swaps exchange words and phrases of a sentence: 50,000 candidates, with \
`trigram` (scorer, revision `7`) and the seed 3.

**Correction.** One person saw each candidate of `word_swap` alone, without its source, and could \
fix it: 39,903 accepted, 7,387 fixed and 2,710 rejected. Managers excluded 1 pair.

**Judging.** 5 people judged each pair independently, as having the same meaning or not. Judges \
saw neither which sentence is the source, nor how the other was created, nor the answers of \
others. A pair is kept if at least 4 of them agree. Others judged 2 pairs again on which too \
few had agreed; only their last votes count. 5 people gave 10 judgments from 2026-01-02 to \
2026-02-03 and took 24.0 seconds for each on average. An expert decided 1 pair that people did \
not agree on; no label takes that up. The model `Model 7` labelled 1,200 pairs, in no label and \
no figure.

**Agreement.** Human agreement is the share of answers that equal the most frequent answer to \
their pair. On all judged pairs, it is 93.3%, and Krippendorff's alpha 0.741. On the kept pairs \
alone, it is 93.3%, and Krippendorff's alpha 0.741.

**Dataset.** People agree enough on 43,647 of 47,290 judged pairs to keep them. On 3 pairs too \
few agreed: they are in `low_agreement`, with their votes. 12 pairs more follow from chains of \
judged pairs (PAWS 3.2). Left out were 1 pair whose chains contradict each other. \
`labeled_final` has 65,401 pairs: 49,401 in train, 8,000 in dev and 8,000 in test; 44.2% are \
paraphrases. Sentences that share a source, a text, a group or a pair are in one split, and \
pairs of two equal sentences are in none but train. Splits, sides and what is dropped follow \
from the seed 0."""
# Nothing is known but what people judged.
BARE = COUNTS | {
    "corrections": dict.fromkeys(("accept", "fix", "reject"), 0),
    "votes": {}, "seconds": 0, "judgments": 0, "annotators": 0, "kept": 0, "judged": 0,
    "recombined": 0, "subsets": {"labeled_final": {"train": DEV}},
}  # fmt: skip
PAPER = r"""% Trial pairs 1.0.0
% In the preamble: \usepackage{booktabs}

\paragraph{Sources.}
The source sentences come from \texttt{news\_1} (1,234 sentences, language \texttt{en}, licence \
"""


def test_each_step_is_told_in_order():
    assert prose.as_markdown(methods(TOLD, ReleaseSettings(), COMPLETE)) == IN_MARKDOWN


def test_what_did_not_happen_is_not_told():
    text = prose.as_markdown(methods(replace(FACTS, licence=""), ReleaseSettings(), BARE))
    assert text == (
        "**Judging.** 5 people judged each pair independently, as having the same meaning or not. "
        "Judges saw neither which sentence is the source, nor how the other was created, nor the "
        "answers of others. A pair is kept if at least 4 of them agree.\n\n"
        "**Dataset.** `labeled_final` has 8,000 pairs: 8,000 in train; 0.0% are paraphrases. "
        "Sentences that share a source, a text, a group or a pair are in one split, and pairs of "
        "two equal sentences are in none but train. Splits, sides and what is dropped follow from "
        "the seed 0."
    )


def test_answers_of_excluded_people_are_told_as_missing():
    facts = replace(TOLD, excluded_answers={"people": 1, "answers": 96, "pairs": 90})
    told = "Not counted: 96 judgments of 1 excluded annotator; others judged 90 pairs of theirs."
    assert told in prose.as_markdown(methods(facts, ReleaseSettings(), COMPLETE))
    counts = COMPLETE | {"unlabeled_left_out": 0}
    assert told in prose.as_text(missing(facts, ReleaseSettings(), counts))


@pytest.mark.parametrize(
    ("simulated", "told"),
    [
        ({"judge": 5}, "5 simulated annotators gave 10 judgments"),
        ({"judge": 2}, "3 people and 2 simulated annotators gave 10 judgments"),
        ({"correct": 4}, "One simulated corrector saw each candidate of"),
        ({"correct": 1}, "One person, or a simulated one, saw each candidate of"),
    ],
)
def test_simulated_people_are_told_as_such(simulated, told):
    work = {"correct": {"days": [], "people": 4}}
    facts = replace(TOLD, simulated_people=simulated, work=work)
    assert told in prose.as_markdown(methods(facts, ReleaseSettings(), COMPLETE))


def test_a_paper_of_simulated_people_says_that_it_is_a_trial():
    facts = replace(TOLD, simulated_people={"judge": 5})
    assert "\n\\textbf{Simulated annotators: a trial, not data.}\n" in paper(
        facts, ReleaseSettings(), COMPLETE
    )


def test_candidates_with_the_texts_of_others_are_told():
    corpora = {"news_1": {"word_swap": COMPLETE["corpora"]["news_1"]["word_swap"] | {"repeats": 7}}}
    text = prose.as_markdown(methods(TOLD, ReleaseSettings(), COMPLETE | {"corpora": corpora}))
    assert "seed 3; 7 repeat the texts of another." in text


def test_graded_definitions_are_told_as_such():
    settings = ReleaseSettings(
        scheme=scale(3, border=2), judgments_per_pair=3, consensus_min_votes=2,
        columns=("grade", "entity"), paraphrase_share=0.5,
    )  # fmt: skip
    grades = {"definitions": [[0, 0, 1, 2, 5], [2, 1, 0, 0, 5]]}
    counts = COMPLETE | {"raw": {"definitions": 10}, "votes_on_grade": grades}
    text = prose.as_markdown(methods(TOLD, settings, counts))
    for part in (
        "The source definitions come from `news_1` (1,234 definitions,",
        "Pairs of definitions define one entity: 10 candidates.",
        "3 people judged each pair independently, on a scale from 0 to 3, where 2 and above mean",
        "Pairs are graded as in PARADE",
        "On paraphrase or not, it is 93.3%",
        "On the grade, it is 66.7%, and Krippendorff's ordinal alpha 0.",
        "until the share of paraphrases in `labeled_final` was 50.0%.",
        "No entity is in two splits.",
    ):
        assert part in text


def test_translations_are_told_with_their_errors():
    settings = TranslationSettings(
        "en", "de", SourceRelease("Trial pairs", "1.0"), seed=7, dev=20, forward="opus"
    )
    counts = {
        "translations": {"human": 40, "machine": 60, "back": 0}, "untranslatable": 1,
        "translators": 3, "validators": 1, "validations": {"accept": 9, "fix": 1, "reject": 0},
        "left_out": {"equal": {"dev": 2}},
        "subsets": {"translated": {"train": {"pairs": 30}, "dev": {"pairs": 18}}},
    }  # fmt: skip
    errors = {"unit": "word", "overall": {"rate": 0.031, "interval": [0.01, 0.05]}}
    assert prose.as_markdown(translation_methods(FACTS, settings, counts, errors)) == (
        "**Sources.** The pairs are those of `Trial pairs 1.0`, translated from `en` into `de`. "
        "At random, with the seed 7, 20 of dev were drawn for translation.\n\n"
        "**Translation.** 3 people translated 40 sentences of dev and test, each alone, without "
        "its pair and its label. 1 sentence could not be translated. A machine translated train, "
        "with `opus`.\n\n"
        "**Validation.** 1 person validated a sample of 10 translations: 9 accepted and 1 fixed. "
        "A fixed text replaces the translation. The word error rate is 3.1% (95 % interval 1.0 to "
        "5.0).\n\n"
        "**Dataset.** `translated` has 30 in train and 18 in dev. 2 pairs of the source could not "
        "be included. Ids, labels, splits and the order of the sentences are those of the source."
        "\n\n**Licence.** The source text has the licence `cc-by-sa-4.0`."
    )


@pytest.mark.parametrize(("layout", "told"), [(1, "5 pairs"), (2, "2 pairs")])
def test_pairs_without_a_machine_translation_back_could_be_included(layout, told):
    counts = {
        "left_out": {"equal": {"dev": 2}, "no_machine_translation": {"dev": 3}},
        "subsets": {"translated": {"dev": {"pairs": 18}}}, "untranslatable": 0,
    }  # fmt: skip
    settings = TranslationSettings("en", "de", dev=20, backward="opus", layout=layout)
    sentences = prose.as_text(missing_translations(settings, counts))
    assert sentences == f"{told} of the source could not be included."


def test_a_study_without_correction_has_no_rows_of_it():
    is_told = [
        "Sentence correction" in paper(facts, ReleaseSettings(), COMPLETE)
        for facts in (TOLD, replace(TOLD, corrected_methods=()))
    ]
    assert is_told == [True, False]  # older releases do not say


def test_a_paper_has_the_sentences_before_the_tables():
    text = paper(TOLD, ReleaseSettings(), COMPLETE)
    assert text.startswith(PAPER.removesuffix("\\\n"))
    labels = ("back_translation", "word_swap", "sizes", "agreement")
    places = [text.index(f"\\label{{tab:{label}}}") for label in labels]
    assert places == sorted(places)
    assert text.count("{") == text.count("}")


def test_a_paper_tells_what_people_declared_as_sentences_for_latex():
    documentation = Documentation(
        limitations=("Fewer than 5 % are questions", "No slang."), ethics="Board #1 agreed (2026).",
        recruitment="By R&D_list", pay="12 $ an hour", social_impact="Little.",
    )  # fmt: skip
    text = paper(
        replace(TOLD, metadata=Metadata(documentation=documentation)), ReleaseSettings(), COMPLETE
    )
    told, _tables = text.split("\\begin{table}", 1)
    assert told.endswith(
        "\\paragraph{Limitations.}\nFewer than 5\\% are questions.\nNo slang.\n\n"
        "\\paragraph{Ethics.}\nBoard \\#1 agreed (2026).\n\n"
        "\\paragraph{Recruitment.}\nBy R\\&D\\_list.\n\n"
        "\\paragraph{Pay.}\n12 \\$ an hour.\n\n"
    )
    assert "with 95\\% intervals" in text


def test_a_paper_ends_with_the_references_as_comments():
    grades = ReleaseSettings(scheme=scale(3, border=2))
    for settings, keys in (
        (ReleaseSettings(), ["zhang-etal-2019-paws"]),
        (grades, ["zhang-etal-2019-paws", "he-etal-2020-parade"]),
    ):
        _, references = paper(TOLD, settings, COMPLETE).split("% References, in BibTeX:\n")
        assert all(line.startswith("% ") for line in references.splitlines())
        entries = references.replace("% ", "").split("\n@")
        assert [parse_bibtex(f"@{entry.lstrip('@')}").split("{")[1].partition(",")[0]
                for entry in entries] == keys  # fmt: skip


def test_a_model_is_named_once_with_all_its_parts():
    parts = tuple(
        SEED_3 | {"part": part, "name": "trigram"} for part in ("scorer", "language_model")
    )
    generation = methods(replace(TOLD, models=parts), ReleaseSettings(), COMPLETE)["Generation"]
    assert prose.as_text(generation).endswith(
        ", with trigram (language model and scorer, revision 7) and the seed 3."
    )


def test_a_release_that_follows_croissant_1_0_has_the_paper_that_it_had():
    documentation = Documentation(pay="Nothing")
    parts = tuple(SEED_3 | {"part": part, "name": "trigram"} for part in ("scorer", "tagger"))
    facts = replace(
        TOLD, croissant="1.0", models=parts, metadata=Metadata(documentation=documentation)
    )
    text = paper(facts, ReleaseSettings(), COMPLETE)
    assert "(scorer, revision \\texttt{7}) and \\texttt{trigram} (tagger, revision" in text
    assert "with 95 \\% intervals" in text
    assert "Nothing" not in text
    assert text.endswith("\\end{table}\n")
