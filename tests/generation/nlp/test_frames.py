import pytest

from generation.nlp import frames, phrases
from tests.generation.nlp.toy import tagged


def pools(text: str) -> dict[str, str | None]:
    """The pool of each word of a sentence."""
    sentence = tagged(text)
    found = phrases.find(sentence, entity_probability=0.95)
    return {sentence.tokens[p.start].text: frames.pool(sentence.tokens, p) for p in found}


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("a/DT bad/JJ man/NN saw/VBD good/JJ men/NNS", "bad", "good"),
        ("the/DT first/JJ man/NN was/VBD second/JJ ./.", "first", "second"),
        ("a/DT cat/NN met/VBD a/DT dog/NN ./.", "cat", "dog"),
        ("she/PRP sang/VBD the/DT song/NN he/PRP wrote/VBD the/DT day/NN", "sang", "wrote"),
        ("12/CD cats/NNS met/VBD 300/CD dogs/NNS ./.", "12", "300"),
        ("Paris/NNP beats/VBZ Rome/NNP ./.", "Paris", "Rome"),
    ],
)
def test_words_that_grammar_lets_change_places(text: str, one: str, other: str) -> None:
    found = pools(text)
    assert found[one] is not None
    assert found[one] == found[other]


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
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
    ],
)
def test_words_that_grammar_keeps_apart(text: str, one: str, other: str) -> None:
    found = pools(text)
    assert found[one] != found[other]


@pytest.mark.parametrize(
    ("text", "word"),
    [
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
    ],
)
def test_words_that_are_bound_to_their_place(text: str, word: str) -> None:
    assert pools(text)[word] is None
