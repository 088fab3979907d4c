// SPDX-License-Identifier: LGPL-3.0-or-later
// Loops over lines of sinograms and of their spectra, for the search for the axis.
#pragma once
#include <complex>
#include <cstdint>

namespace sino::find_axis {

using Complex = std::complex<float>;

// Adds the values of a line that are numbers to sums, and counts them.
void add_numbers (const float *line, int64_t n, double *sums, double *counts);
// Adds the squares of their distances from means.
void add_squares (const float *line, int64_t n, const double *means, double *squares);
// Adds all values of a line to sums.
void add_line (const float *line, int64_t n, double *sums);

// (1 - share) * first + share * second.
void mix_lines (const float *first, const float *second, float share, int64_t n, float *out);
// Adds up each `bin` neighbours.
void bin_line (const float *line, int64_t bin, int64_t bins, float *out);

// Makes complex values of two lines, less the means and times the window. `means`: null if there are none.
void join_lines (const float *first, const float *second, const float *means, const float *window, int64_t n,
                 Complex *out);
// Number of lines that separate () writes at once: a line of the cache.
constexpr int64_t lines_at_once = 8;
// The spectra of real lines from the transforms of pairs of them. Writes frequency k of all lines at out + k * stride.
void separate (const Complex *transforms, int64_t length, int64_t frequencies, Complex *out, int64_t stride);

// Sums over pairs of values a, b: conj (a b), half of the squares of both, and the product of their squares.
struct Compared {
  double real = 0, imaginary = 0, energy = 0, variance = 0;
};
Compared compare (const Complex *a, const Complex *b, int64_t n);
// Compares to[v] with to[length - v] for v from `begin` to `end`; even v count negative in the first sum.
Compared compare_ends (const Complex *to, int64_t length, int64_t begin, int64_t end);

} // namespace sino::find_axis
