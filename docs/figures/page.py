#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Makes the pictures of docs/guide/page.md with the program and Chromium, from a simulated scan.

usage: page.py SINOGRAPH (in 'meson devenv')
"""
import base64
import io
import subprocess
import sys
import time
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/api"), str(ROOT / "tests/monitor")]
from page import PROGRAM, Browser, Server, folder, scan, until, view  # noqa: E402
from PIL import Image  # noqa: E402

OBJECT = "object=shepp-logan-3d width=320 height=320 projections=400"
LONG = "object=shepp-logan width=320 height=4000 projections=400 photons=20000 darks=10 flats=10"
WINDOW = "window=-0.0005,0.0045"

browser = Browser()


def palette(picture, greys):
    """Greys for slices, and the colours that there are beside them."""
    pixels = numpy.asarray(picture)
    colours = Image.fromarray(pixels[numpy.ptp(pixels, axis=2) > 24][numpy.newaxis]).quantize(48).getpalette()[:144]
    result = Image.new("P", (1, 1))
    result.putpalette([round(step * 255 / (greys - 1)) for step in range(greys) for _ in "rgb"] + colours)
    return result


def take(name):
    """What is on the screen, in few colours."""
    browser.run("document.activeElement.blur ()")
    time.sleep(1)  # short texts that go away, and moving bars
    picture = Image.open(io.BytesIO(base64.b64decode(browser.tell("Page.captureScreenshot", format="png")["data"]))).convert("RGB")
    file = ROOT / f"docs/images/page-{name}.png"
    for greys in 96, 64, 48, 32:  # as many as keep the file small
        picture.quantize(palette=palette(picture, greys), dither=Image.Dither.NONE).save(file, optimize=True)
        if file.stat().st_size < 100000:
            break


def volume(name, window):
    line = f"simulate {OBJECT} photons=200000 darks=10 flats=10 ! flat-field ! reconstruct method=direct window={window} ! write path={folder}/{name}"
    subprocess.run([PROGRAM, "launch", "-q", line], check=True)
    return f"{folder}/{name}"


def of_run():
    with Server("launch", "--monitor", f"simulate {LONG} ! flat-field ! interleave ! remove-stripes ! reconstruct method=direct ! write path={folder}/run.h5") as server:
        browser.open(server)
        until(lambda: float(browser.fact(".run", "fraction")) > .15, "progress")
        take("run")


def of_scan():
    scan("scan.h5", f"{OBJECT} axis=156.5 photons=100000 darks=10 flats=10")
    with view(f"{folder}/scan.h5") as server:
        browser.open(server, "#tab=scan&row=190&windowt=-0.001,0.006&rulet=hand")
        browser.shown("trial")
        take("scan")
        browser.type("input[type=number][data-name=axis]", 160)
        browser.shown("trial")
        browser.one("[data-action=keep]").click()
        browser.type("input[type=number][data-name=axis]", 156.5)
        browser.shown("trial")
        time.sleep(4)
        take("axis")


def of_volumes():
    sharp, smooth = volume("ram-lak.h5", "ram-lak"), volume("parzen.h5", "parzen")
    with view(sharp) as server:
        browser.open(server, f"#at=190,150,160&{WINDOW}&line=0,60,120,260,200")
        browser.shown("a0")
        browser.shown("a2")
        take("volume")
        browser.looks(390, 844, 1, phone=True)
        browser.open(server, f"#at=190,150,160&{WINDOW}")
        browser.shown("a0")
        take("phone")
        browser.looks(1200, 780)
    with view(sharp, smooth) as server:
        browser.open(server, f"#mode=side&with=1&show=0&at=190,150,160&{WINDOW}&zoom0=3,170,190")
        browser.shown("a0")
        browser.shown("b0")
        take("compare")


browser.looks(1200, 780)
of_run()
of_scan()
of_volumes()
