#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Makes tooth-slice.h5, one detector row of TomoPy's tooth scan with its darks, flats and angles.

usage: cut-tooth.py TOOTH.h5 [ROW]
"""
import sys
from pathlib import Path

import h5py


def cut(source, row, target):
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        scan = new.create_group("exchange")
        for name in "data", "data_dark", "data_white":
            values = old["exchange"][name][:, row : row + 1]
            scan.create_dataset(name, data=values, chunks=values.shape, compression="gzip", compression_opts=9,
                                shuffle=True, track_times=False)
        scan.create_dataset("theta", data=old["exchange/theta"], track_times=False)
        scan["theta"].attrs["units"] = "degrees"


if __name__ == "__main__":
    cut(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0, Path(__file__).with_name("tooth-slice.h5"))
