#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The axis in columns that are combined in bins of 4, 7, 9 and 1, 2, 3, with numbers of rows that are no multiple of 8. Costs 4 s."""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'graphs'))
import tap
from program import at_most


def test_bins():
    for columns, angles in ((1000, '0:180 projections=401'), (1750, '0:360 projections=302'), (2100, '0:180 projections=415')):
        for part in 0.47, 0.521:
            axis = part * columns
            done = subprocess.run([os.environ['SINOGRAPH'], 'launch', '--device=native',
                                   f'simulate object=shepp-logan width={columns} height=1 axis={axis} angles={angles} type=u16 '
                                   'photons=20000 flats=9 darks=9 ! flat-field ! find-axis again=true ! null'], capture_output=True, text=True)
            found = re.search(r'column ([\d.]+).*(?:opposites|wedge): ([\d.]+)', done.stderr)
            tap.check(found is not None, done.stderr)
            for at in found.groups():
                at_most(abs(float(at) - axis), 0.1, f'{columns} columns, axis {axis}')


tap.main(globals())
