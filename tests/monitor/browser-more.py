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
        until(lambda: "window=" in browser.driver.current_url, "the exact window")
        for name, values in ("a0", first), ("b0", second):
            low, high = (float(browser.fact(f"[data-view={name}]", part)) for part in ("low", "high"))
            want = np.clip((values[8, 11, 13] - low) / (high - low), 0, 1) * 255
            until(lambda name=name, want=want: abs(browser.grey(name, (13, 11)) - want) < 2, f"grey {want} in {name}")
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
        line = "return fetch('profile?volume=0&axis=0&index=7&from=10,20&to=50,20').then(a => a.json())"
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
        trial = browser.run("""return fetch("trial?row=12").then(async a => [Number(a.headers.get("Sino-Low")), Number(a.headers.get("Sino-High")),
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
        home, address = browser.driver.current_window_handle, browser.driver.current_url.split("#")[0]
        pages = []
        for number_ in range(9):
            browser.driver.switch_to.new_window("window")  # in sight, unlike a tab
            browser.driver.get(f"{address}#at={number_ + 2},5,5")
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


def test_many_windows_of_a_run():
    """Browsers open six connections to a server, so not every window can hear its events."""
    with Server("launch", "--monitor", 'simulate height=32 width=128 projections=60000 ! live planes="z=10"') as server:
        browser.open(server)
        pages, address = [browser.driver.current_window_handle], browser.driver.current_url.split("#")[0]
        for _ in range(9):
            browser.driver.switch_to.new_window("window")
            browser.driver.get(address)
            pages.append(browser.driver.current_window_handle)
        for pressed in "paused", "running":
            browser.one("[data-action=pause]").click()
            for page in pages:
                browser.driver.switch_to.window(page)
                same(browser.run("return document.visibilityState"), "visible")
                browser.waits(".run", state=pressed)
        for page in pages[:0:-1]:
            browser.driver.switch_to.window(page)
            browser.driver.close()
        browser.driver.switch_to.window(pages[0])
        server.process.send_signal(signal.SIGINT)
        same(server.process.wait(60), 130)
        browser.waits(".run", state="cancelled")


def test_small_contrast_on_a_large_value():
    with view(made("offset.h5", (1e6 + 8 * np.random.default_rng(3).random((4, 20, 24))).astype("f4"))) as server:
        browser.open(server)
        browser.shown("a0")
        until(lambda: "window=" in browser.driver.current_url, "the exact window")
        low = browser.fact("[data-view=a0]", "low")
        browser.type("[data-grey=high]", 1000005.5)
        browser.waits("[data-view=a0]", low=low, high=1000005.5)
        browser.type("[data-grey=low]", 1000002.5)
        browser.waits("[data-view=a0]", low=1000002.5, high=1000005.5)
        same(browser.one("[data-grey=high]").get_attribute("value"), "1000005.5")
        browser.type("[data-grey=low]", 1000007)  # above white
        until(lambda: "less than white" in browser.one("#say").text, "a word about it")
        browser.waits("[data-view=a0]", low=1000002.5, high=1000005.5)
        browser.type("[data-grey=low]", 10000, "")
        browser.wheel("a0", 100)
        browser.shown("a0", index=3)
        same(browser.one("[data-grey=low]").get_attribute("value"), "10000")  # somebody still types
        browser.quiet(server)


def test_no_numbers_at_all():
    with view(made("none.h5", np.full((4, 20, 24), np.nan, "f4"))) as server:
        browser.open(server)
        until(lambda: "no numbers in this slice" in browser.one(".grey-panel .facts").text, "what is wrong")
        browser.quiet(server)


def test_damaged_addresses():
    with view(made("address.h5", ball((24, 32, 40))), made("second.h5", ball((24, 32, 40)))) as server:
        for part in "show=7", "mode=foo", "zoom0=NaN,1,1", "zoom0=5,1000,1000", "line=7,2,3,4,5", "window=5,5", "rule=foo", "at=1,NaN,2":
            browser.open(server, "#" + part)
            browser.shown("a0")
            check(float(browser.fact("[data-view=a0]", "low")) < 1 < float(browser.fact("[data-view=a0]", "high")), f"the window with {part}")
            check(browser.grey("a0", (20, 16)) > 100, f"{part}: the middle is dark")
            browser.quiet(server)


def test_numbers_that_are_half_typed_or_outside():
    with view(scan("typed.h5", "height=4 width=96 projections=120 axis=45.5")) as server:
        browser.open(server, "#tab=scan")
        browser.shown("trial")
        browser.requests()
        browser.type("input[type=number][data-name=axis]", 9999)
        until(lambda: browser.one("[data-name=axis][aria-invalid]"), "a mark")
        check("is not used" in browser.one("#say").text, "nothing is said")
        same([url for url in browser.requests() if "/trial?" in url], [])
        browser.type("input[type=number][data-name=axis]", 47, "")  # without Enter
        until(lambda: "p.axis=47" in browser.driver.current_url, "the value after a rest")
        browser.shown("trial")
        same([url for url in browser.requests() if "axis=4&" in url], [])
        browser.quiet(server)


def test_lines_of_profiles():
    with view(made("large.h5", ball((20, 40, 60))), made("small.h5", ball((20, 24, 28)))) as server:
        browser.open(server, "#show=1")
        browser.shown("a1")
        browser.one("[data-action=profile]").click()
        until(lambda: "line=1," in browser.driver.current_url, "a line in the view that is shown")
        browser.waits(".profile", count=37)
        browser.one("[data-view=a1] .picture").click()  # no line
        browser.waits(".profile", count=37)
        same(browser.run("return document.querySelector('[data-pick=Volume]').selectedIndex"), 0)
        browser.run("const pick = document.querySelector('[data-pick=Volume]'); pick.value = 1; pick.dispatchEvent(new Event('change'))")
        browser.waits(".profile", count=17)  # from 12 to the last of 28
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
        browser.cancel()
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
