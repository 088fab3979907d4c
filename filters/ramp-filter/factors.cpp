// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/ramp-filter/factors.hpp"
#include "device/fft.hpp"

namespace sino::ramp_filter {

int64_t padded_half (int64_t least)
{
  return Fft::good_even_length (std::max<int64_t> (least, 32)) / 2;
}

std::vector<double> factors (int64_t half, Window window, const RampSettings &ramp, double spacing, const Cpu &cpu)
{
  const Ramp bare (2 * half);
  std::vector<double> values (static_cast<size_t> (half) + 1);
  cpu.parallel (half + 1, 64, [&] (int64_t begin, int64_t end) {
    for (auto k = begin; k < end; k++) {
      const auto frequency = static_cast<double> (k) / static_cast<double> (half);
      values[static_cast<size_t> (k)] =
          bare.at (k) / spacing * window_at (window, frequency, ramp.cutoff, ramp.order, ramp.power);
    }
  });
  return values;
}

} // namespace sino::ramp_filter
