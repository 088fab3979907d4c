// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/fourier-reconstruct/lane-fft.hpp"
#include <cmath>
#include <numbers>
#include <utility>

namespace sino::fourier_reconstruct {

constexpr int radices[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16}; // the radices in fft-inl.hpp

// Two radices whose product times 64 is the length, as nearly equal as possible; zeros if there are none.
static std::pair<int, int> split (int64_t length)
{
  std::pair<int, int> best{0, 0};
  for (const int a : radices)
    for (const int b : radices)
      if (a <= b && int64_t{64} * a * b == length && a > best.first)
        best = {a, b};
  return best;
}

int64_t good_length (int64_t least)
{
  for (int64_t length = 64; length <= longest_fft; length += 64)
    if (length >= least && split (length).first)
      return length;
  return 0;
}

// e^(2 pi i j k / n), [j][k]
static std::vector<float> turns (int js, int ks)
{
  std::vector<float> table;
  const double n = static_cast<double> (js) * ks;
  for (int j = 0; j < js; j++)
    for (int k = 0; k < ks; k++) {
      const double angle = 2 * std::numbers::pi * j * k / n;
      table.push_back (static_cast<float> (std::cos (angle)));
      table.push_back (static_cast<float> (std::sin (angle)));
    }
  return table;
}

std::vector<float> half_turns (int64_t n)
{
  std::vector<float> table;
  for (int64_t j = 0; j < n; j++) {
    const double angle = std::numbers::pi * static_cast<double> (j) / static_cast<double> (n);
    table.push_back (static_cast<float> (std::cos (angle)));
    table.push_back (static_cast<float> (std::sin (angle)));
  }
  return table;
}

LaneFft::LaneFft (int64_t length) : n (static_cast<int> (length))
{
  const auto [a, b] = split (length);
  n1 = 8 * a;
  n2 = 8 * b;
  inner1 = turns (a, 8);
  inner2 = turns (b, 8);
  middle = turns (n2, n1);
}

} // namespace sino::fourier_reconstruct
