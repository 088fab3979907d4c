// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/pictures/histogram.hpp"
#include <algorithm>
#include <bit>
#include <cmath>

namespace sino::files {

namespace {

constexpr int dropped = 13; // low bits of a float that are ignored
constexpr uint32_t sign = 0x80000000;

// Index of a value's bin; greater values never have a lower index.
size_t bin_of (float value)
{
  const auto bits = std::bit_cast<uint32_t> (value);
  return (bits & sign ? ~bits : bits | sign) >> dropped;
}

// The lower end of a bin, which is the upper end of the bin before.
double begin_of (size_t bin)
{
  const auto key = static_cast<uint32_t> (bin << dropped);
  return std::bit_cast<float> (key & sign ? key & ~sign : ~key);
}

} // namespace

void Histogram::count (const float *values, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    counts[bin_of (values[i])]++;
}

void Histogram::count_all_but_zeros (const float *values, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    counts[bin_of (values[i])] += values[i] != 0;
}

void Histogram::add (const Histogram &other)
{
  for (size_t i = 0; i < bins; i++)
    counts[i] += other.counts[i];
}

double Histogram::quantile (double share) const
{
  const auto first = bin_of (-INFINITY) + 1, last = bin_of (INFINITY) - 1; // bins of finite values
  uint64_t all = 0, below = 0;
  for (auto bin = first; bin <= last; bin++)
    all += counts[bin];
  const auto rank = share * static_cast<double> (all);
  for (auto bin = first; bin <= last; bin++) {
    below += counts[bin];
    if (counts[bin] > 0 && static_cast<double> (below) >= rank)
      return 0.5 * (begin_of (bin) + begin_of (bin + 1));
  }
  return NAN;
}

Histogram::Bars Histogram::bars (double low, double high, size_t number) const
{
  Bars bars{std::vector<double> (number)};
  const double width = (high - low) / static_cast<double> (number);
  const auto bar_of = [&] (double value) {
    return static_cast<size_t> (std::clamp ((value - low) / width, 0.0, static_cast<double> (number - 1)));
  };
  const auto first = bin_of (-INFINITY) + 1, last = bin_of (INFINITY) - 1; // bins of finite values
  for (size_t bin = 0; bin < bins; bin++) {
    const auto n = counts[bin];
    if (n == 0)
      continue;
    if (bin < first || bin > last) {
      bars.not_finite += n;
      continue;
    }
    bars.all += n;
    const double begin = begin_of (bin), end = begin_of (bin + 1);
    // The upper limit may be the only value of its bin, as with integers.
    if (begin == high || std::nextafter (static_cast<float> (end), -INFINITY) == low) {
      bars.counts[bar_of (begin)] += static_cast<double> (n);
      continue;
    }
    // Other bins are distributed over their interval.
    const double density = static_cast<double> (n) / (end - begin);
    bars.below += density * (std::clamp (low, begin, end) - begin);
    bars.above += density * (end - std::clamp (high, begin, end));
    const double from = std::clamp (begin, low, high), to = std::clamp (end, low, high);
    for (auto b = bar_of (from); b <= bar_of (to); b++)
      bars.counts[b] += density * std::max (std::min (to, low + static_cast<double> (b + 1) * width) -
                                                std::max (from, low + static_cast<double> (b) * width),
                                            0.0);
  }
  return bars;
}

} // namespace sino::files
