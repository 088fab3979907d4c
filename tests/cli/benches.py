# SPDX-License-Identifier: LGPL-3.0-or-later
"""What `sinograph bench` says with --json, for the tests of benchmarks."""
import json

from program import call
from tap import same


def measured(bench, *options):
    status, out, error = call("bench", bench, "--json", *options)
    same((status, error), (0, ""))
    found = json.loads(out)
    same(found["bench"], bench)
    return found


def is_positive(found, *keys):
    for key in keys:
        assert found[key] > 0, (key, found)
