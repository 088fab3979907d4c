#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Geometry from files of other programs and from HDF5, against the formulas of each program."""
import json
import random
import subprocess
import unittest

import h5py
import numpy as np

from filestest import CHAIN, FilesTest

N, ROWS, COLUMNS = 7, 10, 13
SCAN = f"width={COLUMNS}", f"height={ROWS}", f"projections={N}", "object=shepp-logan-3d", "density=1"
rng = np.random.default_rng(3)
POINTS = rng.uniform(-3, 3, (20, 3))


def seen(views, points=POINTS):
    """Columns and rows where points are seen: the ray through each cut with the plane of the detector."""
    spots = []
    for view in views:
        source, corner, column, row = np.reshape(view[-12:], (4, 3))
        for point in points:
            ray = source if view[0] == "parallel" else point - source
            spots.append(np.linalg.solve(np.stack([column, row, -ray], 1), point - corner)[:2])
    return np.array(spots)


def turn(axis, angle):
    """The matrix of a right-handed turn about x, y or z."""
    c, s = np.cos(angle), np.sin(angle)
    return {"x": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]), "y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
            "z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])}[axis]


def homogeneous(rotation=np.eye(3), shift=(0, 0, 0)):
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, shift
    return matrix


class Rtk:
    """What ThreeDCircularProjectionGeometry documents: M = translation x magnification x source x rotation."""
    def __init__(self, parallel=False, tilts=1.0, helix=False, **given):
        self.parts = [dict(SourceToIsocenterDistance=100.0, SourceToDetectorDistance=0.0 if parallel else 160.0,
                           GantryAngle=50.0 * i % 360, ProjectionOffsetX=0.7 * tilts, ProjectionOffsetY=-0.4 * tilts,
                           SourceOffsetX=0.3 * tilts, SourceOffsetY=0.2 * tilts, InPlaneAngle=4.0 * tilts,
                           OutOfPlaneAngle=-3.0 * tilts) | given for i in range(N)]

    def matrix(self, i):
        p = self.parts[i]
        sid, sdd = p["SourceToIsocenterDistance"], p["SourceToDetectorDistance"]
        angles = np.radians([-p["InPlaneAngle"], -p["OutOfPlaneAngle"], -p["GantryAngle"]])
        rotation = turn("z", angles[0]) @ turn("x", angles[1]) @ turn("y", angles[2])
        sx, sy = p["SourceOffsetX"], p["SourceOffsetY"]
        magnify = np.array([[-sdd, 0, 0, 0], [0, -sdd, 0, 0], [0, 0, 1, -sid]]) if sdd else \
            np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
        translate = np.array([[1, 0, sx - p["ProjectionOffsetX"]], [0, 1, sy - p["ProjectionOffsetY"]], [0, 0, 1]])
        return translate @ magnify @ homogeneous(shift=(-sx, -sy, 0)) @ homogeneous(rotation)

    def xml(self, matrices=True):
        lines = ['<?xml version="1.0"?>', "<!DOCTYPE RTKGEOMETRY>", '<RTKThreeDCircularGeometry version="3">']
        common = ["SourceToIsocenterDistance", "SourceToDetectorDistance"]
        lines += [f"  <{name}>{self.parts[0][name]!r}</{name}>" for name in common]
        for i, part in enumerate(self.parts):
            lines.append("  <Projection>")
            lines += [f"    <{name}>{value!r}</{name}>" for name, value in part.items() if name not in common]
            if matrices:
                lines.append("    <Matrix>")
                lines += ["      " + " ".join(repr(float(v)) for v in row) for row in self.matrix(i)]
                lines.append("    </Matrix>")
            lines.append("  </Projection>")
        return "\n".join(lines + ["</RTKThreeDCircularGeometry>"])

    def seen(self, pixel, middle=(COLUMNS / 2, ROWS / 2), points=POINTS):
        """RTK's x, y and z are our x, z and -y; an image of N columns begins at -(N - 1) / 2 spacings."""
        spots = []
        for i in range(N):
            for x, y, z in points:
                u, v, w = self.matrix(i) @ [x, z, -y, 1]
                spots.append((u / w / pixel + middle[0], v / w / pixel + middle[1]))
        return np.array(spots)


def astra_cone(angles, source, detector, pixel):
    """The documentation's conversion of `cone` to `cone_vec`."""
    s, c, zero = np.sin(angles), np.cos(angles), 0 * angles
    return np.stack([s * source, -c * source, zero, -s * detector, c * detector, zero, c * pixel, s * pixel, zero,
                     zero, zero, zero + pixel], 1)


def tigre(angles, more=()):
    geo = dict(DSD=160.0, DSO=100.0, dDetector=[0.5, 0.5], nDetector=[ROWS, COLUMNS], angles=[float(t) for t in angles])
    return geo | dict(more)


def tigre_seen(geo):
    """As TIGRE's projectors place source and detector (computeDeltas_Siddon), rows along z."""
    spots = []

    def each(name, n):
        return np.broadcast_to(np.reshape(geo.get(name, np.zeros(n)), (-1, n)), (N, n))

    for i, angle in enumerate(geo["angles"]):
        roll, pitch, yaw = each("rotDetector", 3)[i]
        tilt, round_z = turn("z", roll) @ turn("y", pitch) @ turn("x", yaw), turn("z", angle)
        (dv, du), (ov, ou), origin = geo["dDetector"], each("offDetector", 2)[i], each("offOrigin", 3)[i][::-1]
        dso, dsd, cor = (each(name, 1)[i, 0] for name in ("DSO", "DSD", "COR"))
        moved = cor * np.array([-np.sin(angle), np.cos(angle), 0]) - origin
        place = lambda v: round_z @ v + moved
        pixel = lambda u, v: place(tilt @ [0, du * (u - COLUMNS / 2 + 0.5), dv * (v - ROWS / 2 + 0.5)] +
                                   [dso - dsd, ou, ov])
        source, first = place(np.array([dso, 0, 0])), pixel(0, 0)
        u, v = pixel(1, 0) - first, pixel(0, 1) - first
        for point in POINTS:
            ray = round_z @ [-1, 0, 0] if geo.get("mode") == "parallel" else point - source
            spots.append(np.linalg.solve(np.stack([u, v, -ray], 1), point - first)[:2] + 0.5)
    return np.array(spots)


class Geometry(FilesTest):
    def simulated(self, *words):
        return self.chain("simulate", *SCAN, *words)[0][0]

    def views(self, content, *words, parallel=False):
        info = self.simulated(self.file(content), *words)
        return [("parallel" if parallel else "cone", *view) for view in info["views"]], info

    def file(self, content):
        with open("scan.geometry", "w") as file:
            file.write(content)
        return "geometry=scan.geometry"

    def lines(self, name, numbers):
        lines = (" ".join(repr(float(v)) for v in line) for line in np.reshape(numbers, (-1, 12)))
        return f"# {name}\n" + "\n".join(lines)

    def close(self, got, want, tolerance=1e-9):
        np.testing.assert_allclose(got, want, rtol=0, atol=tolerance)

    def test_rtk(self):
        for parallel in (False, True):
            rtk = Rtk(parallel)
            for matrices in (False, True):
                views, info = self.views(rtk.xml(matrices), "pixel-size=0.5", parallel=parallel)
                self.close(seen(views), rtk.seen(0.5))
                self.assertAlmostEqual(info["pixel_size"], 0.5, 14)
        # Angles go on where RTK's begin again at 0, and the other way round.
        self.close(np.diff(info["angles"]), np.radians(-50))
        views, _ = self.views(rtk.xml(), "pixel-size=0.5", "axis=5", "middle-row=4.25", parallel=True)
        self.close(seen(views), rtk.seen(0.5, (5, 4.25)))

    def test_astra(self):
        numbers = rng.uniform(-1, 1, (N, 12)) + np.array([90, -80, 3, -40, 50, -2, 2, 0, 0, 0, 0, 2])
        for name in ("cone_vec", "parallel3d_vec"):
            want = []
            for line in numbers:
                source, middle, u, v = np.reshape(line, (4, 3))
                for point in POINTS:
                    ray = point - source if name == "cone_vec" else source
                    across = np.linalg.solve(np.stack([u, v, -ray], 1), point - middle)[:2]
                    want.append(across + [COLUMNS / 2, ROWS / 2])
            views, _ = self.views(self.lines(name, numbers), parallel=name != "cone_vec")
            self.close(seen(views), want)

    def test_matrices(self):
        numbers = rng.uniform(-1, 1, (N, 3, 4)) + [[40, 0, 2, 400], [0, 2, 30, 350], [0.1, 6, 0, 70]]
        for parallel in (False, True):
            if parallel:
                numbers[:, 2] = [0, 0, 0, 2]
            want = []
            for matrix in numbers:
                spots = np.concatenate([POINTS, np.ones((20, 1))], 1) @ matrix.T
                want += list(spots[:, :2] / spots[:, 2:])
            views, _ = self.views(self.lines("matrices", numbers), "pixel-size=0.5", parallel=parallel)
            self.close(seen(views), want)
            if not parallel:
                self.close([np.linalg.norm(view[7:10]) for view in views], 0.5)

    def test_tigre(self):
        angles = np.linspace(0, 5, N)
        tilts = dict(rotDetector=[0.02, -0.03, 0.05], offDetector=[1.0, -2.0], offOrigin=[0.5, 1.5, -0.7], COR=0.3)
        lists = {"DSO": list(np.linspace(90, 110, N)), "offDetector": [[i, 2.0 * i] for i in range(N)]}
        for more in ({}, tilts, tilts | lists, tilts | {"mode": "parallel"}):
            geo = tigre(angles, more)
            views, info = self.views(json.dumps(geo), parallel="mode" in more)
            self.close(seen(views), tigre_seen(geo))
        self.close(np.diff(info["angles"]), -np.diff(angles))

    def test_same_projections_as_from_numbers(self):
        numbers = "source-origin=100", "origin-detector=60", "pixel-size=0.5"
        _, want = self.chain("simulate", *SCAN, "angles=0:-350", *numbers)
        angles = np.radians(np.arange(N) * 50.0)
        rtk = Rtk(tilts=0.0)
        axes = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
        pixels = np.array([[2, 0, COLUMNS / 2], [0, 2, ROWS / 2], [0, 0, 1]])
        for content, words in ((rtk.xml(), ["pixel-size=0.5"]),
                               (self.lines("cone_vec", astra_cone(angles, 100, 60, 0.5)), []),
                               (self.lines("matrices", [pixels @ rtk.matrix(i) @ axes for i in range(N)]), []),
                               (json.dumps(tigre(angles - np.pi / 2)), [])):
            info, got = self.chain("simulate", *SCAN, self.file(content), *words)
            self.close(got, want, 1e-6 * want.max())
            self.close(np.diff(info[0]["angles"]), np.radians(-50))

    def test_numbers_of_other_programs(self):
        """The table of the guide: what each number here is called and how it counts there."""
        theta = np.arange(N) * -50.0
        helix = 2 * theta / 360
        cone = "source-origin=100", "origin-detector=60", "pixel-size=0.5", "angles=0:-350"

        def same(content, words, *numbers):
            views, _ = self.views(content, *words)
            wanted = self.simulated(*cone, *numbers)["views"]
            self.close(seen(views), seen([("cone", *view) for view in wanted]))

        for numbers, rtk, geo in (
            (["axis=5.1"], {"ProjectionOffsetX": 0.7}, {"offDetector": [0, 0.7]}),
            (["middle-row=3.6"], {"ProjectionOffsetY": 0.7}, {"offDetector": [0.7, 0]}),
            (["detector-roll=3"], {"InPlaneAngle": -3.0}, {"rotDetector": [0, 0, np.radians(-3)]}),
            (["detector-pitch=3"], None, {"rotDetector": [0, np.radians(3), 0]}),
            (["detector-yaw=3"], None, {"rotDetector": [np.radians(3), 0, 0]}),
            (["axis-tilt=3"], {"OutOfPlaneAngle": -3.0}, None),
            (["helical-pitch=2"], {"SourceOffsetY": -helix, "ProjectionOffsetY": -helix},
             {"offOrigin": [[z, 0, 0] for z in helix]}),
        ):
            if rtk is not None:
                scan = Rtk(tilts=0.0)
                for i, part in enumerate(scan.parts):
                    part.update({name: float(np.broadcast_to(value, N)[i]) for name, value in rtk.items()})
                same(scan.xml(), ["pixel-size=0.5"], *numbers)
            if geo is not None:
                same(json.dumps(tigre(np.radians(-theta - 90), geo)), [], *numbers)
        vectors = astra_cone(np.radians(-theta), 100, 60, 0.5)
        same(self.lines("cone_vec", vectors), [])
        vectors[:, [2, 5]] -= helix[:, np.newaxis]
        vectors[:, 3:6] += 0.7 * vectors[:, 6:9] - 0.4 * vectors[:, 9:12]
        same(self.lines("cone_vec", vectors), [], "helical-pitch=2", "axis=5.8", "middle-row=5.4")

    def test_files_keep_views(self):
        words = ("source-origin=100", "origin-detector=60", "pixel-size=0.5", "detector-roll=3", "detector-pitch=2",
                 "detector-yaw=-4", "axis-tilt=10", "helical-pitch=3", "axis=6", "middle-row=4")
        for beam in (words, words[2:]):
            for node in ([], ["!", "interleave"]):
                wanted = self.simulated(*beam)
                self.chain("simulate", *SCAN, *beam, *node, "!", "write", "path=scan.h5", "overwrite=true")
                info, _ = self.read("path=scan.h5", *(["axes=sinograms"] if node else []))
                self.close(info["views"], wanted["views"], 1e-12)
                self.close(info["angles"], wanted["angles"], 1e-15)
                with h5py.File("scan.h5") as file:
                    stored = file["exchange/geometry"]
                    self.assertEqual(stored.shape, (N, 12))
                    self.assertEqual(stored.attrs["convention"], "cone_vec" if beam == words else "parallel3d_vec")
        whole = [("parallel", *view) for view in wanted["views"]]
        info, _ = self.read("path=scan.h5", "axes=sinograms", "columns=2:12:3", "rows=1::2", "projections=1::2")
        parts = [("parallel", *view) for view in info["views"]]
        # Pixel i is seen where pixel first + i step was.
        self.close(seen(parts) - 0.5, (seen(whole[1::2]) - 0.5 - [2, 1]) / [3, 2])
        self.close(info["pixel_size"], 1.5)

    def test_read_takes_numbers_and_files(self):
        words = "source-origin=100", "origin-detector=60", "pixel-size=0.5", "detector-roll=3"
        wanted = self.simulated(*words, "angles=0:90", "axis=6")
        self.chain("simulate", *SCAN, "angles=0:90", "!", "write", "path=scan.h5")
        info, _ = self.read("path=scan.h5", "axis=6", *words)
        self.close(info["views"], wanted["views"], 1e-12)
        vectors = astra_cone(np.radians(np.arange(N) * 20.0), 100, 60, 0.5)
        info, _ = self.read("path=scan.h5", self.file(self.lines("cone_vec", vectors)))
        self.close(np.diff(info["angles"]), np.radians(-20))
        self.close([view[:3] for view in info["views"]], vectors[:, :3])
        for word in ("angles=0:90", "axis=3", "source-origin=3", "detector-roll=1", "pixel-size=1", "middle-row=1"):
            with self.assertRaisesRegex(Exception, "leave .*out"):
                self.read("path=scan.h5", "geometry=scan.geometry", word)

    def test_nxtomo(self):
        def write(source=-0.1, **more):
            with h5py.File("scan.nx", "w") as file:
                entry = file.create_group("entry0000")
                entry["instrument/detector/data"] = np.zeros((N, ROWS, COLUMNS), np.uint16)
                entry["sample/rotation_angle"] = np.linspace(0, 90, N)
                lengths = {"instrument/detector/x_pixel_size": (500, "um"), "instrument/detector/distance": (6, "cm"),
                           "instrument/detector/y_pixel_size": (0.5, "mm"), "instrument/source/distance": (source, "m")}
                for name, (value, unit) in lengths.items():
                    entry[name] = float(value)
                    entry[name].attrs["units"] = more.get("unit", unit)
                entry["instrument/detector/x_rotation_axis_pixel_position"] = 5.5
        write()
        info, _ = self.read("path=scan.nx")
        wanted = self.simulated("source-origin=100", "origin-detector=60", "pixel-size=0.5", "axis=6",
                                "angles=0:105")
        self.close(info["views"], wanted["views"])
        self.close(info["angles"], np.radians(np.linspace(0, 90, N)))
        self.assertEqual((info["pixel_size"], info["axis"], len(info["warnings"])), (0.5, [6], 2))
        # Other distances leave the detector as it is.
        with h5py.File("scan.nx", "a") as file:
            file["entry0000/instrument/detector/y_pixel_size"][()] = 0.25
            file["entry0000/instrument/detector/y_rotation_axis_pixel_position"] = 1.5
        info, _ = self.read("path=scan.nx", "source-origin=200", "origin-detector=50")
        wanted = self.simulated("source-origin=200", "origin-detector=50", "pixel-size=0.5", "axis=6", "angles=0:105")["views"]
        source, corner, column, row = np.array(wanted).reshape(N, 4, 3).transpose(1, 0, 2)
        wanted = np.stack([source, corner + (ROWS / 2 - 1) * row, column, row / 2], 1)  # row 2 is now in the middle
        self.close(np.array(info["views"]).reshape(N, 4, 3), wanted)
        write(source=-145)  # of a synchrotron
        info, _ = self.read("path=scan.nx")
        self.assertEqual((info["views"], info["axis"]), ([], [6]))
        info, _ = self.read("path=scan.nx", "angles=0:90")
        self.assertEqual(info["views"], [])
        write(unit="parsec")
        info, _ = self.read("path=scan.nx")
        self.assertEqual((info["views"], info.get("pixel_size")), ([], None))
        self.assertIn("the unit 'parsec' is unknown", " ".join(info["warnings"]))
        with h5py.File("scan.nx", "a") as file:
            file["entry0000/instrument/detector/image_key"] = [1, *[0] * (N - 1)]
        info, _ = self.read("path=scan.nx")
        self.close(info["angles"], np.radians(np.linspace(0, 90, N))[1:])

    def test_part_of_a_beam(self):
        with self.assertRaisesRegex(Exception, "middle-row=2 is for a cone or tilted beam: give source-origin="):
            self.simulated("middle-row=2")

    def test_slices(self):
        with h5py.File("slices.h5", "w") as file:
            file["exchange/data"] = np.zeros((2, 3, 4), np.float32)
        info, _ = self.read("path=slices.h5", "axes=slices", "pixel-size=0.25", "columns=0:4:2")
        self.assertEqual(info["pixel_size"], 0.5)

    def test_refuses(self):
        where, line = "geometry: 'scan.geometry': ", " ".join(["1"] * 12)
        first = "the first line must give the kind of numbers: cone_vec, parallel3d_vec or matrices"
        rtk = Rtk().xml()
        geo = tigre(np.arange(N))
        for content, message, *words in (
            ("", "it is empty"),
            (line, "line 1: " + first),
            ("\n# cone-vec\n", f"line 2: 'cone-vec': {first}"),
            ("# cone_vec\n1 2 3", "line 2: 12 numbers are needed, but there are 3 words"),
            ("cone_vec\n# more\n" + line[:-1] + "x", "line 3: 'x' is not a number from -1e12 to 1e12"),
            ("cone_vec\n" + line[:-1] + "nan", "line 2: 'nan' is not a number from -1e12 to 1e12"),
            ("cone_vec\n" + f"{line}\n" * 8, f"line 9: there is no projection for it, the scan has {N}"),
            ("cone_vec\n" + f"{line}\n" * 6, f"it has 6 projections and the scan has {N}: it needs one for each"),
            ("cone_vec\n" + f"{line}\n" * 7,
             "projection 0: the rays are parallel to the detector, or its columns to its rows"),
            ("matrices\n" + f"{'0 ' * 12}\n" * 7, "projection 0: a matrix cannot have a last line of zeros"),
            (rtk, "line 19: the file does not give the detector pitch: set pixel-size="),
            (rtk.replace("SourceOffsetX", "SourceOfsetX"), "line 10: unknown element 'SourceOfsetX': did you mean 'SourceOffsetX'?", "pixel-size=1"),
            (rtk.replace("<InPlaneAngle>4.0", "<InPlaneAngle>14.0"),
             "line 19: the matrix does not fit the distances, offsets and angles", "pixel-size=1"),
            (rtk.replace("RTKThree", "Three"),
             "line 3: the file must have RTKThreeDCircularGeometry, not ThreeDCircularGeometry"),
            (rtk.replace("<GantryAngle>50.0", "<GantryAngle>inf"),
             "line 21: GantryAngle: 'inf' is not a number from -1e12 to 1e12", "pixel-size=1"),
            (rtk[:len(rtk) // 2], None, "pixel-size=1"),
            (json.dumps(geo)[:60], None),
            (json.dumps(geo | {"DSD": "far"}), "$.DSD: must be a number"),
            (json.dumps(geo | {"DSD": 1e300}), "$.DSD: it must be a number from -1e12 to 1e12"),
            (json.dumps(geo | {"nDetector": [3, 4]}),
             f"$.nDetector: 3 rows and 4 columns, but the scan has {ROWS} and {COLUMNS}"),
            (json.dumps(geo | {"rotDetector": [1]}),
             f"$.rotDetector: it must be a list of 3 numbers, or one such list for each of {N} projections"),
            (json.dumps(geo | {"DSO": [1, 2]}),
             f"$.DSO: it must be a number, or a list of {N}, one for each projection"),
            (json.dumps(geo | {"angle": 1}), "$.angle: unknown key, did you mean 'angles'?"),
        ):
            with self.assertRaises(Exception) as caught:
                self.simulated(self.file(content), *words)
            if message:
                self.assertEqual(caught.exception.message, where + message)
            else:
                self.assertTrue(caught.exception.message.startswith(where), caught.exception.message)

    def test_geometry_that_cannot_be(self):
        rtk, geo = Rtk().xml(), tigre(np.arange(N))
        for content, message, *words in ((rtk.replace('version="3"', 'version="1"'), "line 3: version 1 of RTK's geometry is not supported, only 2 and 3", "pixel-size=1"),
            (rtk.replace("SourceOffsetX", "DetectorBend"), "unknown element 'DetectorBend': leave it out if it has no effect", "pixel-size=1"),
            (json.dumps(geo | {"DSD": geo["DSO"], "DSO": geo["DSD"]}), "projection 0: the detector is in front of the axis: the distance from the source is"),
            (json.dumps(geo | {"DSO": -100}), "projection 0: the axis is behind the source"),
            (json.dumps(geo | {"dDetector": [0.5, -0.5]}), "$.dDetector: the sizes of a pixel must be above 0")):
            with self.assertRaises(Exception) as caught:
                self.simulated(self.file(content), *words)
            self.assertIn(message, caught.exception.message)

    def test_damage_is_an_error(self):
        """Any change of a byte gives a scan or an error, never an end of the process."""
        dice = random.Random(1)
        for content, words in ((Rtk().xml(), ["pixel-size=1"]), (json.dumps(tigre(np.arange(N))), []),
                               (self.lines("cone_vec", astra_cone(np.arange(N), 100, 60, 0.5)), [])):
            for _ in range(25):
                bytes_ = bytearray(content.encode())
                for _ in range(dice.randint(1, 4)):
                    bytes_[dice.randrange(len(bytes_))] = dice.randrange(dice.choice([128, 256]))
                with open("scan.geometry", "wb") as file:
                    file.write(bytes_[:dice.choice([len(bytes_), dice.randrange(len(bytes_))])])
                done = subprocess.run([CHAIN, "simulate", *SCAN, "geometry=scan.geometry", *words], capture_output=True)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertTrue(done.returncode == 0 or b"geometry: 'scan.geometry': " in done.stdout, done.stdout)


if __name__ == "__main__":
    unittest.main()
