#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The page in more ways: two volumes, profiles, a scan from the first picture to its slices, live planes, many pages, phones,
keys alone, a server that stops. Costs 40 s. usage: browser-more.py SINOGRAPH"""
import glob
import json
import signal

import h5py
import numpy as np
import tifffile

import tap
from page import Browser, Keys, Server, ball, check, folder, go_on, made, same, scan, stop, until, view

browser = Browser()


def number(text):
    return float(text.replace("−", "-"))


def test_two_volumes():
    first, second = ball((20, 24, 28)), ball((20, 24, 28)) * 2
    with view(made("first.h5", first), made("second.h5", second)) as server:
        browser.open(server)
        browser.one("[data-choose=mode] input[value=side]").find_element("xpath", "..").click()
        browser.shown("a0")
        browser.shown("b0")
        browser.wheel("a0", -100, 2)
        browser.shown("b0", index=8)
        for name, values in ("a0", first), ("b0", second):
            low, high = (float(browser.fact(f"[data-view={name}]", part)) for part in ("low", "high"))
            want = np.clip((values[8, 11, 13] - low) / (high - low), 0, 1) * 255
            check(abs(browser.grey(name, (13, 11)) - want) < 2, f"{name}: {browser.grey(name, (13, 11))}, not {want}")
        browser.one("[data-choose=mode] input[value=minus]").find_element("xpath", "..").click()
        browser.shown("a0", index=8)
        until(lambda: browser.fact("[data-reading]", "exact") == "1", "the exact difference")
        want = float(first[8, 12, 14]) - float(second[8, 12, 14])
        np.testing.assert_allclose(number(browser.one("[data-reading]").text.split("=")[1]), want, rtol=1e-5)
        browser.quiet(server)


def test_values_that_are_no_numbers():
    with view(made("holes.h5", ball((20, 24, 28), holes=True))) as server:
        browser.open(server)
        browser.shown("a0")
        until(lambda: "12 pixels" in browser.one(".legend").text, "how many there are")
        same(browser.grey("a0", (5, 4)), 214)  # red of the colour for them
        browser.quiet(server)


def test_profiles():
    values = ball((20, 40, 60))
    with view(made("line.h5", values)) as server:
        browser.open(server, "#line=0,10.5,20.5,50.5,20.5&at=7,20,30")
        browser.shown("a0", index=7)
        browser.waits(".profile", count=41)
        line = "return fetch('/profile?volume=0&axis=0&index=7&from=10,20&to=50,20').then(a => a.json())"
        np.testing.assert_allclose(browser.run(line)["values"], values[7, 20, 10:51], rtol=1e-5)
        slanted = browser.run(line.replace("10,20", "10,8").replace("50,20", "50,38"))  # 50 pixels long
        same(len(slanted["values"]), 51)
        np.testing.assert_allclose(slanted["values"][::5], [values[7, 8 + 3 * i, 10 + 4 * i] for i in range(11)], rtol=1e-5)
        browser.one("[data-end='0']").send_keys(Keys.ARROW_RIGHT)
        browser.waits(".profile", count=40)
        browser.quiet(server)


def test_a_scan_until_its_slices():
    path = scan("whole.h5", "height=24 width=96 projections=120 axis=45.5")
    with view(path) as server:
        browser.open(server, "#tab=scan")
        browser.shown("trial", index=12)
        browser.one("[data-action=keep]").click()
        browser.type("input[type=number][data-name=axis]", 47)
        browser.shown("trial")
        check("45.5" in browser.one("[data-view=kept] h2").text and "47" in browser.one("[data-view=trial] h2").text, "the two are not named")
        browser.type("input[type=number][data-name=axis]", 45.5)
        browser.shown("trial")
        trial = browser.run("""return fetch("/trial?row=12").then(async a => [Number(a.headers.get("Sino-Low")), Number(a.headers.get("Sino-High")),
            [...new Uint16Array(await a.arrayBuffer())]])""")
        browser.type("#output", "out", "")
        browser.one("[data-action=run]").click()
        browser.one("[data-action=start]").click()
        browser.waits(".run", state="done")
        browser.quiet(server)
    slices = sorted(glob.glob(f"{folder}/out/slices/*.tif"))
    same(len(slices), 24)
    low, high, steps = trial
    want = tifffile.imread(slices[12])
    seen = low + (np.reshape(steps, want.shape) - 1) / 65534 * (high - low)
    inside = np.hypot(*np.meshgrid(*[np.arange(96) - 47.5] * 2)) < 44
    error = np.abs(seen - np.clip(want, low, high))[inside].max() / (high - low)
    check(error < .02, f"the picture and the slice of the run differ by {error}")


def test_an_axis_that_is_found():
    path = scan("unknown.h5", "object=shepp-logan-3d height=16 width=128 projections=180 axis=60.25 photons=100000 darks=4 flats=4")
    with h5py.File(path, "a") as file:
        del file["exchange/rotation_axis"]
    with view(path) as server:
        axis = "input[type=number][data-name=axis]"
        browser.open(server, "#tab=scan")
        until(lambda: abs(float(browser.one(axis).get_attribute("value")) - 60.25) < .3, "the axis")
        browser.shown("trial")
        browser.open(server, "#tab=scan&p.axis=70")  # chosen by hand
        browser.shown("trial")
        same(browser.one(axis).get_attribute("value"), "70")
        browser.quiet(server)


def test_live_planes():
    with Server("launch", "--monitor", 'simulate height=32 width=128 projections=60000 ! live planes="z=10;x=0"') as server:
        browser.open(server)
        browser.waits(".run", state="running")
        until(lambda: browser.one("[data-plane='0'] .picture") and browser.one("[data-plane='1'] .picture"), "two pictures")
        browser.one("[data-action=pause]").click()
        browser.waits(".run", state="paused")
        browser.one("[data-action=pause]").click()
        browser.waits(".run", state="running")
        browser.one("[data-plane='0'] input[type=range]").send_keys(Keys.ARROW_RIGHT)
        browser.waits("[data-plane='0']", at="z=11")
        browser.one("[data-action=add-plane]").click()
        until(lambda: len(browser.all(".plane")) == 3, "a third plane")
        server.process.send_signal(signal.SIGINT)
        same(server.process.wait(60), 130)
        browser.waits(".run", state="cancelled")
        until(lambda: "has ended" in browser.one("#banner").text, "the page tells it")


def test_many_pages():
    values = ball((24, 32, 40))
    with view(made("many.h5", values)) as server:
        browser.open(server)
        home = browser.driver.current_window_handle
        pages = []
        for number_ in range(9):
            browser.driver.switch_to.new_window("tab")
            browser.driver.get(f"{server.origin}/#at={number_ + 2},5,5")
            browser.painted()
            pages.append(browser.driver.current_window_handle)
        for number_, page in enumerate(pages):
            browser.driver.switch_to.window(page)
            browser.shown("a0", index=number_ + 2)
            browser.wheel("a0", 100)
            browser.shown("a0", index=number_ + 3)
            browser.driver.close()
        browser.driver.switch_to.window(home)
        browser.shown("a0", index=12)
        browser.quiet(server)


def test_phones_and_dark():
    with view(made("phone.h5", ball((24, 32, 40)))) as server:
        for dark in False, True:
            browser.looks(390, 844, 2, phone=True, dark=dark)
            browser.open(server)
            browser.shown("a2")
            same(browser.run("return document.documentElement.scrollWidth"), 390)  # nothing sticks out
            small = browser.run("""return [...document.querySelectorAll("button, select, input:not([type=checkbox], [type=radio])")]
                .filter((e) => e.offsetParent && e.offsetHeight < 30).map((e) => e.outerHTML)""")
            same(small, [])  # for fingers
            back = json.loads(browser.run("return getComputedStyle(document.body).backgroundColor").replace("rgb(", "[").replace(")", "]"))
            check((max(back) < 60) == dark, f"the background is {back}")
            browser.quiet(server)
        browser.looks()


def test_keys_alone():
    with view(made("keys.h5", ball((24, 32, 40)))) as server:
        browser.open(server)
        browser.shown("a0", index=12)
        page = browser.one("body")
        for _ in range(30):  # forward, until the picture has the keyboard
            page.parent.switch_to.active_element.send_keys(Keys.TAB)
            if "picture" in (page.parent.switch_to.active_element.get_attribute("class") or ""):
                break
        picture = page.parent.switch_to.active_element
        picture.send_keys(Keys.ARROW_RIGHT, Keys.PAGE_UP)
        browser.shown("a0", index=23)
        picture.send_keys(Keys.HOME, "+++")
        browser.shown("a0", index=0)
        check(float(browser.fact("[data-view=a0]", "scale")) > 20, "the keys do not zoom")
        picture.send_keys("0", "p")
        until(lambda: int(browser.fact(".profile", "count") or 0) > 5, "a profile by a key")
        picture.send_keys("?")
        until(lambda: browser.one("#keys").is_displayed(), "the list of keys")
        page.parent.switch_to.active_element.send_keys(Keys.ESCAPE)
        page.parent.switch_to.active_element.send_keys("3")
        browser.shown("a2")
        nameless = browser.run("""return [...document.querySelectorAll("button, input, select, canvas[role=img], section")].filter((e) => e.offsetParent &&
            !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML)""")
        same(nameless, [])  # for screen readers
        browser.quiet(server)


def test_a_server_that_stops():
    with view(made("stops.h5", ball((24, 32, 40)))) as server:
        browser.open(server)
        browser.shown("a0")
        stop(server)
        browser.wheel("a0", 100, 3)
        browser.waits("[data-view=a0]", index=15, shown=0)
        go_on(server)
        browser.shown("a0", index=15)
        browser.quiet(server)


def test_a_run_that_stops():
    words = f"simulate height=8000 width=256 projections=200 ! reconstruct method=direct ! write path={folder}/stops-out.h5"
    with Server("launch", "--monitor", words) as server:
        browser.open(server)
        browser.waits(".run", state="running")
        stop(server)
        browser.waits("html", connection="lost")  # a run that says nothing for so long does not answer
        go_on(server)
        browser.waits("html", connection="connected")
        browser.waits(".run", state="running")
        browser.one("[data-action=cancel]").click()
        browser.one("[data-action=cancel]").click()
        same(server.process.wait(60), 130)


def test_a_file_that_another_program_reads():
    """Numbers of the whole slice, from the panel, and from numpy."""
    values = ball((24, 32, 40))
    path = made("facts.h5", values)
    with view(path) as server, h5py.File(path) as file:
        browser.open(server)
        browser.shown("a0")
        until(lambda: "mean" in browser.one(".grey-panel .facts").text, "the facts")
        words = browser.one(".grey-panel .facts").text.replace(",", "").split()
        page = file["data"][12]
        for name, want in ("mean", page.mean()), ("deviation", page.std()), ("from", page.min()), ("to", page.max()):
            np.testing.assert_allclose(number(words[words.index(name) + 1]), want, rtol=1e-2)


tap.main(globals())
