# SPDX-License-Identifier: LGPL-3.0-or-later
"""What 'meson install' installs, in a folder of its own: all that an author outside the tree has."""
import os
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

from tap import check

folder = tempfile.TemporaryDirectory()
place = Path(folder.name).resolve()
environment = {name: value for name, value in os.environ.items() if name != "SINOGRAPH_PLUGIN_PATH"}


def shell(command, cwd=place):
    done = subprocess.run(["sh", "-ec", command], cwd=cwd, env=environment, capture_output=True, text=True)
    check(done.returncode == 0, f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def install():
    """With pkg-config files that know the folder; where the modules are."""
    target = place / "installed"
    shell(f"{os.environ['SINO_MESON']} install --no-rebuild --quiet -C {shlex.quote(os.environ['SINO_BUILD'])} "
          f"--destdir {target}")
    for package in target.rglob("sinograph-*.pc"):
        package.write_text(re.sub(r"^prefix=", f"prefix={target}", package.read_text(), flags=re.M))
    library, program = next(target.rglob("libsinograph.so")), next(target.rglob("bin/sinograph"))
    environment.update({"PKG_CONFIG_PATH": str(package.parent), "LD_LIBRARY_PATH": str(library.parent),
                        "PATH": f"{program.parent}:{environment['PATH']}"})
    return shell("pkg-config --variable=modules sinograph-1.0").strip()
