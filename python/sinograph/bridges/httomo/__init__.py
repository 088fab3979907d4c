# SPDX-License-Identifier: LGPL-3.0-or-later
"""Methods for pipelines of HTTomo.

HTTomo looks for the facts of methods in files of its package httomo_backends: install () puts those of Sinograph there,
once, as `python -m sinograph.bridges.httomo` does.
"""
from __future__ import annotations

import shutil
from pathlib import Path

MODULES = ("algorithm", "prep")


def install(backends: Path | None = None) -> Path:
    """Tells HTTomo of the methods, and gives the folder that it made for that.

    backends: the folder of HTTomo's back ends; None: the one in httomo_backends.
    """
    if backends is None:
        from httomo_backends.methods_database.query import YAML_DIR

        backends = YAML_DIR / "backends"
    folder = backends / "sinograph"
    functions = folder / "supporting_funcs" / "bridges" / "httomo"
    functions.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(__file__).with_name("methods.yaml"), folder / "sinograph.yaml")
    for name in MODULES:
        (functions / f"{name}.py").write_text(f"from sinograph.bridges.httomo.{name} import *\n")
    return folder
