# SPDX-License-Identifier: LGPL-3.0-or-later
"""`read` of JPEG images against Pillow's decoder. Costs 1 s."""
import io
import os
import unittest

import numpy as np
from filestest import FilesTest

try:
    from PIL import Image
except ImportError as why:
    raise unittest.SkipTest(f"{why}: what would write JPEG?")

ANGLES = "angles=0:180"


def jpeg(values, **how):
    out = io.BytesIO()
    Image.fromarray(values).save(out, "JPEG", **{"quality": 90} | how)
    return out.getvalue()


def decoded(content):
    return np.asarray(Image.open(io.BytesIO(content)))


class Jpeg(FilesTest):
    def smooth(self, shape=(5, 40, 61)):
        page, y, x = np.mgrid[:shape[0], :shape[1], :shape[2]]
        return (128 + 60 * np.sin(x / 9 + page) + 50 * np.cos(y / 7)).astype(np.uint8)

    def put(self, name, content):
        with open(name, "wb") as file:
            file.write(content)
        return content

    def fails(self, path, message, *words):
        self.refused("bad-file", message, "read", "path=" + path, ANGLES, *words)

    def test_sequences(self):
        data = self.smooth()
        os.mkdir("in")
        for how in {"quality": 30}, {"restart_marker_rows": 1, "optimize": True}, {"comment": b"x" * 60000}:
            truth = np.stack([decoded(self.put(f"in/p_{i}.jpg", jpeg(page, **how))) for i, page in enumerate(data)])
            self.assertLess(np.abs(truth.astype(int) - data).max(), 40)
            for path in "in/p_*.jpg", "in/p_%i.jpg", "in":
                info, array = self.read("path=" + path, ANGLES, rows=7, angles=3, threads=2)
                self.assertEqual(info["element"], "u8")
                self.assertLess(np.abs(array.astype(int) - truth).max(), 2)  # decoders may round differently
            self.assertEqual(info["warnings"], ["'in/p_0.jpg' is JPEG, which rounds values in blocks of 8 x 8 pixels: use the original "
                                                "images if they exist"])
            _, part = self.read("path=in/p_*.jpg", ANGLES, "projections=::2", "rows=3:30:4", "columns=1:50:7")
            np.testing.assert_array_equal(part, array[::2, 3:30:4, 1:50:7])
        self.put("named.dat", jpeg(data[2]))
        _, array = self.read("path=named.dat", ANGLES)
        self.assertEqual(array.shape, (1, 40, 61))

    def test_other_images_go_first(self):
        data = self.smooth()
        self.put("preview.jpg", jpeg(data[0]))
        np.save("scan.npy", data)
        _, array = self.read("path=.", ANGLES)
        np.testing.assert_array_equal(array, data)

    def test_refusals(self):
        data = self.smooth()
        whole = jpeg(data[0])
        self.put("c.jpg", jpeg(np.repeat(data[0][..., None], 3, 2)))
        self.fails("c.jpg", "'c.jpg' contains colours: convert it to grey values")
        self.put("p.jpg", jpeg(data[0], progressive=True))
        self.fails("p.jpg", "'p.jpg' is progressive: write it again as a baseline JPEG")
        self.put("a_0.jpg", whole)
        self.put("a_1.jpg", jpeg(data[1][:30]))
        self.fails("a_*.jpg", "'a_1.jpg' is 30 x 61 u8, but 'a_0.jpg' is 40 x 61 u8: all images of a scan must have the same size and type")
        self.put("t.jpg", whole[:len(whole) // 2])
        self.fails("t.jpg", "'t.jpg' is damaged: the file ends before its pixels do")
        self.put("t.jpg", whole[:40])
        self.fails("t.jpg", "'t.jpg' is damaged: the file ends before its pixels do")
        self.put("h.jpg", whole[:20])
        self.fails("h.jpg", "'h.jpg' is damaged: the file ends before its pixels do")
        place = whole.index(b"\xff\xda") + 14
        self.put("d.jpg", whole[:place] + b"\xff\xc0" + whole[place + 2:])
        self.fails("d.jpg", "'d.jpg' is damaged: Corrupt JPEG data: premature end of data segment")
        # 65500 lines that are not there.
        size = whole.index(b"\xff\xc0") + 5
        self.put("b.jpg", whole[:size] + b"\xff\xdc" + whole[size + 2:])
        self.assertGreater(os.path.getsize("b.jpg"), 0)
        with self.assertRaisesRegex(Exception, "'b.jpg' is damaged: "):
            self.read("path=b.jpg", ANGLES)


if __name__ == "__main__":
    unittest.main(verbosity=2)
