# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs the test_ functions of a module and reports them in TAP."""
import locale
import os
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from unittest import SkipTest

locale.setlocale(locale.LC_ALL, "")  # as programs with windows do
assert "SINO_TEST_COMMA" not in os.environ or locale.localeconv()["decimal_point"] == ","


def attempt(test):
    """What is said of it before its line, its beginning and its end."""
    try:
        test()
        return "", "ok", ""
    except SkipTest as reason:
        return "", "ok", f" # SKIP {reason}"
    except Exception:
        return "".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), "not ok", ""


def main(functions, at_once=1):
    """`at_once`: so many of them at a time, where they wait for what they have started."""
    tests = [f for name, f in functions.items() if name.startswith("test_")]
    print(f"1..{len(tests)}")
    failed = False
    with ThreadPoolExecutor(at_once) as pool:
        attempts = pool.map(attempt, tests) if at_once > 1 else map(attempt, tests)
        for number, (test, (said, outcome, end)) in enumerate(zip(tests, attempts), 1):
            print(f"{said}{outcome} {number} - {test.__name__}{end}", flush=True)
            failed |= outcome != "ok"
    sys.exit(failed)


def check(good, what):
    if not good:
        raise AssertionError(what)


def same(got, want):
    check(got == want, f"got {got!r}, want {want!r}")


def raises(code, message, function, *args):
    """The call must raise a GLib.Error of the code's domain, Sinograph's or GIO's, whose message contains the text."""
    from gi.repository import Gio, GLib, Sino

    domain = Sino.error_quark() if isinstance(code, Sino.Error) else Gio.io_error_quark()
    try:
        result = function(*args)
    except GLib.Error as error:
        check(error.matches(domain, code), f"wrong code: {error!r}")
        check(message in error.message, f"got '{error.message}', want '{message}'")
        return error
    raise AssertionError(f"no error, but {result!r}")
