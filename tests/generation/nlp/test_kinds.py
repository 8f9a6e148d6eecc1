from generation.nlp.kinds import Kind, of_change, of_tag


def test_a_swap_has_the_kind_of_the_words_that_moved() -> None:
    assert of_change([Kind.NAME, Kind.NAME]) is Kind.NAME


def test_a_swap_of_words_of_several_kinds_is_mixed() -> None:
    assert of_change([Kind.NAME, Kind.DATE]) is Kind.MIXED


def test_a_tag_without_a_kind_of_its_own_is_other() -> None:
    assert (of_tag("VBZ"), of_tag("DT")) == (Kind.VERB, Kind.OTHER)
