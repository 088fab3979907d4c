# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs in the background."""
from __future__ import annotations

import asyncio
import atexit
import collections
import copy
import ctypes
import operator
import queue
import sys
import threading
import time
import warnings
import weakref

from . import _arrays, _library as lib
from ._errors import Cancelled, Code, Doubt, Error
from ._waits import SLICE, Hope, alone, blocked, live

PATIENCE = 0.1  # seconds that Ctrl-C gives a run to end; it goes on ending in its own threads
THREADS = 1024  # at most, as the runner's property says

_ENDED = ctypes.CFUNCTYPE(None, lib.P, lib.P, lib.P)
_PROGRESS = ctypes.CFUNCTYPE(None, lib.P, lib.D, lib.I64, lib.I64, lib.D, lib.P)
_MESSAGE = ctypes.CFUNCTYPE(None, lib.P, lib.S, ctypes.c_int, lib.S, lib.P)


class Object:
    """Holds a reference to a GObject."""

    def __init__(self, pointer):
        self._pointer = pointer
        self._finish = weakref.finalize(self, lib.unref, pointer)
        self._finish.atexit = False

    def __reduce__(self):  # copies, too, would have the pointer without a reference
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled")


def new_runner(device=None, memory=None, threads=None):
    runner, settings = Object(lib.runner_new()), {}
    for name, value in (("device", device), ("memory", memory)):
        if value is not None:
            settings[name] = ctypes.c_char_p(text(name, str(value)))
    if threads is not None:
        settings["threads"] = ctypes.c_int(count_of(threads))
    for name, value in settings.items():
        lib.set_properties(runner._pointer, name.encode(), value, None)
    return runner


def count_of(threads):
    """A number of threads. GLib only warns of one that is out of range, and leaves the property as it is."""
    try:
        count = operator.index(threads)
    except TypeError:
        raise TypeError(f"threads: a whole number is wanted, not {threads!r}") from None
    if not 0 <= count <= THREADS:
        raise Error(f"threads={threads} is not in the range 0 to {THREADS}", Code.BAD_PROPERTY, None, "threads")
    return count


def warn(node, level, text):
    """What is done with messages for which the program has no function: those that matter are warnings of Python."""
    if level != "warning":
        return
    depth, frame = 1, sys._getframe()  # the warning is about the line of the program that called the package
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        depth, frame = depth + 1, frame.f_back
    warnings.warn(f"{node}: {text}", Doubt, stacklevel=depth)


class Run:
    """A run that has begun: wait () for it, await it, or use it as a context.

    The end of the context waits for it. An exception cancels it, and so does leaving early, when it needs the program
    to take blocks. If the program has cancelled it inside, it ends without an error.

    progress (fraction, slices, of_slices, seconds) and message (node, level, text) are called by the thread that waits,
    or in the event loop.
    """

    def __init__(self, graph, device=None, memory=None, threads=None, progress=None, message=None, monitor=False):
        self._graph, self._runner = graph, new_runner(device, memory, threads)
        self.page = None  # the View of the run, if it has one
        if monitor is not False and monitor is not None:
            from ._view import view_of_runner

            self.page = view_of_runner(self._runner, "a run", monitor)
        self._cancellable = Object(lib.cancellable_new())
        self._news = queue.SimpleQueue()
        self._tell = {"progress": progress, "message": message or warn}
        self._ended, self._error, self._waiting = threading.Event(), None, []
        self._takers = {}  # by sink: how often each thread has looked for a block
        self._cancelled_by = None  # the thread that has cancelled it
        self._left = False  # whether leaving its context has cancelled it
        context = lib.context_new()
        functions = [_ENDED(self._end), _MESSAGE(self._hear)] + [_PROGRESS(self._advance)] * bool(progress)
        pointer = self._runner._pointer
        for signal, function in zip((b"message", b"progress"), functions[1:]):
            lib.connect(pointer, signal, ctypes.cast(function, lib.P), None, None, 0)
        # With the context of another thread nothing is called in this one.
        lib.context_push(context)
        try:
            lib.runner_run_async(pointer, graph._pointer, self._cancellable._pointer, functions[0], None)
        finally:
            lib.context_pop(context)
        self._events = threading.Thread(target=self._attend, args=(context, functions), name="sinograph-events",
                                        daemon=True)
        live.add(self)
        self._events.start()

    # --- called in the thread of events ---

    def _attend(self, context, functions):
        while not self._ended.is_set():
            lib.context_iteration(context, True)
        lib.context_unref(context)
        functions.clear()
        self._graph = None
        live.discard(self)
        self._news.put(None)
        _arrays.sweep()
        for loop, future in list(self._waiting):
            self._wake(loop, future, True)

    def _end(self, runner, result, _):
        try:
            lib.runner_run_finish(runner, result)
        except Exception as error:
            self._error = error.with_traceback(None)
        self._ended.set()

    def _hear(self, _, node, level, text, __):
        self._news.put(("message", node.decode(), "warning" if level else "info", text.decode(errors="replace")))
        self._notify()

    def _advance(self, _, fraction, slices, of_slices, seconds, __):
        self._news.put(("progress", fraction, slices, of_slices, seconds))
        self._notify()

    def _notify(self):
        for loop, future in self._waiting[:1]:
            self._wake(loop, future, False)

    def _wake(self, loop, future, ended):
        """Lets a loop pass on the news. The result of its future is what the program's functions raised, or None."""
        def wake():
            failure = None
            try:
                self._pump()
            except BaseException as error:
                self.cancel()
                failure = error
            if (ended or failure is not None) and not future.done():
                future.set_result(failure)
        try:
            loop.call_soon_threadsafe(wake)
        except RuntimeError:
            pass  # the loop was closed: nobody waits any more

    # --- called in any other thread ---

    def _pump(self):
        """Tells the program the news that wait."""
        while not self._news.empty():
            self._pass_on(self._news.get())

    def _pass_on(self, news):
        if news is not None and self._tell[news[0]] is not None:
            self._tell[news[0]](*news[1:])

    def cancel(self) -> None:
        """Ends the run, whose error is Cancelled then."""
        self._cancelled_by = threading.get_ident()
        lib.cancel(self._cancellable._pointer)

    def done(self) -> bool:
        """Whether it has ended."""
        return self._ended.is_set()

    def wait(self, timeout: float | None = None) -> None:
        """Waits for the end and raises the run's error, or TimeoutError after so many seconds.

        It is an error where the run waits for a block to be taken from a sink, and there is no thread that could.
        """
        self._wait(timeout, False)

    def _wait(self, timeout, leaving):
        hope, graph = Hope(), self._graph
        until = None if timeout is None else time.monotonic() + timeout
        try:
            while not self._ended.is_set() or not self._news.empty():
                left = SLICE if until is None else min(SLICE, until - time.monotonic())
                if left <= 0 and not self._ended.is_set():
                    raise TimeoutError(f"the run did not end within {timeout} seconds")
                try:
                    with blocked(graph):
                        news = self._news.get(timeout=max(left, 0))
                except queue.Empty:
                    if until is None:
                        self._look_at_sinks(hope, leaving)
                    continue
                self._pass_on(news)
        except TimeoutError:
            raise
        except BaseException:
            self.cancel()
            self._ended.wait(PATIENCE)
            raise
        self._raise_error()

    def note_taker(self, sink):
        """Says that this thread looks for a block of a sink."""
        self._takers.setdefault(sink, collections.Counter())[threading.get_ident()] += 1

    def _look_at_sinks(self, hope, leaving):
        """Ends a wait for a run that waits itself, for a sink that is full, when no thread is left that could take."""
        graph = self._graph
        full = next((name for name in graph or () if lib.graph_plugin(graph._pointer, name.encode()) == b"app-sink" and
                     lib.sink_full(lib.graph_task(graph._pointer, name.encode()))), None)
        takers = self._takers.get(full, {})
        if full is None or not alone(graph):
            hope.lost(None)
        elif hope.lost((full, sum(takers.values()))):
            self._left = leaving and threading.get_ident() in takers  # it has what it wants
            self.cancel()
            while not self._ended.wait(SLICE):
                pass
            if self._left:
                return
            raise Error(f"the run waits until the program takes blocks of '{full}', which no thread does: take them "
                        "while it runs, set whole=true, or raise max-bytes and max-buffers", Code.FAILED, full)

    def _raise_error(self):
        if self._error is not None:
            raise copy.copy(self._error)  # one that was raised keeps its frames, and these the run

    def _repr_html_(self) -> str:
        from ._html import run_html

        if self.page is not None and not self.done():
            return self.page._repr_html_()
        state = "running" if not self.done() else "done" if self._error is None else f"ended: {self._error}"
        return run_html(state, self.statistics())

    def statistics(self) -> dict | None:
        """What the run has done so far: see sino_runner_get_statistics () in the reference of C."""
        return lib.unpack(lib.runner_statistics(self._runner._pointer))

    def set_live(self, node: str, **properties) -> None:
        """Changes live properties while the run goes on."""
        for name, value in properties.items():
            lib.runner_set_live(self._runner._pointer, text("node", node), *setting(name, value))

    def __enter__(self):
        return self

    def __exit__(self, kind, exception, trace):
        wanted = self._cancelled_by == threading.get_ident()
        if kind is not None:
            self.cancel()
            if not issubclass(kind, Exception):  # as Ctrl-C, which does not wait
                self._ended.wait(PATIENCE)
                return
        try:
            self._wait(None, True)
        except Error as error:
            if kind is None and isinstance(error, Cancelled) and (wanted or self._left):
                return
            # The run's own error says more than that of a push or pull that it ended; a cancelled run was wanted.
            if kind is None or (isinstance(exception, Error) and not isinstance(error, Cancelled)):
                raise

    async def _awaited(self):
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._waiting.append((loop, future))
        if self._ended.is_set():
            self._wake(loop, future, True)
        try:
            failure = await future
            if failure is not None:
                raise failure
        except BaseException:
            self.cancel()
            while not self._ended.is_set():
                await asyncio.sleep(0.01)
            raise
        finally:
            self._waiting.remove((loop, future))
        self._raise_error()

    def __await__(self):
        return self._awaited().__await__()


@atexit.register
def end_all():
    """Cancels the runs that go on when the program ends, and gives them a moment to leave the program's memory."""
    runs = list(live)
    for run in runs:
        run.cancel()
    until = time.monotonic() + 2 * PATIENCE
    for run in runs:
        run._ended.wait(max(0, until - time.monotonic()))


def text(name, value):
    """Text for C, which would take it as far as a NUL."""
    value = value if isinstance(value, bytes) else value.encode()
    if b"\0" in value:
        raise ValueError(f"{name}: the text {value!r} has a NUL, which no text may have")
    return value


def word(name, value):
    """The value of a property as text of a launch line."""
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if hasattr(value, "__fspath__"):
        value = value.__fspath__()
    if isinstance(value, (bytes, str)):
        return text(name, value)
    if hasattr(value, "dtype") and getattr(value, "shape", None) == ():  # a number of NumPy
        value = value.item()
        return word(name, value) if isinstance(value, bool) else repr(value).encode()
    if isinstance(value, (int, float)):
        return repr(value).encode()
    raise TypeError(f"{name}: a property is text, a number or a truth value, not {type(value).__name__}")


def setting(name, value):
    """A property and its value, as C takes them."""
    return text("property", name.replace("_", "-")), word(name, value)
