#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The axis that `live` finds while a scan goes on: of bodies whose projections are known in closed form, and of a measured tooth. Costs 6 s."""
import json
import os
import socket
import sys
import tempfile
import time
from pathlib import Path
from unittest import SkipTest

import numpy as np
import sinograph
import tap

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'find-axis'))
from axis_scans import body, project

COLUMNS, ROWS, AXIS = 160, 12, 84.3


def scan(arc, views):
    random = np.random.default_rng(11)
    angles = np.arange(views) * arc / views
    exact = project(body(random, 60, ROWS), AXIS, angles, ROWS, COLUMNS)
    exact *= 2 / exact.max()
    return -np.log(np.maximum(random.poisson(2e4 * np.exp(-exact)), .5) / 2e4).astype('f4'), angles


def graph_of(values, angles, settings):
    graph = sinograph.Graph(f'app-source name=s element=f32 rows={values.shape[1]} columns={values.shape[2]} '
                            f'frames={len(values)} ! live name=live {settings}')
    graph['s'].set_geometry(sinograph.Geometry(angles))
    return graph, graph['s'], graph['live']


def run(values, angles, settings):
    said = []
    graph, source, live = graph_of(values, angles, settings)
    with graph.start('native', message=lambda *words: said.append(words)):
        source.push(values)
    return live, said


def near(found, most, axis=AXIS):
    tap.check(found is not None and abs(found.column - axis) <= most, found)


def wait(live, ready):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if (found := live.found_axis) is not None and ready(found):
            return found
        time.sleep(.01)
    raise AssertionError(f'not found in time: {live.found_axis}')


def test_half_turn():
    """It is found of the last projections, and the pictures stay as they are."""
    values, angles = scan(180, 240)
    live, said = run(values, angles, 'find-axis=on axis=80 precision=single')
    near(live.found_axis, .1)
    tap.same(live.found_axis.projections, 240)
    tap.check(any(node == 'live' and level == 'info' and 'the axis is at column 84.' in words for node, level, words in said), said)
    plain, _ = run(values, angles, 'axis=80 precision=single')
    tap.check(np.array_equal(live.pull(0).array, plain.pull(0).array), 'other pictures')
    tap.same(plain.found_axis, None)


def test_while_it_comes():
    """Of a full turn, it is found after about half of it, and settles."""
    values, angles = scan(360, 360)
    folder = tempfile.TemporaryDirectory()
    graph, source, live = graph_of(values, angles, f'find-axis=on address=unix:{folder.name}/live')
    with graph.start('native'), folder:
        tap.same(live.found_axis, None)
        source.push(values[:165])
        for part in range(180, 255, 15):
            source.push(values[part - 15:part])
            found = wait(live, lambda found: found.projections == part)
            near(found, .3)
        tap.check(found.settled, found)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(f'{folder.name}/live')
            client.sendall(b'{"list": true}\n')
            tap.same(json.loads(client.makefile().readline())['found-axis'], found._asdict())
        source.push(values[240:])
    near(live.found_axis, .1)
    tap.same((live.found_axis.projections, live.found_axis.settled), (360, True))


def test_applied():
    """The last pictures have the axis that was found, unless the program has moved it."""
    values, angles = scan(180, 240)
    live, _ = run(values, angles, 'find-axis=apply planes="z=5 x=3" precision=single')
    column = live.found_axis.column
    near(live.found_axis, .1)
    for number, want in enumerate(run(values, angles, f'axis={column!r} planes="z=5 x=3" precision=single')[0].pull(i).array for i in range(2)):
        tap.check(np.abs(live.pull(number).array - want).max() < 1e-5 * np.abs(want).max(), f'plane {number} has another axis')
    graph, source, live = graph_of(values, angles, 'find-axis=apply planes=z=5 precision=single')
    with graph.start('native'):
        source.push(values[:100])
        live.set_axis(79.5)
        source.push(values[100:])
    want = run(values, angles, 'axis=79.5 planes=z=5 precision=single')[0].pull(0).array
    tap.check(np.abs(live.pull(0).array - want).max() < 1e-5 * np.abs(want).max(), 'the program moved it elsewhere')


def test_next_run():
    """What was found is of one run; the next one begins with the properties."""
    line = 'simulate name=s width=128 height=16 projections=200 angles=0:360 ! live name=live planes=z=8 axis=60 find-axis='
    graph, fresh = sinograph.Graph(line + 'apply'), sinograph.Graph(line + 'off')
    fresh.run('native')
    wanted = fresh['live'].pull().array
    graph.run('native')
    tap.check(np.abs(graph['live'].pull().array - wanted).max() > .1 * np.abs(wanted).max(), 'the axis was not applied')
    graph.set('live', find_axis='off')
    graph.run('native')
    tap.check(np.array_equal(graph['live'].pull().array, wanted), 'the axis of the run before')


def test_turns():
    """In a scan with many turns, it is that of the first one."""
    values, angles = scan(360, 240)
    live, _ = run(np.concatenate([values, values, values]), np.concatenate([angles, angles + 360, angles + 720]), 'find-axis=apply mode=ring')
    near(live.found_axis, .1)
    tap.same(live.found_axis.projections, 240)


def test_nothing_there():
    values, angles = scan(180, 60)
    live, said = run(np.zeros_like(values), angles, 'find-axis=apply')
    tap.same(live.found_axis, None)
    tap.check(any(level == 'warning' and 'the axis was not found' in words for _, level, words in said), said)


def test_errors():
    values, angles = scan(90, 60)
    for words, geometry in (('cover 88.5 degrees, and half a turn is needed: give axis=', sinograph.Geometry(angles)),
                            ('one for each projection', sinograph.Geometry(2 * angles, axis=np.linspace(80, 82, 60)))):
        graph = graph_of(values, angles, 'find-axis=on')[0]
        graph['s'].set_geometry(geometry)
        try:
            graph.check('native')
        except sinograph.Error as error:
            tap.check(words in error.message and error.node == 'live', error)
        else:
            raise AssertionError(f'not refused: {words}')


def test_memory():
    """What it keeps is in the plan."""
    values, angles = scan(180, 240)
    plans = [graph_of(values, angles, settings)[0].plan('native')['memory']['peak'] for settings in ('', 'find-axis=on')]
    tap.check(plans[1] - plans[0] >= 8 * 240 * COLUMNS * 4, plans)


def test_tooth():
    path = Path(os.environ.get('SINO_TEST_DATA', ''), 'tooth.h5')
    if not path.exists():
        raise SkipTest('there are no measured scans')
    graph = sinograph.Graph(f'read path={path} ! flat-field ! live name=live find-axis=apply')
    graph.run('native')
    near(graph['live'].found_axis, .5, 296.5)


tap.main(globals())
