# SPDX-License-Identifier: LGPL-3.0-or-later
"""Files that `read` refuses: no HDF5, other datasets, damage."""
import os
import struct
import zlib
import unittest

import h5py
import numpy as np
from filestest import FilesTest, NodeError, write_scan


class Hdf5(FilesTest):
    def test_refuses(self):
        self.refused("bad-file", "cannot open 'absent.h5': No such file or directory", "read", "path=absent.h5")
        with open("text.h5", "w") as file:
            file.write("hello, this is text\n")
        self.refused("bad-file", "'text.h5' is not an HDF5 file: it begins with \"hello, this is t\"", "read",
                     "path=text.h5")
        open("empty.h5", "w").close()
        self.refused("bad-file", "'empty.h5' is not an HDF5 file: it is empty", "read", "path=empty.h5")
        with open("notes.txt", "w") as file:
            file.write("hello, this is text\n")
        self.refused("bad-file", "'notes.txt' is neither TIFF, EDF, Elekta, FITS, HDF5, HIS, MATLAB 5, MRC, MetaImage, NRRD, Nikon, NumPy, SkyScan, VGStudio, Varian, Varian image, Zarr, Zeiss, PNG nor JPEG: if it contains "
                                 "uncompressed pixels, describe them with raw=", "read", "path=notes.txt")
        write_scan("scan.h5", self.random((9, 30, 30), np.uint16))
        size = os.path.getsize("scan.h5")
        os.truncate("scan.h5", size - 1000)
        with self.assertRaisesRegex(Exception, rf"^cannot open 'scan.h5' as HDF5, it may be truncated: truncated file: "
                                    rf"eof = {size - 1000}, sblock->base_addr = 0, stored_eof = {size}$"):
            self.chain("read", "path=scan.h5")

    def test_datasets(self):
        with h5py.File("scan.h5", "w") as file:
            file["exchange/date"] = np.zeros((3, 4, 5), np.int32)
            file["exchange/more"] = np.zeros((3, 4, 5))
            file["exchange/line"] = np.zeros(3)
        self.refused("bad-file", "'scan.h5' has no /exchange/data, set dataset=: it has /exchange/date (3 x 4 x 5), "
                     "/exchange/more (3 x 4 x 5)", "read", "path=scan.h5")
        self.refused("bad-file", "'scan.h5' has no dataset '/exchange/dato' (did you mean '/exchange/date'?): it has "
                     "/exchange/date (3 x 4 x 5), /exchange/more (3 x 4 x 5)", "read", "path=scan.h5",
                     "dataset=exchange/dato")
        with h5py.File("scan.h5", "a") as file:
            file["exchange/complex"] = np.zeros((3, 4, 5), np.complex64)
        self.refused("bad-file", "'scan.h5' /exchange/complex contains other values: convert them to u8, u16, f16 or f32", "read", "path=scan.h5", "dataset=/exchange/complex")
        self.refused("bad-file", "'scan.h5' /exchange/line has 1 axes: a stack of images has three", "read",
                     "path=scan.h5", "dataset=/exchange/line")
        with h5py.File("none.h5", "w") as file:
            file["line"] = np.zeros(3)
        self.refused("bad-file", "'none.h5' has no /exchange/data: it has no dataset of images", "read", "path=none.h5")

    def test_unusual_types(self):
        narrow, odd = h5py.h5t.STD_U16LE.copy(), h5py.h5t.IEEE_F32LE.copy()
        narrow.set_precision(12)
        odd.set_fields(31, 24, 7, 0, 24)
        for kind, what in ((narrow, "u16 values of 12 bits, which are not plain u16"),
                           (odd, "f32 values, but not of IEEE 754")):
            with h5py.File("scan.h5", "w") as file:
                h5py.h5d.create(file.create_group("exchange").id, b"data", kind, h5py.h5s.create_simple((2, 3, 4)))
            self.refused("bad-file", f"'scan.h5' /exchange/data contains {what}: convert them to u8, u16, f16 or f32", "read", "path=scan.h5")

    def test_links_that_lead_nowhere(self):
        write_scan("scan.h5", self.random((2, 3, 4), np.uint16))
        for name, link, target in (("data_white", h5py.ExternalLink("absent.h5", "/flats"), "/flats in 'absent.h5'"),
                                   ("data_white", h5py.ExternalLink("scan.h5", "/flats"), "/flats in 'scan.h5'"),
                                   ("data_dark", h5py.SoftLink("/darks"), "/darks")):
            with h5py.File("scan.h5", "a") as file:
                file["exchange/" + name] = link
            self.refused("bad-file", f"'scan.h5' /exchange/{name} is a link to {target}, which is missing or cannot be "
                         "opened", "read", "path=scan.h5")
            with h5py.File("scan.h5", "a") as file:
                del file["exchange/" + name]
        with h5py.File("scan.h5", "a") as file:
            file["exchange/data_white"] = h5py.ExternalLink("more.h5", "/flats")
        with h5py.File("more.h5", "w") as file:
            file["flats"] = np.zeros((2, 3, 4), np.complex64)
        self.refused("bad-file", f"'scan.h5' /exchange/data_white (in '{os.path.realpath('more.h5')}') contains other values: convert them "
                                 "to u8, u16, f16 or f32", "read", "path=scan.h5")

    def test_missing_filter(self):
        write_scan("scan.h5", self.random((4, 3, 50), np.uint16), compression="lzf")
        self.refused("bad-file", "'scan.h5' /exchange/data is compressed with filter 32000 (lzf), which HDF5 does not have on this "
                                 "computer: install its plugin and set HDF5_PLUGIN_PATH, or write the file again with deflate", "read",
                     "path=scan.h5")

    def test_bitshuffle_without_lz4(self):
        """Bits alone and with Zstandard, which only a plugin of the filter unpacks."""
        for values in (0, 4, 2, 0), (0, 4, 2, 0, 0), (0, 4, 2, 0, 3, 1):
            with h5py.File("scan.h5", "w") as file:
                creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                creation.set_chunk((1, 3, 50))
                creation.set_filter(32008, h5py.h5z.FLAG_OPTIONAL, values)
                data = h5py.Dataset(h5py.h5d.create(file.create_group("exchange").id, b"data", h5py.h5t.NATIVE_UINT16,
                                                    h5py.h5s.create_simple((4, 3, 50)), creation))
                for i in range(4):
                    data.id.write_direct_chunk((i, 0, 0), bytes(300))
            with self.assertRaises(NodeError) as caught:
                self.chain("read", "path=scan.h5")
            self.assertEqual(caught.exception.code, "bad-file")
            self.assertRegex(caught.exception.message, r"^'scan.h5' /exchange/data is compressed with filter 32008 \(.*\), which HDF5 does "
                                                       r"not have on this computer: install its plugin and set HDF5_PLUGIN_PATH, or write "
                                                       r"the file again with deflate$")

    def test_chunks_outside_the_dataset(self):
        """The extents are made smaller behind HDF5's back, under chunks that are there."""
        write_scan("scan.h5", np.ones((20, 16, 16), np.uint16), theta=False, chunks=(1, 1, 4))
        with open("scan.h5", "rb") as file:
            content = file.read()
        large, small = (struct.pack("<QQQ", *shape) for shape in ((20, 16, 16), (1, 1, 4)))
        self.assertIn(large, content)
        with open("scan.h5", "wb") as file:
            file.write(content.replace(large, small))
        self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 0, 0, 4 lies outside the dataset",
                     "read", "path=scan.h5")

    def test_chunks_larger_than_their_pixels(self):
        """With a place for each chunk, and with more chunks than places are kept for."""
        for shape in (2, 3, 50), (9000, 3, 50):
            with h5py.File("scan.h5", "w") as file:
                data = file.create_dataset("exchange/data", shape, np.uint16, chunks=(1, 3, 50), compression="gzip")
                for i in range(shape[0]):
                    data.id.write_direct_chunk((i, 0, 0), bytes(5000))
            with self.assertRaises(NodeError) as caught:
                self.chain("read", "path=scan.h5", rows=3)
            self.assertEqual(caught.exception.code, "bad-file")
            self.assertRegex(caught.exception.message,  # several are read at once
                             r"^'scan.h5' /exchange/data is damaged: the chunk at \d+, 0, 0 takes more bytes than its pixels$")

    def test_chunk_that_ends_early(self):
        """It unpacks without an error, to fewer pixels than a chunk has."""
        for missing in 2, 298:
            with h5py.File("scan.h5", "w") as file:
                data = file.create_dataset("exchange/data", (4, 3, 50), np.uint16, chunks=(1, 3, 50), compression="gzip")
                for i in range(4):
                    data.id.write_direct_chunk((i, 0, 0), zlib.compress(bytes(300 - missing * (i == 2))))
            with self.assertRaises(NodeError) as caught:
                self.chain("read", "path=scan.h5", rows=3)
            self.assertEqual(caught.exception.code, "bad-file")
            self.assertIn("'scan.h5' /exchange/data is damaged: the chunk at 2, 0, 0", caught.exception.message)

    def test_damaged_chunk(self):
        write_scan("scan.h5", self.random((4, 3, 50), np.uint16), chunks=(1, 3, 50), compression="gzip")
        with h5py.File("scan.h5") as file:
            place = file["exchange/data"].id.get_chunk_info(2)
        with open("scan.h5", "r+b") as file:
            file.seek(place.byte_offset + 5)
            file.write(b"\xff" * 40)
        self.refused("bad-file", "'scan.h5' /exchange/data is damaged: the chunk at 2, 0, 0 cannot be decoded", "read",
                     "path=scan.h5")


if __name__ == "__main__":
    unittest.main()
