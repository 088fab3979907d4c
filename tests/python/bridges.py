#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Functions with the signatures of other packages, against these where they are installed, and against discs."""
import inspect
import tempfile
import types
from pathlib import Path
from unittest import SkipTest

import numpy
import scans
import sinograph
import tap
from sinograph.bridges import algotom, httomo, tomopy
from tap import check, same

DEGREES = numpy.arange(120) * 1.5
LINES = scans.lines(axis=31, degrees=DEGREES)
THETA = numpy.deg2rad(DEGREES)


def real(name):
    """A package that is installed: the bridges have the names of packages, too."""
    try:
        return __import__(name, fromlist=["x"])
    except ImportError as error:
        raise SkipTest(error) from None


def signature(function):
    return [(name, None if one.default is inspect.Parameter.empty else one.default)
            for name, one in inspect.signature(function).parameters.items()]


def alike(got, want, least):
    """Correlation inside of the circle that all rays see, and sizes of values that agree to 3 %."""
    same(got.shape, want.shape)
    place = numpy.arange(got.shape[-1]) + 0.5 - got.shape[-1] / 2
    inside = numpy.hypot(place[None], place[:, None]) < 28
    got, want = (image.reshape(-1, 64, 64)[:, inside].ravel().astype(float) for image in (got, want))
    correlation = numpy.corrcoef(got, want)[0, 1]
    print(f"# correlation {correlation:.5f}, size {got @ want / (want @ want):.4f}")
    check(correlation > least and abs(got @ want / (want @ want) - 1) < 0.03, correlation)


def test_tomopy_itself():
    theirs = real("tomopy").recon
    same(signature(tomopy.recon), signature(theirs))
    for algorithm in "gridrec", "fbp":
        center = 30.5 if algorithm == "gridrec" else 31
        options = {"filter_name": "ramlak" if algorithm == "fbp" else "shepp"}
        alike(tomopy.recon(LINES, THETA, center, algorithm=algorithm, **options),
              theirs(LINES.copy(), THETA, center, algorithm=algorithm, **options), 0.99)


def test_tomopy():
    for algorithm, center, window in ("gridrec", 30.5, "shepp"), (None, 30.5, "ramlak"), ("fbp", 31, "ramlak"):
        scans.check_discs(tomopy.recon(LINES, THETA, center, algorithm=algorithm, filter_name=window)[1])
    order = tomopy.recon(LINES.swapaxes(0, 1), THETA, numpy.full(3, 30.5), sinogram_order=True, ncore=2)
    scans.check_discs(order[2])
    scans.check_discs(tomopy.recon(scans.lines(), numpy.arange(90) * numpy.pi / 90)[0])
    for bad in {"algorithm": "sirt"}, {"filter_name": "custom"}, {"filter_name": None}, {"center": [30, 31, 32]}:
        try:
            tomopy.recon(LINES, THETA, **bad)
        except sinograph.Error as error:
            same((error.code, error.property), (sinograph.Code.BAD_PROPERTY, next(iter(bad))))
            check(("'none' is no filter" in error.message) == (None in bad.values()), error)
        else:
            raise AssertionError("no error")


def test_algotom_itself():
    theirs = real("algotom.rec.reconstruction")
    for name in "fbp_reconstruction", "gridrec_reconstruction":
        same(signature(getattr(algotom, name)), signature(getattr(theirs, name)))
    passed = numpy.exp(-LINES)
    for data in passed[:, 1], passed:
        for name in None, "hann":
            options = {"center": 30.5, "angles": THETA, "filter_name": name, "gpu": False, "ncore": 1}
            alike(algotom.fbp_reconstruction(data, **options), theirs.fbp_reconstruction(data.copy(), **options), 0.997)
    ours = algotom.fbp_reconstruction(passed[:, 1], 30.5, ratio=0.6)
    circle = real("algotom.util.utility").make_circle_mask(64, 0.6)
    check(not ours[circle == 0].any() and ours[circle != 0].all(), "another circle")


def test_algotom():
    image = algotom.fbp_reconstruction(numpy.exp(-LINES[:, 0]), 30.5, THETA, filter_name=None, gpu=False)
    scans.check_discs(image)
    volume = algotom.gridrec_reconstruction(LINES, 30.5, THETA, apply_log=False, ratio=None)
    same(volume.shape, (64, 3, 64))
    scans.check_discs(volume[:, 2])


def test_httomo_functions():
    from sinograph.bridges.httomo import algorithm, prep

    counts, flats, darks = scans.counts(LINES)
    volume = algorithm.reconstruct(prep.flat_field(counts, flats, darks), THETA, 30.5)
    same((volume.shape, algorithm._calc_output_dim_reconstruct((3, 64))), ((64, 3, 64), (64, 64)))
    scans.check_discs(volume[:, 1])


def test_httomo_itself():
    """Its repository knows the methods, and its wrappers call them: with blocks that have what it asks of them."""
    packages = real("httomo_backends.methods_database.packages")
    query = real("httomo_backends.methods_database.query")
    wrappers, MPI = real("httomo.method_wrappers"), real("mpi4py.MPI")
    with tempfile.TemporaryDirectory() as folder:
        # In a folder of the test's own: what is installed stays as it is.
        here, query.YAML_DIR = query.YAML_DIR, Path(folder)
        packages.__path__.append(folder)
        try:
            httomo.install()
            run_methods(query.MethodDatabaseRepository(), wrappers.make_method_wrapper, MPI.COMM_WORLD)
        finally:
            query.YAML_DIR = here
            packages.__path__.remove(folder)


def execute(method, block):
    """What method.execute () does; this itself needs cupy, also for methods of the CPU."""
    block = method._preprocess_data(block)
    return method._run_method(block, method._build_kwargs(method.config_params, block))


def run_methods(repository, make, comm):
    counts, flats, darks = scans.counts(LINES)
    block = types.SimpleNamespace(data=counts, flats=flats, darks=darks, angles_radians=THETA, to_cpu=lambda: None)
    module = "sinograph.bridges.httomo"
    flat_field = make(repository, f"{module}.prep", "flat_field", comm, None)
    recon = make(repository, f"{module}.algorithm", "reconstruct", comm, None, center=30.5, window="ram-lak",
                 device="native")
    same((type(recon).__name__, recon.calculate_output_dims((3, 64))), ("ReconstructionWrapper", (64, 64)))
    scans.check_discs(execute(recon, execute(flat_field, block)).data[:, 1])


tap.main(globals())
