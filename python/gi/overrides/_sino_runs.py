# SPDX-License-Identifier: LGPL-3.0-or-later
"""A part of the override: runs in the background."""
from __future__ import annotations

import asyncio
import concurrent.futures
import threading

from gi.module import get_introspection_module
from gi.repository import Gio, GLib

Sino = get_introspection_module("Sino")


class Run:
    """A run in the background: await it, or wait (). As a context it ends with its block, cancelled by an exception."""

    def __init__(self, runner, graph, cancellable, progress, message):
        self._graph = graph  # through its sources frames come; the run has copies of them
        self._cancellable = cancellable or Gio.Cancellable()
        self._ended = concurrent.futures.Future()
        self._ended.set_running_or_notify_cancel()
        try:
            self._asyncio = asyncio.get_running_loop()
        except RuntimeError:
            self._asyncio = None
        handlers = connected(runner, progress and self._told(progress), message and self._told(message))
        context = GLib.MainContext.new()

        def ended(_, result):
            for handler in handlers:
                runner.disconnect(handler)
            try:
                runner.run_finish(result)
            except GLib.Error as error:
                self._ended.set_exception(error)
            else:
                self._ended.set_result(None)

        def iterate():
            while not self._ended.done():
                context.iteration(True)

        # Sources and sinks of the program are told of the run before this returns.
        context.push_thread_default()
        try:
            Sino.Runner.run_async(runner, graph, self._cancellable, ended)
        finally:
            context.pop_thread_default()
        threading.Thread(target=iterate, name="sinograph-events", daemon=True).start()

    def _told(self, function):
        if self._asyncio is None:
            return function

        def tell(*news):
            try:
                self._asyncio.call_soon_threadsafe(function, *news)
            except RuntimeError:
                pass  # the loop was closed: nobody listens any more
        return tell

    def cancel(self) -> None:
        """Ends the run, which then fails with Gio.IOErrorEnum.CANCELLED."""
        self._cancellable.cancel()

    def done(self) -> bool:
        return self._ended.done()

    def wait(self, timeout: float | None = None) -> None:
        """Waits for the end, and raises the run's error, or TimeoutError after so many seconds."""
        try:
            self._ended.result(timeout)
        except concurrent.futures.TimeoutError:
            raise TimeoutError(f"the run did not end within {timeout} seconds") from None

    async def _wait(self):
        ended, cancelled = asyncio.wrap_future(self._ended), None
        while not ended.done():
            try:
                await asyncio.wait([ended])
            except asyncio.CancelledError as error:
                self.cancel()
                cancelled = error
        failure = ended.exception()
        if cancelled or failure:
            raise cancelled or failure

    def __await__(self) -> Generator[Any, None, None]:
        return self._wait().__await__()

    def __enter__(self) -> Run:
        return self

    async def __aenter__(self) -> Run:
        return self

    def __exit__(self, kind: Any, exception: Any, trace: Any) -> None:
        if kind is not None:
            self.cancel()
        try:
            self.wait()
        except GLib.Error as error:
            self._left(exception, error)

    async def __aexit__(self, kind: Any, exception: Any, trace: Any) -> None:
        if kind is not None:
            self.cancel()
        try:
            await self
        except GLib.Error as error:
            self._left(exception, error)

    def _left(self, exception, error):
        """The run's own error says more than that of a push or pull that it ended; a cancelled run was wanted."""
        asked = error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED) and self._cancellable.is_cancelled()
        if not asked and (exception is None or isinstance(exception, GLib.Error)):
            raise error from exception


def connected(runner, progress, message):
    """Signal handlers that give a program what it asked for, without the runner."""
    wanted = {"progress": progress, "message": message}
    return [runner.connect(signal, lambda _, *news, tell=function: tell(*news))
            for signal, function in wanted.items() if function]
