# SPDX-License-Identifier: LGPL-3.0-or-later
"""The files of the tree and what they include."""
import functools, os, re, subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = ('.c', '.h', '.cpp', '.hpp')


def git(*words):
    return subprocess.run(['git', '-C', ROOT, *words], capture_output=True, text=True, check=True).stdout


FILES = set(git('ls-files', '-co', '--exclude-standard').split())


def relative(path):
    return os.path.relpath(os.path.realpath(path), ROOT)


@functools.cache
def text_of(name):
    return (ROOT / name).read_text(errors='replace') if (ROOT / name).is_file() else ''


@functools.cache
def includes(name):
    """The files that a file names; OpenCL sources and tables are named by strings: "median/median.cl"."""
    if name.endswith(CODE):
        included = re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', text_of(name), re.M)
        paths = [place + path for path in included for place in ('', 'src/', os.path.dirname(name) + '/')]
        paths += ['kernels/' + path for path in re.findall(r'"([\w/-]+\.(?:cl|json))"', text_of(name))]
    elif name.endswith('.cl'):
        paths = [os.path.normpath(Path(name).parent / path) for path in re.findall(r'^#include "(.*)"', text_of(name), re.M)]
    else:
        paths = []
    return {path for path in paths if path in FILES}


def closure(start, step):
    """What one reaches by steps, itself included."""
    found, new = set(), {start}
    while new:
        found |= new
        new = {other for each in new for other in step(each)} - found
    return found
