// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/volume/picture.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace sino::monitor {

namespace {

constexpr size_t bins = 256;
constexpr float greatest = 65535;       // of a 16-bit value
constexpr int64_t most_steps = 1 << 15; // of a profile
constexpr double wide = 8;              // limits, relative to the range of most values
constexpr std::pair<const char *, double> percentages[] = {{"0.1", 0.1}, {"1", 1},   {"5", 5},      {"50", 50},
                                                           {"95", 95},   {"99", 99}, {"99.9", 99.9}};

struct Limits {
  float low = std::numeric_limits<float>::infinity (), high = -std::numeric_limits<float>::infinity ();

  void take (float value)
  {
    if (!std::isfinite (value))
      return;
    low = std::min (low, value);
    high = std::max (high, value);
  }
  void take (const Limits &other)
  {
    low = std::min (low, other.low);
    high = std::max (high, other.high);
  }
  bool any () const { return low <= high; }
};

Limits limits_of (const std::vector<float> &values, const Cpu &cpu)
{
  Limits all;
  std::mutex mutex;
  cpu.parallel (std::ssize (values), 1 << 16, [&] (int64_t begin, int64_t end) {
    Limits some;
    for (auto i = begin; i < end; i++)
      some.take (values[static_cast<size_t> (i)]);
    const std::lock_guard guard (mutex);
    all.take (some);
  });
  return all;
}

// The finite values at about `most` equal distances, sorted.
std::vector<float> some_of (const std::vector<float> &values, size_t most)
{
  std::vector<float> some;
  const auto step = std::max<size_t> (values.size () / most, 1);
  for (size_t i = step / 2; i < values.size (); i += step)
    if (std::isfinite (values[i]))
      some.push_back (values[i]);
  std::ranges::sort (some);
  return some;
}

Limits without_outliers (Limits limits, const std::vector<float> &values)
{
  const auto some = some_of (values, 16384);
  if (some.size () < 64)
    return limits;
  const double low = some[some.size () / 128], high = some[some.size () - 1 - some.size () / 128],
               margin = wide / 2 * (high - low);
  if (high > low && static_cast<double> (limits.high) - limits.low > wide * wide * (high - low))
    return {std::max (limits.low, static_cast<float> (low - margin)),
            std::min (limits.high, static_cast<float> (high + margin))};
  return limits;
}

} // namespace

Picture picture_of (const Plane &plane, const Cpu &cpu)
{
  Picture picture{.width = plane.width, .height = plane.height};
  picture.values.resize (plane.values.size ());
  picture.level = plane.level;
  picture.full = plane.full;
  auto limits = limits_of (plane.values, cpu);
  if (!limits.any ())
    return picture;
  limits = without_outliers (limits, plane.values);
  picture.low = limits.low;
  picture.high = limits.high;
  // The range of floats can be infinite; half of it is not.
  const double half_range = picture.high / 2 - picture.low / 2;
  const auto factor = half_range > 0 ? (greatest - 1) / 2 / half_range : 0;
  cpu.parallel (std::ssize (plane.values), 1 << 16, [&] (int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t> (begin); i < static_cast<size_t> (end); i++) {
      const float value = plane.values[i];
      const auto step = (std::clamp (value, limits.low, limits.high) - picture.low) * factor + 1.5;
      picture.values[i] = std::isfinite (value) ? static_cast<uint16_t> (step) : 0;
    }
  });
  return picture;
}

Figures figures_of (const Plane &plane)
{
  std::vector<float> values;
  values.reserve (plane.values.size ());
  std::ranges::copy_if (plane.values, std::back_inserter (values), [] (float v) { return std::isfinite (v); });
  Figures figures{.counts = std::vector<int64_t> (bins)};
  figures.finite = std::ssize (values);
  figures.others = std::ssize (plane.values) - figures.finite;
  if (values.empty ())
    return figures;
  const auto [low, high] = std::ranges::minmax (values);
  figures.low = low;
  figures.high = high;
  const double n = static_cast<double> (values.size ()), range = figures.high - figures.low;
  for (const float value : values) {
    figures.mean += value / n;
    const auto bin = range > 0 ? (value - figures.low) / range * bins : 0;
    figures.counts[std::min (static_cast<size_t> (bin), bins - 1)]++;
  }
  for (const float value : values)
    figures.deviation += (value - figures.mean) * (value - figures.mean) / n;
  figures.deviation = std::sqrt (figures.deviation);
  auto from = values.begin ();
  for (const auto &[name, percentage] : percentages) {
    const auto place = static_cast<std::ptrdiff_t> (std::lround (percentage / 100 * (n - 1)));
    std::nth_element (from, values.begin () + place, values.end ());
    from = values.begin () + place;
    figures.percentiles[name] = *from;
  }
  return figures;
}

std::vector<double> profile_of (const Plane &plane, std::array<double, 2> from, std::array<double, 2> to)
{
  const double length = std::hypot (to[0] - from[0], to[1] - from[1]);
  const auto steps = std::clamp<int64_t> (std::llround (length), 1, most_steps);
  const auto at = [&] (int64_t x, int64_t y) -> double {
    if (x < 0 || y < 0 || x >= plane.width || y >= plane.height)
      return std::numeric_limits<double>::quiet_NaN ();
    return plane.values[static_cast<size_t> (y * plane.width + x)];
  };
  // A neighbour without weight is not looked at: it may lie outside, or be no number.
  const auto between = [] (double a, double b, double share) {
    return share <= 0 ? a : share >= 1 ? b : a + share * (b - a);
  };
  std::vector<double> values;
  for (int64_t i = 0; i <= steps; i++) {
    const double share = static_cast<double> (i) / static_cast<double> (steps);
    const double x = from[0] + share * (to[0] - from[0]), y = from[1] + share * (to[1] - from[1]);
    const auto left = static_cast<int64_t> (std::floor (x)), top = static_cast<int64_t> (std::floor (y));
    const double right = x - std::floor (x), below = y - std::floor (y);
    const auto line = [&] (int64_t row) { return between (at (left, row), right > 0 ? at (left + 1, row) : 0, right); };
    values.push_back (between (line (top), below > 0 ? line (top + 1) : 0, below));
  }
  return values;
}

} // namespace sino::monitor
