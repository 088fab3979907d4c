#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Millions of projections: what their angles and views take is planned, and planning them ends soon when it is cancelled. Costs 4 s."""
import subprocess
import sys
import threading
import time

from gi.repository import Gio, GLib
from nodes import *

import tap
from tap import check

MANY = 1000000
LINE = f"simulate width=4 height=2 projections={MANY} angles=0:360 source-origin=100 origin-detector=10 pixel-size=1 ! reconstruct ! null"


def test_cancelled():
    """At any time of the negotiation: its loops and sorts look for it."""
    for delay in .1, .8, 1.6:
        cancellable = Gio.Cancellable()
        threading.Timer(delay, cancellable.cancel).start()
        begun = time.monotonic()
        try:
            Sino.Runner(device="native").run(Sino.Graph.new_from_launch(LINE), cancellable)
            raise AssertionError("not cancelled")
        except GLib.Error as error:
            check(error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED) and "did not return" not in error.message, error.message)
        print(f"# cancelled after {delay} s, ended after {time.monotonic() - begun:.2f} s", flush=True)


def base_of(words):
    """Bytes of the plan before its passes."""
    line = f"simulate width=4 height=2 projections={MANY} angles=0:360 {words} ! null"
    return Sino.Runner(device="native").plan(Sino.Graph.new_from_launch(line)).unpack()["memory"]["base"]


def test_planned():
    """Angles are 8 bytes each, views 104 and more. Each plan has its own process, because cancelled runs leave memory."""
    few, many = (int(subprocess.check_output([sys.executable, __file__, words])) for words in
                 ("", "source-origin=100 origin-detector=10 pixel-size=1"))
    check(many - few > 0.95 * 104 * MANY, (few, many))


if len(sys.argv) > 1:
    print(int(base_of(sys.argv[1])))
else:
    tap.main(globals())
