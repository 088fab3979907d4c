#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""SinoMonitor, through introspection and through the package for Python. Costs 2 s. usage: objects.py SINOGRAPH"""
import http.cookiejar
import json
import threading
import urllib.error
import urllib.request

import gi
import numpy
import tap
from served import near, steps_apart
from tap import check, raises, same

gi.require_version("Sino", "1.0")
gi.require_version("SinoMonitor", "1.0")
from gi.repository import Gio, GLib, Sino, SinoMonitor  # noqa: E402

import sinograph  # noqa: E402

VOLUME = numpy.random.default_rng(2).random((5, 20, 30), "f4")


class Browser:
    def __init__(self, url):
        self.origin = url.partition("/?")[0]
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.base = self.opener.open(url, timeout=30).geturl().rstrip("/")

    def json(self, path):
        return json.loads(self.opener.open(self.base + path, timeout=30).read())

    def picture(self, path):
        answer = self.opener.open(self.base + path, timeout=30)
        steps = numpy.frombuffer(answer.read(), "<u2").reshape(int(answer.headers["Sino-Height"]), -1)
        low, high = float(answer.headers["Sino-Low"]), float(answer.headers["Sino-High"])
        return low + (steps - 1.0) / 65534 * (high - low)


def test_arrays():
    """An array is shown as it is, without a file."""
    monitor = SinoMonitor.Monitor.new()
    format = Sino.Format.new_slices(Sino.Element.F32, *VOLUME.shape, None)
    monitor.add_array("noise", format, GLib.Bytes.new(VOLUME.tobytes()))
    raises(Sino.Error.BAD_FORMAT, "bytes are not an array", monitor.add_array, "short", format, GLib.Bytes.new(b"x"))
    same((monitor.get_url(), monitor.get_ssh_line()), (None, None))
    monitor.start(None)
    browser = Browser(monitor.get_url())
    same(browser.json("/state")["volumes"][0]["title"], "noise")
    for axis, plane in (0, VOLUME[3]), (1, VOLUME[:, 7]), (2, VOLUME[:, :, 7]):
        index = 3 if axis == 0 else 7
        check(steps_apart(browser.picture(f"/picture?volume=0&axis={axis}&index={index}"), plane) <= 1, axis)
    raises(Sino.Error.FAILED, "started already", monitor.start, None)
    raises(Sino.Error.FAILED, "started already", monitor.add_path, "/")
    check("ssh -N -L" in monitor.get_ssh_line(), monitor.get_ssh_line())
    monitor.stop()
    same(monitor.get_url(), None)
    monitor.stop()


def test_refused():
    """Bad paths and addresses name themselves."""
    raises(Sino.Error.BAD_FILE, "/nothing", SinoMonitor.Monitor.new().add_path, "/nothing")
    for address in "0.0.0.0:1", "x", "unix:":
        raises(Sino.Error.BAD_PROPERTY, address, SinoMonitor.Monitor.new().start, address)


def test_runs_of_a_runner():
    """Runs that begin after the monitor, one after the other; one is cancelled from the page."""
    monitor, runner = SinoMonitor.Monitor.new(), Sino.Runner.new()
    monitor.add_runner(runner, "mine")
    raises(Sino.Error.FAILED, "has a runner", monitor.add_runner, runner, "again")
    raises(Sino.Error.FAILED, "has a monitor", SinoMonitor.Monitor.new().add_runner, runner, "again")
    monitor.start("")
    browser = Browser(monitor.get_url())
    same(browser.json("/state")["run"]["state"], "preparing")
    graph = Sino.Graph.new_from_launch("simulate height=8 width=32 projections=40 ! reconstruct ! null")
    for _ in range(2):
        runner.run(graph, None)
        state = browser.json("/state")["run"]
        same((state["state"], state["progress"]["slices-done"], state["title"]), ("done", 8, "mine"))
    raises(Sino.Error.BAD_FILE, "/nothing", runner.run, Sino.Graph.new_from_launch("read path=/nothing ! null"), None)
    check("/nothing" in browser.json("/state")["run"]["message"], "no reason")
    graph = Sino.Graph.new_from_launch("simulate height=256 width=512 projections=2000 ! reconstruct method=direct ! null")
    running = threading.Thread(target=lambda: raises(Gio.IOErrorEnum.CANCELLED, "", runner.run, graph, None))
    running.start()
    while browser.json("/state")["run"]["state"] != "running":
        pass
    browser.opener.open(urllib.request.Request(browser.base + "/run/cancel", b"{}", {"Origin": browser.origin}), timeout=30)
    running.join(60)
    check(not running.is_alive(), "the run goes on")
    same(browser.json("/state")["run"]["state"], "cancelled")
    monitor.stop()
    runner.run(Sino.Graph.new_from_launch("simulate height=8 width=32 projections=40 ! null"), None)
    SinoMonitor.Monitor.new().add_runner(runner, "again")  # which is free again


def test_python():
    """sinograph.view () of arrays, a run with a page, and what notebooks show."""
    with sinograph.view(VOLUME, VOLUME * 2, titles=["one", "two"]) as page:
        browser = Browser(page.url)
        same([volume["title"] for volume in browser.json("/state")["volumes"]], ["one", "two"])
        near(browser.picture("/picture?volume=0&minus=1&axis=0&index=2"), -VOLUME[2], 1e-4)
        frame = page._repr_html_()
        check("<iframe" in frame and page.url.partition("?")[2] in frame, frame)
    same((page.url, page.ssh), ("", ""))
    check("closed" in page._repr_html_(), page._repr_html_())
    with sinograph.view(numpy.zeros((6, 7)), kind="projections") as page:
        same(Browser(page.url).json("/state")["volumes"][0]["extents"], [1, 6, 7])
    for wrong, part in ((lambda: sinograph.view(numpy.zeros(3)), "slices"), (lambda: sinograph.view("/nothing"), "/nothing"),
                        (lambda: sinograph.view(VOLUME, kind="cubes"), "kind='cubes'"),
                        (lambda: sinograph.view(VOLUME, address="0.0.0.0:9"), "ssh -N")):
        try:
            wrong()
            raise AssertionError("no error")
        except sinograph.Error as error:
            check(part in str(error), error)
    graph = sinograph.Graph("simulate height=8 width=32 projections=40 ! reconstruct window=hann ! null")
    shown = graph._repr_html_()
    check("window = hann" in shown and "simulate → " in shown, shown)
    with graph.start(monitor=True) as run:
        browser = Browser(run.page.url)
    same(browser.json("/state")["run"]["state"], "done")
    check("<td>null</td>" in run._repr_html_(), run._repr_html_())
    run.page.close()
    try:
        Browser(browser.base)
        raise AssertionError("the page is still there")
    except urllib.error.URLError:
        pass


tap.main(globals())
