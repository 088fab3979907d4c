# SPDX-License-Identifier: LGPL-3.0-or-later
"""`write` of compressed HDF5 and NXtomoproc against numpy and h5py."""
import unittest

import h5py
import numpy as np
from filestest import PROVENANCE, WriteTest

ALL = np.uint8, np.uint16, np.float16, np.float32


class Deflate(WriteTest):
    def check(self, data, path):
        with h5py.File(path) as file:
            stored = file["exchange/data"]
            self.assertEqual((stored.dtype, stored.compression, stored.compression_opts, stored.shuffle),
                             (data.dtype, "gzip", 1, data.itemsize > 1))
            np.testing.assert_array_equal(stored[:], data)
            return stored.attrs["provenance"], stored.chunks

    def test_all_types(self):
        """Noise, which becomes larger, and what is mostly zero."""
        for dtype in ALL:
            for axes in "slices", "projections", "sinograms":
                data, read = self.source(dtype=dtype, axes=axes)
                line = self.write(read, "out.h5", "compression=deflate", rows=0 if axes == "projections" else 2, angles=3,
                                  threads=2)
                self.assertEqual(line["whole"], axes == "projections")
                self.assertEqual(self.check(data, "out.h5"), (PROVENANCE, (1, 5, 9)))
                np.testing.assert_array_equal(self.read("path=out.h5", "axes=" + axes, *read[3:])[1], data)

    def test_chunks(self):
        """Of pages that do not divide into them; zeros take no room."""
        data, read = self.source((3, 1001, 600))
        data[1:] = 0
        with h5py.File("source.h5", "a") as file:
            file["exchange/data"][...] = data
        files = []
        for threads, rows in (1, 1), (2, 2), (7, 3):
            self.write(read, "out.h5", "compression=deflate", threads=threads, rows=rows)
            self.assertEqual(self.check(data, "out.h5")[1], (1, 334, 600))
            with open("out.h5", "rb") as file:
                files.append(file.read())
        self.assertTrue(files[0] == files[1] == files[2])
        self.assertLess(len(files[0]), 1.1 * data[0].nbytes)
        np.testing.assert_array_equal(self.read("path=out.h5", "axes=slices", "rows=1:", "columns=3:50")[1], data[1:, :, 3:50])

    def test_conversion(self):
        data, read = self.source()
        self.write(read, "out.h5", "compression=deflate", "type=f16")
        self.check(data.astype(np.float16), "out.h5")

    def test_scan(self):
        """Darks and flats go with it, plain."""
        data, read = self.source(dtype=np.uint16, axes="projections")
        with h5py.File("source.h5", "a") as file:
            file["exchange/data_white"], file["exchange/data_dark"] = data[:3], data[3:5]
        self.write(read, "out.h5", "compression=deflate", angles=2)
        info, array = self.read("path=out.h5")
        np.testing.assert_array_equal(array, data)
        np.testing.assert_array_equal(self.frames(info, "flats"), data[:3])
        np.testing.assert_array_equal(self.frames(info, "darks"), data[3:5])

    def test_refuses(self):
        _, read = self.source()
        for path, ways, what in ("x.tif", "none", "TIFF"), ("x.h5", "none, deflate or lz4", "HDF5"):
            self.refused("bad-property", f"path={path}: {what} supports compression={ways}, not zstd", *read, "!", "write",
                         "path=" + path, "compression=zstd")


def unpacked_lz4(packed, size):
    """A block of LZ4, after its format's description."""
    out, at = bytearray(), 0

    def length(nibble):
        nonlocal at
        total = nibble
        while nibble == 15 or (nibble == 255 and total > 15):
            nibble, at = packed[at], at + 1
            total += nibble
            if nibble != 255:
                break
            nibble = 255
        return total
    while True:
        token, at = packed[at], at + 1
        n = length(token >> 4)
        out += packed[at:at + n]
        at += n
        if at == len(packed):
            assert len(out) == size
            return bytes(out)
        offset, at = packed[at] | packed[at + 1] << 8, at + 2
        for _ in range(length(token & 15) + 4):
            out.append(out[-offset])


def unpacked_bits(packed, dtype):
    """A chunk of the filter 32008, after bitshuffle's description of it."""
    dtype = np.dtype(dtype)
    size, block = int.from_bytes(packed[:8], "big"), int.from_bytes(packed[8:12], "big") // dtype.itemsize
    values, at, parts = size // dtype.itemsize, 12, []
    while values >= 8:
        n = min(values // 8 * 8, block)
        stored, at = int.from_bytes(packed[at:at + 4], "big"), at + 4
        bits = np.unpackbits(np.frombuffer(unpacked_lz4(packed[at:at + stored], n * dtype.itemsize), np.uint8), bitorder="little")
        at += stored
        parts.append(np.packbits(bits.reshape(8 * dtype.itemsize, n).T, bitorder="little").tobytes())
        values -= n
    return np.frombuffer(b"".join(parts) + packed[at:], dtype)


class BitshuffleLz4(WriteTest):
    def check(self, data, path):
        with h5py.File(path) as file:
            stored = file["exchange/data"]
            creation = stored.id.get_create_plist()
            self.assertEqual((creation.get_nfilters(), creation.get_filter(0)[0], creation.get_filter(0)[2]),
                             (1, 32008, (0, 4, data.itemsize, 0, 2)))
            for page in range(len(data)):
                for line in range(0, data.shape[1], stored.chunks[1]):
                    skipped, packed = stored.id.read_direct_chunk((page, line, 0))
                    self.assertEqual(skipped, 0)
                    chunk = unpacked_bits(packed, data.dtype).reshape(stored.chunks[1:])
                    want = data[page, line:line + stored.chunks[1]]
                    self.assertEqual(chunk[:len(want)].tobytes(), want.tobytes())
                    self.assertFalse(chunk[len(want):].any())

    def test_all_types(self):
        """Values that do not fill bytes of bits, a block, and several of them; noise, and what packs well."""
        for dtype in ALL:
            for shape in (2, 1, 5), (3, 7, 9), (2, 64, 200):
                data, read = self.source(shape, dtype=dtype)
                data[-1] = 3
                with h5py.File("source.h5", "a") as file:
                    file["exchange/data"][...] = data
                self.write(read, "out.h5", "compression=lz4", rows=2, threads=2)
                self.check(data, "out.h5")
                np.testing.assert_array_equal(self.read("path=out.h5", *read[2:])[1], data)

    def test_edges_and_bytes(self):
        """Pages that do not divide into chunks; the same file whatever the threads."""
        data, read = self.source((3, 331, 1000), dtype=np.uint16)
        files = []
        for threads, rows in (1, 1), (7, 3):
            self.write(read, "out.h5", "compression=lz4", threads=threads, rows=rows)
            with open("out.h5", "rb") as file:
                files.append(file.read())
        self.assertTrue(files[0] == files[1])
        np.testing.assert_array_equal(self.read("path=out.h5", "axes=slices", "rows=1:", "columns=3:50")[1], data[1:, :, 3:50])

    def test_damaged(self):
        data, read = self.source((2, 40, 50))
        self.write(read, "out.h5", "compression=lz4")
        with h5py.File("out.h5") as file:
            at, size = file["exchange/data"].id.get_chunk_info(1).byte_offset, file["exchange/data"].id.get_chunk_info(1).size
        with open("out.h5", "rb") as file:
            whole = file.read()
        for place in 0, 7, 8, 11, 12, 15, 16, 40, size - 1:
            for value in 0, 255:
                broken = bytearray(whole)
                broken[at + place] = value if broken[at + place] != value else 127
                with open("broken.h5", "wb") as file:
                    file.write(broken)
                try:
                    self.read("path=broken.h5", "axes=slices")
                except Exception as error:
                    self.assertEqual(error.message, "'broken.h5' /exchange/data is damaged: the chunk at 1, 0, 0 cannot be decoded")


class NXtomoproc(WriteTest):
    def test_layout(self):
        data, read = self.source(pixel=0.5)
        for packed, unit in ("none", "mm"), ("lz4", "um"):
            self.write(read, "volume.nxs", "compression=" + packed, "unit=" + unit)
            with h5py.File("volume.nxs") as file:
                entry = file["entry"]
                self.assertEqual([entry[n].attrs["NX_class"] for n in ("/entry", "reconstruction", "reconstruction/parameters", "data")],
                                 ["NXentry", "NXprocess", "NXparameters", "NXdata"])
                self.assertEqual((entry["definition"][()], entry["reconstruction/program"][()]), (b"NXtomoproc", b"sinograph"))
                self.assertEqual(entry["reconstruction/parameters/provenance"][()].decode(), PROVENANCE)
                self.assertEqual((entry["data"].attrs["signal"], list(entry["data"].attrs["axes"])), ("data", ["z", "y", "x"]))
                self.assertEqual(entry["data/data"], file["exchange/data"])
                for name, n in zip("zyx", data.shape):
                    np.testing.assert_array_equal(entry["data/" + name][:], 0.5 * np.arange(n))
                    self.assertEqual(entry["data/" + name].attrs["units"], "\u00b5m" if unit == "um" else unit)
            np.testing.assert_array_equal(self.read("path=volume.nxs", "axes=slices")[1], data)
        self.assertIn("pixel size 0.5 is assumed to be in mm", self.write(read, "volume.nxs")["warnings"][0])
        _, read = self.source(axes="projections")
        self.refused("bad-property", "unit= is for files that store pixel sizes with a unit, which HDF5 of projections does not: leave it out",
                     *read, "!", "write", "path=scan.nxs", "unit=um")
        self.write(read, "scan.nxs")
        with h5py.File("scan.nxs") as file:
            self.assertEqual(list(file), ["exchange"])


if __name__ == "__main__":
    unittest.main()
