// SPDX-License-Identifier: LGPL-3.0-or-later
// Guesses of the axis from mirror images (mirror.hpp), each better than the one before.
#pragma once
#include "device/cpu.hpp"
#include "device/fft.hpp"
#include "filters/find-axis/turn.hpp"
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

using Complex = std::complex<float>;

template <class T> struct Aligned {
  struct Free {
    void operator() (T *p) const { operator delete[] (p, std::align_val_t (64)); }
  };
  std::unique_ptr<T[], Free> data;
  explicit Aligned (size_t n) : data (new (std::align_val_t (64)) T[n]) {}
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
  Guesses (const Turn &t, const Level &l, const float *r, const Cpu &u)
      : turn (t), level (l), rows (r), cpu (u), number (std::ssize (turn.rows)), half (turn.half), along (level.length),
        around (2 * half), finely (Level::fine * level.length),
        spectra (static_cast<size_t> (number * level.frequencies)), least (0.04 * static_cast<double> (level.columns)),
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
  // Product, upper bound and variance for one frequency.
  struct Sum {
    std::complex<double> product;
    double energy = 0, variance = 0;

    void compare (const Complex &a, const Complex &b, double sign)
    {
      product += sign * std::conj (std::complex<double> (a) * std::complex<double> (b));
      const double ea = std::norm (a), eb = std::norm (b);
      energy += 0.5 * (ea + eb);
      variance += ea * eb;
    }
  };

  const Turn &turn;
  const Level &level;
  const float *const rows;
  const Cpu &cpu;
  const int64_t number, half;
  const Fft along, around, finely;
  const Aligned<Complex> spectra; // [frequency][row]
  const double least, most;       // columns where the axis may be

  std::vector<float> window (double axis, double reach) const;
  double transform (double axis) const;
  void transform_pair (int64_t pair, const std::vector<float> &faded, const Lines &lines) const;
  template <class SumOf> Sums sum_up (const SumOf &sum_of) const;
  Sums wedge (double reach) const;
  Sums opposites (int64_t lag) const;
  double best (const Sums &sums) const;
  std::optional<Guess> guess (Method method, double reach) const;
  std::optional<Guess> lead_on (double reach) const;
};

} // namespace sino::find_axis
