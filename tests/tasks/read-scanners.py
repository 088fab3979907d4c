# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of scanners' descriptions: texts in every form, wrong and missing values, images that do not fit, properties beside them.
Whole scans of each kind are in tests/graphs/scanners.py. Costs 3 s."""
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "graphs"))
import hospital_scans as hospital
import numpy as np
import tifffile
from filestest import FilesTest

SHAPE = (4, 6, 8)
NIKON = {"Name": "part", "InputSeparator": "_", "SrcToObject": "100", "SrcToDetector": "400", "DetectorPixelsX": "8", "DetectorPixelsY": "6",
         "DetectorPixelSizeX": "0.2", "DetectorPixelSizeY": "0.2", "WhiteLevel": "60000", "Projections": "4", "InitialAngle": "30",
         "AngularStep": "90"}
SKYSCAN = {"Filename Prefix": "part", "Number Of Files": "4", "Number of Rows": "6", "Number of Columns": "8", "Optical Axis (line)": "2",
           "Object to Source (mm)": "50", "Camera to Source (mm)": "200", "Image Pixel Size (um)": "25", "Rotation Step (deg)": "90",
           "Flat Field Correction": "ON"}


class Scanners(FilesTest):
    def setUp(self):
        super().setUp()
        self.data = self.random(SHAPE, np.uint16)

    def images(self, name, first, data=None):
        for i, image in enumerate(self.data if data is None else data):
            tifffile.imwrite(name.format(first + i), image)

    def nikon(self, form="{}", name="part.xtekct", **changes):
        self.images("part_{:04d}.tif", 1)
        values = {k: v for k, v in (NIKON | changes).items() if v is not None}
        content = "[XTekCT]\n" + "".join(f"{k}={v}\n" for k, v in values.items()) + "[CTPro]\nName=other\n"
        Path(name).write_bytes(form(content) if callable(form) else form.format(content).encode())

    def skyscan(self, reconstruction="", **changes):
        self.images("part{:04d}.tif", 0)
        values = {k: v for k, v in (SKYSCAN | changes).items() if v is not None}
        Path("part.log").write_text("[System]\nScanner=SkyScan1172\n[Acquisition]\n" + "".join(f"{k}={v}\n" for k, v in values.items()) +
                                    "[Reconstruction]\n" + reconstruction)

    def fails(self, message, path="part.xtekct", *words):
        self.refused("bad-file", message, "read", f"path={path}", *words)

    def close(self, got, want):
        np.testing.assert_allclose(got, want, atol=1e-6)

    def test_texts(self):
        """In Windows' form, with a mark, in UTF-16, in letters of one byte, with commas and blanks, in letters of any case."""
        self.nikon()
        info, array = self.read("path=part.xtekct")
        self.close(array, self.data.astype(np.float32) / 60000)
        self.close(np.degrees(info["angles"]), [30, 120, 210, 300])
        self.close(info["views"][0][:3], [-50, -50 * 3 ** 0.5, 0])
        self.assertEqual((info["warnings"], info["pixel_size"]), ([], 0.2))
        views = info["views"]
        for form in (lambda t: t.replace("\n", "\r\n").encode(), lambda t: b"\xef\xbb\xbf" + t.encode(),
                     lambda t: t.replace("Name=part", "Operator=J\xfcrgen\nName=part").encode("latin-1"),
                     lambda t: t.replace("0.2", "0,2").replace("=", " = ").encode(), lambda t: t.replace("SrcToObject", "srctoobject").encode()):
            self.nikon(form)
            self.assertEqual(self.read("path=part.xtekct")[0]["views"], views)
        for name in os.listdir("."):
            if name.endswith(".tif"):
                os.rename(name, name.upper())
        self.assertEqual(self.read("path=part.xtekct")[0]["views"], views)

    def test_nikon_values(self):
        for changes, message in (
                ({"SrcToObject": None}, "'part.xtekct' has no 'SrcToObject' in [XTekCT]"),
                ({"WhiteLevel": ""}, "'part.xtekct' has no 'WhiteLevel' in [XTekCT]"),
                ({"SrcToObject": "far"}, "'part.xtekct': 'SrcToObject' is 'far', which is not a number"),
                ({"SrcToObject": "nan"}, "'part.xtekct': 'SrcToObject' is 'nan', which is not a number"),
                ({"SrcToObject": "-100"}, "'part.xtekct': 'SrcToObject' is -100, but it must be from 1e-06 to 1e+09"),
                ({"SrcToDetector": "90"}, "'part.xtekct': 'SrcToDetector' is 90 and 'SrcToObject' 100, but the detector is behind the object"),
                ({"Projections": "4.5"}, "'part.xtekct': 'Projections' is 4.5, but it must be a whole number"),
                ({"Projections": "0"}, "'part.xtekct': 'Projections' is 0, but it must be from 1 to 4.1943e+06"),
                ({"Projections": "6"}, "'part.xtekct' describes 6 images 'part_*.tif', and 2 of them are missing: the first has the number 5"),
                ({"DetectorPixelsX": "9"}, "'part.xtekct' describes images of 9 columns and 6 rows, and 'part_0001.tif' has 8 and 6: were the images "
                                           "cropped, binned or stitched?"),
                ({"ObjectTilt": "89"}, "'part.xtekct': 'ObjectTilt' is 89, but it must be from -80 to 80"),
                ({"AngularStep": None}, "'part.xtekct' has no 'AngularStep' in [XTekCT], and there is no file of its angles beside it: add the line "
                                        "'AngularStep=...', or set angles="),
                ({"ObjectOffsetX": "1e7"}, "'part.xtekct': its distances, offsets and tilts do not fit together: the ray through the axis does not meet the "
                                           "front of the detector")):
            self.nikon(**changes)
            self.fails(message)
        self.nikon(Name="absent")  # found by the name of the description
        self.read("path=part.xtekct")
        os.remove("part_0003.tif")
        self.nikon(lambda t: t.encode())
        os.remove("part_0003.tif")
        self.fails("'part.xtekct' describes 4 images 'part_*.tif', and 1 of them is missing: the first has the number 3")
        Path("other.xtekct").write_text("[Other]\nx=1\n")
        self.fails("'other.xtekct' has no 'Projections' in [XTekCT]", "other.xtekct")

    def test_two_images_with_one_number(self):
        self.nikon()
        for other in "part_0002.tiff", "PART_2.TIF":
            tifffile.imwrite(other, self.data[0])
            first, second = sorted((other, "part_0002.tif"))
            self.fails(f"'{first}' and '{second}' are both image number 2 of a scan: move the one that does not belong to it to another folder")
            os.remove(other)
        self.read("path=part.xtekct")

    def test_nikon_angles(self):
        lines = "Projs\tFrames\tExposure(ms)\n4\t1\t500\nProjection\tAngle(deg)\tTime(s)\n1\t0.0\t0\n2\t91.0\t1\n3\t180.5\t2\n4\t269\t3\n"
        Path("_CTData.txt").write_text(lines.replace("\n", "\r\n"))
        self.nikon(AngularStep=None)
        self.close(np.degrees(self.read("path=part.xtekct")[0]["angles"]), [30, 121, 210.5, 299])
        self.nikon()
        info, _ = self.read("path=part.xtekct")
        self.close(np.degrees(info["angles"]), [30, 120, 210, 300])
        self.assertEqual(info["warnings"], [])
        Path("_CTData.txt").write_text(lines.replace("91.0", "150"))
        info, _ = self.read("path=part.xtekct")
        self.assertEqual(info["warnings"], ["'part.xtekct': its even steps of 90 degrees are used, from which the angles in '_CTData.txt' differ by up to "
                                            "60 degrees"])
        os.remove("_CTData.txt")
        Path("part.ang").write_text("Proj\tAngle(deg)\n" + "".join(f"{i}:\t{-90.0 * (i - 1)}\n" for i in (4, 3, 2, 1)))
        self.nikon(AngularStep=None)
        self.close(np.degrees(self.read("path=part.xtekct")[0]["angles"]), [30, -60, -150, -240])
        info, _ = self.read("path=part.xtekct", "angles=0:360")
        self.close(np.degrees(info["angles"]), [0, 90, 180, 270])

    def test_properties_replace_single_numbers(self):
        self.nikon(InitialAngle="0")
        info, _ = self.read("path=part.xtekct", "source-origin=80", "axis=5", "middle-row=2")
        self.close(info["views"][0], [0, -80, 0, -1, 300, -0.4, 0.2, 0, 0, 0, 0, 0.2])
        info, array = self.read("path=part.xtekct", "values=counts")
        np.testing.assert_array_equal(array, self.data)
        tifffile.imwrite("flat.tif", self.data[0])
        info, array = self.read("path=part.xtekct", "flats=flat.tif")
        np.testing.assert_array_equal(array, self.data)
        self.close(self.read("path=part.xtekct", "columns=2:6", "rows=1:3", "projections=1:3")[1], self.data[1:3, 1:3, 2:6].astype(np.float32) / 60000)

    def test_skyscan_values(self):
        self.skyscan("Postalignment=1,5\n")
        info, array = self.read("path=part.log")
        np.testing.assert_array_equal(array, self.data)
        self.close(np.degrees(info["angles"]), [0, -90, -180, -270])
        self.close(info["views"][0], [0, -50, 0, -0.25, 150, -0.4, 0.1, 0, 0, 0, 0, 0.1])
        for changes, message in (
                ({"Rotation Step (deg)": "0"}, "'part.log': 'Rotation Step (deg)' is 0, but it must be from 1e-06 to 180"),
                ({"Object to Source (mm)": "300"}, "'part.log': 'Camera to Source (mm)' is 200 and 'Object to Source (mm)' 300, but the camera is behind the "
                                                   "object"),
                ({"Image Pixel Size (um)": None}, "'part.log' has no 'Image Pixel Size (um)' in [Acquisition]"),
                ({"Scanning Trajectory": "SPIRAL"}, "'part.log': its 'Scanning Trajectory' is 'SPIRAL': only ROUND works"),
                ({"Rotation Direction": "UP"}, "'part.log': its 'Rotation Direction' is 'up': only CC and CW work"),
                ({"Filename Index Length": "8"}, "'part.log' describes 4 images 'part########.tif', and 4 of them are missing: the first has the number 0")):
            self.skyscan(**changes)
            self.fails(message, "part.log")
        self.skyscan("[File name convention]\nFilename Prefix=part_rec\n")
        self.fails("'part.log' describes reconstructed slices: give the .log beside the projections", "part.log")
        self.skyscan(**{"Number Of Files": "5", "Rotation Step (deg)": "50"})
        self.assertEqual(self.read("path=part.log")[0]["warnings"], ["'part.log' counts 5 files, and the last is not there: the others are used"])
        self.skyscan(**{"Number Of Files": "4", "Rotation Step (deg)": "180", "Image Rotation": "0.5", "Number of connected scans": "3"})
        self.assertEqual(self.read("path=part.log")[0]["warnings"], [
            "'part.log': the 2 images after the first turn repeat its begin and are left out",
            "'part.log': its 'Image Rotation' of 0.5 degrees is not applied: set detector-roll= if the slices show that the axis leans",
            "'part.log' is one of 3 scans along the axis, and is read alone"])

    def test_varian_images(self):
        """Every size of difference, in both kinds, against the values."""
        image = np.cumsum(self.rng.choice([0, 1, -1, 100, -128, 127, 300, -32768, 32767, 70000], (6, 9)).ravel()).reshape(6, 9) + 200000
        for name, content in (("a.xim", hospital.xim(image)), ("b.xim", hospital.xim(image, compressed=False)),
                              ("c.hnd", hospital.hn(image[:, :8], 0, (1, 1), True)), ("d.hnc", hospital.hn(image % 60000, 0, (1, 1), False))):
            Path(name).write_bytes(content)
            want = image[:, :8] if name[0] == "c" else image % 60000 if name[0] == "d" else image
            _, array = self.read(f"path={name}", "values=counts")
            np.testing.assert_array_equal(array[0], want)
            for cut in 10, len(content) // 2:
                Path("cut" + name[1:]).write_bytes(content[:cut])
                with self.assertRaises(Exception):
                    self.read(f"path=cut{name[1:]}", "values=counts")
        Path("e.his").write_bytes(hospital.his(image % 60000))
        np.testing.assert_allclose(self.read("path=e.his")[1][0], 1 - image % 60000 / 65536, rtol=1e-6)
        np.testing.assert_array_equal(self.read("path=e.his", "values=counts")[1][0], image % 60000)

    def test_varian_folders(self):
        """Gaps between the numbers, and several folders, are said; each image has its own angle."""
        Path("Scan.xml").write_text("<Scan><SAD>1000</SAD><SID>1500</SID></Scan>")
        image = np.arange(20).reshape(4, 5)
        for folder, numbers in ("Acquisitions/1", (1, 2, 5)), ("Acquisitions/2", (7,)), ("Acquisitions/empty", ()):
            os.makedirs(folder)
            for i in numbers:
                Path(f"{folder}/Proj_{i:05d}.xim").write_bytes(hospital.xim(image + i, PixelWidth=0.04, PixelHeight=0.04, KVSourceRtn=10.0 * i))
        info, array = self.read("path=Scan.xml")
        np.testing.assert_array_equal(array[:, 0, 0], [1, 2, 5, 7])
        self.assertEqual(info["warnings"][:2], [
            "'Scan.xml': 2 of the projections 'Proj_*' from number 1 to 5 in './Acquisitions/1' are missing, the first has the number 3: the others "
            "are used",
            "'Scan.xml': its projections lie in 2 folders, './Acquisitions/1' and './Acquisitions/2', and are read as one scan: move those that do "
            "not belong to it elsewhere"])
        os.rename("Acquisitions/1/Proj_00005.xim", "Acquisitions/1/Proj_0002.hnd")
        self.fails("'./Acquisitions/1/Proj_00002.xim' and './Acquisitions/1/Proj_0002.hnd' are both image number 2 of a scan: move the one that does "
                   "not belong to it to another folder", "Scan.xml")

    def test_hospital_values(self):
        Path("_Frames.xml").write_text("<Frames><Frame><GantryAngle>x</GantryAngle><UCentre>0</UCentre></Frame></Frames>")
        self.fails("'_Frames.xml': GantryAngle of frame 1 is 'x', which is not a number from -1e+06 to 1e+06", "_Frames.xml")
        Path("_Frames.xml").write_text("<Frames><Frame><GantryAngle>1</GantryAngle><UCentre>0</UCentre></Frame></Frames>")
        self.fails("'_Frames.xml' describes 1 frames, and there are 0 .his files beside it", "_Frames.xml")
        Path("Scan.xml").write_text("<Scan><SAD>1000</SAD><SID>1500</SID></Scan>")
        self.fails("'Scan.xml': there are no projections 'Proj_*' (.hnc, .hnd or .xim) beside it, or in 'Acquisitions/*'", "Scan.xml")
        Path("Scan.xml").write_text("<Scan><SAD>1000</SAD><SID>1500</SID>" + "".join(f"<a{i:06x}>1</a{i:06x}>" for i in range(250000)) + "</Scan>")
        self.fails("cannot read the description of a scan 'Scan.xml': it is larger than 4.0 MiB", "Scan.xml")
        Path("Scan.xml").write_text("<Scan><SAD>1000</SAD><SID>1500</SID></Scan>")
        Path("Proj_1.xim").write_bytes(hospital.xim(np.full((4, 5), 7), PixelWidth=0.04, PixelHeight=0.04))
        self.fails("'Proj_1.xim' has no angle of the gantry", "Scan.xml")
        Path("Scan.xml").write_text("<Scan><SAD>1000</SAD><SID>900</SID></Scan>")
        self.fails("'Scan.xml': its source is 900 from the detector and 1000 from the axis, which is not between them", "Scan.xml")


if __name__ == "__main__":
    unittest.main()
