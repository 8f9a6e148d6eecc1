"""Counts words as translators are paid for them."""


def words(text: str, *, by_character: bool) -> int:
    """Count what spaces separate, or the characters of a language that is written without spaces.

    >>> words("Ada's dog (3 years) barked.", by_character=False)
    5
    >>> words("狗叫了。", by_character=True)
    4
    """
    parts = text.split()
    return sum(map(len, parts)) if by_character else len(parts)
