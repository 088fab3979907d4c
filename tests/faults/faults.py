#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Walks a table of faults over small runs. usage: faults.py SINOGRAPH RUNNER FAULTS.so GROUP [PART OF A NAME]"""
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ['POCL_DEVICES'] = 'pthread pthread'  # before any device is seen

import table
from draw import drawn
from trial import Fault, Trial

# Every so manyth case of these groups is tried. A group costs 2 to 7 s then, and 10 to 40 s whole. The numbers are in step with no table.
PART = {'reads': 7, 'writes': 17, 'memory': 5, 'devices': 5, 'left-out': 7}
SCAN = 'simulate width=64 height=12 projections=48 '


def launch(trial, line, device='native'):
    done = trial.call(trial.programs['sinograph'], 'launch', '-q', f'--device={device}', line)
    if done.returncode != 0:
        raise Fault(f'{line} fails without a fault: {done.stderr}')


def make_scans(place, programs):
    folder = place / 'in'
    folder.mkdir()
    trial = Trial(table.Case('scans', '', ''), place, programs, {}, {})
    trial.begin()
    counts = SCAN + f'type=u16 darks=2 flats=3 ! write path={folder}/'
    launch(trial, counts + 'scan.h5')
    launch(trial, counts + 'packed.h5 compression=deflate')
    launch(trial, SCAN + f'type=f32 ! write path={folder}/scan.tif')
    launch(trial, SCAN + f'type=f32 ! write path={folder}/pages/page-%03i.tif')


def find_devices(place, programs):
    trial = Trial(table.Case('devices', '', ''), place, programs, {}, {})
    trial.begin()
    said = trial.call(programs['sinograph'], 'devices').stdout
    pocl = re.findall(r'^[* ] (cl:\d+) .*Portable Computing Language', said, re.M)
    return {table.NATIVE: 'native'} | ({table.POCL: pocl[0], table.BOTH: ','.join(pocl[:2])} if len(pocl) > 1 else {})


def make_references(cases, place, programs, devices):
    """The bytes of runs without faults."""
    references = {}
    for case in cases:
        key = case.line, case.device
        if key in references or case.line == table.HANGING:
            continue
        trial = Trial(case, place, programs, devices, {})
        trial.begin()
        launch(trial, trial.line(), devices[case.device])
        references[key] = trial.content()
    return references


def comments(text):
    return ''.join(f'# {line}\n' for line in str(text).splitlines())


def main():
    programs = dict(zip(('sinograph', 'runner', 'faults'), (Path(word).resolve() for word in sys.argv[1:4])))
    part = sys.argv[5] if len(sys.argv) > 5 else ''
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        devices = find_devices(place, programs)
        make_scans(place, programs)
        cases = [case for case in table.GROUPS[sys.argv[4]]() if part in case.name and case.device in devices]
        cases = cases if part else drawn(cases, PART.get(sys.argv[4], 1))
        references = make_references(cases, place, programs, devices)
        print(f'1..{len(cases)}', flush=True)

        def attempt(case):
            try:
                return Trial(case, place, programs, devices, references).verdict()
            except Exception as why:
                return why

        failed, struck = 0, 0
        with ThreadPoolExecutor(len(cases) if sys.argv[4] == 'hangs' else 2) as pool:  # hanging runs do nothing
            for number, (case, verdict) in enumerate(zip(cases, pool.map(attempt, cases)), 1):
                good = isinstance(verdict, list)
                failed += not good
                struck += not good or bool(verdict)
                skip = '' if not good or verdict else ' # SKIP no such call is made'
                print(('' if good else comments(repr(verdict) if not isinstance(verdict, Fault) else verdict)) +
                      ('ok' if good else 'not ok') + f' {number} - {case.name}{skip}', flush=True)
        print(f'# {struck} faults struck of {len(cases)}, {failed} were not borne')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
