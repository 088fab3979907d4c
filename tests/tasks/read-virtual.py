# SPDX-License-Identifier: LGPL-3.0-or-later
"""Images of virtual datasets that were never written, however these take them from their sources. Costs 3 s."""
import os
import unittest

import h5py
import numpy as np
from filestest import FilesTest, NodeError

N = 12
SHAPE = (N, 4, 8)


class Bare(FilesTest):
    def setUp(self):
        super().setUp()
        self.data = self.random(SHAPE, np.uint16) | 1  # no zeros

    def source(self, name, shape, written, chunks=(1, 4, 8), most=None):
        """A file some images of which were written: pairs of where, and of which values."""
        with h5py.File(name, "w") as file:
            made = file.create_dataset("data", shape, np.uint16, chunks=chunks, maxshape=most)
            for place, values in written:
                made[place] = values

    def layout(self, fill, shape=SHAPE):
        layout = h5py.VirtualLayout(shape, np.uint16)
        fill(layout)
        with h5py.File("scan.h5", "w", libver="latest") as file:
            file.create_virtual_dataset("exchange/data", layout)

    def whole(self, truth=None):
        _, array = self.read("path=scan.h5", "angles=0:180")
        np.testing.assert_array_equal(array, self.data if truth is None else truth)

    def lacks(self, which, n, of=N):
        with self.assertRaisesRegex(NodeError, f"{n} of the {of} projections of .* were never written, or only in part: {which}: "):
            self.read("path=scan.h5", "angles=0:180")

    def every_second(self, layout):
        for k in range(2):
            layout[k::2] = h5py.VirtualSource(f"part-{k}.h5", "data", SHAPE)[k::2]

    def test_every_second_image(self):
        """Two files of full length, each with the images of its own."""
        for k in range(2):
            self.source(f"part-{k}.h5", SHAPE, [(i, self.data[i]) for i in range(k, N, 2)])
        self.layout(self.every_second)
        self.whole()
        self.source("part-1.h5", SHAPE, [(i, self.data[i]) for i in (1, 3, 7, 11)])
        self.layout(self.every_second)
        self.lacks("5, 9", 2)

    def test_several_files_in_turn(self):
        def layout(to):
            for k in range(3):
                to[k::3] = h5py.VirtualSource(f"part-{k}.h5", "data", (4, 4, 8))

        for k in range(3):
            self.source(f"part-{k}.h5", (4, 4, 8), [(i, self.data[3 * i + k]) for i in range(4)])
        self.layout(layout)
        self.whole()
        self.source("part-2.h5", (4, 4, 8), [(i, self.data[3 * i + 2]) for i in range(3)])
        self.layout(layout)
        self.lacks("11", 1)

    def test_contiguous_files_in_turn(self):
        """Read from the files themselves; and layouts that only look like that."""
        for k in range(3):
            with h5py.File(f"part-{k}.h5", "w") as file:
                file["data"], file["swapped"] = self.data[k::3], self.data[k::3].astype(">u2")

        def source(k, name="data"):
            return h5py.VirtualSource(f"part-{k}.h5", name, (4, 4, 8), ">u2" if name == "swapped" else "<u2")

        def put(order, shift=0, name="data", columns=slice(None)):
            def layout(to):
                for k in order:
                    to[(k + shift) % 3::3, :, columns] = source(k, name)[:, :, columns]
            return layout

        turned = np.roll(self.data.reshape(4, 3, 4, 8), 1, axis=1).reshape(SHAPE)
        self.layout(put((0, 1, 2)))
        self.whole()
        self.layout(put((2, 0, 1)))
        self.whole()
        self.layout(put((0, 1, 2), shift=1))
        self.whole(turned)
        self.layout(put((0, 1, 2), name="swapped"))
        self.whole()

        # A file whose pixels are in a raw file.
        for k in range(3):
            with h5py.File(f"part-{k}.h5", "a") as file:
                file.create_dataset("raw", (4, 4, 8), "<u2", external=[(f"raw-{k}.bin", 0, 4 * 4 * 8 * 2)])[:] = self.data[k::3]
        self.layout(put((0, 1, 2), name="raw"))
        self.whole()

        def backwards(to):
            for k in range(3):
                for i in range(4):
                    to[3 * i + k] = source(k)[3 - i]

        self.layout(backwards)
        self.whole(self.data.reshape(4, 3, 4, 8)[::-1].reshape(SHAPE))
        # The images of a file that has more of them, or larger ones.
        shorter = (N - 3, 4, 8)
        self.layout(lambda to: [to.__setitem__(slice(k, None, 3), source(k)[:3]) for k in range(3)], shorter)
        self.whole(self.data[:N - 3])
        self.layout(lambda to: [to.__setitem__(slice(k, None, 3), source(k)[:, :2, 1:]) for k in range(3)], (N, 2, 7))
        self.whole(self.data[:, :2, 1:])
        os.truncate("part-1.h5", os.path.getsize("part-1.h5") - 1)
        self.layout(put((0, 1, 2)))
        with self.assertRaisesRegex(NodeError, "part-1.h5"):
            self.read("path=scan.h5", "angles=0:180")

    def test_parts_of_images(self):
        """Of chunks, those that nobody takes need not be there."""
        def layout(to):
            to[:] = h5py.VirtualSource("part.h5", "data", (N, 8, 16))[:, 4:, :8]

        written = [((i, slice(4, 8), slice(0, 8)), self.data[i]) for i in range(N)]
        self.source("part.h5", (N, 8, 16), written, (1, 4, 4))
        self.layout(layout)
        self.whole()
        del written[4]
        self.source("part.h5", (N, 8, 16), written, (1, 4, 4))
        self.layout(layout)
        self.lacks("4", 1)

    def test_mappings_without_end(self):
        """They reach as far as the source does."""
        with h5py.File("scan.h5", "w", libver="latest") as file:
            creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            spaces = [h5py.h5s.create_simple((20, 4, 8), (h5py.h5s.UNLIMITED, 4, 8)) for _ in range(2)]
            for space in spaces:
                space.select_hyperslab((0, 0, 0), (h5py.h5s.UNLIMITED, 1, 1), (1, 1, 1), (1, 4, 8))
            creation.set_virtual(spaces[0], b"part.h5", b"data", spaces[1])
            h5py.h5d.create(file.create_group("exchange").id, b"data", h5py.h5t.STD_U16LE,
                            h5py.h5s.create_simple((20, 4, 8), (h5py.h5s.UNLIMITED, 4, 8)), creation)
        written = [(i, self.data[i % N]) for i in range(20)]
        self.source("part.h5", (20, 4, 8), written, most=(None, 4, 8))
        self.whole(self.data[np.arange(20) % N])
        self.source("part.h5", (20, 4, 8), written[:12], most=(None, 4, 8))
        self.lacks("12 to 19", 8, 20)

    def test_what_fits_no_image_is_not_told(self):
        """Two half images of a source make one of the dataset."""
        self.source("part.h5", (2 * N, 2, 8), [(slice(0, 10), self.data[:5].reshape(10, 2, 8))], (1, 2, 8))
        self.layout(lambda to: to.__setitem__(np.s_[:], h5py.VirtualSource("part.h5", "data", (2 * N, 2, 8))))
        truth = self.data.copy()
        truth[5:] = 0
        self.whole(truth)

    def test_sources_in_turn_by_single_images(self):
        """Thousands of mappings look at each source once."""
        n = 3000
        for k in range(2):
            with h5py.File(f"part-{k}.h5", "w") as file:
                made = file.create_dataset("data", (n, 2, 2), np.uint16, chunks=(1, 1, 1))
                made[:n - 1] = 7
        self.layout(lambda to: [to.__setitem__(i, h5py.VirtualSource(f"part-{i % 2}.h5", "data", (n, 2, 2))[i // 2 + (i == n - 1) * n // 2])
                                for i in range(n)], (n, 2, 2))
        self.lacks(str(n - 1), 1, n)


if __name__ == "__main__":
    unittest.main()
