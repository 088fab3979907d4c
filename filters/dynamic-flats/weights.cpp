// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/dynamic-flats/weights.hpp"
#include <cmath>

namespace sino::dynamic_flats {

namespace {

constexpr int steps = 20; // rounds of reweighted least squares, which converges long before
// as a share of the mean slope: smaller slopes count by their squares, because they are noise
constexpr double soft = 0.1;
constexpr double ridge = 1e-6; // keeps weights at 0 for components that do not show in the bands

// Dark, white and components, summed in the bins of the bands: [row][bin] each.
struct Beam {
  std::vector<float> dark, white;
  std::vector<std::vector<float>> components; // times the white
};

Beam binned (const EigenFlats &flats, const Samples &samples)
{
  Beam beam;
  const auto bins = static_cast<size_t> (samples.bins ()), columns = static_cast<size_t> (flats.columns);
  std::vector<float> line (columns), sums (bins);
  const auto append = [&] (const float *values, std::vector<float> &to) {
    samples.binned (values, sums.data ());
    to.insert (to.end (), sums.begin (), sums.end ());
  };
  beam.components.resize (flats.count ());
  for (const auto &band : samples.bands ())
    for (auto row = band.begin; row < band.end; row++) {
      const auto at = static_cast<size_t> (row) * columns;
      append (&flats.dark[at], beam.dark);
      append (&flats.white[at], beam.white);
      for (size_t k = 0; k < flats.count (); k++) {
        for (size_t i = 0; i < columns; i++)
          line[i] = flats.component (k, row)[i] * flats.white[at + i];
        append (line.data (), beam.components[k]);
      }
    }
  return beam;
}

// Solves a small positive definite system by Cholesky decomposition; false if the matrix is not positive definite.
bool solve (std::vector<double> &a, std::vector<double> &b)
{
  const auto n = b.size ();
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; k++)
        sum -= a[i * n + k] * a[j * n + k];
      if (i == j && !(sum > 0))
        return false;
      a[i * n + j] = i == j ? std::sqrt (sum) : sum / a[j * n + j];
    }
    for (size_t k = 0; k < i; k++)
      b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++)
      b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
  return true;
}

class Fit
{
public:
  Fit (const Beam &b, const Samples &s)
      : beam (b), samples (s), bins (s.bins ()), n (b.components.size ()), cells (b.white.size ())
  {
    corrected.resize (cells);
    slopes.resize (n * cells);
  }

  void run (int64_t projection, double *weights)
  {
    std::fill_n (weights, n, 0.);
    if (!load (projection))
      return;
    double softness = 0;
    for (int step = 0; step < steps; step++) {
      correct (weights);
      if (step == 0)
        softness = soft * mean_slope ();
      std::vector<double> a (n * n), b (n);
      gather (softness, a, b);
      double trace = 0;
      for (size_t k = 0; k < n; k++)
        trace += a[k * n + k];
      for (size_t k = 0; k < n; k++)
        a[k * n + k] += ridge * trace;
      if (!solve (a, b))
        return;
      double change = 0;
      for (size_t k = 0; k < n; k++) {
        weights[k] += b[k];
        change += std::abs (b[k]);
      }
      if (!std::isfinite (change) || !(brightness (weights) > 0)) {
        std::fill_n (weights, n, 0.);
        return;
      }
      if (change < 1e-7)
        return;
    }
  }

private:
  const Beam &beam;
  const Samples &samples;
  const int64_t bins;
  const size_t n, cells;
  std::vector<double> signal;    // the projection minus the dark
  std::vector<double> corrected; // NaN where nothing is known
  std::vector<double> slopes;    // derivatives of `corrected` by each weight: [component][cell]
  std::vector<double> shares;    // mean of each component relative to that of white, where the projection was seen

  // Brightness of the beam with these weights, relative to white. It normalises the variation: a brighter beam would
  // reduce the variation of the corrected projection without being a better fit.
  double brightness (const double *weights) const
  {
    double sum = 1;
    for (size_t k = 0; k < n; k++)
      sum += weights[k] * shares[k];
    return sum;
  }

  bool load (int64_t projection)
  {
    signal.clear ();
    bool any = false;
    for (const auto &band : samples.bands ())
      for (auto row = band.begin; row < band.end; row++) {
        const auto *line = samples.line (row, projection);
        for (int64_t i = 0; i < bins; i++) {
          signal.push_back (static_cast<double> (line[i]) - static_cast<double> (beam.dark[signal.size ()]));
          any = any || std::isfinite (signal.back ());
        }
      }
    const auto seen = [&] (const std::vector<float> &part) {
      double sum = 0;
      for (size_t i = 0; i < cells; i++)
        sum += std::isfinite (signal[i]) ? static_cast<double> (part[i]) : 0;
      return sum;
    };
    const double white = seen (beam.white);
    shares.clear ();
    for (const auto &component : beam.components)
      shares.push_back (seen (component) / white);
    return any && white > 0;
  }

  void correct (const double *weights)
  {
    const auto bright = brightness (weights);
    for (size_t i = 0; i < cells; i++) {
      double white = static_cast<double> (beam.white[i]);
      for (size_t k = 0; k < n; k++)
        white += weights[k] * static_cast<double> (beam.components[k][i]);
      corrected[i] = white > 0 ? signal[i] * bright / white : NAN;
      for (size_t k = 0; k < n; k++)
        slopes[k * cells + i] =
            corrected[i] * (shares[k] / bright - static_cast<double> (beam.components[k][i]) / white);
    }
  }

  // Calls body (cell, right neighbour, lower neighbour) for all cells with known values. A single column or row has no
  // neighbour along that axis: the cell itself is passed.
  template <class Body> void each (Body body) const
  {
    size_t cell = 0;
    for (const auto &band : samples.bands ())
      for (auto row = band.begin; row < band.end; row++)
        for (int64_t i = 0; i < bins; i++, cell++) {
          const auto right = bins > 1 ? cell + 1 : cell,
                     below = band.size () > 1 ? cell + static_cast<size_t> (bins) : cell;
          const bool beside = (i + 1 < bins || bins == 1) && (row + 1 < band.end || band.size () == 1);
          if (beside && std::isfinite (corrected[cell]) && std::isfinite (corrected[right]) &&
              std::isfinite (corrected[below]))
            body (cell, right, below);
        }
  }

  double mean_slope () const
  {
    double sum = 0, count = 0;
    each ([&] (size_t cell, size_t right, size_t below) {
      sum += std::hypot (corrected[right] - corrected[cell], corrected[below] - corrected[cell]);
      count++;
    });
    return count > 0 ? sum / count : 0;
  }

  void gather (double softness, std::vector<double> &a, std::vector<double> &b) const
  {
    each ([&] (size_t cell, size_t right, size_t below) {
      const double x = corrected[right] - corrected[cell], y = corrected[below] - corrected[cell];
      const double weight = 1 / std::sqrt (x * x + y * y + softness * softness);
      for (size_t k = 0; k < n; k++) {
        const auto *own = &slopes[k * cells];
        const double kx = own[right] - own[cell], ky = own[below] - own[cell];
        b[k] -= weight * (x * kx + y * ky);
        for (size_t l = 0; l <= k; l++) {
          const auto *other = &slopes[l * cells];
          const auto product = weight * (kx * (other[right] - other[cell]) + ky * (other[below] - other[cell]));
          a[k * n + l] += product;
        }
      }
    });
    for (size_t k = 0; k < n; k++)
      for (size_t l = 0; l < k; l++)
        a[l * n + k] = a[k * n + l];
  }
};

} // namespace

std::vector<double> find_weights (const EigenFlats &flats, const Samples &samples, const Cpu &cpu)
{
  const auto n = flats.count ();
  std::vector<double> weights (n * static_cast<size_t> (samples.projections ()));
  if (n == 0)
    return weights;
  const auto beam = binned (flats, samples);
  cpu.parallel (samples.projections (), 4, [&] (int64_t begin, int64_t end) {
    Fit fit (beam, samples);
    for (auto i = begin; i < end; i++)
      fit.run (i, &weights[static_cast<size_t> (i) * n]);
  });
  return weights;
}

} // namespace sino::dynamic_flats
