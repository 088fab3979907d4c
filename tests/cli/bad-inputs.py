#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""What people get wrong, from scans to command lines: each is refused with words that lead on, and no file is left."""
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import SkipTest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'tasks'))
import fields
import h5py
import numpy as np
import ole
import tap
import tifffile

FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)
ANGLES, ROWS, COLUMNS = 40, 6, 64
NONE = 'nor the name of a file with angles'

# A launch line without its sink, and words of the message, by which it can be mended.
READING = {
    'read': ["'read': path is missing: set path="],
    'read path=folder': ["'folder' has no .tif, .tiff,", 'give a pattern like folder/*.img'],
    'read path=empty.tif': ["cannot open 'empty.tif' as TIFF"],
    'read path=text.tif': ["cannot open 'text.tif' as TIFF", 'Not a TIFF'],
    'read path=mixed': ["'mixed/a_3.tif' is 6 x 65 u16, but 'mixed/a_0.tif' begins with 6 x 64 u16", 'must have the same size and type'],
    'read path=mixed/b_*.tif': ["no file matches 'mixed/b_*.tif'"],
    'read path=mixed/b_%04i.tif': ["no file matches 'mixed/b_%04i.tif'"],
    'read path=scan.h5/data': ["cannot open 'scan.h5/data': Not a directory"],
    'read path=scan.h5:/exchange/dat': ["no dataset '/exchange/dat' (did you mean '/exchange/data'?)"],
    'read path=scan.h5 dataset=/exchange': ["'scan.h5' /exchange is a group and not a dataset: name a dataset in it"],
    'read path=scan.h5 dataset=exchange/theta': ['/exchange/theta has 1 axes: a stack of images has three'],
    'read path=four.h5': ['/exchange/data has 4 axes: a stack of images has three'],
    'read path=colours.png': ["'colours.png' contains colours: convert it to grey values"],
    'read path=colours.tif': ["page 1 of 'colours.tif' has 3 values per pixel: only grey images work"],
    'read path=cut.png': ["'cut.png' is truncated: it has no end"],
    'read path=text.txrm': ['is an OLE2 file without ImageInfo', 'export its images as TIFF'],
    'read path=cut.npy': ["'cut.npy' is truncated: 118 bytes are missing at byte 10"],
    'read path=words.h5': ["'words.h5' /exchange/theta contains words: it must contain numbers"],
    'read path=few-angles.h5': ['has 40 projections and 7 angles in /exchange/theta: set angles='],
    'read path=few-axes.h5': ["'few-axes.h5' /exchange/rotation_axis has 7 values for 40 projections", 'set axis='],
    'read path=no-axis.h5': ['/exchange/rotation_axis: value 0 is nan: numbers must be from -1e9 to 1e9'],
    'read path=wide-flats.h5': ['the flats in', 'have 6 rows and 65 columns', 'set flats= to frames of the same detector area'],
    'read path=by-row.h5': ['has 6 projections and 40 angles', 'set angles= to give the right ones, or axes=sinograms'],
    'read path=scan.h5 axes=sinograms': ['has 6 projections and 40 angles', 'or leave axes=sinograms out'],
    'read path=scan.h5 rows=7': ['rows=7 is outside the 6 rows of the scan'],
    'read path=scan.h5 rows=a:b': ['rows=a:b is not a range: give begin:end or begin:end:step, for example rows=0:6'],
    'read path=scan.h5 rows=3:3': ['rows=3:3 contains none of the 6 rows'],
    'read path=scan.h5 columns=::-1': ['columns=::-1 has a step of -1: it must be 1 or more'],
    'read path=scan.h5 projections=1:2:3:4': ['projections=1:2:3:4 is not a range', 'for example projections=0:40'],
    'read path=scan.h5 angles=180': ['angles=180 is neither degrees start:stop, as 0:180, nor the name of a file', NONE],
    'read path=scan.h5 angles=zero:180': ['angles=zero:180 is neither degrees', NONE],
    'read path=scan.h5 angles=0:nan': ['angles=0:nan is neither degrees', NONE],
    'read path=scan.h5 angles=90:90': ['angles=90:90 gives all projections the same angle: give start:stop, as 0:180'],
    'read path=scan.h5 angles=0:180:7': ['makes 26 angles for 40 projections'],
    'read path=scan.h5 angles=0:180:0': ['makes 0 angles for 40 projections: correct the step'],
    'read path=scan.h5 angles=39.txt': ["'39.txt' has 39 angles for 40 projections: it needs one for each"],
    'read path=scan.h5 angles=empty.txt': ["'empty.txt' has 0 angles for 40 projections"],
    'read path=scan.h5 angles=words.txt': ["'words.txt' line 1: 'two' is not an angle in degrees"],
    'read path=scan.h5 angles=scan.h5:/exchange/none': ["'scan.h5' has no dataset '/exchange/none'"],
    'read path=scan.h5 axis=middle': ["axis must be a detector column, not 'middle'"],
    'read path=scan.h5 flats=tall.tif': ["the flats in 'tall.tif' have 7 rows and 64 columns", 'set flats='],
    'read path=scan.h5 darks=absent.tif': ["cannot open 'absent.tif': No such file or directory"],
    'read path=text.raw raw=u8:1x1x1+9223372036854775807': ['is truncated', 'end at byte 9223372036854775807, the file has 8'],
    'read path=text.raw raw=u8:4194304x4194304x4194304': ['claims to contain 65536 PiB: no file is so large'],
    'read path=text.raw raw=u8:4194305x1': ['the size must have numbers from 1 to 4194304'],
    'read path=scan.h5 raw=u12:64x6': ['raw=u12:64x6: the type must be one of u8, u16'],
    'read path=scan.h5 geometry=other.xml': ["'other.xml': line 1: the file must have RTKThreeDCircularGeometry, not Geometry"],
    'read path=scan.h5 geometry=39.txt': ['the first line must give the kind of numbers: cone_vec'],
    'read path=scan.h5 origin-detector=100': ['origin-detector=100 wants source-origin='],
    'read path=scan.h5 source-origin=9 origin-detector=9 middle-row=top': ["middle-row must be a detector row or auto, not 'top'"],
    'read path=no-angles.h5 source-origin=9 origin-detector=9': ['the scan has no angles', 'set angles='],
}

CORRECTED = 'read path=scan.h5 ! flat-field'
SINOGRAMS = f'{CORRECTED} ! interleave'
PHASE = 'retrieve-phase energy=20 distance=0.1'
FILTERS = {
    # what is corrected, and what is not
    'read path=volume.tif axes=slices ! flat-field': ["'flat-field', fed by 'read'", 'put this node before the reconstruction, or correct axes='],
    'read path=no-flats.h5 ! flat-field': ["no flats: the stream has none; give flats= to 'read'"],
    f'{CORRECTED} ! flat-field': ["'flat-field' has changed its counts already: leave this node out"],
    f'{CORRECTED} ! reconstruct ! flat-field': ['got f32 slices', 'put this node before the reconstruction'],
    'read path=scan.h5 ! correct-dose': ["wants f32 values", "put 'flat-field' before it"],
    f'{CORRECTED} ! correct-dose x=60 width=10': ['x=60 and width=10 exceed the 64 columns'],
    # the axis
    'read path=no-angles.h5 ! flat-field ! find-axis': ['the projections have no angles', 'angles=start:stop'],
    'read path=scan.h5 ! find-axis': ["wants f32 values", "put 'flat-field' before it"],
    f'{CORRECTED} ! find-axis range=20:40': ["'find-axis': no property 'range': the properties are method, rows"],
    f'{CORRECTED} ! reconstruct axis=nan': ['axis=nan must be finite'],
    f'{CORRECTED} ! reconstruct axis=here': ["axis=here is neither 'auto' nor a number, nor a file that can be read"],
    f'{CORRECTED} ! reconstruct axis=-400': ['the axis, at column -400, is too far from columns 0 to 64'],
    f'{CORRECTED} ! reconstruct axis=30:20': ['axis=30:20 contains no column: stop is excluded', 'for example axis=290:300:0.5'],
    f'{CORRECTED} ! reconstruct axis=20:30:0': ['axis=20:30:0 contains no column'],
    f'{CORRECTED} ! reconstruct axis=20:30 axis-row=9': ['row=9 is not in the stream, which has rows 0 to 5'],
    f'{CORRECTED} ! stitch-360': ['the projections cover 175.5 degrees, and a whole turn is needed', 'correct angles='],
    'read path=turn.h5 ! flat-field ! stitch-360 axis=900': ['the axis at column 900 is outside the detector', 'give another axis='],
    # stripes
    f'{CORRECTED} ! remove-stripes': ["wants sinograms", "put 'interleave' before it"],
    'read path=scan.h5 ! interleave ! remove-stripes': ['wants f32 values', "put 'flat-field' before it"],
    f'{SINOGRAMS} ! remove-stripes level=2': ["no property 'level': did you mean 'levels'?"],
    f'{SINOGRAMS} ! remove-stripes method=sort': ["property 'method' wants one of offset, sorting, large, dead, all, wavelet-fourier"],
    # phase
    f'{CORRECTED} ! retrieve-phase': ['energy= is missing: give the energy of the X-rays in keV'],
    f'{CORRECTED} ! retrieve-phase energy=20': ['distance= is missing: give the distance of sample and detector in m'],
    f'{CORRECTED} ! retrieve-phase energy=20000 distance=0.1': ['energy=20000 must be in keV and from 1 to 1000'],
    f'{CORRECTED} ! {PHASE} delta-beta=300 pixel-size=0.65': ['pixel-size=0.65 must be in m', 'a micrometre is 1e-6'],
    f'{CORRECTED} ! {PHASE} pixel-size=1e-6': ['delta-beta= is missing'],
    f'{SINOGRAMS} ! {PHASE} pixel-size=1e-6 delta-beta=300': ['wants projections', "put this node before 'interleave'"],
    # pixels that move
    'read path=scan.h5 ! crop x=70': ['x=70 is outside: the images have 64 columns, 0 to 63'],
    'read path=scan.h5 ! crop y=3 height=9': ['y=3 + height=9 is more than the 6 rows', 'at most 3 are left'],
    'read path=scan.h5 ! bin columns=65': ['cannot combine 65 columns and 65 rows into one pixel', 'give smaller columns= and rows='],
    'read path=scan.h5 ! shift file=drift.txt': ['darks and flats cannot follow', "put 'flat-field' before it"],
    f'{CORRECTED} ! shift file=drift.txt': ['file=drift.txt has 2 numbers for 40 projections'],
    f'{CORRECTED} ! shift file=words.txt': ["'words.txt' line 1: 'two' is not a shift in pixels"],
    f'{CORRECTED} ! shift dx=1 file=drift.txt': ['file=drift.txt gives the shifts: leave dx= and dy= out'],
    f'{SINOGRAMS} ! shift dy=2': ['shifts by rows want projections or slices', "put this node before 'interleave'"],
    f'{SINOGRAMS} ! transpose': ['wants projections or slices', "put this node before 'interleave'"],
    'read path=scan.h5 ! undistort': ['file= is missing: give the text file from Discorpy'],
    'read path=scan.h5 ! flip axis=x': ["no property 'axis': the properties are direction"],
    # reconstruction
    'read path=scan.h5 ! reconstruct': ['wants f32 values', "put 'flat-field' before it"],
    f'{CORRECTED} ! reconstruct ! reconstruct': ['leave this node out, because slices are reconstructed already'],
    f'{CORRECTED} ! reconstruct method=fast': ["property 'method' wants one of auto, direct, fourier, tv, cgls, iterated-fdk, os-sart, sirt, got 'fast'"],
}

WHOLE = {
    f'{CORRECTED} ! reconstruct ! write': ['path is missing', 'for example slices/%05i.tif'],
    f'{CORRECTED} ! reconstruct ! write path=out.jpg': ['path=out.jpg does not say what to write: name .ome.tif'],
    f'{CORRECTED} ! reconstruct ! write path=folder': ['path=folder does not say what to write'],
    f'{CORRECTED} ! reconstruct ! write path=out/%s.tif': ['a pattern must have one number like %i or %05i'],
    f'{CORRECTED} ! reconstruct ! write path=scan.h5 overwrite=true': ["would replace 'scan.h5', which 'read' reads: give it another path"],
    f'{CORRECTED} ! reconstruct ! preview path=out.jpg': ['set path= to a name that ends in .png'],
    f'{CORRECTED} ! reconstruct ! preview path=out.png slice=99': ['slice=99 is not in the stream, which has images 0 to 5'],
    f'{CORRECTED} ! reconstruct ! rescale min=2 max=1 ! write path=out.tif': ['min=2 is not below max=1: exchange them'],
    'read path=empty-scan.h5 ! reconstruct axis=32 ! write path=out/%05i.tif': ['all values of the slices are zero, NaN or infinite', 'allow-empty=true'],
}

NETWORK = {
    'receive ! null': ["'receive': set address to where frames come from, like tcp://camera:5555"],
    'receive address=camera ! null': ['address=camera: cannot be connected to: Invalid argument', 'addresses are like tcp://camera:5555'],
    'receive address=camera:5555 frames=9 bind=true ! null': ['address=camera:5555: cannot be bound'],
    'receive address=tcp://127.0.0.1:9 timeout=0.1 ! null': ['no frame has come from address=tcp://127.0.0.1:9 for 0.1 s (timeout), after 0 projections'],
    'receive address=tcp://127.0.0.1:9 protocol=pva ! null': ["'protocol' wants one of auto, array-1.0, concert, recastx, sls, odin, eiger-2, got 'pva'"],
    'receive address=tcp://127.0.0.1:9 width=9 ! null': ["no property 'width'"],
    'receive address=tcp://127.0.0.1:9 rows=4 columns=4 element=u16 frames=9 ! reconstruct ! null': ['wants f32 values', "put 'flat-field' before it"],
    'simulate ! send': ["'send': set address to where receivers find the images, like tcp://*:5555"],
    'simulate ! send address=ipc://frames': ['images that still wait in an ipc socket are lost when the sender ends', 'use tcp://127.0.0.1:PORT'],
    'simulate ! send address=tcp://127.0.0.1:9 bind=false timeout=0.1': ['no receiver at address=tcp://127.0.0.1:9 has taken a message for 0.1 s (timeout)'],
    'simulate ! interleave ! send address=tcp://*:5555': ["'send'", 'sinograms'],
}

COMMANDS = {
    'reconstruct': ['reconstruct wants a scan'],
    'reconstruct absent.h5': ["absent.h5': No such file or directory"],
    'reconstruct folder': ['contain no images that could be projections'],
    'reconstruct no-angles.h5': ['has no angles: give --angles=start:stop'],
    'reconstruct no-flats.h5': ['has no flats: give --flats='],
    'reconstruct volume.tif': ['has no angles: give --angles='],
    'reconstruct scan.h5 out --angles=absent.txt': ['angles=absent.txt is neither degrees', NONE],
    'reconstruct scan.h5 out --angles=0:180:9': ['makes 20 angles for 40 projections'],
    'reconstruct scan.h5 out --rows=9': ['rows=9 is outside the 6 rows'],
    'reconstruct scan.h5 out --axis=x': ["axis must be a detector column, not 'x'"],
    'reconstruct scan.h5 out --axis=1:2:3:4': ['axis=1:2:3:4 is not a range: give start:stop:step in columns'],
    'reconstruct scan.h5 out --bin=x': ["property 'columns' wants an integer from 1 to 4096, got 'x'"],
    'reconstruct scan.h5 out --phase=energy=20': ['distance= is missing'],
    'reconstruct scan.h5 out --phase=fast': ["--phase=fast: give properties of retrieve-phase, as in --phase='energy=20"],
    'reconstruct scan.h5 out --sinograms': ['or leave axes=sinograms out'],
    'reconstruct by-row.h5 out': ['or axes=sinograms, because its images have as many rows'],
    'reconstruct scan.h5 folder/../scan.h5': ['exists: give another folder after the scan, or --overwrite'],
    'reconstruct scan.h5 out --flats=tall.tif': ['set flats= to frames of the same detector area'],
    'reconstruct scan.h5 out --rotation=180': ["no option '--rotation=180'", '--help'],
    'reconstruct scan.h5 out --memory=1K': ['more than the memory limit of 1.0 KiB', 'raise --memory'],
    'reconstruct scan.h5 out --device=gpu': ["no device 'gpu'; the devices are native"],
    'reconstruct scan.h5 out --set=window=hann': ["--set wants NODE.PROPERTY=VALUE, got 'window=hann'"],
    'reconstruct mixed out --angles=0:180': ['all images of a scan must have the same size and type'],
    'reconstruct text.txrm out': ['export its images as TIFF'],
    'reconstruct empty-scan.h5 empty-out --axis=32': ['all values of the slices are zero, NaN or infinite'],
    'inspect absent.h5': ["absent.h5': No such file or directory"],
    'inspect folder': ['contain no images that could be projections'],
    'inspect mixed': ['all images of a scan must have the same size and type'],
    'inspect text.tif': ['Not a TIFF'],
    'inspect wide-flats.h5': ['set flats= to frames of the same detector area'],
    'inspect recnstruct': ["no node 'recnstruct': did you mean 'reconstruct'?"],
    'inspect scan.h5 more': ['inspect wants one node or scan, got 2 arguments'],
}


def scan(name, theta=180., data=None, **more):
    counts = np.random.default_rng(1).integers(2000, 9000, (ANGLES, ROWS, COLUMNS)).astype(np.uint16)
    content = {'data': counts if data is None else data, 'data_white': np.full((3, ROWS, COLUMNS), 10000, np.uint16),
               'data_dark': np.full((3, ROWS, COLUMNS), 100, np.uint16),
               'theta': np.arange(ANGLES) * theta / ANGLES if isinstance(theta, float) else theta, **more}
    with h5py.File(name, 'w') as file:
        for key, value in content.items():
            if value is not None:
                file[f'exchange/{key}'] = value
    return counts


def make_files():
    counts = scan('scan.h5')
    scan('turn.h5', 360.)
    scan('no-angles.h5', None)
    scan('no-flats.h5', data_white=None, data_dark=None)
    scan('by-row.h5', data=counts.transpose(1, 0, 2))
    scan('words.h5', np.array(['left'] * ANGLES, 'S4'))
    scan('few-angles.h5', np.arange(7.))
    scan('few-axes.h5', rotation_axis=np.arange(7.))
    scan('no-axis.h5', rotation_axis=np.array([np.nan]))
    scan('wide-flats.h5', data_white=np.ones((3, ROWS, COLUMNS + 1), np.uint16))
    scan('four.h5', data=np.ones((2, 3, 4, 5), np.float32))
    scan('empty-scan.h5', data=np.full(counts.shape, np.nan, np.float32), data_white=None, data_dark=None)
    for name in 'folder', 'mixed':
        Path(name).mkdir()
    for i in range(4):
        tifffile.imwrite(f'mixed/a_{i}.tif', np.ones((ROWS, COLUMNS + (i == 3)), np.uint16))
    tifffile.imwrite('tall.tif', np.ones((ROWS + 1, COLUMNS), np.uint16))
    tifffile.imwrite('volume.tif', np.ones((5, 16, 16), np.float32), photometric='minisblack')
    tifffile.imwrite('colours.tif', np.ones((ROWS, COLUMNS, 3), np.uint8), photometric='rgb')
    for name, content in {'colours.png': fields.png(np.ones((4, 6), np.uint8), colour=2), 'cut.png': fields.png(np.ones((4, 6), np.uint8))[:40],
                          'text.txrm': ole.compound({'WordDocument': b'text' * 2000}), 'cut.npy': b'\x93NUMPY\1\0v\0', 'empty.tif': b'',
                          'empty.txt': b'', 'text.tif': b'no image', 'text.raw': b'no image', '39.txt': b'1\n' * 39, 'words.txt': b'0 1 two 3\n', 'drift.txt': b'1\n2\n',
                          'other.xml': b'<Geometry/>'}.items():
        Path(name).write_bytes(content)


def there():
    return sorted((str(path), path.stat().st_mtime_ns if path.is_file() else 0) for path in Path('.').rglob('*'))


def try_one(case):
    """What is wrong with how a command line is refused, or nothing."""
    words, wanted = case
    done = subprocess.run([sys.argv[1], *words], capture_output=True, timeout=60)
    said = done.stderr.decode(errors='replace')
    missing = [word for word in wanted if word not in said]
    if done.returncode not in (1, 2) or missing or not said.startswith('sinograph: ') or '\ufffd' in said:
        return f'{words}: exit {done.returncode}, not said {missing}: {said}'
    return ''


def try_all(cases):
    """Each of (command line, what has to be said) must be refused, in clean text, and leave the folder as it was."""
    if not Path('scan.h5').exists():
        make_files()
    before = there()
    with ThreadPoolExecutor(2) as pool:
        wrong = [text for text in pool.map(try_one, cases) if text]
    tap.check(not wrong, '\n'.join(wrong))
    tap.same(there(), before)
    print(f'# {len(cases)} bad inputs', flush=True)


def test_reading():
    try_all([(['launch', f'{line} ! null'], words) for line, words in READING.items()])


def test_filters():
    try_all([(['launch', f'{line} ! null'], words) for line, words in FILTERS.items()])


def test_graphs():
    try_all([(['launch', line], words) for line, words in WHOLE.items()])


def test_network():
    if b'  receive ' not in subprocess.run([sys.argv[1], 'inspect'], capture_output=True).stdout:
        raise SkipTest('built without ZeroMQ')
    try_all([(['launch', line], words) for line, words in NETWORK.items()])


def test_commands():
    try_all([(line.split(), words) for line, words in COMMANDS.items()])


tap.main(globals())
