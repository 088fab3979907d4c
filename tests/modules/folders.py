# SPDX-License-Identifier: LGPL-3.0-or-later
"""Folders of modules: a fresh one for a test, and an environment that finds some."""
import os
import tempfile
from pathlib import Path


def with_path(*folders):
    return {**os.environ, "SINOGRAPH_PLUGIN_PATH": ":".join(map(str, folders))}


def in_folder(test):
    def run():
        with tempfile.TemporaryDirectory() as folder:
            test(Path(folder).resolve())

    run.__name__ = test.__name__
    return run
