"""The columns of a model's memory."""

from generation.nlp.token_tree import Node, Request, TokenTree, chain, passes


def test_each_column_follows_its_ancestors_and_itself_alone() -> None:
    one = chain(None, [7, 8], [9])
    other = chain(one[0], [5], [])
    follows = TokenTree().add([*one, *other])
    assert follows.tolist() == [[True, False, False], [True, True, False], [True, False, True]]


def test_sentences_do_not_follow_each_other() -> None:
    tree = TokenTree()
    tree.add(chain(None, [7, 8], []))
    follows = tree.add(chain(None, [5, 6], []))
    assert follows.tolist() == [[False, False, True, False], [False, False, True, True]]


def test_each_node_of_a_chain_wants_the_next_and_the_last_what_is_wanted() -> None:
    assert [node.wanted for node in chain(None, [2, 3, 4], (5, 6))] == [[3], [4], (5, 6)]


def test_what_no_request_needs_is_forgotten_and_the_rest_moves_up() -> None:
    tree = TokenTree()
    dead, live = chain(None, [2, 3], []), chain(None, [4, 5], [])
    tree.add([*dead, *live])
    kept = tree.prune([Request([Node(live[0], 6, [])], needed=[live[1]])], above=0.0)
    assert kept is not None
    assert kept.tolist() == [2, 3]
    assert tree.add(chain(live[1], [6], [])).tolist() == [[True, True, True]]


def test_parents_of_new_nodes_are_needed() -> None:
    tree = TokenTree()
    one, other = chain(None, [2, 3], []), chain(None, [4, 5], [])
    tree.add([*one, *other])
    kept = tree.prune([Request(chain(one[0], [9], []))], above=0.0)
    assert kept is not None
    assert kept.tolist() == [0]


def test_little_is_not_worth_forgetting() -> None:
    tree = TokenTree()
    nodes = chain(None, [2, 3, 4, 5], [])
    tree.add(nodes)
    assert tree.prune([Request([], needed=[nodes[2]])], above=0.25) is None
    assert len(tree) == 4


def test_nodes_are_read_in_passes_of_nearly_equal_size() -> None:
    nodes = chain(None, range(10), [])
    parts = list(passes(nodes, 4))
    assert [len(part) for part in parts] == [3, 3, 4]
    assert [node for part in parts for node in part] == nodes
