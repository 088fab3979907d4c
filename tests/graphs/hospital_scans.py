# SPDX-License-Identifier: LGPL-3.0-or-later
"""The same balls as the machines of hospitals write them: images of Varian and Elekta with the XML beside them, after RTK. In its
room the gantry's angle turns the object about y the other way, x runs along columns, y along rows and z to the source."""
import struct
from pathlib import Path

import numpy as np
from scanner_scans import BALLS, COLUMNS, ROWS, transmission, turn

SOURCE, DETECTOR = 100.0, 150.0  # mm: to the axis and to the detector


def differences(image):
    """The table of sizes and the bytes of a compressed image: the first row and a pixel, then differences of 1, 2 or 4 bytes."""
    width = image.shape[1]
    flat = image.astype(np.int64).ravel()
    more = (flat[width + 1:] - flat[width:-1] - flat[1:-width] + flat[:-width - 1]).astype('<i4')
    codes = (np.abs(more) > 127).astype(np.uint8) + (np.abs(more) > 32767)
    used = np.arange(4) < (1 << codes)[:, None]
    fours = np.pad(codes, (0, -len(codes) % 4)).reshape(-1, 4)
    table = (fours << np.array([0, 2, 4, 6], np.uint8)).sum(1).astype(np.uint8)
    return table.tobytes(), flat[:width + 1].astype('<i4').tobytes() + more.view(np.uint8).reshape(-1, 4)[used].tobytes()


def xim(image, compressed=True, **properties):
    height, width = image.shape
    head = struct.pack('<8s6i', b'VMS.XI\0\0', 1, width, height, 32, 4, int(compressed))
    if compressed and image.size:
        table, data = differences(image)
        head += struct.pack('<i', len(table)) + table + struct.pack('<i', len(data)) + data + struct.pack('<i', 4 * image.size)
    elif compressed:
        head += struct.pack('<3i', 0, 0, 0)
    else:
        head += struct.pack('<i', 4 * image.size) + image.astype('<i4').tobytes()
    head += struct.pack('<4i', 3, 1, 2, 3)
    named = {'StartTime': 7, 'KVKiloVolts': 125.0, 'Comment': 'x', **properties}
    head += struct.pack('<i', len(named))
    for name, value in named.items():
        head += struct.pack('<i', len(name)) + name.encode()
        head += (struct.pack('<ii', 0, value) if isinstance(value, int) else struct.pack('<id', 1, value) if isinstance(value, float) else
                 struct.pack('<ii', 2, len(value)) + value.encode())
    return head


def hn(image, angle, pixel, compressed):
    head = bytearray(1024 if compressed else 512)
    head[:26] = b'VARIAN_VA_INTERNAL_HND_1.0'
    struct.pack_into('<2i', head, 120, *image.shape[::-1])
    struct.pack_into('<2d', head, 352, *pixel)
    struct.pack_into('<d', head, 432, angle)
    if not compressed:
        return bytes(head) + image.astype('<u2').tobytes()
    table, data = differences(image)
    return bytes(head) + table.ljust((image.shape[0] - 1) * image.shape[1] // 4, b'\0') + data


def his(image):
    head = bytearray(68)
    head[:4] = b'\0pD\0'
    struct.pack_into('<H', head, 10, 32)
    struct.pack_into('<5H', head, 12, 1, 1, image.shape[0], image.shape[1], 1)
    struct.pack_into('<H', head, 32, 4)
    return bytes(head) + bytes(32) + image.astype('<u2').tobytes()


def projections(gantry, offsets, pixel):
    """Transmission for each angle, with the middle of the detector displaced; the size of a voxel and the balls in the slices."""
    voxel = pixel[0] * SOURCE / DETECTOR

    def view(i, u, v):
        x = (u - COLUMNS / 2) * pixel[0] + offsets[i][0]
        y = (v - ROWS / 2) * pixel[1] + offsets[i][1]
        return (np.array([0, 0, SOURCE]), np.stack([x, y, np.full_like(x, SOURCE - DETECTOR)], -1),
                lambda points: points @ turn('y', -gantry[i]).T, None)

    return transmission(view, voxel, gantry), (voxel, BALLS[:, [0, 2, 1, 3, 4]] * [1, -1, 1, 1, 1])


def truebeam(folder, count=150, forwards=True):
    gantry = (1 if forwards else -1) * 360 / count * np.arange(count) + 12
    pixel = (0.35, 0.4)
    offsets = np.random.default_rng(4).uniform(-1, 1, (count, 2)) + [1.4, -0.8]
    images, made = projections(gantry, offsets, pixel)
    inner = Path(folder) / 'Acquisitions' / '631211'
    inner.mkdir(parents=True)
    (inner / 'Proj_00000.xim').write_bytes(xim(np.zeros((0, 0), np.int32), KVSourceRtn=0.0))
    for i, image in enumerate(images):
        known = {'KVSourceRtn': 180 - gantry[i], 'KVDetectorLat': offsets[i][0] / 10, 'KVDetectorLng': offsets[i][1] / 10,
                 'PixelWidth': pixel[0] / 10, 'PixelHeight': pixel[1] / 10}
        (inner / f'Proj_{i + 1:05d}.xim').write_bytes(xim(np.round(70000 * image), compressed=i % 7 != 3, **known))
    (Path(folder) / 'air.xim').write_bytes(xim(np.full((ROWS, COLUMNS), 70000)))
    (Path(folder) / 'Scan.xml').write_text('<?xml version="1.0" encoding="utf-8"?>\n<Scan Version="2.7.0.0" xmlns="http://baumann"><Acquisitions>'
                                           f'<SAD>{SOURCE}</SAD><SID>{DETECTOR}</SID></Acquisitions></Scan>')
    return made


def obi(folder, count=150, compressed=True, half=True):
    gantry = 360 / count * np.arange(count) - 180
    pixel = (0.35, 0.35)
    images, made = projections(gantry, [(1.5 + 2.0 * half, -0.7)] * count, pixel)
    Path(folder).mkdir()
    for i, image in enumerate(images):
        kind, top = ('hnd', 139000) if compressed else ('hnc', 60000)
        (Path(folder) / f'Proj_{i:05d}.{kind}').write_bytes(hn(np.round(top * image), gantry[i], pixel, compressed))
    (Path(folder) / 'air.hnc').write_bytes(hn(np.full((ROWS, COLUMNS), 60000), 0, pixel, False))
    fan = 'HalfFan' if half else 'FullFan'
    (Path(folder) / 'ProjectionInfo.xml').write_text(
        f'<ProjectionInfo><Geometry><CalibratedSAD>{SOURCE}</CalibratedSAD><CalibratedSID>{DETECTOR}</CalibratedSID><FanType>{fan}</FanType>'
        '<CalibratedDetectorOffsetX>1.5</CalibratedDetectorOffsetX><CalibratedDetectorOffsetY>-0.7</CalibratedDetectorOffsetY>'
        '<DetectorPosLat>2.0</DetectorPosLat></Geometry></ProjectionInfo>')
    return made


def xvi(folder, count=150):
    """The distances of these machines are fixed, and so is the size of the panel: the balls are as large as it wants."""
    global SOURCE, DETECTOR
    gantry = 360 / count * np.arange(count) - 180
    pixel = (409.6 / COLUMNS, 409.6 / ROWS)
    offsets = np.random.default_rng(5).uniform(-8, 8, (count, 2)) + [9, -6]
    before = SOURCE, DETECTOR
    SOURCE, DETECTOR = 1000.0, 1536.0
    images, made = projections(gantry, offsets, pixel)
    SOURCE, DETECTOR = before
    Path(folder).mkdir()
    for i, image in enumerate(images):
        (Path(folder) / f'{i + 1:05d}.4711.his').write_bytes(his(np.clip(np.round(65536 * (1 - image)), 0, 65535)))
    frames = ''.join(f'<Frame><Seq>{i + 1}</Seq><GantryAngle>{angle if angle >= 0 else angle:.4f}</GantryAngle><UCentre>{-x:.6f}</UCentre>'
                     f'<VCentre>{-y:.6f}</VCentre></Frame>' for i, (angle, (x, y)) in enumerate(zip(gantry, offsets)))
    (Path(folder) / '_Frames.xml').write_text(f'<?xml version="1.0"?>\n<ImageSet><Frames>{frames}</Frames></ImageSet>')
    return made
