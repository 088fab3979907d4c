// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/flat-field/reduce.hpp"
#include "base/divide-up.hpp"
#include "kernels/flat-field/correct.hpp"
#include <algorithm>
#include <cmath>

namespace sino::flat_field {

static constexpr int64_t grain = 1 << 14;

Reducer::Reducer (Reduce h, Element e, int64_t p, const Cpu &u, float t)
    : how (h), element (e), pixels (p), cpu (u), top (t), sums (static_cast<size_t> (h == Reduce::mean ? p : 0)),
      left_out (sums.size ())
{
}

void Reducer::add (const std::byte *frame)
{
  count++;
  if (how == Reduce::median) {
    frames.push_back (frame);
    return;
  }
  cpu.parallel (pixels, grain, [&] (int64_t begin, int64_t end) {
    accumulate (element, frame + static_cast<size_t> (begin) * size_of (element), end - begin, top,
                sums.data () + begin, left_out.data () + begin);
  });
}

// NaN counts as greater than all numbers.
static bool less (float a, float b)
{
  return a < b || (std::isnan (b) && !std::isnan (a));
}

static float median (float *values, size_t n)
{
  const auto middle = values + n / 2;
  std::nth_element (values, middle, values + n, less);
  if (n % 2)
    return *middle;
  return (*middle + *std::max_element (values, middle, less)) / 2;
}

void Reducer::finish (float *out) const
{
  if (how == Reduce::mean) {
    for (size_t i = 0; i < sums.size (); i++) {
      const auto taken = count - left_out[i];
      out[i] = 2 * taken >= count && taken > 0 ? static_cast<float> (sums[i] / static_cast<double> (taken))
                                               : std::numeric_limits<float>::quiet_NaN ();
    }
    return;
  }
  constexpr int64_t piece = 256; // pixels whose values are collected at once
  const auto n = static_cast<size_t> (count), size = size_of (element);
  cpu.parallel (divide_up (pixels, piece), 16, [&] (int64_t begin, int64_t end) {
    std::vector<float> values (n * piece), line (piece);
    for (auto first = begin * piece; first < std::min (end * piece, pixels); first += piece) {
      const auto m = std::min (piece, pixels - first);
      for (size_t frame = 0; frame < n; frame++) {
        widen (element, frames[frame] + static_cast<size_t> (first) * size, m, line.data ());
        for (size_t i = 0; i < static_cast<size_t> (m); i++)
          values[i * n + frame] = line[i] < top ? line[i] : std::numeric_limits<float>::quiet_NaN ();
      }
      for (size_t i = 0; i < static_cast<size_t> (m); i++)
        out[first + static_cast<int64_t> (i)] = median (&values[i * n], n);
    }
  });
}

} // namespace sino::flat_field
