# SPDX-License-Identifier: LGPL-3.0-or-later
"""A page of the program in Chromium without a screen. Where Chromium or Selenium are missing, the tests are skipped."""
import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

from tap import check, same

try:
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

PROGRAM = sys.argv[1]
PATIENCE = 60  # seconds for what takes one on an idle machine

if webdriver is None or not shutil.which("chromium") or not shutil.which("chromedriver"):
    print("1..0 # SKIP for this, chromium, chromedriver and selenium are needed")
    sys.exit()

folder = tempfile.mkdtemp(prefix="sinograph-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)


def made(name, array):
    """A file of a volume, in /data."""
    with h5py.File(f"{folder}/{name}", "w") as file:
        file["data"] = array
    return f"{folder}/{name}"


def until(condition, what):
    """Waits until it is true, and returns what it says."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if found := condition():
                return found
        except StaleElementReferenceException:
            pass  # made anew meanwhile
        time.sleep(.02)
    raise AssertionError(f"in vain: {what}")


class Server:
    """The program, while it serves a page."""

    def __init__(self, *words):
        self.process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said = ""
        while "http://" not in self.said:
            line = self.process.stdout.readline()
            check(line, f"no address, but: {self.said}")
            self.said += line
        self.address = "http://" + self.said.split("http://")[1].split()[0]
        self.origin = self.address.split("/?")[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.said += self.process.communicate(timeout=PATIENCE)[0]


def view(*words):
    return Server("view", "--no-browser", *words)


class Browser:
    """What a person sees and does."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for word in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "disable-background-networking", "disable-component-update",
                     "no-first-run"):
            options.add_argument("--" + word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        atexit.register(self.driver.quit)
        self.looks()

    def tell(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def looks(self, width=1400, height=900, scale=1, phone=False, dark=False):
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=phone)
        self.tell("Emulation.setTouchEmulationEnabled", enabled=phone)
        self.tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def open(self, server, hash_=""):
        self.driver.get("about:blank")
        self.complaints()  # of earlier pages, whose servers have gone
        self.requests()
        self.driver.get(server.address + hash_)
        self.painted()

    def reload(self):
        self.driver.refresh()
        self.painted()

    def painted(self):
        until(lambda: self.run("return document.documentElement.dataset.firstPicture"), "a first picture")

    def one(self, selector):
        return until(lambda: self.driver.find_elements(By.CSS_SELECTOR, selector), f"an element {selector}")[0]

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def fact(self, selector, name):
        return self.run("return document.querySelector(arguments[0])?.dataset[arguments[1]]", selector, name)

    def waits(self, selector, **facts):
        for name, value in facts.items():
            until(lambda name=name, value=value: self.fact(selector, name) == str(value),
                  f"{name} of {selector} is {self.fact(selector, name)}, not {value}")

    def shown(self, name, **facts):
        """This view has the full picture of what it should show."""
        self.waits(f"[data-view={name}]", shown="1", full="1", **facts)

    def wheel(self, name, by, times=1, ctrl=False):
        box = self.one(f"[data-view={name}] .picture").rect
        for _ in range(times):
            self.tell("Input.dispatchMouseEvent", type="mouseWheel", x=box["x"] + box["width"] / 2, y=box["y"] + box["height"] / 2,
                      deltaX=0, deltaY=by, modifiers=2 if ctrl else 0)

    def cancel(self):
        """Presses the button, and once more as it asks. It asks for 3 seconds, so both happen within the page."""
        asked = self.run("""
            const button = document.querySelector("[data-action=cancel]"), run = document.querySelector(".run");
            button.click();
            const asked = [button.classList.contains("really"), run.dataset.state];
            button.click();
            return asked;""")
        same(asked, [True, "running"])

    def type(self, selector, words, end="\n"):
        self.one(selector).send_keys(Keys.CONTROL, "a", Keys.NULL, str(words) + end)

    def grey(self, name, place):
        """Grey on the screen (0 to 255) of a pixel of the slice."""
        return self.run("""
            const view = document.querySelector(`[data-view=${arguments[0]}]`), canvas = view.querySelector(".picture"), facts = view.dataset;
            const ratio = canvas.width / canvas.clientWidth;
            const at = (place, size, pane) => Math.round(((place + 0.5 - size / 2) * facts.scale + pane / 2) * ratio);
            const x = at(arguments[1], facts.width, Math.floor(canvas.clientWidth)), y = at(arguments[2], facts.height, Math.floor(canvas.clientHeight));
            return canvas.getContext("2d").getImageData(x, y, 1, 1).data[0];""", name, *place)

    def requests(self):
        """All that was asked since the last call, also by other pages."""
        events = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def quiet(self, server):
        """Nothing has complained, and all requests went to this server."""
        same(self.complaints(), [])
        same([url for url in self.requests() if not url.startswith((server.origin + "/", "data:", "blob:", "about:"))], [])


def ball(extents, holes=False):
    """A ball with a little noise, other values in every pixel."""
    z, y, x = np.meshgrid(*(np.linspace(-1, 1, n) for n in extents), indexing="ij")
    values = (z**2 + y**2 + x**2 < .6) + .05 * np.random.default_rng(5).standard_normal(extents)
    if holes:
        values[:, 3:6, 4:8] = np.nan
    return values.astype("f4")


def scan(name, words):
    """A simulated scan."""
    subprocess.run([PROGRAM, "launch", "-q", f"simulate {words} ! write path={folder}/{name}"], check=True, timeout=PATIENCE)
    return f"{folder}/{name}"


def stop(server):
    os.kill(server.process.pid, signal.SIGSTOP)


def go_on(server):
    os.kill(server.process.pid, signal.SIGCONT)


__all__ = ["Browser", "Keys", "Server", "ball", "check", "folder", "go_on", "made", "same", "scan", "stop", "until", "view"]
