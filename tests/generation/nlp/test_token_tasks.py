"""Tasks that are worked together."""

import numpy as np

from generation.nlp.token_tasks import Task, together
from generation.nlp.token_tree import Request, chain
from tests.generation.nlp.tokens import HandReader


def asking(times: int, begun: list[int]) -> Task[int]:
    """Asks for one node so many times, and comes to that number."""
    begun.append(times)
    node = None
    for _ in range(times):
        (node,) = nodes = chain(node, [2], [3])
        answer = yield Request(nodes)
        assert answer.shape == (1,)
    return times


def test_results_come_in_order_however_long_each_takes() -> None:
    tasks = (asking(times, []) for times in (5, 1, 3))
    assert list(together(tasks, HandReader(), nodes=10)) == [5, 1, 3]


def test_only_as_many_are_begun_as_a_pass_needs() -> None:
    begun: list[int] = []
    results = together((asking(times, begun) for times in (1, 2, 3, 4)), HandReader(), nodes=2)
    assert next(results) == 1
    assert begun == [1, 2]


def test_what_all_ask_for_is_read_in_one_pass() -> None:
    reader = HandReader()
    list(together((asking(3, []) for _ in range(4)), reader, nodes=4))
    assert reader.passes == [4, 4, 4]


def test_no_tasks_come_to_nothing() -> None:
    assert list(together([], HandReader(), nodes=1)) == []


def test_each_task_is_told_what_it_asked_for() -> None:
    def first_answer(token: int) -> Task[float]:
        answer = yield Request(chain(None, [0], [token]))
        return float(answer[0])

    reader = HandReader()
    alone = [next(together([first_answer(t)], HandReader(), nodes=1)) for t in (2, 5)]
    assert np.allclose(list(together(map(first_answer, (2, 5)), reader, nodes=9)), alone)
