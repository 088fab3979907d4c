// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/remove-stripes/detect.hpp"
#include <cmath>
#include <limits>

namespace sino::remove_stripes {

namespace {

constexpr double least_noise = 1e-5; // below it, the line's rise is too small for a comparison

void widen (Marks &marks)
{
  const auto narrow = marks;
  for (size_t i = 0; i < marks.size (); i++)
    marks[i] = narrow[i] || (i > 0 && narrow[i - 1]) || (i + 1 < marks.size () && narrow[i + 1]);
}

// The window stays sorted while it slides.
std::vector<double> medians_of (std::span<const double> numbers, int64_t size)
{
  const auto at = [&] (int64_t i) { return numbers[static_cast<size_t> (mirrored (i, std::ssize (numbers)))]; };
  std::vector<double> medians, window;
  for (auto i = -(size / 2); i <= size / 2; i++)
    window.push_back (at (i));
  std::ranges::sort (window);
  for (int64_t i = 0; i < std::ssize (numbers); i++) {
    medians.push_back (window[static_cast<size_t> (size / 2)]);
    window.erase (std::ranges::lower_bound (window, at (i - size / 2)));
    const auto next = at (i + 1 + size / 2);
    window.insert (std::ranges::upper_bound (window, next), next);
  }
  return medians;
}

} // namespace

std::vector<double> of_lane (const Shape &shape, int64_t lane, const std::vector<double> &numbers)
{
  std::vector<double> own;
  for (auto c = lane; c < shape.columns; c += shape.lanes)
    own.push_back (numbers[static_cast<size_t> (c)]);
  return own;
}

Marks stripes_of (std::span<const double> numbers, double snr)
{
  Marks marks (numbers.size ());
  std::vector<double> ordered;
  for (size_t i = 0; i < numbers.size (); i++)
    if (marks[i] = !std::isfinite (numbers[i]); !marks[i])
      ordered.push_back (numbers[i]);
  std::ranges::sort (ordered);
  // Least-squares line through the middle half of the ordered numbers.
  const auto begin = ordered.size () / 4, end = ordered.size () - std::min (begin + 1, ordered.size ());
  if (end < begin + 2)
    return marks;
  const auto n = static_cast<double> (end - begin), middle = (static_cast<double> (begin + end) - 1) / 2;
  double mean = 0, rise = 0;
  for (auto i = begin; i < end; i++)
    mean += ordered[i] / n;
  for (auto i = begin; i < end; i++)
    rise += (static_cast<double> (i) - middle) * (ordered[i] - mean) * 12 / (n * (n * n - 1));
  const double low = mean - rise * middle, high = low + rise * (static_cast<double> (ordered.size ()) - 1);
  const double noise = high - low;
  if (!(noise >= least_noise))
    return marks;
  const bool above = ordered.back () - high >= snr * noise, below = low - ordered.front () >= snr * noise;
  for (size_t i = 0; i < numbers.size (); i++)
    marks[i] =
        marks[i] || (above && numbers[i] > high + noise * snr / 2) || (below && numbers[i] <= low - noise * snr / 2);
  widen (marks);
  return marks;
}

Marks dead_columns (std::span<const double> fluctuations, double snr, int64_t size)
{
  auto usual = medians_of (fluctuations, size);
  double mean = 0;
  for (const auto each : usual)
    mean += each / static_cast<double> (usual.size ());
  std::vector<double> ratios;
  for (size_t i = 0; i < usual.size (); i++)
    if (const auto by = usual[i] == 0 ? mean : usual[i]; by == 0)
      ratios.push_back (1); // nothing changes with the angle
    else
      ratios.push_back (fluctuations[i] / by);
  auto marks = stripes_of (ratios, snr);
  for (size_t i = 0; i < std::min<size_t> (2, marks.size ()); i++)
    marks[i] = marks[marks.size () - 1 - i] = false;
  const auto dead = static_cast<size_t> (std::ranges::count (marks, true));
  return dead < marks.size () / 3 ? marks : Marks (marks.size ());
}

std::vector<Bridge> bridges_over (const Marks &marks)
{
  std::vector<Bridge> bridges (marks.size ());
  int64_t left = 0, right = 0;
  for (int64_t i = 0; i < std::ssize (marks); i++) {
    if (!marks[static_cast<size_t> (i)]) {
      left = i;
      continue;
    }
    right = std::max (right, i);
    while (marks[static_cast<size_t> (right)])
      right++;
    bridges[static_cast<size_t> (i)] = {left, right, static_cast<float> (i - left) / static_cast<float> (right - left)};
  }
  return bridges;
}

std::vector<double> roughness (std::span<const double> steps)
{
  constexpr int64_t reach = 12;
  constexpr double sigma = 3, most_deviations = 4;
  std::vector<double> line{0}, rough;
  for (const auto step : steps)
    line.push_back (line.back () + (std::isfinite (step) ? step : 0));
  const auto n = std::ssize (line);
  for (int64_t i = 0; i < n; i++) {
    double sum = 0, weights = 0;
    for (auto j = -reach; j <= reach; j++) {
      const auto weight = std::exp (-static_cast<double> (j * j) / (2 * sigma * sigma));
      sum += weight * line[static_cast<size_t> (mirrored (i + j, n))];
      weights += weight;
    }
    rough.push_back (line[static_cast<size_t> (i)] - sum / weights);
  }
  std::vector<double> sizes;
  for (const auto each : rough)
    sizes.push_back (std::abs (each));
  const auto middle = sizes.begin () + n / 2;
  std::nth_element (sizes.begin (), middle, sizes.end ());
  const auto most = most_deviations * 1.4826 * *middle; // 1.4826: a normal distribution's deviation over this median
  for (auto &each : rough)
    if (std::abs (each) > most)
      each = 0;
  return rough;
}

} // namespace sino::remove_stripes
