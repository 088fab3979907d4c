# SPDX-License-Identifier: LGPL-3.0-or-later
"""Long tables of cases: a change is tried with a part of them, the night with all."""
import os

THOROUGH = 'SINO_TEST_THOROUGH' in os.environ


def is_drawn(number, part):
    """Whether a case is tried: every `part`th one, and the commit says which is the first of them (SINO_TEST_DRAW, a number)."""
    return THOROUGH or (number + int(os.environ.get('SINO_TEST_DRAW', '0'))) % part == 0


def drawn(cases, part):
    """The cases that are tried, in their order."""
    return [case for number, case in enumerate(cases) if is_drawn(number, part)]
