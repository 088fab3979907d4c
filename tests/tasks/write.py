# SPDX-License-Identifier: LGPL-3.0-or-later
"""`write` against h5py and tifffile, on full disks and read-only folders too."""
import os
import time
import unittest

import h5py
import numpy as np
import tifffile
from filestest import PROVENANCE, FilesTest


class Write(FilesTest):
    def source(self, shape=(7, 5, 9), dtype=np.float32, axes="slices", **extra):
        """A file to read, and the words that read it."""
        data = self.random(shape, dtype)
        with h5py.File("source.h5", "w") as file:
            file.create_dataset("exchange/data", data=data, **extra)
        return data, ["read", "path=source.h5", "axes=" + axes] + ([] if axes == "slices" else ["angles=0:180"]) + ["!"]


class Tiff(Write):
    def test_sequence(self):
        for dtype in np.uint8, np.uint16, np.float16, np.float32:
            data, read = self.source(dtype=dtype)
            lines, _ = self.chain(*read[:-1], "rows=1:7:2", "!", "write", "path=a/b/slice-%05i.tif", "overwrite=true",
                                  rows=2)
            self.assertFalse(lines[-1]["whole"])
            for number in 1, 3, 5:
                page = tifffile.imread(f"a/b/slice-{number:05}.tif")
                self.assertEqual(page.dtype, dtype)
                np.testing.assert_array_equal(page, data[number])
            self.assertEqual(sorted(os.listdir("a/b")), ["slice-%05i.tif.sums", *(f"slice-{n:05}.tif" for n in (1, 3, 5))])

    def test_axes(self):
        for axes, rows, whole in ("projections", 0, True), ("sinograms", 2, False):
            data, read = self.source(axes=axes)
            lines, _ = self.chain(*read, "write", f"path={axes}-%i.tif", rows=rows, angles=3)
            self.assertEqual(lines[-1]["whole"], whole)
            for i in range(7):
                np.testing.assert_array_equal(tifffile.imread(f"{axes}-{i}.tif"), data[i])
            self.chain(*read, "write", f"path={axes}.tif", rows=2, angles=3)
            np.testing.assert_array_equal(tifffile.imread(axes + ".tif"), data)

    def test_pages(self):
        for dtype in np.uint8, np.uint16, np.float16, np.float32:
            data, read = self.source((6, 4, 3), dtype)
            lines, _ = self.chain(*read, "write", "path=new/stack.tiff", "overwrite=true", rows=2, provenance=PROVENANCE)
            with tifffile.TiffFile("new/stack.tiff") as file:
                self.assertFalse(file.is_bigtiff)
                self.assertEqual(len(file.pages), 6)
                np.testing.assert_array_equal(np.stack([p.asarray() for p in file.pages]), data)
                self.assertEqual(file.pages[0].dtype, dtype)
            # libtiff reads it as well, through `read`
            _, array = self.read("path=new/stack.tiff", "axes=slices")
            np.testing.assert_array_equal(array, data)

    def test_provenance(self):
        _, read = self.source()
        for path in "stack.tif", "slice-%i.tif":
            self.chain(*read, "write", "path=" + path, provenance=PROVENANCE)
            with tifffile.TiffFile(path.replace("%i", "0")) as file:
                description = file.pages[0].description
            self.assertEqual([line for line in description.splitlines() if line.startswith("sinograph=")], ["sinograph=" + PROVENANCE])
        self.chain(*read, "write", "path=plain.tif")
        with tifffile.TiffFile("plain.tif") as file:
            self.assertRegex(file.pages[0].description, r'^ImageJ=[\d.]+\nimages=7\nslices=7\nsinograph={"sinograph": "\d+\.\d+\.\d+"}\n?$')

    def test_patterns(self):
        data, read = self.source((3, 2, 2))
        for path, name in (("s%i.tif", "s2.tif"), ("s%03d.tif", "s002.tif"), ("s%3i.tif", "s  2.tif"),
                           ("100%%-%i.tif", "100%-2.tif")):
            self.chain(*read, "write", "path=" + path)
            np.testing.assert_array_equal(tifffile.imread(name), data[2])
        for path in "a%i-%i.tif", "a%s.tif", "a%.tif", "a%05":
            self.refused("bad-property", f"path={path}: a pattern must have one number like %i or %05i (and %% for a per cent sign)", *read, "write", "path=" + path)

        self.refused("bad-property", "path=a%i/b.tif: the number must be in the name of the file, not of a folder", *read,
                     "write", "path=a%i/b.tif")

    def test_big(self):
        """Beyond 4 GiB it is BigTIFF; the disk holds the written pages alone."""
        if os.statvfs(".").f_bavail * os.statvfs(".").f_frsize < 6 << 30:
            self.skipTest("needs 6 GiB of disk")
        if os.environ.get("SINO_TEST_BIG") != "1":
            self.skipTest("writes 4 GiB: set SINO_TEST_BIG=1")
        with h5py.File("source.h5", "w") as file:
            data = file.create_dataset("exchange/data", (4100, 1024, 1024), np.uint8, chunks=(1, 1024, 1024), fillvalue=3)
            data[4099] = 7
        self.chain("read", "path=source.h5", "axes=slices", "!", "write", "path=stack.tif", rows=64)
        with tifffile.TiffFile("stack.tif") as file:
            self.assertTrue(file.is_bigtiff)
            self.assertEqual((len(file.pages), file.pages[4098].asarray().max(), file.pages[4099].asarray().min()),
                             (4100, 3, 7))


class Hdf5(Write):
    def test_any_order(self):
        for axes in "slices", "projections", "sinograms":
            for dtype in np.uint8, np.uint16, np.float16, np.float32:
                data, read = self.source(dtype=dtype, axes=axes)
                lines, _ = self.chain(*read, "write", "path=out.h5", "overwrite=true", rows=2, angles=3)
                self.assertFalse(lines[-1]["whole"])
                with h5py.File("out.h5") as file:
                    self.assertEqual(file["exchange/data"].dtype, dtype)
                    self.assertIsNone(file["exchange/data"].chunks)
                    np.testing.assert_array_equal(file["exchange/data"][:], data)
                    self.assertEqual("theta" in file["exchange"], axes != "slices")

    def test_scan_round_trip(self):
        """What `write` makes of a scan, `read` takes and gives back."""
        data, white, dark = (self.random(s, t) for s, t in (((7, 5, 9), np.uint16), ((4, 5, 9), np.float32),
                                                            ((3, 5, 9), np.uint8)))
        theta = np.linspace(-88.2, 191, 7)
        for extra in {}, {"chunks": (2, 5, 9), "compression": "gzip"}:
            with h5py.File("source.h5", "w") as file:
                file["exchange/data"], file["exchange/theta"] = data, theta
                file.create_dataset("exchange/data_white", data=white, **extra)
                file["exchange/data_dark"] = dark
                file["exchange/theta_white"] = [-88.2, -88.2, 75., 191.]
                file["exchange/rotation_axis"], file["exchange/data"].attrs["pixel_size"] = [4.75], 0.65
            lines, _ = self.chain("read", "path=source.h5", "rows=1:", "!", "write", "path=scan.nxs", "overwrite=true",
                                  rows=2, angles=3)
            source = lines[0]
            with h5py.File("scan.nxs") as file:
                np.testing.assert_array_equal(file["exchange/data"][:], data[:, 1:])
                np.testing.assert_array_equal(file["exchange/data_white"][:], white[:, 1:])
                np.testing.assert_array_equal(file["exchange/data_dark"][:], dark[:, 1:])
                np.testing.assert_allclose(file["exchange/theta"][:], theta, rtol=1e-15)
                self.assertEqual(file["exchange/theta"].attrs["units"], "degrees")
                np.testing.assert_allclose(file["exchange/theta_white"][:], [-88.2, -88.2, 75, 191], atol=1e-10)
            again, array = self.read("path=scan.nxs")
            np.testing.assert_array_equal(array, data[:, 1:])
            np.testing.assert_array_equal(self.frames(again, "flats"), white[:, 1:])
            np.testing.assert_array_equal(self.frames(again, "darks"), dark[:, 1:])
            self.assertEqual(again["angles"], source["angles"])
            np.testing.assert_allclose(again["flats"]["positions"], source["flats"]["positions"], atol=1e-9)
            self.assertEqual((again["axis"], again["pixel_size"]), ([4.75], 0.65))

    def test_times_of_flats_outlive_a_cut(self):
        """Flats between the projections that are left out keep their distance, and their weight in flat-field."""
        data, white, dark = self.random((40, 2, 9), np.uint16), self.random((6, 2, 9), np.uint16), np.zeros((1, 2, 9))
        with h5py.File("source.h5", "w") as file:
            file["exchange/data"], file["exchange/data_white"] = data, white // 2 + 30000
            file["exchange/data_dark"], file["exchange/theta"] = dark.astype(np.uint8), np.arange(40.) * 4.5
            file["exchange/theta_white"] = [-1., 0., 30., 91., 120., 200.]
        for part in "projections=15:31", "projections=3::5", "projections=39", "columns=2:7":
            direct, truth = self.read("path=source.h5", part, "!", "flat-field")
            self.chain("read", "path=source.h5", part, "!", "write", "path=cut.h5", "overwrite=true")
            again, array = self.read("path=cut.h5", "!", "flat-field")
            self.assertEqual(again["flats"]["positions"], direct["flats"]["positions"])
            np.testing.assert_array_equal(array, truth)
        # Scans without angles are kept too, and cut again.
        self.chain("read", "path=cut.h5", "projections=8:", "!", "write", "path=second.h5")
        with h5py.File("second.h5", "a") as file:
            del file["exchange/theta"]
        again, _ = self.read("path=second.h5", "projections=2::2")
        self.assertEqual(again["flats"]["positions"], [(p - 8 - 2) / 2 for p in direct["flats"]["positions"]])

    def test_same_bytes(self):
        """No date, no name of the temporary file: writing again later gives the same file, however it is cut."""
        _, read = self.source(axes="projections")
        self.chain(*read, "write", "path=first.h5", rows=2, angles=3, provenance=PROVENANCE)
        time.sleep(1.1)
        self.chain(*read, "write", "path=second.h5", rows=5, angles=1, provenance=PROVENANCE)
        with open("first.h5", "rb") as first, open("second.h5", "rb") as second:
            self.assertEqual(first.read(), second.read())

    def test_provenance(self):
        _, read = self.source()
        long = '{"list": "' + "x" * 100000 + '"}'  # beyond the 64 KiB that a header holds
        for provenance in PROVENANCE, long:
            self.chain(*read, "write", "path=out.h5", "overwrite=true", provenance=provenance)
            with h5py.File("out.h5") as file:
                value = file["exchange/data"].attrs["provenance"]
            self.assertEqual(value, provenance)

    def test_darks_of_changed_values_are_left_out(self):
        data, read = self.source(dtype=np.uint16, axes="projections")
        with h5py.File("source.h5", "a") as file:
            file["exchange/data_white"] = data[:2]
        self.chain(*read, "write", "path=out.h5", "type=u8", "range=0:65535")
        with h5py.File("out.h5") as file:
            self.assertNotIn("data_white", file["exchange"])


class Types(Write):
    def test_float_to_integer(self):
        data, read = self.source()
        data[0, 0, :3] = [np.nan, np.inf, -np.inf]
        with h5py.File("source.h5", "a") as file:
            file["exchange/data"][...] = data
        for name, top in ("u8", 255), ("u16", 65535):
            lines, _ = self.chain(*read, "write", "path=out.h5", "type=" + name, "range=-1:0.5", "overwrite=true", rows=2)
            with np.errstate(invalid="ignore"):
                scaled = (data.astype(np.float64) + 1) * (top / 1.5)
                truth = np.rint(np.clip(np.nan_to_num(scaled, nan=0, posinf=1e9, neginf=-1e9), 0, top))
                clipped = np.count_nonzero(~((scaled >= 0) & (scaled <= top)))
            with h5py.File("out.h5") as file:
                np.testing.assert_array_equal(file["exchange/data"][:], truth)
            self.assertEqual(lines[-1]["counters"]["clipped"], clipped)

    def test_half(self):
        """As numpy rounds, over all exponents; what is too large becomes infinite and is counted."""
        data, read = self.source((40, 30, 20))
        data *= 2.0 ** self.rng.integers(-30, 18, size=data.shape)
        data[0, 0, :8] = [65519, 65520, 65504, -65536, 2**-24, 2**-25, 1.5 * 2**-25, np.nan]
        with h5py.File("source.h5", "a") as file:
            file["exchange/data"][...] = data
        lines, _ = self.chain(*read, "write", "path=out-%i.tif", "type=f16")
        with np.errstate(over="ignore"):
            truth = data.astype(np.float16)
        result = np.stack([tifffile.imread(f"out-{i}.tif") for i in range(40)])
        self.assertEqual(result.dtype, np.float16)
        np.testing.assert_array_equal(result, truth)
        self.assertEqual(lines[-1]["counters"]["clipped"], np.count_nonzero(np.isinf(truth)))
        # and back
        data, read = self.source((16, 64, 64), np.float16)
        data[...] = np.arange(65536, dtype=np.uint16).view(np.float16).reshape(data.shape)
        with h5py.File("source.h5", "a") as file:
            file["exchange/data"][...] = data
        self.chain(*read, "write", "path=out.h5", "type=f32")
        with h5py.File("out.h5") as file:
            np.testing.assert_array_equal(file["exchange/data"][:], data.astype(np.float32))

    def test_integers(self):
        data, read = self.source(dtype=np.uint16)
        data[0, 0, :2] = [255, 256]
        with h5py.File("source.h5", "a") as file:
            file["exchange/data"][...] = data
        lines, _ = self.chain(*read, "write", "path=out.h5", "type=u8")
        with h5py.File("out.h5") as file:
            np.testing.assert_array_equal(file["exchange/data"][:], np.minimum(data, 255))
        self.assertEqual(lines[-1]["counters"]["clipped"], np.count_nonzero(data > 255))
        self.chain(*read, "write", "path=float.h5", "type=f32")
        with h5py.File("float.h5") as file:
            np.testing.assert_array_equal(file["exchange/data"][:], data.astype(np.float32))

    def test_refuses(self):
        _, read = self.source()
        read += ["write", "path=out.h5"]
        self.refused("bad-property", "range= is missing, and no survey of the values was made: set range=min:max", *read, "type=u16")
        self.refused("bad-property", "range=1:0 must be two numbers min:max with min below max, for example range=0:0.02", *read, "type=u16", "range=1:0")
        for word, width in ("-1e308:1e308", "inf"), ("0:inf", "inf"), ("0:1e-310", "1e-310"):
            self.refused("bad-property", f"range={word}: max - min is {width}, but must be from 1e-300 to 1e300",
                         *read, "type=u16", "range=" + word)
        self.refused("bad-property", "range=nan:1 must be two numbers min:max with min below max, for example range=0:0.02", *read, "type=u16", "range=nan:1")
        self.refused("bad-property", "range=0:1 is for files of u16 or u8, not f32: set type=, or leave range= out", *read,
                     "range=0:1")


class Places(Write):
    def test_refuses(self):
        _, read = self.source()
        read.append("write")
        self.refused("bad-property", "path is missing: set path= to the files to write, for example slices/%05i.tif", *read)
        self.refused("bad-property", "path=out does not say what to write: name .ome.tif, .ome.tiff, .tif, .tiff, .h5, .hdf5, .nxs, .mhd, .nrrd, .nhdr, .zarr or .vgi, for "
                     "example slices/%05i.tif", *read, "path=out")
        self.refused("bad-property", "path=out-%i.h5: HDF5 stores the whole stream in one file, leave the number out", *read,
                     "path=out-%i.h5")
        os.mkdir("folder.h5")
        self.refused("exists", "'folder.h5' is a folder: give path= another name", *read, "path=folder.h5",
                     "overwrite=true")
        self.refused("bad-file", "cannot write into 'source.h5': Not a directory", *read, "path=source.h5/out.h5")
        for path in "x" * 252 + ".tif", "new/" + "x" * 252 + "%i.tif":
            name = path.replace("%i", "0")
            self.refused("bad-file", f"cannot write '{name}': File name too long", *read, "path=" + path)

    def test_long_names(self):
        """As long as the file system allows: those of files under construction must not be longer."""
        data, read = self.source()
        for path, name in ("x" * 251 + ".tif",) * 2, ("y" * 252 + ".h5",) * 2, ("z" * 250 + "%i.tif", "z" * 250 + "4.tif"):
            self.chain(*read, "write", "path=" + path)
            self.assertTrue(os.path.exists(name))
        self.assertEqual(self.leftovers(), [])

    def test_does_not_overwrite_unless_asked(self):
        data, read = self.source()
        for path, taken in ("out.h5", "out.h5"), ("out.tif", "out.tif"), ("out-%i.tif", "out-4.tif"):
            with open(taken, "w") as file:
                file.write("mine")
            self.refused("exists", f"'{taken}' exists: set overwrite=true to replace it", *read, "write", "path=" + path)
            with open(taken) as file:
                self.assertEqual(file.read(), "mine")
            self.chain(*read, "write", "path=" + path, "overwrite=true")
            self.assertGreater(os.path.getsize(taken), 4)
        self.assertEqual(self.leftovers(), [])

    def test_read_only_folder(self):
        os.mkdir("here")
        bind, read_only, remount = 4096, 1, 32
        self.addCleanup(self.mount("here", os.path.abspath("here"), None, bind, None))
        self.mount("here", os.path.abspath("here"), None, bind | read_only | remount, None)
        _, read = self.source()
        for path in "here/out.h5", "here/out-%i.tif":
            self.refused("bad-file", "cannot write into 'here': Read-only file system", *read, "write", "path=" + path)
        self.refused("bad-file", "cannot write into 'here': Read-only file system", *read, "write",
                     "path=here/new/folder/out.tif")

    def test_full_disk(self):
        os.mkdir("small")
        self.addCleanup(self.mount("tmpfs", os.path.abspath("small"), "tmpfs", 0, "size=256k"))
        data, read = self.source((8, 128, 128))
        # 512 KiB of pixels, and 1168 bytes of tags or 64 KiB for what else HDF5 holds.
        for name, needs in ("out.tif", "513 KiB"), ("out.h5", "576 KiB"):
            self.refused("no-space", f"no space for 'small/new/{name}': it needs {needs}, No space left on device", *read,
                         "write", "path=small/new/" + name)
            self.assertFalse(os.path.exists("small/new"))  # no folder stays that was made for it
        # As many images fit, 64 KiB and 192 bytes of tags each, as tmpfs gives pages of memory for.
        page = os.sysconf("SC_PAGESIZE")
        fit = 262144 // (-(-65728 // page) * page)
        self.refused("no-space", f"no space for 'small/out-{fit}.tif': it needs 64.2 KiB, No space left on device", *read,
                     "write", "path=small/out-%i.tif")
        # not a byte left, which HDF5 would notice when it closes the file
        with self.assertRaises(OSError), open("small/filler", "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        self.refused("no-space", "no space for 'small/out.h5': it needs 576 KiB, No space left on device", *read, "write",
                     "path=small/out.h5")
        os.unlink("small/filler")
        # Slices that were finished stay and are whole; no other file does.
        left = sorted(os.listdir("small"))
        self.assertEqual(left, [f"out-{i}.tif" for i in range(fit)])
        for name in left:
            np.testing.assert_array_equal(tifffile.imread("small/" + name), data[int(name[4:-4])])


if __name__ == "__main__":
    unittest.main()
