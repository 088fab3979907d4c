# SPDX-License-Identifier: LGPL-3.0-or-later
from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Sinograph(MesonPackage):
    """X-ray tomography reconstruction as a graph of tasks: a scan streams from its files through a graph of nodes and
    becomes slices, within the memory that is allowed."""

    license("LGPL-3.0-or-later")

    # Built from a checkout: spack develop --path CHECKOUT sinograph@0.1.0
    version("0.1.0")

    variant("mpi", default=False, description="Several ranks of MPI that work on one run")
    variant("zeromq", default=False, description="Nodes that send and receive frames over ZeroMQ")
    variant("monitor", default=False, description="A page for browsers that shows volumes, scans and runs")
    variant("introspection", default=True, description="GIR and typelib, for Python and other languages")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")

    depends_on("c-blosc")
    depends_on("clfft")
    depends_on("glib")
    depends_on("hdf5")
    depends_on("highway")
    depends_on("jpeg")
    depends_on("json-glib")
    depends_on("libdeflate")
    depends_on("libpng")
    depends_on("libtiff@4.5:")
    depends_on("lz4")
    depends_on("opencl")
    depends_on("opencl-clhpp")
    depends_on("tbb")
    depends_on("zlib-api")

    depends_on("mpi", when="+mpi")
    depends_on("libzmq", when="+zeromq")
    depends_on("libcbor", when="+zeromq")
    depends_on("libsoup@3.2:", when="+monitor")
    depends_on("gobject-introspection", when="+introspection")
    depends_on("py-numpy", type="run", when="+introspection")
    depends_on("py-pygobject", type=("build", "run"), when="+introspection")

    def meson_args(self):
        def feature(name, variant):
            return f"-D{name}={'enabled' if self.spec.satisfies('+' + variant) else 'disabled'}"

        return [
            "-Dtests=false",
            feature("mpi", "mpi"),
            feature("zeromq", "zeromq"),
            feature("monitor", "monitor"),
            feature("introspection", "introspection"),
            feature("python", "introspection"),
        ]
