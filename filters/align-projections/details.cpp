// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/align-projections/details.hpp"
#include "filters/align-projections/fit.hpp"
#include <algorithm>

namespace sino::align_projections {

namespace {

constexpr int64_t enough = 512; // columns: larger images are binned, which keeps a hundredth of a pixel
constexpr int64_t coarser = 4;  // binning of the first search
// Radii of the Gaussians whose difference is the band-pass, in pixels.
constexpr double narrow_radius = 1, wide_radius = 4;
constexpr int64_t border = 3; // pixels at the borders that are left out
constexpr int most_steps = 12;
// The narrow Gaussian spreads noise over 4 pi pixels, so that as many fewer values are independent.
constexpr double spread = 3.5;

int64_t binning (Size size)
{
  return std::max<int64_t> (size.columns / enough, 1);
}

Size binned_size (Size size, int64_t factor)
{
  return {size.rows / factor, size.columns / factor};
}

std::vector<float> gaussian (double radius)
{
  const auto reach = static_cast<int64_t> (std::ceil (3 * radius));
  std::vector<float> factors;
  double sum = 0;
  for (auto i = -reach; i <= reach; i++)
    sum += std::exp (-0.5 * static_cast<double> (i * i) / (radius * radius));
  for (auto i = -reach; i <= reach; i++)
    factors.push_back (static_cast<float> (std::exp (-0.5 * static_cast<double> (i * i) / (radius * radius)) / sum));
  return factors;
}

// Smooths an image by a Gaussian. Beyond the borders the nearest pixel is repeated.
void smooth (const float *from, Size size, const std::vector<float> &factors, float *half, float *to)
{
  const auto reach = std::ssize (factors) / 2, columns = size.columns;
  for (int64_t row = 0; row < size.rows; row++) {
    auto *line = half + row * columns;
    std::fill_n (line, columns, 0.f);
    for (auto tap = -reach; tap <= reach; tap++) {
      const auto *other = from + std::clamp<int64_t> (row + tap, 0, size.rows - 1) * columns;
      const float factor = factors[static_cast<size_t> (tap + reach)];
      for (int64_t column = 0; column < columns; column++)
        line[column] += factor * other[column];
    }
  }
  std::vector<float> padded (static_cast<size_t> (columns + 2 * reach));
  for (int64_t row = 0; row < size.rows; row++) {
    const auto *line = half + row * columns;
    for (int64_t i = 0; i < std::ssize (padded); i++)
      padded[static_cast<size_t> (i)] = line[std::clamp<int64_t> (i - reach, 0, columns - 1)];
    auto *out = to + row * columns;
    std::fill_n (out, columns, 0.f);
    for (int64_t tap = 0; tap <= 2 * reach; tap++)
      for (int64_t column = 0; column < columns; column++)
        out[column] += factors[static_cast<size_t> (tap)] * padded[static_cast<size_t> (column + tap)];
  }
}

} // namespace

Details::Details (Size s) : size (s)
{
  const auto values = binned_size (size, binning (size)).values ();
  for (auto *image : {&measured_band, &computed_band, &wide, &half})
    image->resize (values);
}

size_t Details::bytes (Size size)
{
  const auto binned = binned_size (size, binning (size));
  return (4 * binned.values () + 4 * static_cast<size_t> (binned.columns + 64)) * sizeof (float);
}

// Bins both images and passes their band. Returns false if they are too small.
bool Details::fill (const float *measured, const float *computed, bool mirrored, int64_t factor, Size binned)
{
  if (binned.rows < least_values || binned.columns < least_values)
    return false;
  for (int64_t row = 0; row < binned.rows; row++)
    for (int64_t column = 0; column < binned.columns; column++) {
      double m = 0, c = 0;
      for (int64_t i = 0; i < factor; i++)
        for (int64_t j = 0; j < factor; j++) {
          const auto line = (row * factor + i) * size.columns, at = column * factor + j;
          const Values values (measured[line + (mirrored ? size.columns - 1 - at : at)], computed[line + at]);
          m += values.measured;
          c += values.computed;
        }
      const auto area = static_cast<double> (factor * factor);
      measured_band[static_cast<size_t> (row * binned.columns + column)] = static_cast<float> (m / area);
      computed_band[static_cast<size_t> (row * binned.columns + column)] = static_cast<float> (c / area);
    }
  pass_band (measured_band, binned);
  pass_band (computed_band, binned);
  return true;
}

void Details::pass_band (std::vector<float> &band, Size binned)
{
  static const auto narrow_factors = gaussian (narrow_radius), wide_factors = gaussian (wide_radius);
  smooth (band.data (), binned, wide_factors, half.data (), wide.data ());
  smooth (band.data (), binned, narrow_factors, half.data (), band.data ());
  for (size_t i = 0; i < binned.values (); i++)
    band[i] -= wide[i];
}

// Improves a displacement in binned pixels. Returns false if the images do not show it.
bool Details::refine (Size binned, Displacement &found) const
{
  const auto columns = binned.columns;
  const auto away = [] (double shift) { return border + static_cast<int64_t> (std::ceil (std::abs (shift))); };
  for (int step = 0; step < most_steps; step++) {
    double &x = found.columns.shift, &y = found.rows.shift;
    const auto side = away (x), above = away (y);
    if (binned.rows - 2 * above < least_values / 2 || columns - 2 * side < least_values / 2)
      return false;
    const auto whole_x = static_cast<int64_t> (std::floor (-x)), whole_y = static_cast<int64_t> (std::floor (-y));
    const double behind_x = -x - static_cast<double> (whole_x), behind_y = -y - static_cast<double> (whole_y);
    Fit<3> across, down; // the same equations; the first unknown has the error
    for (auto row = above; row < binned.rows - above; row++)
      for (auto column = side; column < columns - side; column++) {
        const auto *at = &computed_band[static_cast<size_t> ((row + whole_y) * columns + column + whole_x)];
        const auto between = [&] (const auto &value) {
          return (1 - behind_y) * ((1 - behind_x) * value (at) + behind_x * value (at + 1)) +
                 behind_y * ((1 - behind_x) * value (at + columns) + behind_x * value (at + columns + 1));
        };
        const double slope_x = between ([] (const float *p) { return static_cast<double> (p[1] - p[-1]) / 2; });
        const double slope_y =
            between ([columns] (const float *p) { return static_cast<double> (p[columns] - p[-columns]) / 2; });
        const double value = between ([] (const float *p) { return static_cast<double> (*p); });
        const auto measured = static_cast<double> (measured_band[static_cast<size_t> (row * columns + column)]);
        across.add ({-slope_x, -slope_y, value}, measured);
        down.add ({-slope_y, -slope_x, value}, measured);
      }
    const auto solved = across.solve (), again = down.solve ();
    if (!solved || !again || !(solved->unknowns[2] > least_gain))
      return false;
    const double gain = solved->unknowns[2];
    const double more_x = std::clamp (solved->unknowns[0] / gain, -1.0, 1.0);
    const double more_y = std::clamp (solved->unknowns[1] / gain, -1.0, 1.0);
    x += more_x;
    y += more_y;
    found.columns.sure = spread * solved->error / gain < most_error;
    found.rows.sure = spread * again->error / gain < most_error;
    if (std::max (std::abs (more_x), std::abs (more_y)) < 2e-3)
      break;
  }
  return true;
}

Displacement Details::match (const float *measured, const float *computed, Displacement from, bool mirrored)
{
  const auto fine = binning (size);
  Displacement found = from;
  found.columns.sure = found.rows.sure = false;
  for (const auto factor : {coarser * fine, fine}) {
    const auto binned = binned_size (size, factor);
    if (!fill (measured, computed, mirrored, factor, binned))
      continue;
    auto scaled = found;
    scaled.columns.shift /= static_cast<double> (factor);
    scaled.rows.shift /= static_cast<double> (factor);
    const bool sure = refine (binned, scaled) && scaled.columns.sure && scaled.rows.sure;
    if (sure) {
      found = scaled;
      found.columns.shift *= static_cast<double> (factor);
      found.rows.shift *= static_cast<double> (factor);
    }
    found.columns.sure = found.rows.sure = sure;
  }
  return found;
}

} // namespace sino::align_projections
