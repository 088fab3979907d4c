// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/dynamic-flats/eigen-flats.hpp"
#include "filters/dynamic-flats/eigen.hpp"
#include "filters/flat-field/companions.hpp"
#include "kernels/flat-field/correct.hpp"
#include <cmath>

namespace sino::dynamic_flats {

namespace {

constexpr size_t enough = size_t{32} << 20; // bytes of flats that are read at once
constexpr int64_t most_flats = 256;         // if there are more flats, this many are used, evenly spaced
// as a share of the flats' squares: smaller differences between flats are rounding errors
constexpr double rounding = 1e-10;

// Returns the number of pixels from which the components are found. It is smaller for many flats, because the work
// grows with the number of pairs of flats.
double sampled (size_t n)
{
  return (1 << 20) * std::min (1.0, 32 / static_cast<double> (n));
}

// Returns the numbers of the flats to use: every n-th of the flats that are not odd.
std::vector<int64_t> taken (const Frames &flats, const std::vector<int64_t> &odd)
{
  std::vector<int64_t> right, some;
  for (int64_t flat = 0; flat < flats.count; flat++)
    if (!std::ranges::binary_search (odd, flat))
      right.push_back (flat);
  const auto stride = divide_up (std::ssize (right), most_flats);
  for (int64_t i = 0; i < std::ssize (right); i += stride)
    some.push_back (right[static_cast<size_t> (i)]);
  return some;
}

// Largest number of flats that taken () can return.
size_t most_taken (const Frames &flats)
{
  return static_cast<size_t> (std::min (flats.count, most_flats));
}

class Finder
{
public:
  Finder (const Frames &f, std::vector<int64_t> t, EigenFlats &r, const Cpu &c, const Frames::Watch &w)
      : flats (f), numbers (std::move (t)), result (r), cpu (c), watch (w), n (numbers.size ()),
        columns (static_cast<size_t> (f.columns)), lines (n * columns), products (n * n), sums (n)
  {
  }

  void find (int number)
  {
    const auto step =
        std::max<int64_t> (static_cast<int64_t> (static_cast<double> (flats.rows * flats.columns) / sampled (n)), 1);
    int64_t rows = 0;
    each_row ([&] (int64_t row, const std::byte *first, size_t frame_bytes) {
      if (row % step != step / 2)
        return;
      load (row, first, frame_bytes);
      multiply ();
      rows++;
    });
    const auto eigen = components (static_cast<double> (rows * flats.columns));
    const auto count = number > 0 ? std::min (static_cast<size_t> (number), differing) : standing_out;
    result.components.resize (count * result.white.size ());
    if (count == 0)
      return;
    each_row ([&] (int64_t row, const std::byte *first, size_t frame_bytes) {
      load (row, first, frame_bytes);
      for (size_t k = 0; k < count; k++)
        combine (&eigen.vectors[k * n], row,
                 &result.components[k * result.white.size () + static_cast<size_t> (row) * columns]);
    });
  }

private:
  const Frames &flats;
  const std::vector<int64_t> numbers; // numbers of the flats that are used
  EigenFlats &result;
  const Cpu &cpu;
  const Frames::Watch &watch;
  const size_t n, columns;
  std::vector<float> lines;     // a row of each flat, minus the dark
  std::vector<double> products; // sums over pixels, for each pair of flats, of the product of their values
  std::vector<double> sums;     // sum of the pixels of each flat
  std::vector<double> scales;   // factors that make all flats equally bright
  size_t standing_out = 0;      // number of components above the noise
  size_t differing = 0;         // number of components above rounding errors

  template <class Body> void each_row (Body body) const
  {
    const auto pieces = pieces_of (flats, true, enough);
    std::vector<std::byte> piece (pieces.bytes);
    for (const auto rows : pieces.rows) {
      flats.read ({0, flats.count}, rows, piece.data (), watch);
      const auto row_bytes = flats.row_bytes ();
      for (auto row = rows.begin; row < rows.end; row++)
        body (row, &piece[static_cast<size_t> (row - rows.begin) * row_bytes],
              static_cast<size_t> (rows.size ()) * row_bytes);
    }
  }

  void load (int64_t row, const std::byte *first, size_t frame_bytes)
  {
    const auto at = static_cast<size_t> (row) * columns;
    for (size_t j = 0; j < n; j++) {
      auto *line = &lines[j * columns];
      flat_field::widen (flats.element, first + static_cast<size_t> (numbers[j]) * frame_bytes, flats.columns, line);
      for (size_t i = 0; i < columns; i++)
        line[i] = result.white[at + i] > 0 ? line[i] - result.dark[at + i] : 0;
    }
  }

  void multiply ()
  {
    cpu.parallel (static_cast<int64_t> (n), 1, [&] (int64_t begin, int64_t end) {
      for (auto j = static_cast<size_t> (begin); j < static_cast<size_t> (end); j++) {
        const auto *a = &lines[j * columns];
        for (size_t i = 0; i <= j; i++) {
          const auto *b = &lines[i * columns];
          double sum = 0;
          for (size_t c = 0; c < columns; c++)
            sum += static_cast<double> (a[c]) * static_cast<double> (b[c]);
          products[j * n + i] += sum;
        }
        for (size_t c = 0; c < columns; c++)
          sums[j] += static_cast<double> (a[c]);
      }
    });
  }

  // Principal components of the flats, after scaling them to one brightness and subtracting their mean.
  Eigen components (double pixels)
  {
    double all = 0;
    for (const auto sum : sums)
      all += sum / static_cast<double> (n);
    for (const auto sum : sums)
      scales.push_back (sum > 0 ? all / sum : 0);
    std::vector<double> matrix (n * n), means (n);
    double mean_of_all = 0;
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < n; i++) {
        matrix[j * n + i] = products[std::max (i, j) * n + std::min (i, j)] * scales[i] * scales[j];
        means[j] += matrix[j * n + i] / static_cast<double> (n);
        mean_of_all += matrix[j * n + i] / static_cast<double> (n * n);
      }
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < n; i++)
        matrix[j * n + i] += mean_of_all - means[i] - means[j];
    auto eigen = eigen_of (std::move (matrix), n);
    while (differing + 1 < n && eigen.values[differing] > rounding * mean_of_all * static_cast<double> (n))
      differing++;
    count (eigen.values, pixels);
    return eigen;
  }

  // Counts the components above the noise. Noise alone gives components of about equal size. A component counts if it
  // is 1.5 times the mean of all smaller ones, and above the largest that noise gives by chance (V. Marchenko, L.
  // Pastur).
  void count (const std::vector<double> &values, double pixels)
  {
    const double chance = 1 + std::sqrt (static_cast<double> (n) / pixels);
    const double factor = std::max (1.5, 1.2 * chance * chance);
    double behind = 0; // the last value belongs to the mean, which was subtracted
    for (size_t k = 0; k + 1 < n; k++)
      behind += values[k];
    while (standing_out + 2 < n && standing_out < std::min<size_t> (most_components, differing)) {
      const auto value = values[standing_out];
      behind -= value;
      if (!(value > factor * behind / static_cast<double> (n - 2 - standing_out)))
        return;
      standing_out++;
    }
  }

  void combine (const double *vector, int64_t row, float *to) const
  {
    const auto at = static_cast<size_t> (row) * columns;
    for (size_t i = 0; i < columns; i++) {
      double sum = 0;
      for (size_t j = 0; j < n; j++)
        sum += vector[j] * scales[j] * static_cast<double> (lines[j * columns + i]);
      const float share = static_cast<float> (sum) / result.white[at + i];
      to[i] = std::isfinite (share) ? share : 0;
    }
  }
};

} // namespace

EigenFlats find_eigen_flats (const Companions &companions, int number, const flat_field::Looking &looking)
{
  const auto &flats = *companions.flats;
  auto [dark, white, odd] = flat_field::mean_companions (companions, looking);
  EigenFlats result{.columns = flats.columns, .dark = std::move (dark), .white = std::move (white)};
  result.dark.resize (result.white.size ());
  for (size_t i = 0; i < result.white.size (); i++) {
    const auto beam = result.white[i] - result.dark[i];
    result.white[i] = beam > 0 && std::isfinite (beam) ? beam : 0;
  }
  Finder (flats, taken (flats, odd), result, looking.cpu, looking.watch).find (number);
  return result;
}

size_t eigen_flats_count (const Companions &companions, int number)
{
  return std::min (static_cast<size_t> (number > 0 ? number : most_components), most_taken (*companions.flats) - 1);
}

size_t eigen_flats_bytes (const Companions &companions, int number)
{
  const auto &flats = *companions.flats;
  return (2 + eigen_flats_count (companions, number)) * static_cast<size_t> (flats.rows * flats.columns) *
         sizeof (float);
}

size_t finding_bytes (const Companions &companions)
{
  const auto &flats = *companions.flats;
  const auto n = most_taken (flats);
  const auto lines = n * static_cast<size_t> (flats.columns) * sizeof (float) + 5 * n * n * sizeof (double);
  return std::max (flat_field::mean_companions_bytes (companions), pieces_of (flats, true, enough).bytes + lines);
}

} // namespace sino::dynamic_flats
