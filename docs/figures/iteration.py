#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""How good slices are, and what they cost: the methods of Sinograph and of other packages, one after another, on the same scans.

usage: meson devenv -C build PYTHON ../docs/figures/iteration.py [--size 512] [--data FOLDER] [--json FILE] [--page]
                                                                 [--scans foam:60,tooth] [--methods tv,astra_sirt] [--threads 2]

PYTHON has the packages that are to be compared: those that it lacks are left out and named. Each method has seven values of one
parameter; the one with the smallest error counts. --data has tooth.h5 and savu-tiff; without it, measured scans are left out. --page
writes the tables into docs/guide/iteration.md.
"""
import argparse
import datetime
import importlib.util
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
from iteration_methods import METHODS
from iteration_scans import MEASURED, scan_of
from measured import put

PAGE = Path(__file__).resolve().parents[1] / 'guide/iteration.md'
SCANS = 'foam:60,foam:180,foam:720,foam:wedge,shepp-logan:60,shepp-logan:180,texture:180,texture:720,tooth,tube'
MODULES = {'sinograph': 'sinograph', 'astra-toolbox': 'astra', 'svmbir': 'svmbir', 'scikit-image': 'skimage'}


def tried(name, scan, threads):
    """What a method says of each value, in the order of values; nothing if it fails."""
    limits = {f'{which}_NUM_THREADS': str(threads) for which in ('OMP', 'OPENBLAS', 'MKL')}
    done = subprocess.run([sys.executable, Path(__file__).with_name('iteration_methods.py'), name, scan, str(threads)],
                          stdout=subprocess.PIPE, text=True, env=os.environ | limits)
    if done.returncode:
        print(f'# {name} failed', file=sys.stderr)
        return []
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{')]


def measure(options):
    """A list of {scan, method, package, tried, best}."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for words in options.scans:
            scan = scan_of(words, options.size, options.data)
            scan.save(f'{folder}/scan.npz')
            for name in options.methods:
                values = tried(name, f'{folder}/scan.npz', options.threads)
                if not values:
                    continue
                best = min(values, key=lambda each: each['error'])
                found.append({'scan': scan.name, 'method': name, 'package': METHODS[name].package, 'tried': values, 'best': best})
                print(f"# {scan.name}: {name}: {best['value']}, error {best['error']:.4f}, SSIM {best['ssim']:.3f}, "
                      f"{best['cpu']:.4g} s of CPU", file=sys.stderr, flush=True)
                if options.json:
                    Path(options.json).write_text(json.dumps(about(options) | {'found': found}, indent=1))
    return found


def about(options):
    versions = {'sinograph': sinograph_version()}
    versions |= {package: version(package) for package, module in MODULES.items() if package != 'sinograph' and has(module)}
    cpu = next((line.split(':')[1].strip() for line in open('/proc/cpuinfo') if line.startswith('model name')), platform.machine())
    return {'date': datetime.date.today().isoformat(), 'cpu': cpu, 'threads': options.threads, 'size': options.size,
            'python': platform.python_version(), 'versions': versions | {'numpy': np.__version__}}


def sinograph_version():
    import sinograph
    return sinograph.__version__


def has(module):
    return importlib.util.find_spec(module) is not None


def value(each):
    """The best one, with a sign if it is the least or the largest of those that were tried."""
    best, texts = each['best']['value'], [one['value'] for one in each['tried']]
    numbers = {text: float(found[0]) for text in texts if (found := re.search(r'-?[\d.]+', text))}
    if best not in numbers:
        return '' if len(texts) == 1 else best
    sign = '≤ ' if numbers[best] == min(numbers.values()) else '≥ ' if best == texts[-1] else ''
    return f'{sign}{numbers[best]:g}'


def quality(each, least):
    error = f"{each['best']['error']:.4f}"
    return f"{f'**{error}**' if error == f'{least:.4f}' else error} / {each['best']['ssim']:.3f}"


def seconds(each):
    return ' / '.join(f'{taken:.0f}' if taken >= 10 else f'{taken:.2g}' for taken in (each['best']['cpu'], each['best']['wall']))


def tables(found, on_page):
    """A row for each method, a column for each scan. Tells whether all are on the page."""
    scans = list(dict.fromkeys(each['scan'] for each in found))
    names = [name for name in METHODS if any(each['method'] == name for each in found)]
    of = {(each['scan'], each['method']): each for each in found}
    least = {scan: min(each['best']['error'] for each in found if each['scan'] == scan) for scan in scans}
    several = [name for name in names if name not in ('tv', 'tv_alone')]
    good = []
    for section, some, cell in (('quality', [name for name in names if name != 'tv_alone'], lambda each: quality(each, least[each['scan']])),
                                ('time', names, seconds), ('values', several, value)):
        rows = [[METHODS[name].name, *(cell(of[scan, name]) if (scan, name) in of else '' for scan in scans)] for name in some]
        good.append(put(section, ['', *scans], rows, on_page, PAGE))
    good.append(put('tried', ['', 'tried'], [[METHODS[name].name, METHODS[name].grid] for name in several], on_page, PAGE))
    return all(good)


def leave_out(options):
    """What cannot be measured here, and says so."""
    left_out = [name for name in options.methods if not has(MODULES[METHODS[name].package])]
    options.methods = [name for name in options.methods if name not in left_out]
    for name in left_out:
        print(f'# {name} is left out: this Python has no {METHODS[name].package}', file=sys.stderr)
    if not options.data:
        measured = [words for words in options.scans if words.partition(':')[0] in MEASURED]
        options.scans = [words for words in options.scans if words not in measured]
        for words in measured:
            print(f'# {words} is left out: give its folder, --data', file=sys.stderr)


def options_of(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--size', type=int, default=512)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--scans', type=lambda text: text.split(','), default=SCANS.split(','))
    parser.add_argument('--methods', type=lambda text: text.split(','), default=list(METHODS))
    for name, meaning in {'data': 'folder of measured scans', 'json': 'file for all that was tried', 'from-json': 'makes tables of such files, separated by commas; the last that has a method and scan counts'}.items():
        parser.add_argument(f'--{name}', help=meaning)
    parser.add_argument('--page', action='store_true')
    options = parser.parse_args(words)
    for name in options.methods:
        if name not in METHODS:
            parser.error(f"no method '{name}': {', '.join(METHODS)}")
    return options


def main():
    options = options_of(sys.argv[1:])
    if options.from_json:
        found = [each for path in options.from_json.split(',') for each in json.loads(Path(path).read_text())['found']]
        found = list({(each['scan'], each['method']): each for each in found}.values())
    else:
        leave_out(options)
        found = measure(options)
    tables(found, options.page)
    return not found


if __name__ == '__main__':
    sys.exit(main())
