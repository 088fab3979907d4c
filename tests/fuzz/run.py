#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs the fuzz targets of a build, two at a time, and tells of each how many inputs it survived.

usage: run.py BUILD_FOLDER [SECONDS [TARGET...]]

What libFuzzer finds goes to BUILD_FOLDER/fuzz-found; an input that a target does not survive is kept there.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CORPUS = Path(__file__).parent / 'corpus'
# Megabytes of all, and of one allocation: a damaged file takes no more than a small one that is good.
LIMITS = ['-rss_limit_mb=1024', '-malloc_limit_mb=192', '-timeout=120']
SANITIZERS = {
    'ASAN_OPTIONS': 'detect_leaks=0:intercept_tls_get_addr=0:use_sigaltstack=0:quarantine_size_mb=32:allocator_may_return_null=1',
    'UBSAN_OPTIONS': 'print_stacktrace=1:halt_on_error=1',
    'G_DEBUG': 'fatal-warnings',
    'G_SLICE': 'always-malloc',
}


def run(build, name, seconds):
    found, log = build / 'fuzz-found' / name, build / f'fuzz-{name}.log'
    found.mkdir(parents=True, exist_ok=True)
    words = [build / 'tests/fuzz' / f'fuzz-{name}', found, CORPUS / name, f'-artifact_prefix={build}/fuzz-found/{name}-',
             f'-max_total_time={seconds}', '-print_final_stats=1', '-max_len=16384', '-verbosity=1', *LIMITS]
    words += [f'-dict={path}' for path in [CORPUS.parent / f'{name}.dict'] if path.exists()]
    environment = {**os.environ, **SANITIZERS, 'SINOGRAPH_PLUGIN_PATH': str(build / 'tasks')}
    with open(log, 'wb') as out:
        status = subprocess.run(words, stdout=out, stderr=out, env=environment).returncode
    said = log.read_text(errors='replace')
    number = re.search(r'stat::number_of_executed_units: (\d+)', said)
    print(f"{name}: {number[1] if number else 'no'} inputs in {seconds} s, {'no crash' if status == 0 else 'CRASHED'}", flush=True)
    if status != 0:
        print(''.join(f'  {line}\n' for line in said.splitlines()[-60:]), f' all of it is in {log}', flush=True)
    return status == 0


def main():
    build = Path(sys.argv[1]).resolve()
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    names = sys.argv[3:] or sorted(path.name for path in CORPUS.iterdir())
    with ThreadPoolExecutor(2) as pool:
        good = list(pool.map(lambda name: run(build, name, seconds), names))
    sys.exit(0 if all(good) else 1)


if __name__ == '__main__':
    main()
