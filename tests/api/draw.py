# SPDX-License-Identifier: LGPL-3.0-or-later
"""Long tables of cases: a change is tried with a part of them, the night with all."""
import os
from unittest import SkipTest

THOROUGH = 'SINO_TEST_THOROUGH' in os.environ


def is_drawn(number, part):
    """Whether a case is tried: every `part`th one, and the commit says which is the first of them (SINO_TEST_DRAW, a number)."""
    return THOROUGH or (number + int(os.environ.get('SINO_TEST_DRAW', '0'))) % part == 0


def drawn(cases, part):
    """The cases that are tried, in their order."""
    return [case for number, case in enumerate(cases) if is_drawn(number, part)]


def in_turn(number, part):
    """The first line of a long test: every `part`th commit comes to the rest of it."""
    if not is_drawn(number, part):
        raise SkipTest('it is the turn of others')
