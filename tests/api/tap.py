# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs the test_ functions of a module and reports them in TAP."""
import locale
import os
import sys
import traceback
from unittest import SkipTest

locale.setlocale(locale.LC_ALL, "")  # as programs with windows do
assert "SINO_TEST_COMMA" not in os.environ or locale.localeconv()["decimal_point"] == ","


def main(functions):
    tests = [f for name, f in functions.items() if name.startswith("test_")]
    print(f"1..{len(tests)}")
    failed = False
    for number, test in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {test.__name__}", flush=True)
        except SkipTest as reason:
            print(f"ok {number} - {test.__name__} # SKIP {reason}", flush=True)
        except Exception:
            failed = True
            print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), end="")
            print(f"not ok {number} - {test.__name__}", flush=True)
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
