# SPDX-License-Identifier: LGPL-3.0-or-later
"""Scans of a few balls, written as laboratory scanners write them. Each writer has the room of its format as public readers
describe it (docs/guide/scanners.md), with exact line integrals; nothing of it comes from the program."""
import struct
from pathlib import Path

import numpy as np
import tifffile
from ole import txrm

# x, y, z and radius in voxels, and attenuation per mm: without any symmetry.
BALLS = np.array([(24, 10, 18, 8, .05), (-15, 22, -9, 6, .09), (6, -30, 4, 7, .07), (-20, -12, -22, 5, .12)], float)
COLUMNS, ROWS = 116, 92


def turn(axis, degrees):
    """The right-handed rotation about a coordinate axis."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i, j = [(1, 2), (2, 0), (0, 1)]['xyz'.index(axis)]
    matrix = np.eye(3)
    matrix[[i, i, j, j], [i, j, i, j]] = c, -s, s, c
    return matrix


def attenuation(source, pixels, centres, radii, densities, parallel=None):
    """Line integrals from a source, or along a direction, to the pixels, (rows, columns, 3)."""
    total = np.zeros(pixels.shape[:2])
    if parallel is None:
        rays = pixels - source
        rays /= np.sqrt(np.einsum('...i,...i', rays, rays))[..., None]
    for centre, radius, density in zip(centres, radii, densities):
        to = centre - (source if parallel is None else pixels)
        along = rays @ to if parallel is None else to @ parallel
        missed = np.einsum('...i,...i', to, to) - along ** 2
        total += 2 * density * np.sqrt(np.maximum(radius ** 2 - missed, 0))
    return total


def transmission(view, voxel, angles, balls=BALLS, over=1):
    """The mean over each pixel. view(i, u, v) gives the source (or None), pixels at columns u and rows v, the centres of the
    balls in the room from those in the object, and the direction of a parallel beam (or None)."""
    images = np.empty((len(angles), ROWS, COLUMNS))
    parts = (np.arange(over) + 0.5) / over
    for i in range(len(angles)):
        total = 0
        for du in parts:
            for dv in parts:
                u, v = np.meshgrid(np.arange(COLUMNS) + du, np.arange(ROWS) + dv)
                source, pixels, place, along = view(i, u, v)
                total = total + np.exp(-attenuation(source, pixels, place(voxel * balls[:, :3]), voxel * balls[:, 3], balls[:, 4], along))
        images[i] = total / over ** 2
    return images


def write_tiffs(folder, images, name, first, kind=np.uint16):
    Path(folder).mkdir(exist_ok=True, parents=True)
    for i, image in enumerate(images):
        tifffile.imwrite(Path(folder) / name.format(first + i), np.round(image).astype(kind) if kind == np.uint16 else image.astype(kind))


def nikon(folder, step=2.4, first=25.0, offset=0.4, roll=0.0, tilt=0.0, detector=(0.0, 0.0), old=False, changes=lambda text: text,
          white=58000, name='Probe', measured=None, balls=BALLS):
    """CIL's room: x to the right, y from the source to the detector, z up. The detector's first pixel is above on the right.
    Returns the size of a voxel and the balls in the slices: x to the right, y and z downwards."""
    count = round(abs(360 / step))
    near, far, width, height = 80.0, 240.0, 0.3, 0.33
    voxel = width * near / far
    angles = -(step * np.arange(count)) - first + 180
    lean = turn('x', -tilt) @ turn('y', roll)
    axis = np.array([-offset, near, 0])

    def view(i, u, v):
        x = -(u - COLUMNS / 2) * width - detector[0]
        z = -(v - ROWS / 2) * height + detector[1]
        pixels = np.stack([x, np.full_like(x, far), z], -1)
        return np.zeros(3), pixels, lambda points: axis + points @ (lean @ turn('z', angles[i])).T, None

    write_tiffs(folder, white * transmission(view, voxel, angles, balls), name + '_{:04d}.tif', 1)
    leans = roll != 0 or tilt != 0
    # The old keys are the axis in mm on the detector, at its upper and its lower edge.
    half = 0.5 * np.tan(np.radians(roll)) * ROWS * height
    place = (f'CentreOfRotationTop={offset * far / near - half}\nCentreOfRotationBottom={offset * far / near + half}\n' if old else
             f'ObjectOffsetX={offset}\n' + (f'ObjectRoll={roll}\nObjectTilt={tilt}\n' if leans else ''))
    text = (f'[XTekCT]\nName={name}\nOperatorID=\nInputSeparator=_\nInputFolderName=\nVoxelsX={COLUMNS}\nVoxelSizeX={voxel}\n'
            f'SrcToObject={near}\nSrcToDetector={far}\nMaskRadius=5.5\nDetectorPixelsX={COLUMNS}\nDetectorPixelSizeX={width}\n'
            f'DetectorPixelsY={ROWS}\nDetectorPixelSizeY={height}\nDetectorOffsetX={detector[0]}\nDetectorOffsetY={detector[1]}\n{place}'
            f'WhiteLevel={white}\nProjections={count}\nInitialAngle={first}\nAngularStep={step}\n\n[Xrays]\nXraykV=90\n')
    (Path(folder) / f'{name}.xtekct').write_bytes(changes(text).encode('latin-1'))
    if measured is not None:
        lines = [f'{i + 1}\t{angle:.5f}\t{i}.0' for i, angle in enumerate(measured)]
        (Path(folder) / '_ctdata.txt').write_text(f'Projs\tFrames\tExposure(ms)\n{count}\t1\t500\nProjection\tAngle(deg)\tTime(s)\n' + '\n'.join(lines))
    return voxel, balls * [1, -1, -1, 1, 1]


def skyscan(folder, step=2.4, count=150, direction='CC', alignment=2.5, line=40, source=60.0, camera=210.0, shifts=None, flat='ON',
            changes=lambda text: text, prefix='probe~00', white=57000, balls=BALLS, extra=0):
    """TIGRE's room: the source turns with the angle from the x axis about z, columns grow with y, rows with z. The optical axis is a
    line from below, the alignment columns by which the detector is displaced. `shifts`: of each image, displacing the detector."""
    pixel = 0.02  # mm at the object
    parallel = source >= 10000
    size = pixel if parallel else pixel * camera / source
    angles = (1 if direction == 'CC' else -1) * step * np.arange(count + extra)
    shift = np.zeros((len(angles), 2)) if shifts is None else np.asarray(shifts)

    def view(i, u, v):
        matrix = turn('z', angles[i])
        y = (u - COLUMNS / 2 + alignment + shift[i, 0]) * size
        z = (v - ROWS / 2 + (0 if parallel else line - ROWS / 2) + shift[i, 1]) * size
        pixels = np.stack([np.full_like(y, -50. if parallel else source - camera), y, z], -1) @ matrix.T
        return matrix @ [source, 0, 0], pixels, lambda points: points, matrix @ [-1., 0, 0] if parallel else None

    Path(folder).mkdir(exist_ok=True, parents=True)
    write_tiffs(folder, white * transmission(view, pixel, angles, balls), prefix + '{:08d}.tif', 0)
    if shifts is not None:
        lines = [f'{i:f}, {x:f}, {y:f}' for i, (x, y) in enumerate(shift)]
        (Path(folder) / f'{prefix}_TS.csv').write_text('Format,  CSV\nProperty of the curves, 2 4 1.0 1.0\nCURVE, Y1, Y2\n' + '\n'.join(lines) + '\n')
    text = (f'[System]\r\nScanner=SkyScan1272\r\nCamera Pixel Size (um)=7.4\r\n[User]\r\nUser Name=M\xfcller\r\n[Acquisition]\r\nFilename Prefix={prefix}\r\n'
            f'Filename Index Length=8\r\nNumber Of Files=  {count + extra}\r\nNumber Of Rows= {ROWS}\r\nNumber Of Columns= {COLUMNS}\r\n'
            f'Camera binning=1x1\r\nOptical Axis (line)=  {line}\r\nCamera to Source (mm)={camera}\r\nObject to Source (mm)={source}\r\n'
            f'Image Pixel Size (um)={1000 * pixel}\r\nImage Format=TIFF\r\nDepth (bits)=16\r\nRotation Step (deg)={step}\r\nUse 360 Rotation=YES\r\n'
            f'Flat Field Correction={flat}\r\nRotation Direction={direction}\r\nScanning Trajectory=ROUND\r\n[Reconstruction]\r\nPostalignment={alignment}\r\n')
    (Path(folder) / 'probe.log').write_bytes(changes(text).encode('latin-1'))
    return pixel, balls[:, [1, 0, 2, 3, 4]] * [1, -1, 1, 1, 1]


def zeiss(path, step=2.4, count=150, shifts=None, centre=3.25, parallel=False, balls=BALLS, references=1, **changes):
    """CIL's room: x along columns, z along rows, the object turns about z. CIL moves each image by its shift; the centre shift adds to
    those of the columns."""
    near, far, pixel = 70.0, 90.0, 0.02
    size = pixel if parallel else pixel * (near + far) / near
    angles = step * np.arange(count) - 30
    shift = np.zeros((count, 2)) if shifts is None else np.asarray(shifts)
    rng = np.random.default_rng(3)
    flat = rng.uniform(25000, 60000, (ROWS, COLUMNS))

    def view(i, u, v):
        x = (u - COLUMNS / 2 + shift[i, 0] + centre) * size
        z = (v - ROWS / 2 + shift[i, 1]) * size
        pixels = np.stack([x, np.full_like(x, far), z], -1)
        return np.array([0, -near, 0]), pixels, lambda points: points @ turn('z', angles[i]).T, np.array([0., 1, 0]) if parallel else None

    images = np.round(flat * transmission(view, pixel, angles, balls)).astype(np.uint16)
    streams = {'ReconSettings/CenterShift': struct.pack('<f', centre)}
    if shifts is not None:
        streams |= {'Alignment/X-Shifts': shift[:, 0].astype('<f4').tobytes(), 'Alignment/Y-Shifts': shift[:, 1].astype('<f4').tobytes()}
    if references > 1:
        streams |= {f'MultiReferenceData/Image{i + 1}': np.round(flat + 100 * (-1) ** i).astype('<u2').tobytes() for i in range(references)}
        streams |= {'MultiReferenceData/DataType': struct.pack('<i', 5), 'MultiReferenceData/TotalRefImages': struct.pack('<i', references)}
    known = {'PixelSize': 1000 * pixel, 'StoRADistance': [-near] * count, 'DtoRADistance': [far] * count, 'XrayGeometry': int(not parallel)} | changes
    Path(path).write_bytes(txrm(images, angles, np.round(flat).astype(np.uint16) if references == 1 else None, **streams, **known))
    return pixel, balls
