# SPDX-License-Identifier: LGPL-3.0-or-later
"""Angles that scans may have, drawn at random."""
import numpy as np


def angles_over(arc, n, dice):
    """`n` or a tenth more over `arc` degrees, rising or falling, and a word: "even", "uneven", "repeated" or "shuffled"."""
    degrees = dice.uniform(-90, 90) + np.arange(n) * arc / n
    kind = ('even', 'uneven', 'repeated', 'shuffled')[dice.integers(4)]
    if kind == 'uneven':
        degrees = degrees + dice.uniform(-0.3, 0.3, n) * arc / n
    elif kind == 'repeated':
        degrees = np.concatenate([degrees, dice.choice(degrees, n // 10)])
    elif kind == 'shuffled':
        dice.shuffle(degrees)
    return degrees * dice.choice([-1, 1]), kind
