#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""docs/figures/iteration.py: how it judges slices, and a small run without other packages. Costs 4 s."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import phantoms
import sinograph
import tap

SCRIPT = Path(__file__).resolve().parents[2] / 'docs/figures/iteration.py'
sys.path.insert(0, str(SCRIPT.parent))
import iteration_scans as scans  # noqa: E402

SHAPES = [(1, .7, .5, .1, -.2, 20), (.5, .2, .3, -.3, .3, 0)]


def script(*words):
    return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True)


def test_rows_of_slices():
    """Beside formulas. Pixels at borders hold means, so few values differ by more than a pixel."""
    degrees = np.array([0, 10, 45, 90, 133, 179])
    image = phantoms.image(96, SHAPES)
    for axis in 48, 45.3:
        rows, truth = scans.project(image, degrees, axis), phantoms.sinogram(96, degrees, SHAPES, axis=axis)
        error = np.sqrt(np.mean((rows - truth) ** 2)) / truth.max()
        tap.check(error < 4e-3, f'axis {axis}: {error}')


def test_similarity():
    """A pixel by the formula, with all its sums."""
    image = np.random.default_rng(2).random((20, 30))
    truth = np.random.default_rng(3).random((20, 30))
    a, b, span = image[4:11, 9:16], truth[4:11, 9:16], truth.max() - truth.min()
    both = np.sum((a - a.mean()) * (b - b.mean())) / 48
    want = ((2 * a.mean() * b.mean() + (.01 * span) ** 2) * (2 * both + (.03 * span) ** 2)
            / (a.mean() ** 2 + b.mean() ** 2 + (.01 * span) ** 2) / (a.var(ddof=1) + b.var(ddof=1) + (.03 * span) ** 2))
    tap.check(abs(scans.ssim(image, truth)[7, 12] - want) < 1e-12, f'{scans.ssim(image, truth)[7, 12]}, not {want}')
    tap.check(np.allclose(scans.ssim(truth, truth), 1), 'of the same')


def test_run():
    with tempfile.TemporaryDirectory() as folder:
        done = script('--size=96', '--scans=foam:40,tooth', '--methods=fbp,tv', f'--json={folder}/all.json')
        tap.check(done.returncode == 0 and 'tooth is left out' in done.stderr, done.stderr)
        found = {each['method']: each for each in json.loads(Path(f'{folder}/all.json').read_text())['found']}
        again = script(f'--from-json={folder}/all.json')
    tap.check(again.stdout == done.stdout, again.stdout)
    tap.check([len(found[name]['tried']) for name in ('fbp', 'tv')] == [7, 1], found)
    for each in found.values():
        tap.check(each['best']['error'] == min(value['error'] for value in each['tried']), each)
        error, alike = (f"{each['best'][key]:{form}}" for key, form in (('error', '.4f'), ('ssim', '.3f')))
        tap.check(each['best']['cpu'] > 0 and re.search(rf'\| (\**){error}\1 / {alike} \|', done.stdout), done.stdout)
    rows, _ = phantoms.noisy(phantoms.sinogram(96, np.arange(40) * 4.5, *phantoms.foam()), 2e4)
    truth, place = phantoms.image(96, *phantoms.foam()), np.arange(96) - 47.5
    inside = np.hypot(place, place[:, None]) < 46.08
    for name, how in ('tv', {'method': 'tv'}), ('fbp', {'method': 'direct', 'window': 'hann', 'cutoff': float(found['fbp']['best']['value'][7:])}):
        image = sinograph.reconstruct(rows, np.arange(40) * 4.5, 48, device='native', message=lambda *_: None, **how)
        error = np.linalg.norm((image - truth)[inside]) / np.linalg.norm(truth[inside])
        alike = scans.ssim(image, truth)[inside].mean()
        for got, want in (found[name]['best']['error'], error), (found[name]['best']['ssim'], alike):
            tap.check(abs(got / want - 1) < 1e-4, f'{name}: {got}, not {want}')


def test_refused():
    for words, want in (('--methods=tw', "no method 'tw': fbp, "), ('--scans=foam', "no scan 'foam': foam, ")):
        done = script('--size=96', words)
        tap.check(done.returncode and want in done.stderr, done.stderr)


tap.main(globals())
