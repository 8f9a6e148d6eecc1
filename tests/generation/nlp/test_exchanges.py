"""Which phrases of a sentence may change places: frames, exchanges, holds and comparisons."""

from generation.nlp import exchanges
from generation.nlp.exchanges import Exchanges, noun_after
from generation.nlp.fixed_phrases import (
    is_glued,
    places_in_brackets,
    places_in_quotes,
    starts_before_symbols,
    starts_compared,
    starts_in_ranges,
    starts_mentioned_again,
)
from generation.nlp.phrases import MOVABLE
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tagging import Token
from tests.generation.nlp import toy
from tests.generation.nlp.toy import tagged, tokens_and_phrases


def sentences(block):
    """Each sentence of a block without its marks, the places of its words with a *, these words."""
    for text in (part.strip() for part in block.replace("\n", "|").split("|") if part.strip()):
        places = {place for place, word in enumerate(text.split()) if word[0] == "*"}
        words = [word[1:].rpartition("/")[0] for word in text.split() if word[0] == "*"]
        yield text.replace("*", ""), places, words


def test_words_share_a_pool_if_they_have_one_tag_and_names_if_they_have_one_type():
    tokens, found = tokens_and_phrases(
        "Ann/NNP in/IN Rome/NNP saw/VBD old/JJ cats/NNS and/CC sang/VBD to/TO Bob/NNP ./.",
        (0, 1, "PERSON", 1.0),
        (2, 3, "LOCATION", 1.0),
        (9, 10, "PERSON", 0.5),
    )
    by_word = {tokens[phrase.start].text: exchanges.pool(phrase) for phrase in found}
    assert by_word["saw"] == by_word["sang"] != by_word["cats"]
    assert by_word["Ann"] != by_word["Rome"]
    assert by_word["Bob"] is None  # an uncertain name


def frames(text, words):
    tokens, found = tokens_and_phrases(text)
    by_word = {tokens[phrase.start].text: exchanges.frame(tokens, phrase) for phrase in found}
    return [by_word[word] for word in words]


def test_words_share_a_frame_when_grammar_lets_them_change_places():
    for text, _, words in sentences("""
        a/DT *bad/JJ man/NN saw/VBD *good/JJ men/NNS | *12/CD cats/NNS met/VBD *300/CD dogs/NNS ./.
        the/DT *first/JJ man/NN was/VBD *second/JJ ./. | a/DT *cat/NN met/VBD a/DT *dog/NN ./.
        she/PRP *sang/VBD the/DT song/NN he/PRP *wrote/VBD the/DT day/NN
        *Paris/NNP beats/VBZ *Rome/NNP ./.
        can/MD a/DT *bad/JJ person/NN become/VB *good/JJ ?/. | the/DT *big/JJ cat/NN is/VBZ *old/JJ
        the/DT *sales/NN manager/NN met/VBD the/DT *office/NN worker/NN ./.
        it/PRP was/VBD *bought/VBN in/IN May/NNP and/CC *sold/VBN in/IN June/NNP ./.
    """):
        one, other = frames(text, words)
        assert one == other is not None, text
    for text, _, words in sentences("""
        a/DT *cat/NN met/VBD *water/NN ./. | a/DT *cat/NN met/VBD *dogs/NNS ./.
        the/DT *end/NN of/IN the/DT *day/NN ./. | the/DT *big/JJ cat/NN was/VBD an/DT *old/JJ one/CD
        she/PRP *relied/VBD on/IN him/PRP and/CC *sang/VBD songs/NNS
        *twelve/CD cats/NNS met/VBD *300/CD dogs/NNS ./. | *12/CD cats/NNS met/VBD *30/CD ./.
        verse/NN *12/CD has/VBZ *300/CD words/NNS ./. | *12/CD cats/NNS ran/VBD *2.5/CD miles/NNS
        the/DT *Alps/NNPS seen/VBN from/IN *Rome/NNP ./.
        the/DT *old/JJ *stone/JJ wall/NN and/CC a/DT new/JJ one/NN
        *12/CD %/NN of/IN it/PRP in/IN *30/CD days/NNS
    """):
        one, other = frames(text, words)
        assert one != other, text
    # Words that are bound to their place have none.
    for text, _, words in sentences("""
        *other/JJ people/NNS | it/PRP is/VBZ *rich/JJ in/IN salt/NN | the/DT rescue/NN *boat/NN
        it/PRP *was/VBD there/RB | it/PRP is/VBZ *not/RB there/RB | *one/CD house/NN
        *Danish/JJ men/NNS | the/DT *Grand/JJ Canal/NNP | *5/CD '/'' tall/JJ
        Apollo/NNP *11/CD landed/VBD | *Acme/NNP (/-LRB- A/NN )/-RRB- | *Charles/NNP '/POS house/NN
        her/PRP$ brother/NN *Fred/NNP left/VBD | the/DT 2nd/NN *Rome/NNP fell/VBD
        *Lonely/JJ Me/PRP was/VBD sung/VBN | the/DT *fast/JJ flowing/VBG river/NN
        *little/JJ rain/NN fell/VBD | the/DT *2017/CD elections/NNS | a/DT *million/CD bricks/NNS
        let/VB *x/NN be/VB even/RB | they/PRP *took/VBD a/DT bus/NN
    """):
        assert frames(text, words) == [None], text


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
    rules = Exchanges(tokens, words, Alike(*groups) if groups else None, 0.8)
    return rules.allows(by_word[one], by_word[other])


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
        (True, "Ann/NNP left/VBD Wye/NNP", "Ann", "Wye", "Ann Wye"),
        (False, "Ann/NNP left/VBD Wye/NNP", "Ann", "Wye", "Ann", "Wye"),
        (True, names, "Ann", "Wye", "others"),
        (False, names, "Ann", "Lee", "others"),
    ):
        assert allows(text, one, other, *groups) is allowed, (text, one, other, groups)
    # The noun of an adjective is the last of those after it.
    texts = ("old/JJ stone/NN bridge/NN fell/VBD", "old/JJ red/JJ wall/NN", "old/JJ ,/, they/PRP")
    assert [noun_after(tagged(text).tokens, 1) for text in texts] == [2, 2, None]
    # Numbers of one size and dates that turn no story round.
    for text, one, other, allowed in (
        ("300/CD cats/NNS met/VBD 1,200/CD dogs/NNS", "300", "1,200", True),
        ("300/CD cats/NNS met/VBD 4,000/CD dogs/NNS", "300", "4,000", False),
        ("0.5/CD cats/NNS met/VBD 4.5/CD dogs/NNS", "0.5", "4.5", True),
        ("two/CD cats/NNS met/VBD ten/CD dogs/NNS", "two", "ten", True),
        ("begun/VBN in/IN 1881/CD ,/, it/PRP ends/VBZ in/IN 1897/CD ./.", "1881", "1897", False),
        ("it/PRP ends/VBZ in/IN 1897/CD ,/, begun/VBN in/IN 1881/CD ./.", "1881", "1897", True),
        ("the/DT 1881/CD play/NN and/CC the/DT 1897/CD film/NN", "1881", "1897", True),
        ("the/DT 1881/CD play/NN of/IN 1897/CD", "1881", "1897", False),
    ):
        assert allows(text, one, other) is allows(text, other, one) is allowed, text


def test_a_template_offers_only_exchanges_that_make_sense():
    sentence = tagged("red/JJ cats/NNS met/VBD blue/JJ dogs/NNS and/CC wide/JJ rivers/NNS ./.")
    likeness = Alike("red blue", "cats dogs", "wide", "rivers")
    settings = WordSwapSettings(movable=MOVABLE)
    template = toy.template(sentence, settings, likeness)
    found = {template.fillers[n].words for slot in template.slots for n in slot.choices[1:]}
    assert ("blue",) in found
    assert ("wide",) not in found
    assert toy.template(sentence, WordSwapSettings()).has_choice


def letters(text):
    """One token a character; an underscore is the space after a token."""
    pairs = zip(text, [*text[1:], ""], strict=True)
    return [Token(a, "", "", " " if b == "_" else "") for a, b in pairs if a != "_"]


def test_brackets_quotation_marks_and_hyphens_hold_their_words():
    assert places_in_brackets(letters("a(b[c]d)e)f")) == {1, 2, 3, 4, 5, 6}
    for text in ("a“b”c", 'a"b"c', "a«b»c"):
        assert places_in_quotes(letters(text)) == {1, 2}, text
    assert places_in_quotes(letters('a"bc')) == {1, 2, 3}  # unclosed
    glued = ["a-b_c", "a_b/c", "a_b°c"]  # but not to punctuation
    for text in (*glued, "a_b_c", "a_b,c", "(b)", "“b”", "$b."):
        place = [token.text for token in letters(text)].index("b")
        assert is_glued(letters(text), place, place + 1) is (text in glued), text


def test_the_ends_of_ranges_and_names_that_share_all_words_of_one_stay():
    for text, places, _ in sentences("""
        from/IN *1990/CD to/TO *1995/CD he/PRP ran/VBD | *2/CD or/CC *3/CD cats/NNS
        from/IN $/$ *2/CD to/TO $/$ *3/CD | *2/CD out/IN of/IN *3/CD cats/NNS
        *two/CD of/IN the/DT *three/CD cats/NNS | *January/NNP 2002/CD –/: *May/NNP 2005/CD
        the/DT late/JJ *1980s/NNS and/CC early/JJ *1990s/NNS | from/IN *20/CD %/NN to/TO *30/CD %/NN
        between/IN *20/CD and/CC over/IN *30/CD cats/NNS | 20/CD cats/NNS and/CC 30/CD dogs/NNS
        in/IN 1990/CD he/PRP met/VBD 1995/CD cats/NNS
    """):
        assert starts_in_ranges(*tokens_and_phrases(text)) == places, text
    names = "*Ann/NNP saw/VBD *Ann/NNP Lee/NNP and/CC Bob/NNP"  # one has all words of the other
    for text, places, _ in sentences(f"{names} | Ann/NNP Lee/NNP saw/VBD Ann/NNP Day/NNP"):
        assert starts_mentioned_again(*tokens_and_phrases(text)) == places, text


def test_phrases_before_an_emoji_or_a_sign_stay():
    for text, places, _ in sentences(
        "*pizza/NN 🍕/SYM beats/VBZ pasta/NN | *Acme/NNP ™/SYM &/CC B/NNP"
    ):
        assert starts_before_symbols(*tokens_and_phrases(text)) == places, text


def test_numbers_dates_and_ordinals_that_others_are_measured_against_stay():
    for text, places, _ in sentences("""
        30/CD cats/NNS came/VBD ,/, *ten/CD of/IN which/WDT slept/VBD
        30/CD cats/NNS came/VBD ,/, of/IN which/WDT *ten/CD slept/VBD
        40/CD dogs/NNS met/VBD a/DT third/NN of/IN the/DT *30/CD cats/NNS
        30/CD cats/NNS ,/, with/IN *ten/CD in/IN town/NN | *30/CD cats/NNS grew/VBD *ten/CD mm/NNS
        all/DT *30/CD men/NNS met/VBD ten/CD men/NNS | Ann/NNP ,/, *37/CD ,/, met/VBD ten/CD men/NNS
        *15/CD miles/NNS (/-LRB- 24/CD kilometres/NNS )/-RRB- in/IN ten/CD days/NNS
        *three/CD cats/NNS :/: Ann/NNP and/CC Bob/NNP met/VBD ten/CD dogs/NNS
        by/IN *1947/CD it/PRP ran/VBD as/IN in/IN 1910/CD | as/IN of/IN *1947/CD or/CC in/IN 1910/CD
        met/VBN in/IN *1910/CD ,/, they/PRP will/MD meet/VB in/IN *2047/CD
        the/DT *first/JJ day/NN and/CC then/RB the/DT *second/JJ
        In/IN 1910/CD two/CD cats/NNS met/VBD ten/CD dogs/NNS in/IN May/NNP
        the/DT first/JJ act/NN of/IN the/DT second/JJ play/NN
    """):
        tokens, found = tokens_and_phrases(text)
        assert starts_compared(tokens, found) == places, text
