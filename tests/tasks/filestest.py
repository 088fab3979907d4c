# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs nodes alone (tests/support/chain.cpp) in a folder of its own for each test."""
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

CHAIN = os.path.abspath(sys.argv.pop(1))
CODES = ["failed", "bad-graph", "bad-property", "not-found", "bad-format", "bad-file", "exists", "no-space", "memory",
         "device", "cancelled"]
TYPES = {"u8": np.uint8, "u16": np.uint16, "f16": np.float16, "f32": np.float32}


def write_scan(path, data, theta=True, **extra):
    with h5py.File(path, "w") as file:
        file.create_dataset("exchange/data", data=data, **extra)
        if theta:
            file["exchange/theta"] = np.linspace(0, 180, len(data), endpoint=False)


def empty_dataset(name, kind, shape, set_up=None):
    """An empty dataset, made with calls that h5py's own do not have."""
    with h5py.File(name, "w", libver="latest") as file:
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        if set_up:
            set_up(creation)
        h5py.h5d.create(file.create_group("exchange").id, b"data", kind, h5py.h5s.create_simple(shape), creation)


class NodeError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


class FilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.rng = np.random.default_rng(1)
        os.chdir(self.folder)  # names in messages are then the same everywhere
        self.addCleanup(os.chdir, "/")

    def chain(self, *words, **options):
        """The JSON of each node, and the last output as an array; options: rows, angles, threads, provenance."""
        given = [w for k, v in options.items() for w in ("--" + k, str(v))]
        done = subprocess.run([CHAIN, "--out", "out.bin", *given, *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # TBB complains where there are fewer processors than threads asked for.
        self.assertEqual([s for s in done.stderr.splitlines() if s and not s.startswith("TBB Warning")], [])
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        if done.returncode == 1:
            raise NodeError(CODES[lines[-1]["code"]], lines[-1]["error"])
        self.assertEqual(done.returncode, 0)
        with open("out.bin", "rb") as file:
            data = file.read()
        last = lines[-1] if data and lines[-1]["format"] else None
        array = np.frombuffer(data, TYPES[last["element"]]) if data else None
        if array is not None and array.size == np.prod(last["shape"]):
            array = array.reshape(last["shape"])
        return lines, array

    def read(self, *words, **options):
        lines, array = self.chain("read", *words, **options)
        return lines[0], array

    def frames(self, info, name):
        return np.fromfile("out.bin." + name, TYPES[info[name]["element"]]).reshape(info[name]["shape"])

    def refused(self, code, message, *words, **options):
        with self.assertRaises(NodeError) as caught:
            self.chain(*words, **options)
        self.assertEqual((caught.exception.code, caught.exception.message), (code, message))

    def random(self, shape, dtype):
        if np.issubdtype(dtype, np.floating):
            return self.rng.normal(size=shape).astype(dtype)
        return self.rng.integers(0, np.iinfo(dtype).max, size=shape, endpoint=True).astype(dtype)

    def mount(self, source, target, kind, flags, options):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mount(source.encode(), target.encode(), kind.encode() if kind else None, flags,
                      options.encode() if options else None) != 0:
            self.skipTest("mounts need root: " + os.strerror(ctypes.get_errno()))
        return lambda: libc.umount2(os.path.abspath(target).encode(), 2)

    def leftovers(self, folder="."):
        return [name for name in os.listdir(folder) if name.endswith(".part")]


PROVENANCE = '{"nodes": [{"name": "caf\u00e9"}], "edges": []}'


class WriteTest(FilesTest):
    def source(self, shape=(7, 5, 9), dtype=np.float32, axes="slices", pixel=None):
        """A file to read, and the words that read it."""
        data = self.random(shape, dtype)
        with h5py.File("source.h5", "w") as file:
            file["exchange/data"] = data
            if pixel is not None and axes != "slices":
                file["exchange/data"].attrs["pixel_size"] = pixel
        words = {"slices": [] if pixel is None else [f"pixel-size={pixel}"]}.get(axes, ["angles=0:180"])
        return data, ["read", "path=source.h5", "axes=" + axes, *words]

    def write(self, read, path, *words, **options):
        return self.chain(*read, "!", "write", "path=" + path, "overwrite=true", *words, provenance=PROVENANCE, **options)[0][-1]
