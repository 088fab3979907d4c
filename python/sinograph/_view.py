# SPDX-License-Identifier: LGPL-3.0-or-later
"""Pages for browsers, also in the cells of notebooks."""
from __future__ import annotations

import ctypes as c
import functools
import html
import json
import os

from . import _arrays, _library as lib
from ._errors import Code, Error
from ._runs import Object, text
from ._sources import AXES, check_shape

NAME = "libsinograph-monitor.so.1"


@functools.cache
def functions():
    """The functions of the page's library, which lies beside the library, or where the system looks."""
    folder = os.path.dirname(lib.handle._name)
    places = [place for place in (os.environ.get("SINOGRAPH_MONITOR_LIBRARY"), folder and os.path.join(folder, NAME), NAME)
              if place]
    for place in places:
        try:
            handle = c.CDLL(place)
            break
        except OSError as error:
            failure = error
    else:
        raise Error(f"{NAME} cannot be loaded, so there is no page: {failure}. Install the package of Sinograph's monitor",
                    Code.FAILED)

    def plain(name, result, *arguments):
        function = getattr(handle, "sino_monitor_" + name)
        function.restype, function.argtypes = result, arguments
        return function

    def failing(name, *arguments):
        function = plain(name, lib.BOOL, *arguments, c.POINTER(c.POINTER(lib.GError)))

        def call(*values):
            error = c.POINTER(lib.GError)()
            function(*values, c.byref(error))
            if error:
                lib.take_error(error)
        return call

    return {"new": plain("new", lib.P), "stop": plain("stop", None, lib.P), "url": plain("get_url", lib.P, lib.P),
            "ssh": plain("get_ssh_line", lib.P, lib.P), "path": failing("add_path", lib.P, lib.S),
            "array": failing("add_array", lib.P, lib.S, lib.P, lib.P), "runner": failing("add_runner", lib.P, lib.P, lib.S),
            "start": failing("start", lib.P, lib.S)}


class View(Object):
    """A page that is served until close (), or until the object is gone: a cell of a notebook shows it."""

    def __init__(self, address=None, height=720):
        self._do = functions()
        self._height = height
        self._address = text("address", address or "")
        super().__init__(self._do["new"]())

    def _serve(self):
        self._do["start"](self._pointer, self._address)
        return self

    def _add(self, thing, title, kind):
        if isinstance(thing, (str, bytes)) or hasattr(thing, "__fspath__"):
            return self._do["path"](self._pointer, os.fsencode(thing))
        array = _arrays.prepared(thing)
        array = array[None] if array.ndim == 2 else array
        if kind not in AXES:
            raise Error(f"kind='{kind}' is none of {', '.join(AXES)}", Code.BAD_FORMAT, None, "kind")
        check_shape(array, kind)
        format = lib.formats[kind](_arrays.element_of(array), *array.shape, None)
        try:
            with _arrays.lent_bytes(array) as given:
                self._do["array"](self._pointer, text("title", title), format, given)
        finally:
            lib.unref(format)

    @property
    def url(self) -> str:
        """The address for a browser on this machine, with its token. After close (): empty."""
        return self._text("url")

    @property
    def ssh(self) -> str:
        """The command for a shell on another computer, after which the address works there, too."""
        return self._text("ssh")

    def _text(self, what):
        pointer = self._do[what](self._pointer)
        return lib.text(pointer) if pointer else ""

    def close(self) -> None:
        """Ends the page."""
        self._do["stop"](self._pointer)

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sinograph.View {self.url or 'closed'}>"

    def _repr_html_(self) -> str:
        """The page in a frame. Its cookie needs the name of this machine that the notebook has."""
        url = self.url
        if not url:
            return "<p>The page was closed.</p>"
        frame, link = "sinograph-" + url.rpartition("=")[2][:8], html.escape(url)
        return (f'<iframe id="{frame}" title="Sinograph" style="width:100%;height:{int(self._height)}px;border:1px solid #888">'
                f'</iframe><p><a href="{link}" target="_blank">{link.partition("?")[0]}</a>; from another computer: '
                f"<code>{html.escape(self.ssh)}</code></p><script>document.getElementById({json.dumps(frame)}).src = "
                f"{json.dumps(url)}.replace('localhost', location.hostname === '127.0.0.1' ? '127.0.0.1' : 'localhost')"
                "</script>")


def view(*things, kind: str = "slices", titles=None, address: str | None = None, height: int = 720) -> View:
    """Shows volumes, scans and arrays on a page: in a notebook's cell, or in a browser at the address `url`.

    things: one or two of these: a path (a file, a folder of images, a scan, or what `sinograph reconstruct` has left), or
        an array of three axes (or two: one image); uint8, uint16, float16 and float32 in C's order are shown in place.
    kind: what arrays hold: "slices" (z, y, x), "projections" (angle, row, column) or "sinograms" (row, angle, column).
    titles: names of arrays. address: "8080" for a port, "unix:PATH" for a socket; None: any free port. height: of the
        frame in a notebook, in pixels.

    The page is for this user on this machine. It is served until close (), or until nobody has the view. Slices of the
    first scan can be reconstructed by eye. Raises sinograph.Error.
    """
    if not 1 <= len(things) <= 2:
        raise TypeError(f"view () takes one thing or two, not {len(things)}")
    titles = list(titles or ["array", "second array"])
    if len(titles) < len(things):
        raise ValueError(f"titles has {len(titles)} names for {len(things)} things")
    page = View(address, height)
    for thing, title in zip(things, titles):
        page._add(thing, title, kind)
    return page._serve()


def view_of_runner(runner, title, address):
    """The page of the runs of a runner that begin from now on."""
    page = View(address if isinstance(address, str) else None)
    page._do["runner"](page._pointer, runner._pointer, text("title", title))
    return page._serve()
