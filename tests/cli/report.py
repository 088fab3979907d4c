#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""The page about a run: whole, safe and true. Costs 7 s."""
import base64
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'graphs'))
import tap
from program import sinograph, sinograph_fails

FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)
HOSTILE = '<script>alert(1)</script>"\'&{{json}} \u202e'
sinograph('launch', '-q', 'simulate object=shepp-logan width=64 height=8 projections=90 axis=30.5 type=u16 darks=2 flats=2 photons=10000 ! write path=scan.h5')
SCAN = 'read path=scan.h5 axis=30.5 ! flat-field ! reconstruct'
VOID = {'meta', 'img', 'br', 'link'}


class Page(HTMLParser):
    """The elements of a page, each closed, and the text of each."""

    def __init__(self, path):
        super().__init__()
        self.open, self.tags, self.attributes, self.texts, self.rows = [], [], [], {}, {}
        self.source = Path(path).read_text(encoding='utf-8')
        self.feed(self.source)
        self.close()
        tap.same(self.open, [])
        self.data = json.loads(self.texts['script'])

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)
        if tag in ('th', 'td', 'tr'):
            self.texts[tag] = ''

    def handle_endtag(self, tag):
        tap.same(self.open.pop(), tag)
        if tag == 'td' and 'tbody' in self.open:
            self.rows.setdefault(self.texts['th'], []).append(self.texts['td'])

    def handle_data(self, data):
        for tag in self.open[-1:]:
            self.texts[tag] = self.texts.get(tag, '') + data


def launch(*words):
    sinograph('launch', '-q', '--device=native', *words)


def test_structure():
    """One page, no script that runs, nothing from elsewhere, headings in order, pictures with words."""
    launch('--report=new/page.html', f'{SCAN} ! write path=volume.h5 type=u16 unit=mm   reconstruct. ! preview show=cuts path=cuts.png')
    page = Page('new/page.html')
    tap.same(page.source[:15], '<!DOCTYPE html>')
    tap.same((page.tags.count('h1'), page.tags.count('script'), page.tags.count('img')), (1, 1, 1))
    tap.check(('type', 'application/json') in page.attributes and ('lang', 'en') in page.attributes, 'attributes')
    for name, value in page.attributes:
        tap.check(not name.startswith('on') and name != 'href' and (name != 'src' or value.startswith('data:image/png;base64,')), f'{name}={value[:80]}')
    outside = re.findall(r'(?:https?:)?//[\w.]+', re.sub(r'base64,[\w+/=]+', '', page.source))
    tap.same(outside, [])
    tap.check("default-src 'none'" in page.source, 'the policy')
    png = re.search(r'base64,([\w+/=]+)', page.source)[1]
    tap.same(base64.b64decode(png), Path('cuts.png').read_bytes())
    tap.check(all(value for name, value in page.attributes if name == 'alt'), 'alt')


def test_numbers():
    """Those of the tables are those of the JSON, and both are those of the run."""
    launch('--report=numbers.html', f'{SCAN} ! write path=numbers.h5 type=u16 range=-0.01:0.05')
    page = Page('numbers.html')
    data = page.data
    tap.same((data['state'], data['scan'], data['error']), ('done', 'scan.h5', ''))
    geometry = data['geometry']
    tap.same({name: geometry[name] for name in ('beam', 'axis', 'projections', 'first angle', 'last angle', 'detector columns', 'detector rows')},
             {'beam': 'parallel', 'axis': 30.5, 'projections': 90, 'first angle': 0, 'last angle': 178, 'detector columns': 64, 'detector rows': 8})
    for name, value in geometry.items():
        shown = page.rows[name][0]
        tap.check(shown == value if isinstance(value, str) else float(shown.split()[0]) == value, f'{name}: {shown} and {value}')
    tap.check(float(page.rows['duration'][0].split()[0]) == round(data['seconds'], 3), 'duration')
    for each in data['times']:
        tap.same(page.rows[each['node']][-3:-1], [f'{each["busy"]:.3f}', f'{each["waiting"]:.3f}'])
    for result in data['results']:
        for name, value in result.items():
            tap.same(page.rows[name][0], value)
    tap.same(data['results'][0]['values'], f'value = {(0.05 - -0.01) / 65535!r} * grey - 0.01 1/pixel')
    tap.same(page.rows['flat-field'][0], '')
    tap.same(data['nodes'][-1]['settings'], {'path': 'numbers.h5', 'type': 'u16', 'range': '-0.01:0.05'})
    tap.check(data['peak-memory'] > 1e6 and data['updates'] > 0, 'statistics')


def test_the_line_makes_the_same_graph():
    sinograph('launch', '-q', '--save=graph.json', f"read path=scan.h5 name='a b' ! flat-field ! reconstruct axis=30.5 name=r ! null   r. ! null")
    for words in (('run', 'graph.json'), ('launch', f'{SCAN} ! null   flat-field. ! null'), ('launch', "[read path=scan.h5 ! flat-field, read path=scan.h5 name='second one' ! flat-field] ! calculate expression='x - y' ! null")):
        sinograph(words[0], '-q', '--report=r.html', words[1])
        page = Page('r.html')
        line = shlex.split(page.data['line'])
        tap.same(line[:2], ['sinograph', 'launch'])
        sinograph('launch', '-q', '--report=again.html', line[2])
        first, second = ({kind: sorted(map(json.dumps, each.data['graph'][kind])) for kind in ('nodes', 'edges')} for each in (page, Page('again.html')))
        tap.same(second, first)


def test_hostile_names():
    for name in HOSTILE.replace('/', '_') + '.h5', '\udcff.h5':
        Path(name).write_bytes(Path('scan.h5').read_bytes())
        subprocess.run([os.environ['SINOGRAPH'], 'launch', '-q', '--report=hostile.html', f"read path='{name}' axis=30.5 ! flat-field ! reconstruct ! null" if "'" not in name
                        else 'read path="' + name.replace('\\', '\\\\').replace('"', '\\"') + '" axis=30.5 ! flat-field ! reconstruct ! null'], check=True)
        page = Page('hostile.html')
        tap.same(page.tags.count('script'), 1)
        tap.check('<script>alert' not in page.source and '\u202e' not in page.source, 'it is not escaped')
    tap.check('alert(1)' in page.source or name.startswith('\udcff'), 'it is not shown')


def test_a_run_that_fails():
    """Its page says so; no page of a run that never began, or into a folder that is not there; nothing else is replaced."""
    Path('here').mkdir()
    line = 'simulate width=16 height=4 projections=20 ! calculate expression=0*x ! reconstruct ! write path=here/zero.h5'
    tap.check('all values of the slices are zero' in sinograph_fails('launch', '--report=here/zero.html', line), 'message')
    page = Page('here/zero.html')
    tap.check(page.data['state'] == 'failed' and 'all values of the slices are zero' in page.data['error'], 'state')
    tap.check('What went wrong' in page.source, 'banner')
    sinograph_fails('launch', '--report=nowhere/zero.html', line)
    tap.check(not Path('nowhere').exists(), 'a folder is left')
    sinograph_fails('launch', '--report=here/none.html', 'read path=none.h5 ! null')
    tap.check(not Path('here/none.html').exists(), 'a page of a run that did not begin')
    launch('--report=here/zero.html', f'{SCAN} ! null')
    tap.same(Page('here/zero.html').data['state'], 'done')
    Path('mine.html').write_text('<p>mine')
    said = sinograph_fails('launch', '--report=mine.html', f'{SCAN} ! null')
    tap.check("'mine.html' exists and is no report of sinograph: choose another name or remove it" in said, said)
    tap.same(Path('mine.html').read_text(), '<p>mine')
    said = sinograph_fails('launch', '--report=both.png', f'{SCAN} ! preview path=both.png')
    tap.check("the report" in said and "would both write" in said, said)
    said = sinograph_fails('launch', '--report=scan.h5', f'{SCAN} ! null')
    tap.check("the report would replace 'scan.h5'" in said, said)


def test_a_run_that_is_cancelled():
    with subprocess.Popen([os.environ['SINOGRAPH'], 'launch', '-q', '--threads=1', '--device=native', '--report=cancelled.html',
                           'simulate object=shepp-logan width=512 height=512 projections=1500 ! reconstruct method=direct ! null'], stderr=subprocess.PIPE) as run:
        time.sleep(3)
        run.send_signal(signal.SIGINT)
        tap.same(run.wait(30), 130)
    if Path('cancelled.html').exists():  # a call that does not return in time is left behind, with all that comes after
        tap.same(Page('cancelled.html').data['state'], 'cancelled')
    tap.check(not list(Path().glob('cancelled.html*.part')), 'a part is left')


def test_columns_are_those_that_were_read():
    """Also of an axis that a composite finds in streams with other columns."""
    sinograph('launch', '-q', 'simulate object=shepp-logan width=96 height=12 projections=120 axis=46.25 ! write path=composed.h5')
    import h5py
    with h5py.File('composed.h5', 'a') as file:
        del file['exchange/rotation_axis']
    Path('inner.json').write_text(json.dumps({
        'nodes': [{'plugin': 'pad', 'name': 'wide', 'properties': {'left': 20, 'right': 10}}, {'plugin': 'reconstruct', 'name': 'slices'}],
        'edges': [{'from': {'name': 'wide'}, 'to': {'name': 'slices'}}]}))
    for nodes in ('reconstruct', 'graph path=inner.json', 'pad left=20 right=10 ! reconstruct', 'bin columns=2 ! reconstruct', 'crop x=8 width=80 y=2 height=6 ! reconstruct',
                  'flip ! pad left=20 ! reconstruct'):
        launch('--report=composed.html', f'read path=composed.h5 ! {nodes} ! null')
        data = Page('composed.html').data['geometry']
        tap.same((data['detector columns'], data['detector rows'], data['projections']), (96, 12, 120))
        tap.check(abs(data['axis'] - 46.25) < .3, f'{nodes}: {data}')
    sinograph('launch', '-q', 'simulate object=shepp-logan-3d width=64 height=48 projections=90 source-origin=200 origin-detector=100 angles=0:360 axis=30 middle-row=20 ! write path=cone.h5')
    launch('--report=cone.html', 'read path=cone.h5 ! pad left=10 top=5 ! reconstruct ! null')
    data = Page('cone.html').data['geometry']
    tap.same((data['detector columns'], data['detector rows'], round(data['axis'], 6), round(data['middle row'], 6)), (64, 48, 30, 20))


def test_reconstruct():
    """The axis that was found, with what is said of it; a page of its own with pictures."""
    sinograph('launch', '-q', 'simulate object=shepp-logan width=96 height=12 projections=120 axis=46.25 type=u16 darks=2 flats=4 photons=20000 ! write path=found.h5')
    import h5py
    with h5py.File('found.h5', 'a') as file:
        del file['exchange/rotation_axis']
    sinograph('reconstruct', '--device=native', 'found.h5', 'out')
    page = Page('out/report.html')
    tap.check(abs(page.data['geometry']['axis'] - 46.25) < .3, str(page.data['geometry']))
    said = json.dumps(page.data['nodes'])
    tap.check('the axis is at column' in said and 'axis 46.' in said, said)
    tap.check('data:image/png;base64,' in page.source, 'no picture')
    sinograph('reconstruct', '--device=native', 'found.h5', 'out', '--overwrite', '--axis=46')
    tap.same(Page('out/report.html').data['geometry']['axis'], 46)
    os.remove('out/report.html')
    for words, said in (('--report=elsewhere.html', 'preview.png, graph.json\nthe report: elsewhere.html\n'), ('--report=', 'preview.png, graph.json\n'),
                        ('--report=./out/report.html', 'preview.png, report.html, graph.json\n')):
        out = sinograph('reconstruct', '--device=native', 'found.h5', 'out', '--overwrite', words)
        tap.check(out.endswith(said), out)
        tap.same((Path('elsewhere.html').exists(), Path('out/report.html').exists()), ('elsewhere' in said, 'report.html' in said))
        Path('elsewhere.html').unlink(missing_ok=True)


tap.main(globals())
