// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/flat-field/pile-up.hpp"
#include "kernels/flat-field/correct.hpp"
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

namespace sino::flat_field {

namespace {

constexpr int64_t parts = 4, values = 1 << 16, grain = 1 << 12;

// Counts at the greatest value relative to the mean of values just below it, and least number of counts. Cameras
// saturate just below a power of two; other limits need clearer evidence.
constexpr double times_of_camera = 4, times_of_others = 20;
constexpr int64_t least_values = 16;
constexpr double least_share_of_others = 0.001;

bool is_camera (int64_t greatest)
{
  const auto next = static_cast<uint64_t> (greatest) + 1;
  return std::has_single_bit (next) && next >= 1 << 10 && next <= 1 << 15;
}

void count_integers (const std::byte *pixels, int64_t n, float top, int64_t *counted, int32_t &greatest)
{
  const auto end = static_cast<uint32_t> (std::min (top, static_cast<float> (values)));
  uint32_t most = 0;
  bool any = false;
  for (int64_t i = 0; i < n; i++) {
    uint16_t value = 0;
    std::memcpy (&value, pixels + static_cast<size_t> (i) * sizeof value, sizeof value);
    if (value >= end)
      continue;
    counted[value]++;
    most = std::max<uint32_t> (most, value);
    any = true;
  }
  if (any)
    greatest = std::max (greatest, static_cast<int32_t> (most));
}

// Returns whether all values are integers in the examined range.
bool count_floats (Element element, const std::byte *pixels, int64_t n, float top, int64_t *counted, int32_t &greatest)
{
  float line[grain];
  for (int64_t first = 0; first < n; first += grain) {
    const auto some = std::min (grain, n - first);
    widen (element, pixels + static_cast<size_t> (first) * size_of (element), some, line);
    for (const auto number : std::span (line, static_cast<size_t> (some))) {
      if (!(number < top)) // NaN too
        continue;
      const bool near = number >= 0 && number < values;
      const auto value = near ? static_cast<int32_t> (number) : 0;
      if (!near || static_cast<float> (value) != number)
        return false;
      counted[value]++;
      greatest = std::max (greatest, value);
    }
  }
  return true;
}

} // namespace

PileUp::PileUp (int64_t frames, float t, const Cpu &u)
    : top (t), cpu (u), counts (parts * values), greatest (static_cast<size_t> (parts * frames), -1)
{
}

size_t PileUp::bytes_for (int64_t frames)
{
  return parts * (values * sizeof (int64_t) + static_cast<size_t> (frames) * sizeof (int32_t));
}

int64_t PileUp::frames () const
{
  return std::ssize (greatest) / parts;
}

void PileUp::take (int64_t frame, Element element, const std::byte *pixels, int64_t n)
{
  if (!whole || element == Element::u8)
    return;
  std::atomic<bool> fits{true};
  cpu.parallel (parts, 1, [&] (int64_t begin, int64_t end) {
    for (auto part = begin; part < end; part++) {
      auto *counted = &counts[static_cast<size_t> (part * values)];
      auto &most = greatest[static_cast<size_t> (part * frames () + frame)];
      const auto first = part * n / parts, some = (part + 1) * n / parts - first;
      const auto *at = pixels + static_cast<size_t> (first) * size_of (element);
      if (element == Element::u16)
        count_integers (at, some, top, counted, most);
      else if (!count_floats (element, at, some, top, counted, most))
        fits = false;
    }
  });
  whole = fits;
}

int64_t PileUp::count_of (int64_t value) const
{
  int64_t sum = 0;
  for (int64_t part = 0; part < parts; part++)
    sum += counts[static_cast<size_t> (part * values + value)];
  return sum;
}

PileUp::Found PileUp::find (bool noisy) const
{
  const int64_t most = whole && !greatest.empty () ? *std::ranges::max_element (greatest) : 0;
  if (most < 2)
    return {};
  const auto there = count_of (most);
  // Counts the values below, within the range of noise. Values that do not occur are skipped: scaling left them out.
  int64_t below = 0, kinds = 0;
  for (auto value = std::max<int64_t> (most - std::max<int64_t> (std::lround (std::sqrt (most)), 8), 0); value < most;
       value++)
    if (const auto n = count_of (value); n > 0) {
      below += n;
      kinds++;
    }
  if (there < least_values)
    return {};
  int64_t all = 0, reaching = 0;
  for (int64_t value = 0; value < values; value++)
    all += count_of (value);
  Found found{static_cast<float> (most), there};
  if (kinds == 0 || !noisy) {
    found.doubtful = true;
    return is_camera (most) && 2 * there > all ? found : Found{};
  }
  const auto usual = static_cast<double> (below) / static_cast<double> (kinds);
  const auto exceeds = [&] (double times) { return static_cast<double> (there) >= times * usual; };
  if (is_camera (most))
    return exceeds (times_of_camera) ? found : Found{};
  for (int64_t frame = 0; frame < frames (); frame++) {
    bool reaches = false;
    for (int64_t part = 0; part < parts; part++)
      reaches |= greatest[static_cast<size_t> (part * frames () + frame)] == most;
    reaching += reaches;
  }
  const bool many = static_cast<double> (there) >= least_share_of_others * static_cast<double> (all);
  return frames () > 1 && many && 2 * reaching >= frames () && exceeds (times_of_others) ? found : Found{};
}

} // namespace sino::flat_field
