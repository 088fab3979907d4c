# SPDX-License-Identifier: LGPL-3.0-or-later
"""Good scans to damage: small, and of every way in which pixels and what belongs to them can be stored."""
import io
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import tifffile

for near in "tasks", "graphs":
    sys.path.append(str(Path(__file__).parent.parent / near))
import fields
import hospital_scans as hospital
import matfile
from ole import txrm

ANGLES, ROWS, COLUMNS = 12, 10, 30


@dataclass
class Scan:
    name: str
    files: dict  # name: bytes
    words: str  # words for `read`, where PLACE is the folder of the files


def frames(n, low, dtype=np.uint16):
    rng = np.random.default_rng(n)
    values = low + rng.integers(0, low // 8 + 2, (n, ROWS, COLUMNS))
    return values.astype(dtype)


def with_companions(file, **options):
    file["exchange/theta"] = np.arange(ANGLES) * 180 / ANGLES
    file["exchange/theta"].attrs["units"] = "degrees"
    file.create_dataset("exchange/data_white", data=frames(6, 20000), **options)
    file.create_dataset("exchange/data_dark", data=frames(6, 90), **options)
    file["exchange/position_white"] = np.array([-0.5, -0.5, -0.5, 5, 11.5, 11.5])
    file["exchange/rotation_axis"] = np.array([COLUMNS / 2])


def hdf5_scan(folder, name, write, libver="earliest", others=()):
    path = folder / "scan.h5"
    with h5py.File(path, "w", libver=libver) as file:
        write(file)
    names = ["scan.h5", *others]
    scan = Scan(name, {name: (folder / name).read_bytes() for name in names}, "path=PLACE/scan.h5")
    for name in names:
        (folder / name).unlink()
    return scan


def hdf5_scans(folder):
    """Made in a folder of their own, as links between files hold their names."""
    folder = Path(folder)
    data = frames(ANGLES, 8000)
    storages = {
        "contiguous": {},
        "chunks": {"chunks": (4, 4, 16)},
        "gzip": {"chunks": (4, 4, 16), "compression": "gzip"},
        "shuffle": {"chunks": (1, ROWS, COLUMNS), "compression": "gzip", "shuffle": True},
        "fletcher32": {"chunks": (5, 3, COLUMNS), "fletcher32": True, "compression": "gzip"},
        "resizable": {"chunks": (2, 5, 30), "maxshape": (None, None, COLUMNS), "compression": "gzip"},
    }
    for libver in "earliest", "latest":
        for name, options in storages.items():
            def write(file, options=options):
                file.create_dataset("exchange/data", data=data, **options)
                with_companions(file, **options)
            yield hdf5_scan(folder, f"{name}-{libver}", write, libver)

    def compact(file):
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_layout(h5py.h5d.COMPACT)
        made = h5py.h5d.create(file.create_group("exchange").id, b"data", h5py.h5t.NATIVE_UINT16,
                               h5py.h5s.create_simple(data.shape), creation)
        made.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
        with_companions(file)

    def external(file):
        data.tofile(folder / "pixels.raw")
        file.create_dataset("exchange/data", data.shape, np.uint16, external=[("pixels.raw", 0, data.nbytes)])
        with_companions(file)

    def virtual(file):
        with h5py.File(folder / "source.h5", "w", libver="earliest") as source:
            source.create_dataset("pixels", data=data, chunks=(3, 5, 30), compression="gzip")
        layout = h5py.VirtualLayout(data.shape, np.uint16)
        layout[:] = h5py.VirtualSource("source.h5", "pixels", data.shape)
        file.create_virtual_dataset("exchange/data", layout)
        with_companions(file)

    def linked(file):
        with h5py.File(folder / "source.h5", "w", libver="latest") as source:
            source["pixels"] = data
        file["exchange/data"] = h5py.ExternalLink("source.h5", "pixels")
        with_companions(file)

    def floats(file):
        file.create_dataset("exchange/data", data=data.astype(">f4"), chunks=(3, 5, 30), compression="gzip")
        with_companions(file)

    def nxtomo(file):
        keys = np.array([2, 2, 1, *[0] * 6, 1, *[0] * 5, 3, 1, 0])
        pixels = np.where((keys == 2)[:, None, None], 90, np.where((keys == 1)[:, None, None], 20000, 8000))
        pixels = (pixels + frames(len(keys), 80)).astype(">i2")
        entry = file.create_group("entry/tomo")
        entry.create_dataset("instrument/detector/data", data=pixels, chunks=(4, 4, 16), compression="gzip")
        entry["instrument/detector/image_key"] = keys
        entry["sample/rotation_angle"] = np.linspace(0, 180, len(keys))
        entry["data/data"] = h5py.SoftLink("/entry/tomo/instrument/detector/data")

    def doubles(file):
        file["exchange/data"] = data.astype(">f8")
        with_companions(file)

    yield hdf5_scan(folder, "nxtomo", nxtomo)
    yield hdf5_scan(folder, "doubles", doubles)
    yield hdf5_scan(folder, "compact", compact)
    yield hdf5_scan(folder, "external", external, others=["pixels.raw"])
    yield hdf5_scan(folder, "virtual", virtual, "latest", others=["source.h5"])
    yield hdf5_scan(folder, "linked", linked, others=["source.h5"])
    yield hdf5_scan(folder, "floats", floats)


def tiff_bytes(pages, separately=False, **options):
    memory = io.BytesIO()
    kinds = {key: options.pop(key) for key in ("bigtiff", "byteorder", "imagej", "ome") if key in options}
    with tifffile.TiffWriter(memory, **kinds) as file:
        if separately:
            for page in pages:
                file.write(page, metadata=None, **options)
        else:
            file.write(pages, photometric="minisblack", **options)
    return memory.getvalue()


def packed(row):
    """PackBits of a row, in runs of literals."""
    return b"".join(bytes([len(piece) - 1]) + piece for piece in (row[i:i + 100] for i in range(0, len(row), 100)))


def rewritten(data, compression, strips):
    """A little-endian TIFF of one page with these strips in the place of its only one."""
    at, = struct.unpack_from("<I", data, 4)
    n, = struct.unpack_from("<H", data, at)
    entries = [list(struct.unpack_from("<HHII", data, at + 2 + 12 * i)) for i in range(n)]
    content, offsets, counts = bytearray(data[:8]), [], []
    for strip in strips:
        offsets.append(len(content))
        counts.append(len(strip))
        content += strip + b"\0" * (len(strip) % 2)
    lists = {}
    for tag, values in ((273, offsets), (279, counts)):
        lists[tag] = len(content)
        content += struct.pack(f"<{len(values)}I", *values)
    out = b""
    for tag, kind, count, value in entries:
        if tag == 259:
            value = compression
        elif tag == 278:
            value = 1
        elif tag in lists:
            kind, count, value = 4, len(offsets), lists[tag]
        elif kind not in (1, 3, 4) or count > 1:  # texts and resolutions, which lay behind
            continue
        out += struct.pack("<HHII", tag, kind, count, value)
    struct.pack_into("<I", content, 4, len(content))
    return bytes(content + struct.pack("<H", len(out) // 12) + out + b"\0\0\0\0")


def tiff_scans():
    data = frames(ANGLES, 8000)
    few = data[:3]
    kinds = {
        "strips": {"rowsperstrip": 3},
        "tiles": {"tile": (16, 16)},
        "deflate": {"compression": "zlib", "rowsperstrip": 4},
        "deflate-tiles": {"compression": "zlib", "tile": (16, 16), "predictor": True},
        "bigtiff": {"bigtiff": True, "rowsperstrip": 3},
        "big-endian": {"byteorder": ">", "rowsperstrip": 4},
        "big-endian-bigtiff": {"byteorder": ">", "bigtiff": True, "compression": "zlib", "predictor": True},
        "imagej": {"imagej": True},
    }

    def scan(name, content, **options):
        companions = {f"{kind}.tif": tiff_bytes(frames(2, low), **options)
                      for kind, low in (("flats", 20000), ("darks", 90))}
        return Scan(name, {"scan.tif": content, **companions},
                    "path=PLACE/scan.tif flats=PLACE/flats.tif darks=PLACE/darks.tif angles=0:180")

    for name, options in kinds.items():
        yield scan(name, tiff_bytes(data, **options), **options)
        yield scan(name + "-pages", tiff_bytes(few, name != "imagej", **options), **options)
    for name, dtype in ("u8", np.uint8), ("f16", np.float16), ("f32", np.float32):
        yield scan(name, tiff_bytes((few // 64).astype(dtype), compression="zlib"))
    yield scan("ome", tiff_bytes(data, ome=True, metadata={"axes": "ZYX", "PhysicalSizeX": 0.65}))
    plain, lines = tiff_bytes(data[0], metadata=None), [line.tobytes() for line in data[0]]
    yield scan("packbits", rewritten(plain, 32773, map(packed, lines)))
    yield scan("lzw", rewritten(plain, 5, map(literal_lzw, lines)))
    for name, options in ("sequence", {"rowsperstrip": 5}), ("deflate-sequence", {"compression": "zlib"}):
        pages = {f"scan_{i:03}.tif": tiff_bytes(page, metadata=None, **options) for i, page in enumerate(few)}
        yield Scan(name, pages, "path=PLACE/scan_*.tif angles=0:180")


def npy_bytes(data):
    memory = io.BytesIO()
    np.save(memory, data)
    return memory.getvalue()


def field_scans():
    """Heads that say all, and plain pixels."""
    kinds = {
        "edf": lambda data: fields.edf(data, "u2"),
        "edf-big": lambda data: fields.edf(data, "i4", ">", 512),
        "edf-doubles": lambda data: fields.edf(data, "f8", head=2048),
        "fits": lambda data: fields.fits(data, 16),
        "fits-u16": lambda data: fields.fits(data.astype(int) - 32768, 16, BZERO=32768, BSCALE=1),
        "fits-floats": lambda data: fields.fits(data, -32),
        "mrc": lambda data: fields.mrc(data, 6),
        "mrc-big": lambda data: fields.mrc(data, 2, ">", 512),
        "npy": npy_bytes,
        "npy-floats": lambda data: npy_bytes(data.astype(">f4")),
    }
    for name, make in kinds.items():
        files = {kind: make(frames(n, low)) for kind, n, low in (("scan", ANGLES, 8000), ("flats", 2, 20000), ("darks", 2, 90))}
        yield Scan(name, files, "path=PLACE/scan flats=PLACE/flats darks=PLACE/darks angles=0:180")
    pages = {f"scan_{i:03}.edf": fields.edf([page], "u2") for i, page in enumerate(frames(3, 8000))}
    yield Scan("edf-sequence", pages, "path=PLACE/scan_*.edf angles=0:180")
    pages = {f"scan_{i:03}.png": fields.png(page, piece=150) for i, page in enumerate(frames(3, 8000))}
    yield Scan("png-sequence", pages, "path=PLACE/scan_*.png angles=0:180")
    one = {kind: fields.png((frames(1, low)[0] // 256).astype(np.uint8)) for kind, low in (("scan", 8000), ("flats", 20000), ("darks", 90))}
    yield Scan("png", one, "path=PLACE/scan flats=PLACE/flats darks=PLACE/darks angles=0:180")
    yield from jpeg_scans()
    for name, order, pack in ("mat", "<", False), ("mat-packed", "<", True), ("mat-big", ">", False):
        def stored(kind, data):
            one = matfile.array(order, kind, data.T)
            return matfile.packed(order, one) if pack else one
        arrays = [stored("scan", frames(ANGLES, 8000)), stored("flats", frames(2, 20000).astype("f8")), stored("theta", 15.0 * np.arange(ANGLES)[None])]
        yield Scan(name, {"scan": matfile.mat(order, *arrays)}, "path=PLACE/scan:/scan flats=PLACE/scan:/flats")
    for name, lines, seed in ("zeiss", 10, None), ("zeiss-large", 100, 7):
        content = txrm(np.tile(frames(ANGLES, 8000), (1, lines // ROWS, 1)), np.arange(ANGLES) * 15, np.tile(frames(1, 20000)[0], (lines // ROWS, 1)),
                       seed=seed, PixelSize=1.5, StoRADistance=[-20.0] * ANGLES, DtoRADistance=[30.0] * ANGLES)
        yield Scan(name, {"scan": content}, "path=PLACE/scan")
    yield from scanner_scans()
    pixels = {kind: frames(n, low).tobytes() for kind, n, low in (("scan", ANGLES, 8000), ("flats", 2, 20000), ("darks", 2, 90))}
    yield Scan("raw", pixels, "path=PLACE/scan flats=PLACE/flats darks=PLACE/darks angles=0:180 raw=u16:30x10")


def scanner_scans():
    """Texts and XML that describe a scan, and the images that they name."""
    few = frames(3, 8000)
    tiffs = [tiff_bytes(page, metadata=None) for page in few]
    size = f"DetectorPixelsX={COLUMNS}\nDetectorPixelsY={ROWS}\nDetectorPixelSizeX=0.2\nDetectorPixelSizeY=0.25\n"
    nikon = (f"[XTekCT]\nName=scan\nInputSeparator=_\nSrcToObject=100\nSrcToDetector=300\n{size}WhiteLevel=60000\nProjections=3\nInitialAngle=4\n"
             "AngularStep=120\nObjectOffsetX=0.1\nObjectRoll=0.2\nObjectTilt=0.1\n").encode()
    yield Scan("scanner-nikon", {"scan.xtekct": nikon} | {f"scan_{i + 1:04}.tif": one for i, one in enumerate(tiffs)}, "path=PLACE/scan.xtekct")
    skyscan = (f"[System]\n[Acquisition]\nFilename Prefix=scan\nNumber of Files=3\nNumber of Rows={ROWS}\nNumber of Columns={COLUMNS}\n"
               "Optical Axis (line)=4\nObject to Source (mm)=50\nCamera to Source (mm)=200\nImage Pixel Size (um)=25\nRotation Step (deg)=120\n"
               "Flat Field Correction=ON\n[Reconstruction]\nPostalignment=1.5\n").encode()
    shifts = b"CSV\nCURVE, Y1, Y2\n0, 1.5, 2\n1, 0.5, 1\n2, 0, 0\n"
    yield Scan("scanner-skyscan", {"scan.log": skyscan, "scan_TS.csv": shifts} | {f"scan{i:04}.tif": one for i, one in enumerate(tiffs)},
               "path=PLACE/scan.log")
    known = {"PixelWidth": 0.04, "PixelHeight": 0.05, "KVDetectorLat": 0.1}
    xims = {f"Proj_{i}.xim": hospital.xim(page.astype(int) * 3, i != 1, KVSourceRtn=120.0 * i, **known) for i, page in enumerate(few)}
    yield Scan("scanner-xim", xims | {"scan.xml": b"<Scan><Acquisitions><SAD>100</SAD><SID>150</SID></Acquisitions></Scan>"}, "path=PLACE/scan.xml")
    hnds = {f"Proj_{i}.hnd": hospital.hn(page[:, :28].astype(int), 120 * i, (0.4, 0.4), True) for i, page in enumerate(few)}
    yield Scan("scanner-hnd", hnds, "path=PLACE/Proj_*.hnd angles=0:360")
    frame = "<Frame><GantryAngle>{}</GantryAngle><UCentre>1.5</UCentre><VCentre>-2</VCentre></Frame>"
    xml = ("<ImageSet><Frames>" + "".join(frame.format(120 * i) for i in range(3)) + "</Frames></ImageSet>").encode()
    yield Scan("scanner-his", {f"{i}.his": hospital.his(page) for i, page in enumerate(few)} | {"scan.xml": xml}, "path=PLACE/scan.xml")


def jpeg_scans():
    """Where there is what writes them. Smooth, so that they are no noise when they are rounded."""
    try:
        from PIL import Image
    except ImportError:
        return
    x = np.arange(COLUMNS)

    def jpeg(low, **how):
        memory = io.BytesIO()
        page = np.broadcast_to(low / 256 + 5 * np.sin(x / 9), (ROWS, COLUMNS)).astype(np.uint8)
        Image.fromarray(page).save(memory, "JPEG", quality=90, **how)
        return memory.getvalue()

    for name, how in ("jpeg", {}), ("jpeg-restarts", {"restart_marker_blocks": 2, "optimize": True, "comment": b"x" * 40}):
        files = {kind: jpeg(low, **how) for kind, low in (("scan", 8000), ("flats", 20000), ("darks", 2000))}
        yield Scan(name, files, "path=PLACE/scan flats=PLACE/flats darks=PLACE/darks angles=0:180")
    yield Scan("jpeg-sequence", {f"scan_{i:03}.jpg": jpeg(8000 + 500 * i) for i in range(3)}, "path=PLACE/scan_*.jpg angles=0:180")


def literal_lzw(data):
    """LZW of a coder that never gains, so that all codes have nine bits."""
    bits = ""
    for i, byte in enumerate(data):
        if i % 200 == 0:
            bits += f"{256:09b}"  # clear: codes stay nine bits long
        bits += f"{byte:09b}"
    bits += f"{257:09b}"
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
