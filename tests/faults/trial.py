# SPDX-License-Identifier: LGPL-3.0-or-later
"""One fault, in the program and in a process that runs the graph again and again. Neither may crash, hang, leave half a file or
say that all went well where it did not."""
import os
import re
import shutil
import subprocess
from pathlib import Path

SECONDS = 60  # for a run of a few milliseconds, on a machine that has other work, too
KIB_PER_RUN = 48  # that memory in use may grow by: what libraries keep, and less than a block

# What PoCL has compiled for other tests, which is most of the time of a program's first run. No fault gets there: calls of OpenCL
# fail before PoCL sees them, and files by their names.
COMPILED = os.environ.get('XDG_CACHE_HOME') and f"{os.environ['XDG_CACHE_HOME']}/pocl/kcache"


class Fault(Exception):
    """The run did what it must not do."""


class Trial:
    def __init__(self, case, place, programs, devices, references):
        self.case, self.folder = case, place / re.sub(r'\W+', '-', case.name)
        self.inputs, self.programs, self.devices, self.references = place / 'in', programs, devices, references
        self.out, self.struck = self.folder / 'out', self.folder / 'struck'

    def line(self, out=None):
        return self.case.line.replace('IN/', f'{self.inputs}/').replace('OUT/', f'{out or self.out}/')

    def environment(self, rules=''):
        cache = self.folder if self.case.fresh else self.inputs.parent / 'cache'
        places = {'XDG_CACHE_HOME': str(cache), 'POCL_CACHE_DIR': str(cache / 'pocl'),
                  'SINOGRAPH_SCRATCH': str(self.folder)}
        if COMPILED and not self.case.fresh:
            places['POCL_CACHE_DIR'] = COMPILED
        if 'faults' not in self.programs:
            return {**os.environ, **places}
        layer = str(self.programs['faults'])
        return {**os.environ, **places, 'LD_PRELOAD': layer, 'OPENCL_LAYERS': layer, 'G_DEBUG': '',
                'SINO_FAULTS': rules.replace('OUT', str(self.out)), 'SINO_FAULTS_STRUCK': str(self.struck)}

    def begin(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()

    def call(self, *words, rules=''):
        try:
            return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=SECONDS, cwd=self.folder,
                                  env=self.environment(rules))
        except subprocess.TimeoutExpired as hung:
            raise Fault(f'it hangs; it said {hung.stderr or ""!r}') from None

    def has_struck(self):
        return self.struck.exists() and self.struck.stat().st_size > 0

    def content(self):
        """Files by name, without those that no run is to leave."""
        files = {str(path.relative_to(self.out)): path.read_bytes() for path in self.out.rglob('*') if path.is_file()}
        parts = [name for name in files if '.part' in name]
        if parts:
            raise Fault(f'it left {parts}')
        return files

    def check_files(self, good):
        """All are whole, or nothing but single slices, which are whole, is left."""
        left, whole = self.content(), self.references.get((self.case.line, self.case.device), {})
        wrong = [name for name in left if left[name] != whole.get(name)]
        if wrong:
            raise Fault(f'other bytes are in {wrong}')
        if good and left.keys() != whole.keys():
            raise Fault(f'it ended well without {sorted(whole.keys() - left.keys())}')
        if not good and left and '%' not in self.case.line and not (self.case.complete and left.keys() == whole.keys()):
            raise Fault(f'it failed and left {sorted(left)}')
        if not good and not left and self.out.exists():
            raise Fault('it failed and left an empty folder')

    def check_message(self, said):
        for word in self.case.words:
            if word not in said:
                raise Fault(f'its message is {said!r}, without {word!r}')

    def check_outcome(self, good, said):
        if good and self.case.words and not self.case.either:
            raise Fault('it ended well')
        if not good and not self.case.words:
            raise Fault(f'it failed: {said}')
        if not good:
            self.check_message(said)

    def program(self):
        """Whether the fault struck the program."""
        self.begin()
        done = self.call(self.programs['sinograph'], 'launch', '-q', f'--device={self.devices[self.case.device]}', '--threads=2',
                         *self.case.options, self.line(), rules=self.case.rules)
        if not self.has_struck():
            return False
        if done.returncode not in (0, 1):
            raise Fault(f'its exit status is {done.returncode}: {done.stderr}')
        said = done.stderr
        said = re.sub(r'^(\d+ warnings? and )?\d+ errors? generated\.\n', '', said, flags=re.M)  # PoCL's compiler says so itself
        told = said.split('sinograph: ')
        if done.returncode == 1 and (told[0] or len(told) != 2):
            raise Fault(f'it does not say one thing: {said!r}')
        self.check_outcome(done.returncode == 0, said)
        self.check_files(done.returncode == 0)
        return True

    def process(self):
        """Whether it struck a process that has run before, which must be as it was afterwards."""
        self.begin()
        done = self.call(self.programs['runner'], self.devices[self.case.device], self.line(), self.case.rules)
        if not self.has_struck():
            return False
        if done.returncode != 0:
            raise Fault(f'the process ended with {done.returncode}: {done.stderr}')
        runs = [line.split('\t') for line in done.stdout.splitlines()]
        first, *faulty, last = runs
        if (first[0], last[0]) != ('ok', 'ok'):
            raise Fault(f'runs without faults say {first[4]!r}, and afterwards {last[4]!r}')
        for outcome, *_, said in faulty:
            self.check_outcome(outcome == 'ok', said)
        counts = [(int(threads), int(files)) for _, threads, files, *_ in runs]
        if any(last > max(before) for last, before in zip(counts[-1], zip(*counts[:3]))):
            raise Fault(f'threads and open files become more: {[run[1:3] for run in runs]}')
        sizes = [int(run[3]) for run in faulty[1:]]
        if sizes[-1] - sizes[0] > KIB_PER_RUN * (len(sizes) - 1):
            raise Fault(f'memory in use grows: {sizes} KiB')
        self.check_files(True)
        return True

    def verdict(self):
        """Where the fault struck."""
        struck = [] if self.case.alone or not self.program() else ['program']
        struck += ['process'] if not self.case.options and not self.case.fresh and self.process() else []
        shutil.rmtree(self.folder)
        return struck
