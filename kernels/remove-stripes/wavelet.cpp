// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/remove-stripes/wavelet.hpp"
#include "kernels/remove-stripes/daubechies.hpp"
#include <cmath>
#include <numbers>
#include <type_traits>

namespace sino::remove_stripes {

namespace {

constexpr int64_t piece = 512; // values of a line: those of all angles that a wavelet needs stay in the nearest cache

// Smaller weights than 1e-8 are below the rounding of floats and are dropped.
int64_t frequencies_of (int64_t angles, double sigma)
{
  return std::min (angles / 2, static_cast<int64_t> (std::ceil (6 * sigma)));
}

// A constant number of values lets compilers use vectors.
template <int64_t n> void add_vector (const float *__restrict in, float factor, float *__restrict out)
{
  for (int64_t i = 0; i < n; i++)
    out[i] += factor * in[i];
}

void add_times (const float *in, float factor, int64_t n, float *out)
{
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    add_vector<8> (in + i, factor, out + i);
  for (; i < n; i++)
    add_vector<1> (in + i, factor, out + i);
}

// Calls body (lane, constant number of lanes) for vectors of lanes, then for single lanes.
template <class Body> void each_vector (int64_t lanes, Body body)
{
  int64_t lane = 0;
  for (; lane + 8 <= lanes; lane += 8)
    body (lane, std::integral_constant<int64_t, 8> ());
  for (; lane < lanes; lane++)
    body (lane, std::integral_constant<int64_t, 1> ());
}

} // namespace

Bank::Bank (int moments)
{
  const auto taps = daubechies (moments);
  for (size_t i = 0; i < taps.size (); i++) {
    low.push_back (static_cast<float> (taps[i]));
    high.push_back (static_cast<float> (i % 2 == 0 ? taps[taps.size () - 1 - i] : -taps[taps.size () - 1 - i]));
  }
}

void coarsen_angles (const Plane &from, const Bank &bank, const float *in, int64_t begin, int64_t end, float *out)
{
  const auto width = from.width ();
  for (int64_t first = 0; first < width; first += piece) {
    const auto n = std::min (piece, width - first);
    for (auto a = begin; a < end; a++) {
      auto *const line = out + a * width + first;
      std::fill_n (line, n, 0.0f);
      for (int64_t j = 0; j < bank.size (); j++)
        add_times (in + mirrored (2 * a + 2 - bank.size () + j, from.angles) * width + first,
                   bank.low[static_cast<size_t> (j)], n, line);
    }
  }
}

void split_columns (const Plane &from, const Bank &bank, const float *in, int64_t begin, int64_t end, float *coarse,
                    float *fine)
{
  const auto columns = bank.halved (from.columns), lanes = from.lanes;
  for (auto a = begin; a < end; a++)
    for (int64_t c = 0; c < columns; c++) {
      const auto first = 2 * c + 2 - bank.size ();
      const bool inside = first >= 0 && first + bank.size () <= from.columns;
      each_vector (lanes, [&] (int64_t lane, auto n) {
        float low[n] = {}, high[n] = {};
        for (int64_t j = 0; j < bank.size (); j++) {
          const auto column = inside ? first + j : mirrored (first + j, from.columns);
          const auto *const near = in + a * from.width () + column * lanes + lane;
          add_vector<n> (near, bank.low[static_cast<size_t> (j)], low);
          add_vector<n> (near, bank.high[static_cast<size_t> (j)], high);
        }
        std::copy_n (low, n (), coarse + (a * columns + c) * lanes + lane);
        std::copy_n (high, n (), fine + (a * columns + c) * lanes + lane);
      });
    }
}

void join_columns (const Plane &to, const Bank &bank, const float *coarse, const float *fine, int64_t begin,
                   int64_t end, float *out)
{
  const auto columns = bank.halved (to.columns), lanes = to.lanes, reach = bank.size () - 2;
  for (auto a = begin; a < end; a++)
    for (int64_t c = 0; c < to.columns; c++)
      each_vector (lanes, [&] (int64_t lane, auto n) {
        float sum[n] = {};
        for (auto i = c / 2; i < columns && 2 * i <= c + reach; i++) {
          const auto tap = static_cast<size_t> (c + reach - 2 * i);
          add_vector<n> (coarse + (a * columns + i) * lanes + lane, bank.low[tap], sum);
          add_vector<n> (fine + (a * columns + i) * lanes + lane, bank.high[tap], sum);
        }
        std::copy_n (sum, n (), out + a * to.width () + c * lanes + lane);
      });
}

void add_refined_angles (const Plane &to, const Bank &bank, const float *coarse, float factor, int64_t begin,
                         int64_t end, float *out)
{
  const auto angles = bank.halved (to.angles), reach = bank.size () - 2, width = to.width ();
  for (int64_t first = 0; first < width; first += piece)
    for (auto a = begin; a < end; a++)
      for (auto i = a / 2; i < angles && 2 * i <= a + reach; i++)
        add_times (coarse + i * width + first, factor * bank.low[static_cast<size_t> (a + reach - 2 * i)],
                   std::min (piece, width - first), out + a * width + first);
}

LowPass::LowPass (int64_t n, double sigma) : angles (n)
{
  for (int64_t k = 0; k <= frequencies_of (n, sigma); k++) {
    const auto x = static_cast<double> (k) / sigma;
    const bool alone = k == 0 || 2 * k == n; // all others also have a negative frequency
    weights.push_back (static_cast<float> ((alone ? 1 : 2) * std::exp (-x * x / 2) / static_cast<double> (n)));
  }
  for (int64_t a = 0; a < n; a++) {
    const auto turn = 2 * std::numbers::pi * static_cast<double> (a) / static_cast<double> (n);
    cosines.push_back (static_cast<float> (std::cos (turn)));
    sines.push_back (static_cast<float> (std::sin (turn)));
  }
}

std::vector<float> LowPass::factors () const
{
  auto all = weights;
  all.insert (all.end (), cosines.begin (), cosines.end ());
  all.insert (all.end (), sines.begin (), sines.end ());
  return all;
}

size_t LowPass::scratch_bytes (int64_t angles, double sigma)
{
  return static_cast<size_t> (2 * (frequencies_of (angles, sigma) + 1) * together) * sizeof (float);
}

void LowPass::apply (int64_t width, int64_t begin, int64_t end, float *scratch, float *values) const
{
  const auto n = end - begin, count = static_cast<int64_t> (weights.size ());
  std::fill_n (scratch, 2 * count * together, 0.0f);
  for (int64_t a = 0; a < angles; a++)
    for (int64_t k = 0; k < count; k++) {
      const auto turn = static_cast<size_t> (k * a % angles);
      add_times (values + a * width + begin, cosines[turn], n, scratch + 2 * k * together);
      add_times (values + a * width + begin, sines[turn], n, scratch + (2 * k + 1) * together);
    }
  for (int64_t a = 0; a < angles; a++) {
    auto *const line = values + a * width + begin;
    std::fill_n (line, n, 0.0f);
    for (int64_t k = 0; k < count; k++) {
      const auto turn = static_cast<size_t> (k * a % angles);
      const auto weight = weights[static_cast<size_t> (k)];
      add_times (scratch + 2 * k * together, weight * cosines[turn], n, line);
      add_times (scratch + (2 * k + 1) * together, weight * sines[turn], n, line);
    }
  }
}

} // namespace sino::remove_stripes
