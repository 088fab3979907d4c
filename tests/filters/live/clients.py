#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Programs that ask for pictures over a socket. Costs 1 s, and 14 s of waiting."""
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import sinograph
import tap
from addresses import free_address
from scans import AXIS, COLUMNS, HALF, ROWS, SCAN, VIEWS, close, geometry, volume, whole

EXAMPLE = Path(__file__).resolve().parents[3] / 'docs/examples/live/show-slice.py'


class Client:
    def __init__(self, address):
        if address.startswith('unix:'):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(address[5:])
        else:
            host, port = address[6:].rsplit(':', 1)
            self.socket = socket.create_connection((host, int(port)))
        self.socket.settimeout(20)
        self.file = self.socket.makefile('rb')

    def say(self, words):
        self.socket.sendall(words if isinstance(words, bytes) else json.dumps(words).encode() + b'\n')

    def hear(self):
        return json.loads(self.file.readline())

    def ask(self, words):
        self.say(words)
        return self.hear()

    def picture(self, number, projections=None, **more):
        """The next picture, or the first that has so many projections."""
        newest = more.pop('newer', 0)
        while True:
            answer = self.ask({'pull': number, 'newer-than': newest, **more})
            tap.check(answer.get('bytes'), answer)
            values = np.frombuffer(self.file.read(answer['bytes']), {'f32': '<f4', 'u8': 'u1'}[answer['type']])
            if projections in (None, answer['projections']):
                return answer, values.reshape(answer['shape'])
            newest = answer['version']

    def close(self):
        self.file.close()
        self.socket.close()

    def closed(self):
        return self.file.read(1) == b''


@contextlib.contextmanager
def scan(settings='', planes='z=9', address=None):
    """A run that takes frames: its source, its node, and its address."""
    with tempfile.TemporaryDirectory() as folder:
        address = address or f'unix:{folder}/live'
        graph = sinograph.Graph(f'app-source name=s element=f32 rows={ROWS} columns={COLUMNS} frames={VIEWS} ! '
                                f'live name=live planes="{planes}" address={address} {settings}')
        graph['s'].set_geometry(geometry())
        with graph.start('native') as run:
            graph['s'].push(SCAN[:1])
            graph['live'].pull(0)
            yield graph['s'], graph['live'], address, run
        if address.startswith('unix:'):
            tap.check(not os.path.exists(address[5:]), 'the file of the socket stays')


def test_requests():
    for address in None, free_address():
        with scan(f'axis={AXIS}', address=address) as (source, live, address, _):
            one = Client(address)
            tap.same(one.ask({'list': True}), {'planes': [{'plane': 0, 'at': 'z=9'}], 'axis': AXIS, 'contrast': '0.1%:99.9%'})
            source.push(SCAN[1:50])
            answer, values = one.picture(0, 50)
            tap.same([answer[key] for key in ('plane', 'at', 'last-projection', 'shape', 'type')],
                     [0, 'z=9', 49, [COLUMNS, COLUMNS], 'f32'])
            close(values, volume(np.concatenate([SCAN[:50], 0 * SCAN[50:]]))[9], HALF)
            tap.same(one.ask({'add': 'z=7'}), {'plane': 1})
            tap.same(one.ask({'add': 'x=0'}), {'plane': 2})
            tap.same(one.ask({'move': 1, 'to': 'z=8'}), {'plane': 1})
            tap.same(one.ask({'remove': 2}), {'plane': 2})
            tap.same(one.ask({'axis': 34.5}), {'axis': 34.5})
            tap.same(one.ask({'contrast': [0, .01]}), {'contrast': [0.0, .01]})
            tap.same(one.ask({'list': True}), {'planes': [{'plane': 0, 'at': 'z=9'}, {'plane': 1, 'at': 'z=8'}], 'axis': 34.5,
                                               'contrast': [0.0, .01]})
            source.push(SCAN[50:-1])
            answer, grey = one.picture(1, VIEWS - 1, type='u8')
            tap.same((answer['at'], answer['values'], answer['bytes']), ('z=8', [0.0, .01], COLUMNS ** 2))
            values = live.pull(1).array
            tap.check(abs(np.floor(np.clip(values * 25500, 0, 255) + .5) - grey).max() <= 1, 'not these grey values')
            answer, grey = one.picture(1, type='u8', contrast='2%:98%')
            tap.check(np.allclose(answer['values'], np.percentile(values, (2, 98), method='nearest')), answer)
            tap.same((grey == 0).mean().round(2), .02)
            tap.same(one.ask({'axis': None}), {'axis': AXIS})
            source.push(SCAN[-1:])
            answer, values = one.picture(0, VIEWS)
            close(values, whole()[9], HALF)
            tap.same(one.ask({'pull': 0, 'newer-than': answer['version']}), {'ended': True})
            tap.check(one.closed(), 'still open')


def test_waits():
    """A wait ends in time, by a further request, and by a picture; half a client does not matter."""
    with scan() as (source, live, address, _):
        one = Client(address)
        version = one.picture(0)[0]['version']
        tap.same(one.ask({'pull': 0, 'newer-than': version, 'timeout': .05}), {'plane': 0, 'bytes': 0})
        one.say({'pull': 0, 'newer-than': version})
        tap.same(one.ask({'move': 0, 'to': 'z=3'}), {'plane': 0, 'bytes': 0})
        tap.same(one.hear(), {'plane': 0})
        gone, half = Client(address), Client(address)
        gone.say({'pull': 0, 'newer-than': 1000})
        gone.close()
        half.say({'pull': 0, 'newer-than': live.pull(0).version})
        half.socket.shutdown(socket.SHUT_WR)
        source.push(SCAN[1:2])
        tap.check(half.hear()['bytes'] > 0, 'nothing')
        one.say({'pull': 1, 'newer-than': 0})
        tap.check('there is no plane 1' in one.hear()['error'], 'a plane from nowhere')
        live.add('z=2')
        newest = one.picture(1)[0]['version']
        one.say({'pull': 1, 'newer-than': newest})
        live.remove(1)
        tap.check('there is no plane 1' in one.hear()['error'], 'waits for a plane that was removed')
        source.push(SCAN[2:])


def test_bad_requests():
    """Each is answered with what is wrong, and disturbs nobody."""
    with scan() as (source, live, address, _):
        one = Client(address)
        for words, field, said in (
                (b'{"add": "z=1", "add": "z=2"}\n', None, 'twice'), (b'{"pull": 0\n', None, ''), (b'{"add": "\xff"}\n', None, ''),
                (b'{"add":' + b'[' * 4000 + b'\n', None, ''),
                ({}, None, 'none of add'), ({'what': 1}, None, 'none of add'), ({'list': 1}, 'list', 'true'),
                ({'add': 5}, 'add', 'string'), ({'add': 'z=1000'}, None, None), ({'add': 'slice'}, None, 'no plane'),
                ({'move': 7, 'to': 'z'}, None, 'no plane 7'), ({'move': 0}, 'to', "no 'to'"), ({'move': -1, 'to': 'z'}, 'move', ''),
                ({'remove': 'z'}, 'remove', ''), ({'pull': 9}, None, 'no plane 9'), ({'pull': 0, 'to': 'z'}, 'to', 'unknown'),
                ({'pull': 0, 'timeout': -1}, 'timeout', ''), ({'pull': 0, 'type': 'f64'}, 'type', 'f32 or u8'),
                ({'pull': 0, 'newer-than': 1.5}, 'newer-than', ''), ({'axis': 'x'}, 'axis', 'number'), ({'axis': 1e8}, None, '1e+08'),
                ({'contrast': [1]}, 'contrast', 'two'), ({'contrast': [2, 1]}, 'contrast', 'smaller'),
                ({'contrast': 'much'}, 'contrast', 'auto')):
            answer = one.ask(words)
            if said is None:
                tap.same(answer, {'plane': 1})
                continue
            tap.check(said in answer['error'] and answer.get('field') == field, (words, answer))
        tap.same(one.ask({'remove': 1}), {'plane': 1})
        for words in b'x', b'', b'[1]', b'\xff\xfe', b'POST / HTTP/1.1':  # a page in a browser can send lines of HTTP
            other = Client(address)
            with contextlib.suppress(ConnectionError):
                other.say(words + b'\r\n{"remove": 0}\r\n')
            tap.check('a JSON object on one line' in other.hear()['error'] and other.closed(), words)
        long = Client(address)
        with contextlib.suppress(ConnectionError):  # it does not read all of that
            long.say(b'{"add": "' + b'z' * 1000000)
        with contextlib.suppress(ConnectionError):
            tap.check('at most 4096 bytes' in long.hear()['error'], 'a line of any length')
        Client(address).say(b'{"pull": 0, "newer')
        source.push(SCAN[1:])
        close(one.picture(0, VIEWS)[1], whole()[9], HALF)


def test_many_clients():
    """32 are served, others are sent away, and those who do not read take no memory from others."""
    with scan('size=1500 pixel=0.05') as (source, live, address, _):
        lazy = [Client(address) for _ in range(16)]
        for number, one in enumerate(lazy):
            one.say({'pull': 0, 'type': 'u8', 'contrast': [0, 1 + number]})
        served = [Client(address) for _ in range(16)]
        for one in served:
            tap.check(one.ask({'list': True})['planes'], 'not served')
        many = []
        for _ in range(1000):
            with contextlib.suppress(OSError):
                many.append(Client(address))
                if len(many) > 100:
                    many.pop(0).close()
        said = 0
        for one in many:
            with contextlib.suppress(OSError, ValueError):
                said += 'there are 32 clients already' in one.hear().get('error', '')
        tap.check(said > 0, 'nobody was sent away')
        for one in many + lazy[1:]:
            one.close()
        served[0].picture(0)
        source.push(SCAN[1:])
        served[0].picture(0, VIEWS)
    tap.same(live.pull(0).projections, VIEWS)


def test_last_picture():
    """A client that was busy gets the last picture."""
    with scan() as (source, live, address, _):
        one, idle = Client(address), Client(address)
        version = one.picture(0)[0]['version']
        source.push(SCAN[1:])
        tap.same(idle.hear(), {'ended': True})
        answer, values = one.picture(0, VIEWS, newer=version)
        tap.check(np.array_equal(values, live.pull(0).array), 'another picture')
        tap.same(one.hear(), {'ended': True})


def test_failures():
    """A run that fails or is cancelled says so, and an address that others have ends it before it begins."""
    one = None
    try:
        with scan() as (source, live, address, run):
            one = Client(address)
            one.say({'pull': 0, 'newer-than': 1000000})
            time.sleep(.2)
            try:
                with scan(address=address):
                    raise AssertionError('two nodes listen')
            except sinograph.Error as error:
                tap.check('nothing can listen there' in error.message and error.node == 'live', error)
            source.push(SCAN[1:2])
            source.end()
    except sinograph.Error as error:
        answer = one.hear()
        tap.check(answer['ended'] and answer['error'].startswith("the run failed: 's' (app-source): "), answer)
        tap.check(one.closed(), 'still open')
    with scan() as (source, live, address, run):
        one = Client(address)
        one.say({'pull': 0, 'newer-than': 1000000})
        run.cancel()
        tap.same(one.hear(), {'ended': True, 'error': 'the run was cancelled'})
    for address, words in (('tcp://localhost', 'is no address'), ('ipc:///tmp/x', 'is no address'), ('tcp://x:0', 'is no address'),
                           ('tcp://x:70000', 'is no address'), ('unix:', '1 to 107 bytes'), ('unix:' + 'x' * 108, '1 to 107 bytes'),
                           ('tcp://192.0.2.1:5601', 'nothing can listen there'), ('unix:/no/folder', 'nothing can listen there')):
        try:
            sinograph.Graph(f'simulate width=64 height=4 projections=32 ! live address={address}').run('native')
            raise AssertionError(f'{address}: not refused')
        except sinograph.Error as error:
            tap.check(words in error.message and error.node == 'live', error)


def test_files_of_added_planes():
    """A client's plane whose file exists already has none, and the scan goes on."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, '1.tif').write_text('precious')
        with scan(f"path={folder}/%i.tif every=0.05") as (source, live, address, run):
            source.push(SCAN[1:20])
            client = Client(address)
            tap.check(client.ask({'add': 'z=3'}) == {'plane': 1}, 'no plane')
            client.picture(1)
            time.sleep(.2)
            source.push(SCAN[20:])
            client.picture(1, VIEWS)
            client.close()
        tap.check(Path(folder, '1.tif').read_text() == 'precious' and Path(folder, '0.tif').stat().st_size > 1000, 'other files')


def test_clients_that_have_gone():
    """Clients that closed while they waited for a picture leave room for others."""
    with scan() as (source, live, address, run):
        source.push(SCAN[1:20])
        for _ in range(32):
            gone = Client(address)
            version = gone.picture(0, 20)[0]['version']
            gone.say({'pull': 0, 'newer-than': version})
            gone.close()
        end = time.monotonic() + 20
        while True:
            other = Client(address)
            answer = other.ask({'list': True})
            other.close()
            if 'planes' in answer:
                break
            tap.check(time.monotonic() < end, answer)
            time.sleep(.2)
        source.push(SCAN[20:])


def test_killed_run():
    """The file of a process that was killed is no hindrance; another file is."""
    with tempfile.TemporaryDirectory() as folder:
        left = socket.socket(socket.AF_UNIX)
        left.bind(f'{folder}/left')
        left.close()
        with scan(address=f'unix:{folder}/left') as (source, live, address, run):
            tap.check(Client(address).ask({'list': True})['planes'], 'not served')
            source.push(SCAN[1:])
        Path(folder, 'file').write_text('kept')
        try:
            sinograph.Graph(f'simulate width=64 height=4 projections=32 ! live address=unix:{folder}/file').run('native')
            raise AssertionError('a file is no address')
        except sinograph.Error as error:
            tap.check('nothing can listen there' in error.message, error)
        tap.same(Path(folder, 'file').read_text(), 'kept')


def pump(source, target, seen):
    while some := source.recv(65536):
        target.sendall(some)
        seen.extend(some)
    target.shutdown(socket.SHUT_WR)


def test_memory():
    """Pictures for clients are in the plan."""
    line = 'simulate width=64 height=64 projections=32 ! minus-log ! live size=512'
    peaks = [sinograph.Graph(line + more).plan('native')['memory']['peak'] for more in ('', ' address=unix:/x')]
    tap.check(peaks[1] - peaks[0] >= 9 * 512 * 512 * 4, peaks)


def test_example():
    """It shows all pictures until the last one. Between it and the run is a program that sees what they say."""
    with scan() as (source, live, address, run), socket.create_server(('127.0.0.1', 0)) as door:
        shows = subprocess.Popen([sys.executable, EXAMPLE, '127.0.0.1', str(door.getsockname()[1])],
                                 env={**os.environ, 'MPLBACKEND': 'Agg'}, stderr=subprocess.PIPE, text=True)
        door.settimeout(60)
        inside, outside, asked, answered = Client(address).socket, door.accept()[0], bytearray(), bytearray()
        pumps = [threading.Thread(target=pump, args=arguments) for arguments in ((outside, inside, asked), (inside, outside, answered))]
        for thread in pumps:
            thread.start()
        source.push(SCAN[1:])
        errors = shows.communicate(timeout=60)[1]
        outside.close()
        for thread in pumps:
            thread.join()
    tap.same(shows.returncode, 0)
    tap.check(b'"projections":90,' in answered and answered.endswith(b'{"ended":true}\n'), errors)


tap.main(globals())
