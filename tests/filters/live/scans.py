# SPDX-License-Identifier: LGPL-3.0-or-later
"""A scan, its volume, and its planes as `live` shows them."""
import functools
import warnings

import numpy as np
import sinograph

COLUMNS, ROWS, VIEWS = 75, 33, 90
AXIS = 35.3
RANDOM = np.random.default_rng(5)
SCAN = RANDOM.normal(0, .1, (VIEWS, ROWS, COLUMNS)).astype('f4')
SCAN += np.hypot(*np.ogrid[-1:1:ROWS * 1j, -1:1:COLUMNS * 1j])[None].astype('f4') < .7
ANGLES = np.linspace(0, 180, VIEWS, endpoint=False)


def geometry(angles=ANGLES, **more):
    return sinograph.Geometry(angles, axis=AXIS, **more)


def graph_of(node, values=SCAN, angles=ANGLES, **properties):
    graph = sinograph.Graph()
    source = graph.add_array(values, geometry=geometry(angles))
    graph.add(node, node, **properties)
    graph.connect(source, node)
    return graph


def volume(values=SCAN, angles=ANGLES, **properties):
    graph = graph_of('reconstruct', values, angles, method='direct', **properties)
    graph.add('app-sink', 'out', whole=True)
    graph.connect('reconstruct', 'out')
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # of noise at the borders; how many rows of it are seen depends on their order
        with graph.start('native'):
            return graph['out'].pull()


def shown(planes, values=SCAN, angles=ANGLES, threads=2, **properties):
    graph = graph_of('live', values, angles, planes=planes, **properties)
    graph.run('native', threads=threads)
    return [graph['live'].pull(number).array for number in range(len(planes.split()))]


# Largest errors (RMS), as shares of the largest value of a volume. Halves have 11 bits; 90 noisy projections average little.
HALF, SINGLE = 4e-5, 2e-6


@functools.cache
def whole():
    return volume()


def close(got, wanted, most=HALF):
    error = np.sqrt(np.mean((got - wanted) ** 2)) / max(np.abs(wanted).max(), np.abs(whole()).max())
    assert got.shape == wanted.shape and error <= most, f'{got.shape}, {wanted.shape}: {error:.3g}'
