#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Results held to what was written: checksums beside them, `sinograph verify`, and runs that are gone on with. Costs 7 s.
usage: verify.py SINOGRAPH"""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import zlib
from pathlib import Path

import h5py
import numpy as np
import tap
import tifffile
from program import PROGRAM, call, fails, matches
from tap import check, same

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
ROWS = 12
SCAN = f"simulate object=shepp-logan-3d z=-0.25 width=96 height={ROWS} projections=48 type=u16 darks=2 flats=2"
same(call("launch", "-q", f"{SCAN} ! write path=scan.h5")[0], 0)
GRAPH = "read path=scan.h5 ! flat-field ! reconstruct axis=47.5 ! write path="
# Every way in which pixels are stored.
OUTPUTS = ("slices/%05i.tif", "halves/%i.tif type=f16", "words/%i.ome.tif type=u16 range=-0.01:0.05", "stack.tif", "stack.ome.tif",
           "volume.h5", "spread.h5 files=3", "volume.nxs", "deflated.h5 compression=deflate", "shuffled.h5 compression=lz4 type=u8 range=0:0.05",
           "volume.mhd", "volume.zarr", "plain.zarr compression=none", "attached.nrrd", "detached.nhdr", "studio.vgi type=u16")


def pixels_of(path):
    """The file with the pixels of an output of one file, or with some of them."""
    path = path.replace("spread", "spread-part1")
    for head, pixels in (".mhd", ".raw"), (".nhdr", ".raw"), (".vgi", ".vol"):
        path = path.replace(head, pixels)
    return Path(path)


def write(output, graph=GRAPH):
    status, _, error = call("launch", "-q", "--device=native", graph + output)
    check(status == 0, error)
    return output.split()[0]


def sums(path):
    """What is kept in a file of text: its second line, and the checksums by name."""
    head, of, *lines, end = Path(path).read_text().splitlines()
    same(head, "Sinograph checksums 1")
    text = "\n".join([head, of, *lines, ""])
    same(end, f"end {zlib.crc32(text.encode()):08x}")
    return of, {name: int(word, 16) for word, name in (line.split(" ", 1) for line in lines)}


def verified(path):
    status, out, _ = call("verify", path)
    return status, out


def test_checksums_are_those_of_zlib():
    of, kept = sums(write("slices/%05i.tif") + ".sums")
    same(of, "files")
    same(kept, {path.name: zlib.crc32(tifffile.imread(path).tobytes()) for path in Path("slices").glob("*.tif")})
    volume = []
    for output in "volume.h5", "deflated.h5 compression=deflate", "volume.nxs":
        with h5py.File(write(output + " overwrite=true")) as file:
            kept, volume = file["exchange/checksums"], file["exchange/data"][()]
            same((dict(kept.attrs), kept.dtype), ({"algorithm": "CRC-32", "of": "images"}, np.uint32))
            same(list(kept), [zlib.crc32(image.tobytes()) for image in volume])
    with h5py.File("scan.h5") as file:  # written by rows, in any order
        kept, data = file["exchange/checksums"], file["exchange/data"][()]
        same(dict(kept.attrs), {"algorithm": "CRC-32", "of": "rows"})
        same(list(kept), [zlib.crc32(data[:, i].tobytes()) for i in range(ROWS)])
    images = {str(i): zlib.crc32(image.tobytes()) for i, image in enumerate(volume)}
    same(sums(write("volume.zarr overwrite=true") + "/.checksums"), (f"images f32 {ROWS} 96 96", images))
    same(sums(write("volume.mhd overwrite=true") + ".sums"), (f"images f32 {ROWS} 96 96", images))
    same(list(Path().glob("*.h5.sums")) + list(Path().glob("*.zarr.sums")), [])


def test_every_format():
    for output in OUTPUTS:
        path = write(output + " overwrite=true")
        same(verified(path), (0, f"{path}: {ROWS} of {ROWS} images are unchanged\n"))
    same(verified("scan.h5"), (0, f"scan.h5: {ROWS} of {ROWS} rows are unchanged\n"))
    same(call("verify", "-q", ".")[:2], (0, ""))
    status, out, _ = call("verify", ".")
    same((status, out.count("are unchanged")), (0, 1 + len(OUTPUTS)))
    # A bit of a pixel, wherever it lies.
    for output in OUTPUTS:
        path = output.split()[0]
        place = (Path(path, "0/0/0/0") if path.endswith(".zarr") else Path(path % 3) if "%" in path else
                 pixels_of(path))
        good = place.read_bytes()
        bad = bytearray(good)
        filled = np.flatnonzero(np.frombuffer(good, np.uint8))  # the rest of a chunk is none of the image
        bad[filled[len(filled) // 2]] ^= 4
        place.write_bytes(bad)
        status, out = verified(path)
        check(status == 1, out)
        matches(r"11 of 12 images are unchanged\n  changed: [\w.]+\n|is damaged|cannot be decoded", out)
        place.write_bytes(good)
        same(verified(path)[0], 0)


def test_names_of_what_is_wrong():
    write("slices/%05i.tif overwrite=true")
    Path("slices/00004.tif").unlink()
    for number in 7, 8:
        image = tifffile.imread(f"slices/{number:05}.tif")
        image[3, 5] += 1
        tifffile.imwrite(f"slices/{number:05}.tif", image)
    wrong = "slices/%05i.tif: 9 of 12 images are unchanged\n  changed: 00007.tif, 00008.tif\n  missing: 00004.tif\n"
    for path in "slices", "slices/", "slices/%05i.tif", "slices/%05i.tif.sums":
        same(verified(path), (1, wrong))
    same(verified("slices/00003.tif"), (0, "slices/%05i.tif: 1 of 1 images are unchanged\n"))
    same(verified("slices/00007.tif")[0], 1)
    # The same pixels in other bytes are as they were written.
    image = tifffile.imread("slices/00003.tif")
    tifffile.imwrite("slices/00003.tif", image, compression="zlib")
    same(verified("slices/00003.tif")[0], 0)
    Path("slices/00003.tif").write_text("no image")
    matches("8 of 12 .*\n  changed: 00003.tif,", verified("slices")[1])


def test_what_cannot_be_verified():
    shutil.rmtree("empty", ignore_errors=True)
    Path("empty").mkdir()
    none = "has no checksums; 'write' stores them in HDF5 and OME-Zarr, and for other files in a file that ends in '.sums'"
    fails(1, f"'empty' {none}", "verify", "empty")
    fails(1, "cannot verify 'nothing.h5': No such file or directory", "verify", "nothing.h5")
    fails(2, "verify wants a result: a file, a folder of slices, or path= of 'write'", "verify")
    write("stack.tif overwrite=true")
    Path("moved.tif").write_bytes(Path("stack.tif").read_bytes())
    fails(1, f"'moved.tif' {none}", "verify", "moved.tif")
    write("volume.zarr overwrite=true")
    for output, path in ("stack.tif", "stack.tif.sums"), ("volume.zarr", "volume.zarr/.checksums"):
        good = Path(path).read_text()
        for bad in good[:-3], good.replace(" 3\n", " 2\n"), good.replace("f32 12", "f32 13"):
            Path(path).write_text(bad)
            status, out = verified(output)
            same(status, 1)
            matches(f"'{path}' is damaged", out)
        Path(path).write_text(good)
    tifffile.imwrite("stack.tif", tifffile.imread("stack.tif")[1:])
    matches("has 11 images of 96 x 96 f32, but 12 images of 96 x 96 f32 were written", verified("stack.tif")[1])
    Path("volume.zarr/.checksums").unlink()
    fails(1, f"'volume.zarr' {none}", "verify", "volume.zarr")
    write("volume.h5 overwrite=true")
    with h5py.File("volume.h5", "r+") as file:
        shape = file["exchange/data"].shape
        del file["exchange/data"]
        file["exchange/data"] = np.zeros((shape[0] - 1, *shape[1:]), np.float32)
    matches("has 11 images, but 12 were written", verified("volume.h5")[1])
    write("volume.h5 overwrite=true")
    for bad in [b"x"] * ROWS, np.full(ROWS, 1e30):
        with h5py.File("volume.h5", "r+") as file:
            attributes = dict(file["exchange/checksums"].attrs)
            del file["exchange/checksums"]
            file["exchange/checksums"] = bad
            file["exchange/checksums"].attrs.update(attributes)
        status, out = verified("volume.h5")
        same(status, 1)
        matches("volume.h5: .*(no checksums to compare with|contains words: it must contain numbers)", out)
    with h5py.File("volume.h5", "r+") as file:  # of somebody else, as it seems
        del file["exchange/checksums"].attrs["algorithm"]
    fails(1, f"'volume.h5' {none}", "verify", "volume.h5")


def test_a_moved_volume():
    """It has its checksums with it, and those of another volume beside its new name do not matter."""
    Path("elsewhere").mkdir(exist_ok=True)
    for output in "volume.h5", "deflated.h5 compression=deflate", "volume.zarr":
        path = write(output + " overwrite=true")
        place = Path("elsewhere", f"moved{Path(path).suffix}")
        os.rename(path, place)
        Path(f"{place}.sums").write_text(Path("slices/%05i.tif.sums").read_text())
        same(verified(place), (0, f"{place}: {ROWS} of {ROWS} images are unchanged\n"))
        same(verified("elsewhere"), (0, f"{place}: {ROWS} of {ROWS} images are unchanged\n"))
        # Checksums beside a volume are removed when the volume is replaced.
        status, _, error = call("launch", "-q", "--device=native", GRAPH + f"{place} overwrite=true")
        check(status == 0, error)
        same(os.listdir("elsewhere"), [place.name])
        shutil.rmtree(place) if place.is_dir() else place.unlink()


def test_no_scan_takes_checksums_for_angles():
    """A list as long as there are projections, without a unit, is none of angles."""
    write(f"square.h5 overwrite=true", f"simulate width=96 height={ROWS} projections={ROWS} ! write path=")
    with h5py.File("square.h5", "r+") as file:
        del file["exchange/theta"]
    status, _, error = call("check", "read path=square.h5 angles=square.h5 ! flat-field ! reconstruct axis=48 ! null")
    check(status == 1 and "checksums" not in error, error)


def test_other_slices_of_a_folder():
    """Runs that write some slices each keep the checksums of all; those of files that are replaced are new."""
    shutil.rmtree("slices", ignore_errors=True)
    for rows in "0:6", "6:12", "2:4":
        write("slices/%05i.tif overwrite=true", GRAPH.replace("scan.h5", f"scan.h5 rows={rows}"))
    same(verified("slices"), (0, "slices/%05i.tif: 12 of 12 images are unchanged\n"))
    write("slices/%05i.tif overwrite=true type=f16")
    same(verified("slices")[0], 0)
    Path("volume.mhd.sums").write_text("mine")
    status, _, error = call("check", GRAPH + "volume.mhd overwrite=true")
    same(status, 1)
    matches("'volume.mhd.sums' exists and does not contain checksums, which would be written there: move it away", error)
    Path("volume.mhd.sums").unlink()


def test_resume_compares():
    """A finished slice that is not what was written is made again, and told of."""
    for output in "slices/%05i.tif", "volume.h5", "volume.mhd", "volume.nrrd", "volume.vgi":
        shutil.rmtree("slices", ignore_errors=True)
        for path in Path().glob("volume.*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        words = "launch", "--device=native", "--resume", GRAPH + output
        same(call(*words)[0], 0)
        place = pixels_of(output) if "%" not in output else Path(output % 5)
        good = place.read_bytes()
        status, _, error = call(*words)
        check(status == 0 and "made again" not in error, error)
        journal = Path(output + ".journal")
        for unended in False, True:
            if unended:
                lines = journal.read_text().splitlines(keepends=True)
                check(lines[-1].endswith(" ended\n"), lines)
                journal.write_text("".join(lines[:-1]))
            with place.open("r+b") as file:
                file.seek(len(good) // 2)
                file.write(b"\x01\x02\x03\x04")
            status, _, error = call(*words)
            same(status, 0)
            matches(f"1 finished images were changed after they were written, and are made again: {'00005.tif' if '%' in output else 5 if output.endswith('.nrrd') else 6}", error)
            check(place.read_bytes() == good, f"{output}: other bytes")
            same(verified(output)[0], 0)


def test_resume_writes_checksums_again():
    """Of a complete result that has lost them, or whose file with them is damaged."""
    for output in "slices/%05i.tif", "volume.mhd":
        shutil.rmtree("slices", ignore_errors=True)
        for path in Path().glob("volume.*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        words = "launch", "--device=native", "--resume", GRAPH + output
        same(call(*words)[0], 0)
        path = Path(f"{output}.sums")
        good = path.read_bytes()
        for lose in path.unlink, lambda: path.write_bytes(good[:-3]):
            lose()
            files = {file: file.stat().st_mtime_ns for file in path.parent.iterdir() if file != path}
            status, _, error = call(*words)
            check(status == 0, error)
            same(path.read_bytes(), good)
            same({file: file.stat().st_mtime_ns for file in path.parent.iterdir() if file != path}, files)
        stamp = path.stat().st_ino
        same(call(*words)[0], 0)
        same(path.stat().st_ino, stamp)  # what is right stays


def test_resume_corrects_checksums_inside():
    for path in Path().glob("volume.*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    words = "launch", "--device=native", "--resume", GRAPH + "volume.h5"
    same(call(*words)[0], 0)
    good = Path("volume.h5").read_bytes()
    with h5py.File("volume.h5", "r+") as file:
        file["exchange/checksums"][4] ^= 1
    same(verified("volume.h5")[0], 1)
    status, _, error = call(*words)
    check(status == 0, error)
    check(Path("volume.h5").read_bytes() == good, "other bytes")
    with h5py.File("volume.h5", "r+") as file:  # where there is no place for them, they go beside
        del file["exchange/checksums"]
    same(call(*words)[0], 0)
    same(verified("volume.h5")[0], 0)
    with h5py.File("volume.h5", "r+") as file:
        file["exchange/checksums"] = np.zeros(3)
    matches("no room for 12 checksums", call(*words)[2])


def test_what_others_have_in_a_folder():
    """Files that do not open are passed over unless they are named, and folders are looked into whatever they are called."""
    shutil.rmtree("others", ignore_errors=True)
    Path("others/run.h5").mkdir(parents=True)
    volume, stack = write("others/volume.h5"), write("others/run.h5/stack.tif")
    good = "".join(f"{path}: {ROWS} of {ROWS} images are unchanged\n" for path in (stack, volume))
    Path("others/raw.nxs").write_bytes(Path(volume).read_bytes()[:999])
    Path("others/notes.h5").write_text("no HDF5")
    shutil.copy("scan.h5", "others/raw.h5")
    with h5py.File("others/raw.h5", "r+") as file:
        del file["exchange/checksums"]
    same(verified("others"), (0, good))
    for path, said in ("raw.nxs", "truncated|cannot"), ("notes.h5", "is not an HDF5 file"):
        status, out = verified(f"others/{path}")
        same(status, 1)
        matches(said, out)
    with h5py.File(volume, "r+") as file:
        file["exchange/checksums"][4] ^= 1
    matches("11 of 12", verified("others")[1])


def part(process, pattern, size):
    """The file under construction, once it has its size."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and process.poll() is None:
        if found := [path for path in Path().glob(pattern) if path.stat().st_size >= size]:
            time.sleep(0.1)  # HDF5 has laid it out by then; the run takes a second
            return found[0]
        time.sleep(0.002)
    check(False, "no file under construction")


def test_a_file_that_is_meddled_with():
    """What another program cuts or replaces while it is written is an error, never a result."""
    def cut(path):
        os.truncate(path, path.stat().st_size // 2)

    def replace(path):
        Path("other").write_bytes(path.read_bytes())
        os.replace("other", path)

    def meddled(line, pattern, size, meddle, said):
        running = subprocess.Popen([PROGRAM, "launch", "--device=native", line], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True)
        path = part(running, pattern, size)
        running.send_signal(signal.SIGSTOP)
        meddle(path)
        running.send_signal(signal.SIGCONT)
        _, error = running.communicate()
        same(running.returncode, 1)
        matches(said, error)

    graph = "test-source slices=6 ! test-filter trouble=slow ! write path="
    ways = ((cut, "was truncated by another program during writing: write it again"),
            (replace, "was replaced by another file during writing of '.*': write it again"))
    for output in "volume.h5", "volume.mhd", "stack.tif":
        for meddle, said in ways:
            for path in [*Path().glob("volume.*"), *Path().glob("stack.*")]:  # of the tests above
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            meddled(graph + output, f"{output.replace('.mhd', '.raw')}.*.part", 6 * 64 * 4, meddle, said)
            check(not Path(output).exists(), f"{output} is there")
    # An old output in several files is not touched.
    same(call("launch", "-q", "test-source slices=6 ! write path=meddled.h5 files=3"), (0, "", ""))
    before = {path: path.read_bytes() for path in Path().glob("meddled*")}
    for name in "meddled", "meddled-part1":
        for meddle, said in ways:
            meddled(graph + "meddled.h5 files=3 overwrite=true", f"{name}.h5.*.part", 2 * 64 * 4, meddle, said)
            same({path: path.read_bytes() for path in Path().glob("meddled*")}, before)


tap.main(globals())
