"""The embedded worker starts new work at once, and asks an idle database rarely."""

from threading import Event
from unittest.mock import Mock

from common import messages

NOT_SET = Mock(spec=Event, wait=Mock(return_value=False))


def test_work_wakes_the_embedded_worker_once_it_is_committed(
    db, settings, tmp_path, django_capture_on_commit_callbacks
):
    settings.DATA_DIR = tmp_path
    last_call = messages.last_call()
    with django_capture_on_commit_callbacks(execute=True):
        messages.send_on_commit(Mock())
        assert messages.last_call() == last_call
    messages.wait_for_call(last_call, stop=Event(), most=600.0)
    assert messages.last_call() > last_call


def test_without_a_call_it_looks_for_work_by_itself(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    messages.wait_for_call(messages.last_call(), stop=NOT_SET, most=0.0)
    assert not NOT_SET.wait.called


def test_it_stops_while_it_waits(settings, tmp_path):
    settings.DATA_DIR, stop = tmp_path, Event()
    stop.set()
    messages.wait_for_call(messages.last_call(), stop=stop, most=600.0)
