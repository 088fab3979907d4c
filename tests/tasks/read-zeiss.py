# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of Zeiss's .txrm and .xrm, written here byte by byte from what defines compound files. Costs 5 s."""
import os
import struct
import unittest

import numpy as np
from filestest import FilesTest
from ole import compound, txrm

SHAPE = (7, 10, 30)


class Zeiss(FilesTest):
    def put(self, content, name="scan.txrm"):
        with open(name, "wb") as file:
            file.write(content)

    def fails(self, message, *words):
        self.refused("bad-file", message, "read", "path=scan.txrm", *words)

    def test_images(self):
        """Small ones, which lie in 64-byte sectors, and larger ones; in order and in none; with sectors of both sizes."""
        for shape in SHAPE, (103, 41, 60):
            for kind in np.uint16, np.float32:
                data, angles = self.random(shape, kind), np.linspace(-90, 90, shape[0]).astype(np.float32)
                for sector, seed in (512, None), (4096, 1), (512, 2):
                    self.put(txrm(data, angles, sector=sector, seed=seed, PixelSize=0.65))
                    info, array = self.read("path=scan.txrm", rows=3, angles=4, threads=2)
                    self.assertEqual(array.dtype, kind)
                    np.testing.assert_array_equal(array, data)
                    np.testing.assert_allclose(np.degrees(info["angles"]), angles, rtol=1e-12, atol=1e-9)
                    np.testing.assert_allclose(info["pixel_size"], np.float32(0.65) * 1e-3, rtol=1e-9)
                    self.assertEqual(info["warnings"], [])
                    _, array = self.read("path=scan.txrm", "projections=1::3", "rows=2:9:2", "columns=5:-3:4")
                    np.testing.assert_array_equal(array, data[1::3, 2:9:2, 5:-3:4])
        _, array = self.read("path=scan.txrm", "axes=slices", "rows=2")
        np.testing.assert_array_equal(array, data[2:3])

    def test_many_sectors(self):
        """More than the head can name: their table is named in sectors of its own."""
        data = self.random((3, 1300, 1400), np.uint16)
        for seed in None, 5:
            self.put(txrm(data, [0, 1, 2], seed=seed))
            info, array = self.read("path=scan.txrm")
            np.testing.assert_array_equal(array, data)
        self.assertEqual(info["counters"]["bytes-read"], data.nbytes)

    def test_flats(self):
        data = self.random(SHAPE, np.uint16)
        for flat in self.random(SHAPE[1:], np.uint16), self.random(SHAPE[1:], np.float32):
            self.put(txrm(data, range(7), flat))
            info, _ = self.read("path=scan.txrm")
            np.testing.assert_array_equal(self.frames(info, "flats"), flat[None])
            self.assertNotIn("darks", info)
        self.put(txrm(data, range(7), flat[:5]))
        info, _ = self.read("path=scan.txrm")
        self.assertEqual(info["warnings"], ["'scan.txrm': its reference has 600 bytes, but an image has 1200: the reference is not used, "
                                            "set flats= to one that fits"])
        self.assertNotIn("flats", info)
        self.put(txrm(data[:2]), "flats.xrm")
        info, _ = self.read("path=scan.txrm", "flats=flats.xrm")
        np.testing.assert_array_equal(self.frames(info, "flats"), data[:2])

    def test_a_cone_beam(self):
        """Distances are used by themselves, where the beam spreads; properties replace single numbers."""
        data = self.random(SHAPE, np.uint16)
        known = {"PixelSize": 50.0, "StoRADistance": [-25.0] * 7, "DtoRADistance": [75.0] * 7}

        def view(*words, **more):
            self.put(txrm(data, range(7), **known | more))
            info, _ = self.read("path=scan.txrm", *words)
            self.assertEqual(info["warnings"], [])
            return info["pixel_size"], info.get("views", [])

        pixel, views = view()
        self.assertAlmostEqual(pixel, 0.2)
        np.testing.assert_allclose(views[0], [0, -25, 0, -3, 75, -1, 0.2, 0, 0, 0, 0, 0.2], atol=1e-6)
        np.testing.assert_allclose(views[3][:3], [-25 * np.sin(np.radians(3)), -25 * np.cos(np.radians(3)), 0], atol=1e-6)
        self.assertEqual(view(StoRADistance=-25.0)[1], views)
        _, own = view("source-origin=30", "middle-row=4", "axis=16")
        np.testing.assert_allclose(own[0], [0, -30, 0, -3.2, 75, -0.8, 0.2, 0, 0, 0, 0, 0.2], atol=1e-6)
        for others in {"XrayGeometry": 0}, {"PixelSize": 2.5}, {"PixelSize": 2.5, "DtoRADistance": None}:
            self.assertEqual(view(**others)[1], [])

    def test_a_cone_beam_without_distances(self):
        data = self.random(SHAPE, np.uint16)
        known = {"PixelSize": 50.0, "StoRADistance": -25.0, "DtoRADistance": 75.0}
        source, detector, size = "ImageInfo/StoRADistance", "ImageInfo/DtoRADistance", "ImageInfo/PixelSize"
        nan = float("nan")
        for changes, streams, properties in (
                ({"StoRADistance": nan}, source, "source-origin= and pixel-size="),
                ({"StoRADistance": None}, source, "source-origin= and pixel-size="),
                ({"DtoRADistance": [0.0] * 7}, detector, "origin-detector= and pixel-size="),
                ({"PixelSize": nan}, size, "pixel-size="),
                ({"StoRADistance": nan, "DtoRADistance": nan}, f"{source} and {detector}", "source-origin=, origin-detector= and pixel-size="),
                ({"XrayGeometry": 1, "StoRADistance": None, "DtoRADistance": None, "PixelSize": None}, f"{source}, {detector} and {size}",
                 "source-origin=, origin-detector= and pixel-size=")):
            self.put(txrm(data, range(7), **known | changes))
            self.fails(f"'scan.txrm' is a scan with a cone beam, and has no length in {streams}: set {properties}, or geometry=")
        self.put(txrm(data, range(7), **known | {"StoRADistance": nan}))
        info, _ = self.read("path=scan.txrm", "source-origin=25", "pixel-size=0.2")
        np.testing.assert_allclose(info["views"][0], [0, -25, 0, -3, 75, -1, 0.2, 0, 0, 0, 0, 0.2], atol=1e-6)
        self.put(txrm(data, **known | {"StoRADistance": nan}))  # without angles, images are only looked at
        self.read("path=scan.txrm")

    def test_volumes(self):
        data = self.random(SHAPE, np.uint16)
        for name, more, why in (("scan.txrm", {"AcquisitionMode": 1}, "ImageInfo/AcquisitionMode is 1"), ("scan.txm", {}, ".txm")):
            self.put(txrm(data, range(7), PixelSize=50.0, StoRADistance=-25.0, DtoRADistance=75.0, **more), name)
            self.refused("bad-file", f"'{name}' contains reconstructed slices ({why}), and no projections: give the .txrm of the scan, or "
                         "set axes=slices to read the slices", "read", f"path={name}")
            _, array = self.read(f"path={name}", "axes=slices")
            np.testing.assert_array_equal(array, data)
        self.put(txrm(data, range(7), AcquisitionMode=0), "scan.txm")
        self.read("path=scan.txm")

    def test_shifts(self):
        """What belongs to column u is seen at u minus the shift of the image and that of the centre."""
        data = self.random(SHAPE, np.uint16)
        known = {"PixelSize": 50.0, "StoRADistance": [-25.0] * 7, "DtoRADistance": [75.0] * 7, "alignment/x-shifts": [0.0, 1.5, -2.5, 0, 0, 0, 0],
                 "alignment/y-shifts": [0.5, 0, -1.0, 0, 0, 0, 0]}
        for centre, name in (1.25, "ReconSettings/CenterShift"), (-2.0, "AutoRecon/CenterShift"), (0.0, "AutoRecon/CenterShift"):
            self.put(txrm(data, [0] * 7, **known, **{name: centre}))
            info, _ = self.read("path=scan.txrm")
            self.assertEqual(info["warnings"], [])
            for shifts, view in zip(zip(known["alignment/x-shifts"], known["alignment/y-shifts"]), info["views"]):
                # Column (x - corner) / 0.2 of the middle ray.
                self.assertAlmostEqual(-view[3] / 0.2, 15 - centre - shifts[0], 4)
                self.assertAlmostEqual(-view[5] / 0.2, 5 - shifts[1], 4)
        for bad, why in ([0.0] * 6, "not a value for each image"), ([0.0] * 6 + [float("nan")], "values that are no numbers of pixels"):
            self.put(txrm(data, range(7), **{"alignment/x-shifts": bad}))
            info, _ = self.read("path=scan.txrm")
            self.assertEqual(info["warnings"], [f"'scan.txrm': alignment/x-shifts has {why}, and is not used"])

    def test_several_references(self):
        data, flats = self.random(SHAPE, np.uint16), self.random((3, *SHAPE[1:]), np.uint16)
        streams = {f"MultiReferenceData/Image{i + 1}": flat.astype("<u2").tobytes() for i, flat in enumerate(flats)}
        self.put(txrm(data, range(7), **streams, **{"MultiReferenceData/DataType": 5}))
        info, _ = self.read("path=scan.txrm")
        np.testing.assert_array_equal(self.frames(info, "flats"), flats)

    def test_what_is_left_out(self):
        data = self.random(SHAPE, np.uint16)
        self.put(txrm(data))
        info, _ = self.read("path=scan.txrm")
        self.assertEqual((info.get("angles", []), info.get("pixel_size")), ([], None))
        info, _ = self.read("path=scan.txrm", "angles=0:70")
        np.testing.assert_allclose(np.degrees(info["angles"]), np.arange(7) * 10)
        # A scan that was ended early has the angles of all images.
        self.put(txrm(data, range(20), NoOfImages=20))
        info, array = self.read("path=scan.txrm")
        np.testing.assert_array_equal(array, data)
        np.testing.assert_allclose(np.degrees(info["angles"]), range(7))
        self.assertEqual(info["warnings"], ["'scan.txrm' should have 20 images, but has 7, which are used"])
        self.put(txrm(data, range(5)))
        self.fails("'scan.txrm' has 7 projections and 5 angles in ImageInfo/Angles: set angles= to give the right ones")
        self.put(txrm(data, [0, 1, float("nan"), 3, 4, 5, 6]))
        self.fails("'scan.txrm' ImageInfo/Angles: value 2 is nan: numbers must be from -1e9 to 1e9")

    def test_other_files(self):
        data = self.random(SHAPE, np.uint16)
        self.put(compound({"WordDocument": b"text" * 3000}))
        self.fails("'scan.txrm' is an OLE2 file without ImageInfo, so it is not a .txrm or .xrm file of Zeiss: export its images as TIFF")
        for more, what in (({"DataType": 3}, "contains values of the type 3 (ImageInfo/DataType): only 5 (u16) and 10 (f32) work; export it as "
                                             "TIFF"),
                           ({"ImageHeight": 0}, "is damaged: ImageInfo describes 7 images of 30 x 0 pixels"),
                           ({"ImageWidth": 2**30}, "has 7 x 10 x 1073741824 pixels: at most 4194304 along an axis work"),
                           ({"ImageWidth": 31}, "is damaged: ImageData1/Image1 has 600 bytes, 620 are needed"),
                           ({"ImageWidth": 40000}, None), ({"NoOfImages": None}, "is damaged: it has no ImageInfo/NoOfImages"),
                           ({"ImageHeight": b"\1\0"}, "is damaged: ImageInfo/ImageHeight has 2 bytes, 4 are needed")):
            content = txrm(data, **more)
            self.put(content)
            self.fails("'scan.txrm' " + (what or "is truncated: its 7 images have 800000 bytes each, and the file has "
                                         f"{len(content)}"))
        content = txrm(data).replace("Image1\0".encode("utf-16-le"), "Other1\0".encode("utf-16-le"))
        for i in range(2, 8):
            content = content.replace(f"Image{i}\0".encode("utf-16-le"), f"Other{i}\0".encode("utf-16-le"))
        self.put(content)
        self.fails("'scan.txrm' has no ImageData1/Image1: it contains no image")
        self.put(txrm(data).replace("Image3\0".encode("utf-16-le"), "Other3\0".encode("utf-16-le")))
        self.fails("'scan.txrm' is damaged: it has no ImageData1/Image3")

    def test_damaged(self):
        data = self.random((3, 50, 60), np.uint16)
        good = txrm(data, range(3))
        size = len(good)
        at, = struct.unpack_from("<I", good, 48)  # the directory's first sector
        directory = 512 * (at + 1)
        table, = struct.unpack_from("<I", good, 76)
        table = 512 * (table + 1)

        def put(*changes):
            content = bytearray(good)
            for place, value in changes:
                struct.pack_into("<I", content, place, value)
            self.put(content)

        self.put(good[:100])
        self.fails("'scan.txrm' is truncated: 412 bytes are missing at byte 100")
        put((28, 0x9FEFF))
        self.fails("'scan.txrm' is damaged: its header gives the byte order as feff, but it must be fffe")
        put((30, 0x0006000D))
        self.fails("'scan.txrm' is damaged: its header describes sectors of 2^13 bytes, and of 2^6 up to 4096")
        put((56, 2**31))
        self.fails("'scan.txrm' is damaged: its header describes sectors of 2^9 bytes, and of 2^6 up to 2147483648")
        put((48, 10**6))
        self.fails(f"'scan.txrm' is truncated: 512 bytes are missing at byte {512 * (10**6 + 1)}")
        put((48, 0xFFFFFFFE))
        self.fails("'scan.txrm' is damaged: its directory has no root")
        put((76, 0xFFFFFFFF))
        self.fails(f"'scan.txrm' is damaged: the table does not say which sector follows sector {at}")
        put((table + 4 * at, at))
        self.fails("'scan.txrm' is damaged: its directory contains a loop")
        put((68, 0), (512 + 508, 0))
        self.fails("'scan.txrm' is damaged: its table of sectors contains a loop")
        put((directory + 128 + 76, 1))  # ImageInfo is within itself
        self.fails("'scan.txrm' is damaged: its directory is not a tree")
        put((directory + 76, 10**6))
        self.fails("'scan.txrm' is damaged: its directory is not a tree")
        put((directory + 120, 2**31))
        self.fails(f"'scan.txrm' is truncated or damaged: the storage of its small streams has 2147483648 bytes, the file {size}")
        first = 0  # the first image's first sector
        put((table + 4 * (first + 3), 0xFFFFFFFE))
        self.fails("'scan.txrm' is damaged: ImageData1/Image1 ends after 2048 of 6000 bytes")
        put((table + 4 * (first + 3), 10**6))
        self.fails(f"'scan.txrm' is truncated: ImageData1/Image1 is at byte {512 * (10**6 + 1)}, too, and the file has {size}")
        small, = struct.unpack_from("<I", good, 60)
        small = 512 * (small + 1)
        fields = [0xFFFFFFFE] * 5
        content = good[:small] + struct.pack("<5I", *fields) + good[small + 20:]
        self.put(content)  # small streams are of one sector here, which need none to follow
        info, array = self.read("path=scan.txrm")
        np.testing.assert_array_equal(array, data)
        os.truncate("scan.txrm", 512 * 20)
        with self.assertRaisesRegex(Exception, "^'scan.txrm' is truncated: "):
            self.chain("read", "path=scan.txrm")


unittest.main()
