// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/flat-field/frame-samples.hpp"
#include "kernels/flat-field/correct.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sino::flat_field {

namespace {

constexpr int64_t patch_rows = 16, patches_across = 8, patch_columns = 32;
constexpr size_t patches = patch_rows * patches_across;
constexpr double nan = std::numeric_limits<double>::quiet_NaN ();

// A frame is odd if a tenth of its patches differ by this many times the usual difference of patches.
constexpr double noises = 8, share_of_patches = 0.1;
// In noise, two thirds of the pixels are greater or less than both neighbours; fewer if the image is blurred.
constexpr double least_of_peaks = 0.25;
constexpr size_t share_of_ends = 20;     // level () leaves out the least and greatest 1/20 of the patches: stray X-rays
constexpr double of_deviations = 1.4826; // a normal distribution's standard deviation over its median deviation

// Returns the median; NaN if the list has no numbers.
double median (std::vector<float> &list)
{
  std::erase_if (list, [] (float value) { return !std::isfinite (value); });
  if (list.empty ())
    return nan;
  const auto middle = list.begin () + std::ssize (list) / 2;
  std::nth_element (list.begin (), middle, list.end ());
  if (list.size () % 2)
    return static_cast<double> (*middle);
  return (static_cast<double> (*middle) + static_cast<double> (*std::max_element (list.begin (), middle))) / 2;
}

// Mean of the finite values; NaN if there are none.
double mean_of (std::span<const float> list)
{
  double sum = 0, found = 0;
  for (const float value : list)
    if (std::isfinite (value)) {
      sum += static_cast<double> (value);
      found++;
    }
  return sum / found;
}

int64_t place_of (int64_t i, int64_t n, int64_t extent)
{
  return (2 * i + 1) * extent / (2 * n);
}

} // namespace

FrameSamples::FrameSamples (int64_t frames, int64_t r, int64_t c, float t)
    : rows (r), columns (c), top (t),
      values (static_cast<size_t> (frames) * patches, std::numeric_limits<float>::quiet_NaN ())
{
}

size_t FrameSamples::bytes_for (int64_t frames)
{
  return (2 * static_cast<size_t> (frames) + 1) * patches * sizeof (float); // values, medians and deviations
}

void FrameSamples::take (int64_t frame, Interval some, Element element, const std::byte *piece)
{
  float pixels[patch_columns] = {};
  const auto n = std::min (patch_columns, columns);
  for (int64_t i = 0; i < patch_rows; i++) {
    const auto row = place_of (i, patch_rows, rows);
    if (!some.contains (Interval{row, row + 1}))
      continue;
    for (int64_t j = 0; j < patches_across; j++) {
      const auto first = std::clamp<int64_t> (place_of (j, patches_across, columns) - n / 2, 0, columns - n);
      const auto at = (row - some.begin) * columns + first;
      widen (element, piece + static_cast<size_t> (at) * size_of (element), n, pixels);
      count_peaks (std::span (pixels, static_cast<size_t> (n)));
      for (auto &value : pixels)
        value = value < top ? value : std::numeric_limits<float>::quiet_NaN ();
      values[static_cast<size_t> (frame) * patches + static_cast<size_t> (i * patches_across + j)] =
          static_cast<float> (mean_of (std::span (pixels, static_cast<size_t> (n))));
    }
  }
}

void FrameSamples::count_peaks (std::span<const float> line)
{
  int64_t some = 0, beyond = 0;
  for (size_t i = 2; i < line.size (); i++) {
    const auto before = line[i - 1] - line[i - 2], after = line[i] - line[i - 1];
    some += std::abs (before) + std::abs (after) > 0; // false if a value is NaN
    beyond += before * after < 0;
  }
  uneven += some;
  peaks += beyond;
}

std::vector<float> FrameSamples::across (std::span<const int64_t> some, size_t patch) const
{
  std::vector<float> list;
  for (const auto frame : some)
    list.push_back (values[static_cast<size_t> (frame) * patches + patch]);
  return list;
}

bool FrameSamples::is_odd (int64_t frame, std::span<const float> medians, double noise, Least least) const
{
  size_t differ = 0, seen = 0;
  for (size_t patch = 0; patch < patches; patch++)
    if (const auto usual = static_cast<double> (medians[patch]); std::isfinite (usual)) {
      const auto limit = std::max ({noises * noise, least.share * std::abs (usual), least.value});
      const auto value = static_cast<double> (values[static_cast<size_t> (frame) * patches + patch]);
      differ += !(std::abs (value - usual) <= limit);
      seen++;
    }
  return static_cast<double> (differ) > share_of_patches * static_cast<double> (seen);
}

// Up to a third of the frames may be wrong, so that the median of each patch comes from a right one.
FrameSamples::Odd FrameSamples::odd (std::span<const int64_t> some, Least least) const
{
  if (some.size () < 3)
    return {};
  std::vector<float> medians, deviations;
  for (size_t patch = 0; patch < patches; patch++) {
    auto list = across (some, patch);
    const auto usual = static_cast<float> (median (list));
    medians.push_back (usual);
    for (const float value : list)
      deviations.push_back (std::abs (value - usual));
  }
  const auto deviation = median (deviations), noise = std::isnan (deviation) ? 0 : of_deviations * deviation;
  Odd result;
  for (const auto frame : some)
    if (is_odd (frame, medians, noise, least))
      result.frames.push_back (frame);
  result.many = 3 * result.frames.size () > some.size ();
  return result;
}

std::span<const float> FrameSamples::patches_of (int64_t frame) const
{
  return std::span (values).subspan (static_cast<size_t> (frame) * patches, patches);
}

double FrameSamples::level (int64_t frame) const
{
  const auto all = patches_of (frame);
  std::vector<float> list;
  std::ranges::copy_if (all, std::back_inserter (list), [] (float value) { return std::isfinite (value); });
  std::ranges::sort (list);
  const auto cut = list.size () / share_of_ends;
  return mean_of (std::span (list).subspan (cut, list.size () - 2 * cut));
}

bool FrameSamples::is_noisy () const
{
  const auto frames = std::ssize (values) / static_cast<int64_t> (patches);
  const bool rough = static_cast<double> (peaks) >= least_of_peaks * static_cast<double> (uneven);
  if (frames == 1 || !rough)
    return rough && uneven > 0;
  int64_t differ = 0;
  for (int64_t frame = 1; frame < frames; frame++) {
    const auto before = patches_of (frame - 1), now = patches_of (frame);
    size_t changed = 0;
    for (size_t patch = 0; patch < patches; patch++)
      changed += now[patch] != before[patch] && std::isfinite (now[patch]);
    differ += changed > patches / 10;
  }
  return 2 * differ > frames - 1;
}

} // namespace sino::flat_field
