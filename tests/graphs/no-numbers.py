#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""How far a value that is no number gets: the table of docs/design/no-numbers.md. Costs 5 s."""
import os
import re
import tempfile

import h5py
import numpy as np
import tap
import tifffile
from program import SOURCE, sinograph

ROWS = re.findall(r"^\| `(.*?)` \| (.*?) \| (.*?) \| (.*?) \|$", (SOURCE / "docs/design/no-numbers.md").read_text(), re.M)


def found(chain, value, place):
    images = np.random.default_rng(1).uniform(1, 2, (8, 24, 24)).astype(np.float32)
    images[3, place, place] = value
    tifffile.imwrite("in.tif", images, photometric="minisblack")
    sinograph("launch", "-q", "--device=native", f"read path=in.tif angles=0:180 ! {chain} ! write path=out.h5 overwrite=true allow-empty=true")
    with h5py.File("out.h5") as file:
        out = file["exchange/data"][()]
    return {"NaN": int(np.isnan(out).sum()), "Inf": int(np.isinf(out).sum())}


def test_table():
    tap.check(len(ROWS) > 10, ROWS)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for chain, *said in ROWS:
            for words, value, place in zip(said, (np.nan, np.inf, np.inf), (12, 12, 0)):
                got = found(chain, value, place)
                if words.endswith(" NaN or Inf"):  # which of the two depends on the CPU's instruction set
                    got, wanted = sum(got.values()), int(words.split()[0])
                else:
                    wanted = {"NaN": 0, "Inf": 0}
                    wanted |= {name: int(number) for number, name in re.findall(r"(\d+) (NaN|Inf)", words)}
                tap.same((chain, value, place, got), (chain, value, place, wanted))
        os.chdir("/")


tap.main(globals())
