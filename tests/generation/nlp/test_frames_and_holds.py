"""Which phrases of a sentence may change places: frames, exchanges, holds and comparisons."""

from generation.nlp import frames, templates
from generation.nlp.comparisons import compared
from generation.nlp.exchanges import Exchanges, noun_after
from generation.nlp.holds import in_brackets, in_quotes, in_ranges, is_glued, mentioned_again
from generation.nlp.kinds import MOVABLE
from generation.nlp.tagging import Token
from generation.nlp.word_swap import WordSwapSettings
from tests.generation.nlp.toy import tagged, tokens_and_phrases


def pools(text):
    """The pool of each word of a sentence."""
    tokens, found = tokens_and_phrases(text)
    return {tokens[phrase.start].text: frames.pool(tokens, phrase) for phrase in found}


def test_words_that_grammar_lets_change_places_share_a_pool():
    for text, one, other in (
        ("a/DT bad/JJ man/NN saw/VBD good/JJ men/NNS", "bad", "good"),
        ("the/DT first/JJ man/NN was/VBD second/JJ ./.", "first", "second"),
        ("a/DT cat/NN met/VBD a/DT dog/NN ./.", "cat", "dog"),
        ("she/PRP sang/VBD the/DT song/NN he/PRP wrote/VBD the/DT day/NN", "sang", "wrote"),
        ("12/CD cats/NNS met/VBD 300/CD dogs/NNS ./.", "12", "300"),
        ("Paris/NNP beats/VBZ Rome/NNP ./.", "Paris", "Rome"),
    ):
        found = pools(text)
        assert found[one] == found[other] is not None, text


def test_words_that_grammar_keeps_apart_are_in_different_pools():
    for text, one, other in (
        ("a/DT cat/NN met/VBD water/NN ./.", "cat", "water"),
        ("a/DT cat/NN met/VBD dogs/NNS ./.", "cat", "dogs"),
        ("the/DT end/NN of/IN the/DT day/NN ./.", "end", "day"),
        ("she/PRP relied/VBD on/IN him/PRP and/CC sang/VBD songs/NNS", "relied", "sang"),
        ("twelve/CD cats/NNS met/VBD 300/CD dogs/NNS ./.", "twelve", "300"),
        ("verse/NN 12/CD has/VBZ 300/CD words/NNS ./.", "12", "300"),
        ("the/DT Alps/NNPS seen/VBN from/IN Rome/NNP ./.", "Alps", "Rome"),
        ("the/DT big/JJ cat/NN is/VBZ old/JJ ./.", "big", "old"),
        ("the/DT old/JJ stone/JJ wall/NN and/CC a/DT new/JJ one/NN", "old", "stone"),
        ("12/CD %/NN of/IN it/PRP in/IN 30/CD days/NNS", "12", "30"),
        ("12/CD cats/NNS ran/VBD 2.5/CD miles/NNS", "12", "2.5"),
        ("12/CD cats/NNS met/VBD 30/CD ./.", "12", "30"),
    ):
        found = pools(text)
        assert found[one] != found[other], text


def test_words_that_are_bound_to_their_place_have_no_pool():
    for text, word in (
        ("other/JJ people/NNS", "other"),
        ("it/PRP is/VBZ rich/JJ in/IN salt/NN", "rich"),
        ("the/DT rescue/NN boat/NN", "boat"),
        ("it/PRP was/VBD there/RB", "was"),
        ("it/PRP is/VBZ not/RB there/RB", "not"),
        ("one/CD house/NN", "one"),
        ("Danish/JJ men/NNS", "Danish"),
        ("the/DT Grand/JJ Canal/NNP", "Grand"),
        ("5/CD '/'' tall/JJ", "5"),
        ("Apollo/NNP 11/CD landed/VBD", "11"),
        ("Acme/NNP (/-LRB- A/NN )/-RRB-", "Acme"),
        ("her/PRP$ brother/NN Fred/NNP left/VBD", "Fred"),
        ("Charles/NNP '/POS house/NN", "Charles"),
        ("the/DT 2nd/NN Rome/NNP fell/VBD", "Rome"),
        ("Lonely/JJ Me/PRP was/VBD sung/VBN", "Lonely"),
        ("the/DT fast/JJ flowing/VBG river/NN", "fast"),
        ("little/JJ rain/NN fell/VBD", "little"),
        ("the/DT 2017/CD elections/NNS", "2017"),
        ("a/DT million/CD bricks/NNS", "million"),
        ("let/VB x/NN be/VB even/RB", "x"),
    ):
        assert pools(text)[word] is None, (text, word)


class Alike:
    """Words of one group are used alike, those of two are not; others are unknown."""

    def __init__(self, *groups):
        self.group = {word: n for n, group in enumerate(groups) for word in group.split()}

    def between(self, one, other):
        a, b = self.group.get(one[-1]), self.group.get(other[-1])
        return None if a is None or b is None else 1.0 if a == b else -0.5


def allows(text, one, other, *groups):
    tokens, found = tokens_and_phrases(text)
    words = [token.text for token in tokens]
    by_word = {words[phrase.end - 1]: phrase for phrase in found}
    exchanges = Exchanges(tokens, words, Alike(*groups) if groups else None, 0.8)
    return exchanges.allows(by_word[one], by_word[other])


def test_words_change_places_when_they_are_used_alike():
    nouns = "tea/NN or/CC coffee/NN on/IN trust/NN"
    adjectives = "large/JJ old/JJ towns/NNS with/IN local/JJ duties/NNS"  # judged with their nouns
    names = "in/IN Ann/NNP and/CC in/IN Wye/NNP by/IN Lee/NNP"  # unknown: by their prepositions
    for allowed, text, one, other, *groups in (
        (True, nouns, "tea", "coffee", "tea coffee", "trust"),
        (False, nouns, "tea", "trust", "tea coffee", "trust"),
        (False, nouns, "tea", "trust", "tea coffee"),
        (True, adjectives, "large", "local", "large local", "towns duties"),
        (False, adjectives, "large", "local", "large local", "towns", "duties"),
        (False, adjectives, "large", "local", "large", "local", "towns duties"),
        (True, "Ann/NNP left/VBD the/DT Wye/NNP", "Ann", "Wye", "Ann Wye"),
        (False, "Ann/NNP left/VBD the/DT Wye/NNP", "Ann", "Wye", "Ann", "Wye"),
        (True, names, "Ann", "Wye", "others"),
        (False, names, "Ann", "Lee", "others"),
    ):
        assert allows(text, one, other, *groups) is allowed, (text, one, other, groups)


def test_numbers_of_one_size_change_places():
    for one, other, allowed in (
        ("300", "1,200", True),
        ("300", "4,000", False),
        ("0.5", "4.5", True),
        ("two", "ten", True),
    ):
        text = f"{one}/CD cats/NNS met/VBD {other}/CD dogs/NNS"
        assert allows(text, one, other) is allowed, text


def test_dates_change_places_when_no_story_goes_backwards():
    for text, allowed in (
        ("begun/VBN in/IN 1881/CD ,/, it/PRP ends/VBZ in/IN 1897/CD ./.", False),
        ("it/PRP ends/VBZ in/IN 1897/CD ,/, begun/VBN in/IN 1881/CD ./.", True),
        ("the/DT 1881/CD play/NN and/CC the/DT 1897/CD film/NN", True),
    ):
        assert allows(text, "1881", "1897") is allows(text, "1897", "1881") is allowed, text


def test_the_noun_of_an_adjective_is_the_last_of_those_after_it():
    for text, noun in (
        ("old/JJ stone/NN bridge/NN fell/VBD", 2),
        ("old/JJ red/JJ wall/NN", 2),
        ("old/JJ ,/, they/PRP say/VBP", None),
    ):
        assert noun_after(tagged(text).tokens, 1) == noun, text


def test_a_template_offers_only_exchanges_that_make_sense():
    sentence = tagged("red/JJ cats/NNS met/VBD blue/JJ dogs/NNS and/CC wide/JJ rivers/NNS ./.")
    likeness = Alike("red blue", "cats dogs", "wide", "rivers")
    template = templates.build(sentence, WordSwapSettings(movable=MOVABLE), likeness)
    found = {template.fillers[n].words for slot in template.slots for n in slot.choices[1:]}
    assert ("blue",) in found
    assert ("wide",) not in found
    assert templates.build(sentence, WordSwapSettings()).has_choice


def letters(text):
    """One token a character; an underscore is the space after a token."""
    pairs = zip(text, [*text[1:], ""], strict=True)
    return [Token(a, "", "", " " if b == "_" else "") for a, b in pairs if a != "_"]


def test_brackets_and_quotation_marks_hold_what_is_inside_them():
    assert in_brackets(letters("a(b[c]d)e)f")) == {1, 2, 3, 4, 5, 6}
    for text, held in (
        *(("a“b”c", {1, 2}), ('a"b"c', {1, 2}), ("a«b»c", {1, 2})),
        ('a"bc', {1, 2, 3}),  # unclosed
    ):
        assert in_quotes(letters(text)) == held, text


def test_a_word_is_glued_to_hyphens_slashes_and_units_but_not_to_punctuation():
    texts = ("a-b_c", "a_b/c", "a_b°c", "a_b_c", "a_b,c", "(b)", "“b”", "$b.")
    glued = []
    for text in texts:
        tokens = letters(text)
        place = [token.text for token in tokens].index("b")
        glued += [text] if is_glued(tokens, place, place + 1) else []
    assert glued == ["a-b_c", "a_b/c", "a_b°c"]


def test_the_ends_of_ranges_stay():
    for text, starts in (
        ("from/IN 1990/CD to/TO 1995/CD he/PRP ran/VBD", {1, 3}),
        ("2/CD or/CC 3/CD cats/NNS", {0, 2}),
        ("from/IN $/$ 2/CD to/TO $/$ 3/CD", {2, 5}),
        ("2/CD out/IN of/IN 3/CD cats/NNS", {0, 3}),
        ("two/CD of/IN the/DT three/CD cats/NNS", {0, 3}),
        ("the/DT late/JJ 1980s/NNS and/CC early/JJ 1990s/NNS", {2, 5}),
        ("from/IN 20/CD %/NN to/TO 30/CD %/NN", {1, 4}),
        ("between/IN 20/CD and/CC over/IN 30/CD cats/NNS", {1, 4}),
        ("January/NNP 2002/CD –/: May/NNP 2005/CD", {0, 3}),
        ("20/CD cats/NNS and/CC 30/CD dogs/NNS", set()),
        ("in/IN 1990/CD he/PRP met/VBD 1995/CD cats/NNS", set()),
    ):
        assert in_ranges(*tokens_and_phrases(text)) == starts, text


def test_names_that_share_all_words_of_one_stay():
    for text, starts in (
        ("Ann/NNP saw/VBD Ann/NNP Lee/NNP and/CC Bob/NNP", {0, 2}),
        ("Ann/NNP Lee/NNP saw/VBD Ann/NNP Day/NNP", set()),
    ):
        assert mentioned_again(*tokens_and_phrases(text)) == starts, text


def test_numbers_and_dates_that_others_are_measured_against_stay():
    for text, words in (
        ("30/CD cats/NNS came/VBD ,/, ten/CD of/IN which/WDT slept/VBD", "ten"),
        ("30/CD cats/NNS came/VBD ,/, of/IN which/WDT ten/CD slept/VBD", "ten"),
        ("40/CD dogs/NNS met/VBD a/DT third/NN of/IN the/DT 30/CD cats/NNS", "30"),
        ("30/CD cats/NNS ,/, with/IN ten/CD in/IN town/NN", "ten"),
        ("it/PRP grew/VBD by/IN 30/CD miles/NNS in/IN ten/CD days/NNS", "30 ten"),
        ("all/DT 30/CD cats/NNS met/VBD ten/CD dogs/NNS", "30"),
        ("15/CD miles/NNS (/-LRB- 24/CD kilometres/NNS )/-RRB- in/IN ten/CD days/NNS", "15"),
        ("three/CD cats/NNS :/: Ann/NNP and/CC Bob/NNP met/VBD ten/CD dogs/NNS", "three"),
        ("Ann/NNP ,/, 37/CD ,/, met/VBD ten/CD dogs/NNS", "37"),
        # Dates and ordinals that stand in an order:
        ("by/IN 1947/CD it/PRP was/VBD as/IN in/IN 1910/CD ./.", "1947"),
        ("as/IN of/IN 1947/CD and/CC in/IN 1910/CD", "1947"),
        ("met/VBN in/IN 1910/CD ,/, they/PRP will/MD meet/VB in/IN 2047/CD", "1910 2047"),
        ("the/DT first/JJ day/NN and/CC then/RB the/DT second/JJ", "first second"),
        # Those that may move:
        ("In/IN 1910/CD two/CD cats/NNS met/VBD ten/CD dogs/NNS in/IN May/NNP", ""),
        ("the/DT first/JJ act/NN of/IN the/DT second/JJ play/NN", ""),
    ):
        tokens, found = tokens_and_phrases(text)
        assert {tokens[start].text for start in compared(tokens, found)} == set(words.split()), text
