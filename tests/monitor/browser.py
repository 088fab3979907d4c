#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The page as a person sees it: a volume, a scan, a run. Costs 6 s, of which Chromium takes most. usage: browser.py SINOGRAPH"""
import numpy as np

import tap
from page import Browser, Server, ball, check, folder, made, same, scan, until, view

browser = Browser()


def test_a_volume():
    values = ball((24, 32, 40))
    with view(made("volume.h5", values)) as server:
        browser.open(server)
        for name, index in ("a0", 12), ("a1", 16), ("a2", 20):
            browser.shown(name, index=index, level=0)
        reading = browser.one("[data-reading]")
        until(lambda: reading.get_attribute("data-exact") == "1", "the exact value")
        same(reading.text, "value = " + f"{values[12, 16, 20]:.7g}".replace("-", "−"))

        browser.wheel("a0", 100, 3)
        browser.shown("a0", index=15)
        until(lambda: browser.fact(".grey-panel", "rule") == "0.1" and "window=" in browser.driver.current_url, "the exact window")
        browser.requests()
        browser.type("[data-grey=low]", 0.25)
        browser.type("[data-grey=high]", 0.75)
        browser.waits("[data-view=a0]", low=0.25, high=0.75)
        same(browser.requests(), [])  # the browser has all values
        for x, y in (20, 16), (12, 9), (0, 0):
            want = np.clip((values[15, y, x] - .25) / .5, 0, 1) * 255
            check(abs(browser.grey("a0", (x, y)) - want) < 2, f"grey {browser.grey('a0', (x, y))} at {x}, {y} instead of {want}")

        until(lambda: "at=15" in browser.driver.current_url and "window=0.25,0.75" in browser.driver.current_url, "the address keeps what is seen")
        browser.reload()
        browser.shown("a0", index=15, low=0.25, high=0.75)
        browser.quiet(server)
    until(lambda: browser.fact("html", "connection") == "lost", "the page tells that the server has gone")


def test_a_scan_by_eye():
    with view(scan("scan.h5", "height=4 width=96 projections=120 axis=45.5")) as server:
        browser.open(server)
        browser.shown("trial")
        same(browser.one("input[type=number][data-name=axis]").get_attribute("value"), "45.5")
        picture = "return document.querySelector('[data-view=trial] .picture').toDataURL ()"

        def seen(axis):
            old = browser.run(picture)
            browser.type("input[type=number][data-name=axis]", axis)
            until(lambda: browser.run(picture) != old, "another picture")
            browser.shown("trial")

        seen(49)  # the first pictures also choose the grey window
        seen(45.5)
        before = browser.run(picture)
        seen(49)
        browser.type("input[type=number][data-name=axis]", 45.5)
        until(lambda: browser.run(picture) == before, "the same picture as before")
        browser.quiet(server)


def test_a_run():
    with Server("launch", "--monitor", f"simulate height=8000 width=256 projections=200 ! reconstruct method=direct ! write path={folder}/all.h5") as server:
        browser.open(server)
        browser.waits(".run", state="running")
        until(lambda: float(browser.fact(".run", "fraction")) > 0, "progress")
        same([node.get_attribute("data-node") for node in browser.all(".node")][::4], ["simulate", "write"])
        browser.cancel()
        same(server.process.wait(60), 130)
        # On a busy machine the program may have to leave before the page has heard of it.
        until(lambda: browser.fact("html", "connection") in ("ended", "gone"), "the page tells that the run has ended")


tap.main(globals())
