#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Puts the licences of the libraries in a wheel into it. usage: licences.py WHEEL FOLDER OUT

FOLDER has the licences of the libraries that were built for the wheel, a folder each; those of the others come from Debian's
packages, or in their absence from RPM's. The wheel with them goes to the folder OUT. A library without a licence is an error.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Which of the libraries that were built has which name. What a licence forbids to ship beside LGPL-3.0 must not be there.
BUILT = {"c-blosc": "libblosc", "clfft": "libclFFT", "glib2.0": "lib(glib|gobject|gio|gmodule|gthread)-2", "hdf5": "libhdf5",
         "highway": "libhwy", "json-glib": "libjson-glib", "libaec": "lib(aec|sz)", "libdeflate": "libdeflate",
         "ocl-icd": "libOpenCL", "onetbb": "libtbb", "tiff": "libtiff"}
FORBIDDEN = r"lib(jbig|fftw|curl|ssl|crypto|gnutls|krb5|mpi)"


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def original(path):
    """The name that a library had before a part of its hash was put into it."""
    return re.sub(r"-[0-9a-f]{8}(?=\.)", "", path.name, count=1)


def licences_of(name, folder):
    """Files with the licences of a library, and the name of what it comes from."""
    for built, pattern in BUILT.items():
        if re.match(pattern, name) and (folder / built).is_dir():
            return built, list((folder / built).iterdir())
    packages = sorted(output("dpkg-query", "--search", f"*/{name}*").splitlines(), key=lambda line: "-dev" in line)
    if packages:
        package = packages[0].split(":")[0].split(",")[0]
        return package, [Path("/usr/share/doc", package, "copyright")]
    for place in Path("/usr/lib64").glob(f"{name}*"):
        package = output("rpm", "-qf", "--qf", "%{NAME}", place)
        return package, list(map(Path, output("rpm", "-q", "--licensefiles", package).split()))
    return name, []


def main(wheel, folder, out):
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["wheel", "unpack", "--dest", place, wheel], check=True, stdout=subprocess.DEVNULL)
        root = next(Path(place).iterdir())
        licences = next(root.glob("*.dist-info")) / "licenses"
        for library in sorted((root / "sinograph.libs").iterdir()):
            name = original(library)
            if re.match(FORBIDDEN, name):
                sys.exit(f"licences.py: {name} must not be in the wheel")
            package, files = licences_of(name, Path(folder))
            if not files:
                sys.exit(f"licences.py: {name} has no licence")
            (licences / package).mkdir(parents=True, exist_ok=True)
            for file in files:
                shutil.copy(file, licences / package / file.name)
            print(f"{library.stat().st_size / 1e6:7.2f} MB  {name}  from {package}")
        subprocess.run(["wheel", "pack", "--dest-dir", out, root], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
