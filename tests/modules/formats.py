#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Formats in a module from outside: the examples of the guide are built, read and write, and refuse what they cannot hold."""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy
from program import call, matches

import tap
from tap import check, same

SOURCE, BUILD = Path(os.environ["SINO_SOURCE"]), Path(os.environ["SINO_BUILD"])
GUIDE = SOURCE / "docs/guide/adding-a-format.md"
# One that is written in order, and one with a file for each image.
MORE = """
class Tape final : public Target
{
public:
  explicit Tape (const Planned &p) : lines (p.lines ()), target (p) {}
  void write (int64_t page, Interval some, const std::byte *pixels) override
  {
    if (page != next++ || !(some == Interval{0, lines}))
      fail (SINO_ERROR_FAILED, "page %d came in parts or out of order", static_cast<int> (page));
    target.write (page, some, pixels);
  }
  void finish () override { target.finish (); }

private:
  int64_t lines, next = 0;
  TinyTarget target;
};

const Registered<WritingFormat> tape (
    {.name = "tape", .suffixes = {".tape"}, .random_access = false,
     .open = [] (const Planned &p, const Frames::Watch &) -> std::unique_ptr<Target> { return std::make_unique<Tape> (p); }});

// One whose files have other values than it says.
const Registered<ReadingFormat> narrow (
    {.name = "narrow", .recognised = [] (const Descriptor &file) { return begins_with (file, "WIDE"); },
     .suffixes = {".narrow"}, .elements = {Element::u8, Element::u16},
     .open = [] (const ReadRequest &request, auto &) {
       return std::make_shared<const ImageFile> (request.path, std::make_shared<TinyStack> (request.paths[0]));
     }});

const Registered<WritingFormat> image (
    {.name = "image", .suffixes = {".image"}, .files = WritingFormat::Files::image,
     .open = [] (const Planned &, const Frames::Watch &) -> std::unique_ptr<Target> { return nullptr; }});
"""
folder = tempfile.TemporaryDirectory()
place = Path(folder.name).resolve()
os.chdir(place)


def code_of(start):
    """The code of the guide that begins so, without its indent."""
    block = re.search(rf"^    {re.escape(start)}.*\n(?:(?:    .*)?\n)*", GUIDE.read_text(), re.M)[0]
    return re.sub(r"^    ", "", block.rstrip("\n"), flags=re.M) + "\n"


def build():
    """With the guide's command, and warnings as errors."""
    compile_it = code_of("c++ ").splitlines()[0]
    same(compile_it.split()[0], "c++")
    whole = code_of("// SPDX")
    scan = "namespace {\nusing namespace sino;\nusing namespace sino::formats;\n" + code_of("class TinyScan") + MORE + "}\n"
    Path("tinyraw.cpp").write_text(whole.replace("SINO_MODULE", scan + "SINO_MODULE"))
    command = f"{os.environ['SINO_CXX']} -Wall -Wextra -Werror {compile_it.removeprefix('c++')}"
    done = subprocess.run(["sh", "-ec", command], env={**os.environ, "PKG_CONFIG_PATH": f"{BUILD}/meson-uninstalled"},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    os.environ["SINOGRAPH_PLUGIN_PATH"] = f"{place}:{os.environ['SINOGRAPH_PLUGIN_PATH']}"


def launch(line):
    same(call("launch", "-q", line), (0, "", ""))


def refused(line, message, status=2):
    got, out, error = call("launch", "-q", line)
    same((got, out), (status, ""))
    matches(message, error)


def write_tiny(path, values, magic=b"TINY"):
    Path(path).write_bytes(magic + struct.pack("<3I", *values.shape) + values.astype("<f4").tobytes())


def read_tiny(path):
    data = Path(path).read_bytes()
    same(data[:4], b"TINY")
    return numpy.frombuffer(data, "<f4", offset=16).reshape(struct.unpack_from("<3I", data, 4))


build()
values = numpy.random.default_rng(1).random((7, 5, 9)).astype(numpy.float32)


def test_the_same_pixels_come_back():
    write_tiny("x.tinyraw", values)
    for axes in "projections", "slices":
        launch(f"read path=x.tinyraw axes={axes} ! write path=y.tinyraw overwrite=true")
        same(Path("y.tinyraw").read_bytes(), Path("x.tinyraw").read_bytes())
    launch("read path=x.tinyraw axes=sinograms rows=1:6:2 projections=4 columns=::3 ! write path=part.h5")
    with h5py.File("part.h5") as file:
        check((file["exchange/data"][()] == values[1:6:2, 4:5, ::3]).all(), "another part")


def test_other_formats_go_to_and_fro():
    launch("read path=x.tinyraw axes=slices ! write path=x.h5")
    launch("read path=x.h5 axes=slices ! write path=from-h5.tinyraw")
    launch("read path=x.h5 axes=slices ! write path=x-%i.tif")
    launch("read path=x-*.tif axes=slices ! write path=from-tiff.TINYRAW")
    for path in "from-h5.tinyraw", "from-tiff.TINYRAW":
        check((read_tiny(path) == values).all(), path)


def test_bytes_go_before_suffixes():
    shutil.copy("x.tinyraw", "x.dat")
    shutil.copy("x.tinyraw", "tiny.tif")
    shutil.copy("x.h5", "hdf5.tinyraw")
    for path in "x.dat", "tiny.tif", "hdf5.tinyraw":
        launch(f"read path={path} axes=slices ! write path=again.tinyraw overwrite=true")
        check((read_tiny("again.tinyraw") == values).all(), path)


def test_what_lies_beside():
    """A scan that is read once gives its angles and flats, as the same scan in HDF5 does."""
    flats = values[:2] + 1
    write_tiny("s.tinyscan", values, b"SCAN")
    write_tiny("s.tinyscan.data_white", flats, b"SCAN")
    with h5py.File("s.h5", "w") as file:
        file["exchange/data"], file["exchange/data_white"] = values, flats
        file["exchange/theta"] = 180 * numpy.arange(7) / 7
    for path in "s.tinyscan", "s.h5":
        launch(f"read path={path} ! flat-field ! reconstruct ! write path=of-{path}.tinyraw")
    check((read_tiny("of-s.tinyscan.tinyraw") == read_tiny("of-s.h5.tinyraw")).all(), "other slices")
    launch("read path=s.tinyscan ! write path=kept.h5")
    with h5py.File("kept.h5") as file:
        check((file["exchange/data_white"][()] == flats).all(), "other flats")
        numpy.testing.assert_allclose(file["exchange/theta"], 180 * numpy.arange(7) / 7, rtol=1e-14)


def test_what_is_read_once():
    """The plan reads it in one work item, where it reads other formats slab by slab."""
    for path, magic, once in ("big.tinyraw", b"TINY", False), ("big.tinyscan", b"SCAN", True):
        with open(path, "wb") as file:
            file.write(magic + struct.pack("<3I", 2000, 400, 512))
            file.truncate(16 + 2000 * 400 * 512 * 4)  # no pixel is read
        status, out, error = call("plan", f"read path={path} angles=0:180 ! reconstruct method=direct ! null", "--device=native",
                                  "--memory=1G")
        same((status, error), (0, ""))
        same("\npass 1: 1 work item " in out, once)


def test_what_is_written_in_order():
    scan = "simulate object=shepp-logan-3d width=64 height=48 projections=90"
    for line in scan, f"{scan} ! reconstruct", "phantom object=shepp-logan-3d width=64 height=48":
        launch(f"{line} ! write path=any.tinyraw overwrite=true")
        for threads in "--threads=1", "--threads=4":
            same(call("launch", "-q", f"{line} ! write path=order.tape overwrite=true", threads), (0, "", ""))
            same(Path("order.tape").read_bytes(), Path("any.tinyraw").read_bytes())


def test_what_it_cannot_hold_is_refused():
    source = "simulate width=8 height=2 projections=4"
    refused(f"{source} type=u16 ! write path=z.tinyraw", "path=z.tinyraw: tinyraw stores f32 values, not u16: set type=f32")
    refused(f"{source} ! interleave ! write path=z.tinyraw", "path=z.tinyraw: tinyraw cannot store sinograms: name .ome.tif, .ome.tiff, "
                                                             ".tif, .tiff, .h5, .hdf5, .nxs, .mhd, .nrrd, .nhdr, .vgi, .image or .tape\n")
    refused(f"{source} ! write path=z-%i.tinyraw", "tinyraw stores the whole stream in one file, leave the number out")
    refused(f"{source} ! write path=z.foo", "name .ome.tif, .ome.tiff, .tif, .tiff, .h5, .hdf5, .nxs, .mhd, .nrrd, .nhdr, .zarr, .vgi, .image, .tape or .tinyraw, for example")
    refused(f"{source} ! write path=z.image", "image stores one image per file, put a number like %05i into the name")
    refused("read path=x.tinyraw dataset=/data ! null", "dataset=/data is for HDF5, MATLAB 5 and Zarr files, but 'x.tinyraw' is tinyraw: leave it")
    refused("read path=x.tinyraw missing=skip ! null", "is for sequences of TIFF, EDF, FITS, HIS, MRC, NumPy, Varian image, PNG, raw and JPEG files, but 'x.tinyraw' is tinyraw")
    refused("read path=[xy].tinyraw ! null", "'\\[xy\\].tinyraw' is several files, but a scan in tinyraw must be one file: name one of "
                                             "them, such as 'x.tinyraw'")
    refused("read path=x.tinyraw flats=s.tinyscan angles=0:180 ! null", "flats=s.tinyscan: tinyscan can be read only once")
    check(not list(place.glob("z*")), "files were left")


def test_damaged_files():
    whole = Path("x.tinyraw").read_bytes()
    for name, data in ("short", whole[:-1]), ("long", whole + b"x"):
        Path(f"{name}.tinyraw").write_bytes(data)
        refused(f"read path={name}.tinyraw ! null", f"'{name}.tinyraw' is damaged: its size is not what its head says", 1)
    Path("empty.tinyraw").write_bytes(whole[:4] + bytes(12))
    refused("read path=empty.tinyraw ! null", "'empty.tinyraw' has 0 x 0 x 0 pixels: this is too small for an image", 1)
    Path("huge.tinyraw").write_bytes(b"TINY" + b"\xff" * 12)
    refused("read path=huge.tinyraw ! null", "'huge.tinyraw' has 4294967295 x .*: at most 4194304 along an axis work", 1)
    Path("head.tinyraw").write_bytes(b"TINY")
    refused("read path=head.tinyraw ! null", "'head.tinyraw' is truncated", 1)
    Path("text").write_text("hello, this is text")
    refused("read path=text ! null", "'text' is neither TIFF, EDF, Elekta, FITS, HDF5, HIS, MATLAB 5, MRC, MetaImage, NRRD, Nikon, NumPy, SkyScan, VGStudio, Varian, Varian image, Zarr, Zeiss, narrow, tinyraw, tinyscan, PNG nor JPEG: ", 1)
    write_tiny("x.narrow", values, b"WIDE")
    message = "x.narrow' has f32 values, but narrow supports u8 or u16: convert the file to one of these"
    refused("read path=x.narrow ! null", message, 1)
    refused("read path=x.h5 flats=x.narrow angles=0:180 ! flat-field ! null", message, 1)


def test_listed():
    lines = [line for line in call("inspect")[1].splitlines() if line.startswith("formats ")]
    same(lines, [
        "formats to read: TIFF (.tif, .tiff; u8, u16, f16, f32), EDF (.edf; u8, u16, f16, f32), "
        "Elekta (.xml; u16), FITS (.fits, .fit, .fts; u8, u16, f16, f32), HDF5 (.h5, .hdf5, .hdf, .nxs, .nx, .he5; u8, u16, f16, f32), "
        "HIS (.his; u16), MATLAB 5 (.mat; u8, u16, f16, f32), MRC (.mrc, .mrcs, .st, .ali, .preali, .rec; u8, u16, f16, f32), MetaImage (.mhd, .mha; u8, u16, f16, f32), NRRD (.nrrd, .nhdr; u8, u16, f16, f32), Nikon (.xtekct, .xtekvolume; u8, u16, f16, f32), NumPy (.npy; u8, u16, f16, f32), SkyScan (.log; u8, u16, f16, f32), VGStudio (.vgi, .vol; u8, u16, f16, f32), Varian (.xml; u16, f32), Varian image (.hnc, .hnd, .xim; u16, f32), Zarr (.zarr; u8, u16, f16, f32), Zeiss (.txrm, .xrm, .txm; u16, f32), "
        "narrow (.narrow; u8, u16), tinyraw (.tinyraw; f32), tinyscan (.tinyscan; f32), PNG (.png; u8, u16), "
        "raw (.raw, .bin; u8, u16, f16, f32), JPEG (.jpg, .jpeg; u8)",
        "formats to write: OME-TIFF (.ome.tif, .ome.tiff; u8, u16, f32), TIFF (.tif, .tiff; u8, u16, f16, f32), "
        "HDF5 (.h5, .hdf5, .nxs; u8, u16, f16, f32), MetaImage (.mhd; u8, u16, f32), NRRD (.nrrd, .nhdr; u8, u16, f32), OME-Zarr (.zarr; u8, u16, f16, f32), VGStudio (.vgi; u8, u16, f32), image (.image; u8, u16, f16, f32), tape (.tape; u8, u16, f16, f32), tinyraw (.tinyraw; f32), "
        "HDF5 deflate (.h5, .hdf5, .nxs; u8, u16, f16, f32), HDF5 bitshuffle-LZ4 (.h5, .hdf5, .nxs; u8, u16, f16, f32)"])
    for node, line in zip(("read", "write"), lines):
        check(call("inspect", node)[1].endswith(f"\n\n{line}\n"), node)
    check("formats to" not in call("inspect", "null")[1], "null has formats")


def test_of_two_with_one_name_the_first_is_used():
    shutil.copy("tinyraw.so", "z-other.so")
    refusals = [line for line in call("inspect")[1].splitlines() if line.startswith("refused: ")]
    same(sorted(refusals), [f"refused: {place}/z-other.so: format '{name} is in another module, which is used"
                            for name in ("image' to write", "narrow' to read", "tape' to write", "tinyraw' to read", "tinyraw' to write", "tinyscan' to read")])
    launch("read path=x.tinyraw axes=slices ! write path=y.tinyraw overwrite=true")
    Path("z-other.so").unlink()


if __name__ == "__main__":
    tap.main(globals())
