#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Runs what other packages have in place of our filters, in turns with filters.py, which starts it: for each line of
standard input, the name of a case of tests/bench/filter-cases.cpp (and "by PACKAGE", where there are two), it prints the
seconds, how many lines of pixels it worked on, and the package; or why it could not. The first run of each is not counted.

usage: filter_peers.py COLUMNS ANGLES
"""
import os
import sys
import time
from importlib.metadata import version

import numpy as np
import scipy.ndimage as ndi

COLUMNS, ANGLES = (int(word) for word in sys.argv[1:3])
PEERS = {}  # name of a case: what makes it


def peer(*cases, of="numpy"):
    """A function that makes the input of a peer, and gives what is to be timed and its lines of pixels."""
    def keep(make):
        for case in cases:
            PEERS[case] = (of, make)
        return make
    return keep


def lines(count):
    """Transmission of a body that turns, with noise, as tests/bench/filters.cpp has it."""
    turn, column = np.arange(count)[:, None] * np.pi / 1800, np.arange(COLUMNS)[None] / COLUMNS
    body = np.sqrt(np.maximum(0, 1 - ((column - 0.5 - 0.1 * np.cos(turn)) / 0.3) ** 2))
    return (1 - 0.6 * body + 0.03 * np.random.default_rng(1).random((count, COLUMNS)) - 0.015).astype(np.float32)


def sinogram():
    return lines(ANGLES)


def image():
    return lines(COLUMNS)


def stack(rows=16, count=None):
    count = count or ANGLES // 4
    return lines(count * rows).reshape(count, rows, COLUMNS)


def counts(values):
    return (values * 50000).astype(np.uint16)


def simple(*cases, of="numpy", data=image):
    """A peer that is a function of the data alone."""
    def keep(function):
        @peer(*cases, of=of)
        def make(case):
            values = data()
            return lambda: function(values, case), values.size / COLUMNS
        return function
    return keep


def option(case, name):
    return dict(word.split("=") for word in case.split()[1:])[name]


# --- values one by one ---

@peer("flat-field", "flat-field absorption=false", of="algotom")
def flat_field(case):
    from algotom.prep.correction import flat_field_correction
    values = counts(stack())
    flat, dark = np.full(values.shape[1:], 60000, np.float32), np.zeros(values.shape[1:], np.float32)
    if case == "flat-field":
        return lambda: -np.log(flat_field_correction(values, flat, dark)), values.size / COLUMNS
    return lambda: flat_field_correction(values, flat, dark), values.size / COLUMNS


@simple("minus-log", data=stack)
def minus_log(values, _):
    return -np.log(np.maximum(values, np.float32(1e-6)))


@simple("calculate expression=x*2+1", data=stack)
def calculate(values, _):
    return values * 2 + 1


@simple("calculate expression=-log(x)*2+x^2", data=stack)
def calculate_log(values, _):
    return -np.log(values) * 2 + values**2


@simple("rescale type=f32", "rescale type=u16", of="scikit-image", data=stack)
def rescale(values, case):
    from skimage.exposure import rescale_intensity
    kind = {"f32": "float32", "u16": "uint16"}[option(case, "type")]
    return rescale_intensity(values, (0.2, 0.8), kind if kind == "uint16" else (0, 1)).astype(kind, copy=False)


@simple("percentiles", data=stack)
def percentiles(values, _):
    return np.percentile(values, (0.5, 99.5))


@simple("half-pack", data=stack)
def half_pack(values, _):
    return values.astype(np.float16)


# --- pixels that move ---

@peer("interleave of u16, lanes 1", "interleave of f32, lanes 1")
def interleave(case):
    values = stack()
    values = counts(values) if "u16" in case else values
    return lambda: np.ascontiguousarray(values.transpose(1, 0, 2)), values.size / COLUMNS


@peer("interleave of u16, lanes 16", "interleave of f32, lanes 16")
def interleave_lanes(case):
    values = stack()
    values = counts(values) if "u16" in case else values
    return lambda: np.ascontiguousarray(values.transpose(0, 2, 1)), values.size / COLUMNS


@simple("crop")
def crop(values, _):
    return values[COLUMNS // 8:COLUMNS * 7 // 8, COLUMNS // 8:COLUMNS * 7 // 8].copy()


@simple("pad mode=edge", "pad mode=reflect")
def pad(values, case):
    return np.pad(values, 256, option(case, "mode"))


@simple("bin columns=2", "bin columns=4", of="scikit-image")
def bins(values, case):
    from skimage.transform import downscale_local_mean
    return downscale_local_mean(values, (int(option(case, "columns")),) * 2)


@simple("transpose")
def transpose(values, _):
    return np.ascontiguousarray(values.T)


@simple("flip direction=horizontal", "flip direction=vertical")
def flip(values, case):
    return np.ascontiguousarray(values[:, ::-1] if case.endswith("horizontal") else values[::-1])


@simple("rotate interpolation=linear", of="scikit-image")
def rotate(values, _):
    from skimage.transform import rotate
    return rotate(values, -0.7, order=1, mode="edge", preserve_range=True)


@simple("rotate interpolation=cubic", of="scipy")
def rotate_cubic(values, _):
    return ndi.rotate(values, -0.7, reshape=False, order=3, mode="nearest")


@simple("shift interpolation=linear", "shift interpolation=cubic", of="scipy")
def shift(values, case):
    return ndi.shift(values, (1.5, 3.25), order=1 if case.endswith("linear") else 3, mode="nearest")


@simple("undistort interpolation=linear", "undistort interpolation=cubic", of="discorpy")
def undistort(values, case):
    from discorpy.post.postprocessing import unwarp_image_backward
    return unwarp_image_backward(values, 0.5 * COLUMNS + 3.3, 0.5 * COLUMNS - 4.1, [1.0, 0.0, 6.0 / COLUMNS**3],
                                 order=1 if case.endswith("linear") else 3, mode="nearest")


@simple("stitch-360", of="algotom", data=sinogram)
def stitch(values, _):
    from algotom.prep.conversion import convert_sinogram_360_to_180
    return convert_sinogram_360_to_180(values, COLUMNS / 8 + 0.3)


@simple("average number=4", data=stack)
def average(values, _):
    return values[:values.shape[0] // 4 * 4].reshape(-1, 4, *values.shape[1:]).mean(1)


@peer("concatenate overlap=4")
def concatenate(_):
    upper, lower = stack(), stack()
    share = (np.arange(1, 5, dtype=np.float32) / 5)[:, None]
    both = lambda: np.concatenate((upper[:, :-4], (1 - share) * upper[:, -4:] + share * lower[:, :4], lower[:, 4:]), 1)
    return both, upper.size / COLUMNS


# --- what is wrong with single pixels ---

@peer("correct-bad-pixels find=yes")
def correct_bad_pixels(_):
    values = counts(image())
    rows, columns = np.divmod(np.arange(0, values.size, 9973), COLUMNS)

    def mend():
        out = values.astype(np.float32)
        padded = np.pad(out, 1, "edge")
        out[rows, columns] = (padded[rows, columns + 1] + padded[rows + 2, columns + 1] + padded[rows + 1, columns] + padded[rows + 1, columns + 2]) / 4
        return np.rint(out).astype(np.uint16)
    return mend, COLUMNS


@simple("median size=3", "median size=5", of="scipy")
def median(values, case):
    return ndi.median_filter(values, int(option(case, "size")), mode="nearest")


@simple("median direction=angle", of="scipy", data=lambda: stack(4))
def median_angle(values, _):
    return ndi.median_filter(values, (3, 1, 1), mode="nearest")


@simple("remove-outliers size=3", "remove-outliers size=5", of="scipy")
def remove_outliers(values, case):
    middle = ndi.median_filter(values, int(option(case, "size")), mode="nearest")
    return np.where(values - middle > 0.5, middle, values)


@simple("remove-outliers direction=angle", of="scipy", data=lambda: stack(4))
def remove_outliers_angle(values, _):
    middle = ndi.median_filter(values, (3, 1, 1), mode="nearest")
    return np.where(values - middle > 0.5, middle, values)


@simple("unsharp sigma=1", "unsharp sigma=3", of="scikit-image")
def unsharp(values, case):
    from skimage.filters import unsharp_mask
    return unsharp_mask(values, float(option(case, "sigma")), 1.0, preserve_range=True)


# --- whole images ---

PHASE = {"energy": 20.0, "distance": 0.1, "delta_beta": 1000.0, "pixel_size": 1e-6}


@peer("retrieve-phase method=paganin", of="nabu")
def paganin(_):
    from nabu.preproc.phase import PaganinPhaseRetrieval
    values = image()
    filter_of = PaganinPhaseRetrieval(values.shape, **PHASE)
    return lambda: -np.log(filter_of.retrieve_phase(values)), COLUMNS


@peer("retrieve-phase method=ctf", of="nabu")
def ctf(_):
    from nabu.preproc.ctf import CTFPhaseRetrieval, GeoPars
    values = image()
    where = GeoPars(z1_vh=None, z2=0.1, pix_size_det=1e-6, wavelength=12.3984e-10 / 20)
    filter_of = CTFPhaseRetrieval(values.shape, where, 1000.0, use_rfft=True)
    return lambda: filter_of.retrieve_phase(values), COLUMNS


@peer(*(f"retrieve-phase method={method}" for method in ("tie", "qp", "qp2", "bronnikov-aided")), of="scipy")
def phase(case):
    from scipy.fft import irfft2, next_fast_len, rfft2, rfftfreq, fftfreq
    method, values = option(case, "method"), image()
    # As far as our filter pads: tie and what comes of it by 16 lengths of its point spread, the others to twice the size.
    length = 2 * COLUMNS
    if method in ("tie", "bronnikov-aided"):
        spread = np.sqrt(1000 * 12.3984e-10 / 20 * 0.1 / (4 * np.pi)) / 1e-6
        length = min(length, next_fast_len(COLUMNS + int(16 * spread), real=True))
    f2 = (fftfreq(length, 1e-6)[:, None] ** 2 + rfftfreq(length, 1e-6)[None] ** 2).astype(np.float32)
    u = np.float32(np.pi * 12.3984e-10 / 20 * 0.1) * f2
    if method in ("tie", "bronnikov-aided"):
        factor = 1 / (2 * (u + 1e-3))
    else:
        wave = np.sin(u)
        weak = (np.abs(wave) < 0.1) & (u > np.pi / 2)
        factor = np.sign(wave) / (2 * (np.where(weak, 0.1, np.abs(wave)) + 1e-3))
        if method == "qp":
            factor[weak] = 0
    before = (length - COLUMNS) // 2
    around = ((before, length - COLUMNS - before),) * 2
    inside = (slice(before, before + COLUMNS),) * 2
    workers = os.cpu_count()

    def retrieve():
        found = irfft2(rfft2(np.pad(1 - values, around, "edge"), workers=workers) * factor, (length, length), workers=workers)[inside]
        if method == "bronnikov-aided":
            return -np.log(values / (1 + values - (1 - 2e-3 * found)))
        return found
    return retrieve, COLUMNS


# --- whole sinograms ---

@simple("remove-stripes method=offset", of="scipy", data=sinogram)
def offset(values, _):
    for _ in range(3):
        values = values - np.median(values - ndi.median_filter(values, (1, 21), mode="mirror"), 0)
    steps = np.concatenate(([0], np.cumsum(np.median(np.diff(values, axis=1), 0))))
    return values - (steps - ndi.gaussian_filter1d(steps, 3)).astype(np.float32)


@simple(*(f"remove-stripes method={method}" for method in ("sorting", "large", "dead", "all")), of="algotom", data=sinogram)
def stripes(values, case):
    from algotom.prep import removal
    return {"sorting": removal.remove_stripe_based_sorting, "large": removal.remove_large_stripe,
            "dead": removal.remove_dead_stripe, "all": removal.remove_all_stripe}[option(case, "method")](values)


@peer("remove-stripes method=wavelet-fourier", of="nabu")
def wavelet_fourier(_):
    from nabu.reconstruction.rings import MunchDeringer
    values = sinogram()
    remover = MunchDeringer(values.shape, 0.5, levels=3, wname="db5")
    return lambda: remover.remove_rings(values.copy()), ANGLES


@simple("remove-stripes method=wavelet-fourier by algotom", of="algotom", data=sinogram)
def wavelet_fft(values, _):
    from algotom.prep.removal import remove_stripe_based_wavelet_fft
    return remove_stripe_based_wavelet_fft(values, level=3, wavelet_name="db5")


@peer("ramp-filter", "ramp-filter of sinograms", of="nabu")
def ramp_filter(_):
    from nabu.reconstruction.filtering import SinoFilter
    values = sinogram()
    ramp = SinoFilter(values.shape)
    return lambda: ramp.filter_sino(values), ANGLES


@simple("fourier-reconstruct", of="algotom", data=sinogram)
def fourier(values, _):
    from algotom.rec.reconstruction import dfi_reconstruction
    return dfi_reconstruction(values, 0.5 * COLUMNS, apply_log=False, ratio=None)


@simple("back-project", of="algotom", data=sinogram)
def back_project(values, _):
    from algotom.rec.reconstruction import fbp_reconstruction
    return fbp_reconstruction(values, 0.5 * COLUMNS, apply_log=False, gpu=False, ratio=None)


# --- what looks at a scan before it runs ---

@peer("find-axis", of="algotom")
def find_axis(_):
    from algotom.prep.calculation import find_center_vo
    values = -np.log(sinogram())
    return lambda: find_center_vo(values), ANGLES


@peer("correct-dose")
def correct_dose(_):
    values = stack()
    return lambda: values + np.log(np.exp(-values[:, :, :64]).mean((1, 2)))[:, None, None], values.size / COLUMNS


@peer("dynamic-flats", of="nabu")
def dynamic_flats(_):
    from nabu.preproc.flatfield import PCAFlatsNormalizer
    values, flats = stack(16, 90), np.random.default_rng(2).random((3, 16, COLUMNS), dtype=np.float32)
    normalizer = PCAFlatsNormalizer(flats, np.zeros((16, COLUMNS), np.float32), np.zeros((16, COLUMNS), np.float32))
    return lambda: normalizer.normalize_radios(values.copy()), values.size / COLUMNS


def seconds_of(body):
    begin = time.perf_counter()
    body()
    return time.perf_counter() - begin


def main():
    out, sys.stdout = os.fdopen(os.dup(1), "w"), sys.stderr
    os.dup2(2, 1)  # what packages print is no answer
    ready, body, count = None, None, 0
    for case in sys.stdin:
        case = case.strip()
        try:
            if case not in PEERS:
                raise LookupError("no peer")
            of, make = PEERS[case]
            if case != ready:
                body, count = make(case)
                body()
                ready = case
            print(f"{seconds_of(body):.6f} {count:.0f} {of} {version(of)}", file=out, flush=True)
        except Exception as failure:  # one peer that is missing must not hide the others
            ready = None
            print(f"none {type(failure).__name__}: {failure}".replace("\n", " "), file=out, flush=True)


main()
