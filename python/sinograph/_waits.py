# SPDX-License-Identifier: LGPL-3.0-or-later
"""Waits, in slices, so that Ctrl-C ends them. One that nobody else can end is an error."""
from __future__ import annotations

import contextlib
import sys
import threading
import time

from ._errors import Code, Error

SLICE = 0.05  # seconds: within so many a wait sees Ctrl-C
HOPE = 1.0  # seconds that a wait goes on that nobody can end: a thread of C might still call Python
live = set()  # runs that have begun and whose thread of events goes on
_blocked = {}  # by thread: the graph that it waits for


class Hope:
    """That a wait ends."""

    def __init__(self):
        self._seen, self._since = None, 0

    def lost(self, state):
        """Whether it has stayed in a state in which nobody can end it. None: somebody can."""
        now = time.monotonic()
        if state is None or state != self._seen:
            self._seen, self._since = state, now
        return state is not None and now - self._since > HOPE


def run_of(graph):
    """The run of a graph that goes on, or None."""
    return next((run for run in list(live) if run._graph is graph), None)


@contextlib.contextmanager
def blocked(graph):
    """While this thread waits for a graph, and so does nothing else."""
    me = threading.get_ident()
    _blocked[me] = graph
    try:
        yield
    finally:
        _blocked.pop(me, None)


def alone(graph):
    """Whether no other thread of Python can act on a graph: each is one of the package, or waits for the graph, too."""
    threads = {thread.ident for thread in threading.enumerate()} | set(sys._current_frames())
    waiting = {thread for thread, of in list(_blocked.items()) if of is graph}
    return threads <= waiting | {run._events.ident for run in list(live)} | {threading.get_ident()}


def in_slices(attempt, graph, node, why):
    """Waits until `attempt (seconds)`, which takes that long at most, gives something else than None.

    why: what is wrong if no run of the graph goes on, and there is no thread that could begin one.
    """
    hope = Hope()
    with blocked(graph):
        while True:
            got = attempt(SLICE)
            if got is not None:
                return got
            if hope.lost(why if run_of(graph) is None and alone(graph) else None):
                raise Error(why, Code.FAILED, node)
