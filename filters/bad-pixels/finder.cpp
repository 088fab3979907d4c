// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/bad-pixels/finder.hpp"
#include "base/error.hpp"
#include "filters/flat-field/companions.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sino::bad_pixels {

// The value at rank `place (n)`, where n is the number of values that are not NaN; NaN if n is 0. Reorders the values.
static float ranked (float *values, int64_t count, int64_t (*place) (int64_t numbers))
{
  auto *const end = std::remove_if (values, values + count, [] (float value) { return !std::isfinite (value); });
  if (end == values)
    return std::numeric_limits<float>::quiet_NaN ();
  auto *const wanted = values + place (end - values);
  std::nth_element (values, wanted, end);
  return *wanted;
}

// Returns the median; of two middle values the lower one.
static float median_of (float *values, int64_t count)
{
  return ranked (values, count, [] (int64_t numbers) { return (numbers - 1) / 2; });
}

constexpr int64_t local_reach = 5;

// Returns the median around each pixel along one axis, along which neighbours are `step` values apart in memory.
static std::vector<float> medians (const std::vector<float> &image, int64_t width, int64_t height, bool columns,
                                   const Cpu &cpu)
{
  std::vector<float> result (image.size ());
  const int64_t step = columns ? 1 : width, extent = columns ? width : height;
  cpu.parallel (height, std::max<int64_t> (4096 / width, 1), [&] (int64_t begin, int64_t end) {
    float near[2 * local_reach + 1];
    for (auto row = begin; row < end; row++)
      for (int64_t column = 0; column < width; column++) {
        const auto place = columns ? column : row, at = row * width + column;
        const auto first = std::max<int64_t> (-place, -local_reach), last = std::min (extent - 1 - place, local_reach);
        for (auto n = first; n <= last; n++)
          near[n - first] = image[static_cast<size_t> (at + n * step)];
        result[static_cast<size_t> (at)] = median_of (near, last - first + 1);
      }
  });
  return result;
}

// Returns the level of the image around each pixel, robust against bad pixels: first the median along the row, of
// values at most `local_reach` columns away, then the median of these medians along the column. Ignores NaN; the result
// is NaN if there are no other values.
static std::vector<float> local_level (const std::vector<float> &image, int64_t width, int64_t height, const Cpu &cpu)
{
  return medians (medians (image, width, height, true, cpu), width, height, false, cpu);
}

// Level of the beam, which may cover only a tenth of the detector; NaN if no level is a number.
static float beam_level (std::vector<float> levels)
{
  return ranked (levels.data (), std::ssize (levels), [] (int64_t numbers) { return numbers * 9 / 10; });
}

void find_bad (Map &map, const Companions &companions, double threshold, const flat_field::Looking &looking)
{
  auto [dark, white, odd] = flat_field::mean_companions (companions, looking);
  for (size_t i = 0; i < dark.size (); i++)
    white[i] -= dark[i];
  const auto level = local_level (white, map.width, map.height, looking.cpu);
  const auto beam = beam_level (level);
  if (!(beam > 0))
    fail (SINO_ERROR_BAD_FORMAT, "the flats are not brighter than the darks, so that they do not show bad pixels: are "
                                 "they swapped, or was the shutter closed? mask= with find=no works without flats");
  const auto most = static_cast<float> (threshold);
  for (size_t i = 0; i < white.size (); i++)
    if (level[i] > 0.05f * beam && !(std::abs (white[i] - level[i]) <= most * level[i]))
      map.bad[i] = 1;
  if (const auto bad = static_cast<size_t> (map.count ()); 2 * bad > white.size ())
    fail (SINO_ERROR_BAD_FORMAT,
          "according to the flats %.3g %% of the pixels are bad: the flats have almost no beam, or threshold=%g is too "
          "small",
          100 * static_cast<double> (bad) / static_cast<double> (white.size ()), threshold);
}

size_t finding_bytes (const Companions &companions)
{
  const auto &flats = *companions.flats;
  const auto image = static_cast<size_t> (flats.rows * flats.columns) * sizeof (float);
  return 3 * image + flat_field::mean_companions_bytes (companions);
}

} // namespace sino::bad_pixels
