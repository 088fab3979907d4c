// SPDX-License-Identifier: LGPL-3.0-or-later
// Guesses of the axis from mirror images (mirror.hpp), each better than the one before.
#pragma once
#include "base/divide-up.hpp"
#include "device/cpu.hpp"
#include "device/fft.hpp"
#include "filters/find-axis/turn.hpp"
#include "kernels/find-axis/lines.hpp"
#include <complex>
#include <memory>
#include <new>
#include <optional>
#include <vector>

namespace sino::find_axis {

enum class Method { opposites, wedge, sharpness };

struct Match {
  double axis;      // columns
  double coherence; // share of the compared spectra that matches; 1: all
  double certainty; // the match in standard deviations of noise
  double weight;    // sharpness of the match
  double error;     // standard deviation of the axis in columns
};

template <class T> struct Aligned {
  struct Free {
    void operator() (T *p) const { ::operator delete (p, std::align_val_t (64)); }
  };
  std::unique_ptr<T[], Free> data; // not initialised
  explicit Aligned (size_t n) : data (static_cast<T *> (::operator new (n * sizeof (T), std::align_val_t (64)))) {}
  T *get () const { return data.get (); }
};

// Values of a transform of one length.
struct Lines {
  Aligned<Complex> from, to, work;
  explicit Lines (int64_t length)
      : from (static_cast<size_t> (length)), to (static_cast<size_t> (length)),
        work (static_cast<size_t> (Fft::work_values (length)))
  {
  }
  static size_t bytes (int64_t length)
  {
    return static_cast<size_t> (2 * length + Fft::work_values (length)) * sizeof (Complex);
  }
};

// Resolution: columns are combined in bins, for a first estimate or for the result.
struct Level {
  static constexpr int64_t fine = 4; // positions per column, where the best one is sought first
  int64_t bin, columns, length, frequencies;

  Level (int64_t all, int64_t most);
  double radians (int64_t k) const;
};

// Values of the transforms of lines that are separated at once.
inline int64_t group_values (const Level &level)
{
  return lines_at_once / 2 * level.length;
}
// Distance between the spectra of two frequencies. Not a power of two: such spectra would share few places in a cache.
inline int64_t spectrum_stride (int64_t rows)
{
  return round_up (rows, lines_at_once) + lines_at_once;
}

// Sums of products for each frequency, the upper bound of their total, and the variance of this total if nothing
// matches.
struct Sums {
  std::vector<std::complex<double>> products;
  double energy = 0, variance = 0;
};

// Guesses of the axis at one level, each better than the one before.
class Guesses
{
public:
  // `rows`: the rows of the turn in bins; `means`: to be subtracted from the bins, or empty; `spectra`: memory for
  // level.frequencies * spectrum_stride () values.
  Guesses (const Turn &t, const Level &l, const float *r, const std::vector<float> &m, Complex *s, const Cpu &u)
      : turn (t), level (l), rows (r), means (m), cpu (u), number (std::ssize (turn.rows)), half (turn.half),
        stride (spectrum_stride (number)), along (level.length), around (2 * half), finely (Level::fine * level.length),
        spectra (s), least (0.04 * static_cast<double> (level.columns)),
        most (static_cast<double> (level.columns) - least)
  {
  }

  std::optional<Match> improve (Method method, double start) const;

private:
  // Result for one position of the window. `s` is twice the axis, less one.
  struct Guess {
    Sums sums;
    double s, doubt;
  };
  const Turn &turn;
  const Level &level;
  const float *const rows;
  const std::vector<float> &means;
  const Cpu &cpu;
  const int64_t number, half, stride;
  const Fft along, around, finely;
  Complex *const spectra;   // [frequency][row]
  const double least, most; // columns where the axis may be

  std::vector<float> window (double axis, double reach) const;
  std::vector<int64_t> groups (Method method) const;
  double transform (double axis, const std::vector<int64_t> &groups) const;
  void transform_group (int64_t group, const std::vector<float> &faded, const Lines &lines, Complex *all) const;
  template <class SumOf> Sums sum_up (const SumOf &sum_of) const;
  Sums wedge (double reach) const;
  Sums opposites (int64_t lag) const;
  double best (const Sums &sums) const;
  std::optional<Guess> guess (Method method, double reach) const;
  std::optional<Guess> lead_on (double reach) const;
};

} // namespace sino::find_axis
