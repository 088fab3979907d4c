#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Writes attenuation.txt, the mass attenuation of the elements H to U from 5 to 500 keV, beside this script.

usage: pip install xraydb==4.5.8 && ./attenuation.py

XrayDB (M. Newville, MIT licence) has the tables of W. T. Elam, B. D. Ravel and J. R. Sieber, Radiation Physics and Chemistry 63,
2002, 121: photoabsorption, coherent and incoherent scattering. A line of the file is an element:

    number symbol mass density energy value energy value ...

with the mass in g/mol, the density in g/cm^3, energies in keV, and the sum of the three cross sections in cm^2/g. An absorption edge is between two
energies that are close together. Between energies, the logarithm of the value is linear in that of the energy. The script prints
how far this is from XrayDB halfway between the energies."""
import math
from pathlib import Path

import numpy as np
import xraydb

LOWEST, HIGHEST, STEP, BESIDE = 5.0, 500.0, 0.1, 3e-4
ERRORS = []


def attenuation(symbol, energies):
    return xraydb.mu_elam(symbol, np.asarray(energies) * 1e3, kind="total")


def line(number):
    symbol = xraydb.atomic_symbol(number)
    edges = sorted(edge.energy / 1e3 for edge in xraydb.xray_edges(symbol).values())
    ends = [LOWEST, *(edge for edge in edges if LOWEST * (1 + 5 * BESIDE) < edge < HIGHEST), HIGHEST]
    words = [str(number), symbol, f"{xraydb.atomic_mass(symbol):.6g}", f"{xraydb.atomic_density(symbol):.4g}"]
    for low, high in zip(ends, ends[1:]):
        energies = np.geomspace(low * (1 + BESIDE), high * (1 - BESIDE), math.ceil(math.log(high / low) / STEP) + 1)
        values, between = attenuation(symbol, energies), np.sqrt(energies[1:] * energies[:-1])
        ERRORS.extend(np.abs(np.sqrt(values[1:] * values[:-1]) / attenuation(symbol, between) - 1))
        for energy, value in zip(energies, values):
            words += [f"{energy:.6g}", f"{value:.4g}"]
    return " ".join(words)


Path(__file__).with_name("attenuation.txt").write_text("".join(line(number) + "\n" for number in range(1, 93)))
print("errors: half are below {:.1e}, 99 % below {:.1e}, the largest is {:.1e}".format(*np.percentile(ERRORS, (50, 99, 100))))
