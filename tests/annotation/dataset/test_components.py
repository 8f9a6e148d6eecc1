from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.components import Components

links = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=12)


def reachable(start: str, some: list[tuple[str, str]]) -> set[str]:
    found = {start}
    for _ in some:
        found |= {text for link in some if not found.isdisjoint(link) for text in link}
    return found


@given(links)
def test_a_component_is_named_by_the_least_text_that_can_be_reached(
    some: list[tuple[str, str]],
) -> None:
    components = Components(some)
    for text in "abcdefgh":
        assert components.find(text) == min(reachable(text, some))
