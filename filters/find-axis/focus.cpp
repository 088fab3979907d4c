// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/focus.hpp"
#include "device/sharpness.hpp"
#include "filters/slice/rays.hpp"
#include "filters/slice/trials.hpp"
#include <algorithm>
#include <cmath>

namespace sino::find_axis {

namespace {

constexpr int64_t coarse_bins = 64;  // wide bins, because noise is sharp in fine ones
constexpr double beyond_share = 0.3; // additional bins at each border: the slice stays inside when the axis moves
constexpr double least = 0.15, most = 0.85; // range of possible axes, as shares of the columns
// as a share of the columns: positions this near to the best one belong to its peak
constexpr double near_share = 0.05;
constexpr int fine_places = 7;       // positions on each finer level, in steps of half a bin
constexpr int most_moves = 3;        // number of times that these positions are shifted if the best one is at an end
constexpr double sharp_enough = 1.4; // sharpness of a slice with edges; noise has 1.2

fourier_reconstruct::Job job_of (int64_t size, std::span<const back_project::Ray> rays)
{
  return {.size = size,
          .rays = rays,
          .filter = {ramp_filter::Window::hann, 1, 2, 1.5, 1},
          .edge = true,
          .width = fourier_reconstruct::width_for (1e-3),
          .mask = false,
          .roi = {.x = 0, .y = 0, .width = size, .height = size}};
}

// Height of the best position above the highest one outside its peak, relative to its height above the median.
double prominence (std::vector<double> values, size_t best, size_t near)
{
  const double top = values[best];
  double other = 0;
  for (size_t i = 0; i < values.size (); i++)
    if (i + near < best || i > best + near)
      other = std::max (other, values[i]);
  const auto middle = values.begin () + static_cast<std::ptrdiff_t> (values.size () / 2);
  std::ranges::nth_element (values, middle);
  return top > *middle ? (top - other) / (top - *middle) : 0;
}

} // namespace

FocusSearch::FocusSearch (std::span<const double> angles, int64_t n, int64_t bins, double e)
    : rays (slice::make_rays ({angles.begin (), angles.end ()}, std::vector<double> (angles.size (), 0.0), 0,
                              slice::Weights::uniform)),
      columns (n), most_bins (bins), exact (e)
{
}

// Returns the resolution with `bin` columns per bin. The number of rows is about twice the number of bins, which is
// sufficient.
FocusSearch::Level FocusSearch::level (int64_t bin, bool coarsest) const
{
  const auto bins = columns / bin;
  const auto beyond = coarsest ? std::llround (beyond_share * static_cast<double> (bins)) : 0;
  return {bin, bins, beyond, std::max<int64_t> (std::ssize (rays) / (2 * bins), 1)};
}

std::vector<back_project::Ray> FocusSearch::rays_of (const Level &level) const
{
  std::vector<back_project::Ray> some;
  for (int64_t i = 0; i < std::ssize (rays); i += level.stride)
    some.push_back (rays[static_cast<size_t> (i)]);
  return some;
}

std::vector<float> FocusSearch::binned (const Level &level, const float *sinogram, const Cpu &cpu) const
{
  const auto rows = divide_up (std::ssize (rays), level.stride);
  std::vector<float> all (static_cast<size_t> (rows * level.width ()));
  cpu.parallel (rows, 16, [&] (int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
      auto *to = &all[static_cast<size_t> (r * level.width ())];
      const auto *from = sinogram + r * level.stride * columns;
      for (int64_t c = 0; c < level.columns; c++) {
        float sum = 0;
        for (int64_t i = 0; i < level.bin; i++)
          sum += from[c * level.bin + i];
        to[level.beyond + c] = sum;
      }
      std::fill_n (to, level.beyond, to[level.beyond]);
      std::fill_n (to + level.beyond + level.columns, level.beyond, to[level.beyond + level.columns - 1]);
    }
  });
  return all;
}

std::vector<double> FocusSearch::scores (const Level &level, const float *sinogram, const Places &places,
                                         const Cpu &cpu, const Monitor &monitor) const
{
  const auto some = rays_of (level);
  const auto job = job_of (level.width (), some);
  const double first = places.first, last = places.at (places.count - 1);
  Bill bill;
  slice::Trials::memory (job, first, last, cpu.threads (), bill);
  Allotment memory (bill);
  slice::Trials trials (job, first, last, cpu, monitor, memory);
  const auto rows = binned (level, sinogram, cpu);
  std::vector<float> slice (static_cast<size_t> (level.width () * level.width ()));
  float *const slices[] = {slice.data ()};
  std::vector<double> values;
  for (int i = 0; i < places.count; i++) {
    trials.make (places.at (i), {rows.data (), 1, 1}, slices);
    values.push_back (slice_sharpness (slice.data (), level.width (), level.width (), cpu));
  }
  return values;
}

std::optional<Match> FocusSearch::find (const float *sinogram, const Cpu &cpu, const Monitor &monitor) const
{
  auto bin = divide_up (columns, coarse_bins);
  const auto finest = divide_up (columns, most_bins);
  const auto coarse = level (bin, true);
  if (coarse.columns < 16)
    return {};
  const auto bins = static_cast<double> (coarse.columns), beyond = static_cast<double> (coarse.beyond);
  const Places all{std::floor (least * bins) + beyond, 1, static_cast<int> ((most - least) * bins)};
  const auto values = scores (coarse, sinogram, all, cpu, monitor);
  const auto peak = peak_of (values);
  if (!peak.inside || !(values[peak.place] > sharp_enough))
    return {};
  const double share = prominence (values, peak.place, static_cast<size_t> (std::ceil (near_share * bins)));
  double axis = (all.at (static_cast<double> (peak.place) + peak.offset) - beyond) * static_cast<double> (bin);
  for (bool more = true; more;) {
    bin = std::max (bin / 2, finest);
    more = bin > finest;
    const auto fine = level (bin, false);
    bool inside = false;
    for (int i = 0; i < most_moves && !inside; i++) {
      const Places few{axis / static_cast<double> (bin) - 0.25 * (fine_places - 1), 0.5, fine_places};
      const auto best = peak_of (scores (fine, sinogram, few, cpu, monitor));
      axis = few.at (static_cast<double> (best.place) + best.offset) * static_cast<double> (bin);
      inside = best.inside;
    }
  }
  return Match{.axis = axis,
               .coherence = share,
               .certainty = share,
               .weight = std::max (share, 0.0),
               .error = exact * static_cast<double> (finest)};
}

size_t FocusSearch::bytes (int threads) const
{
  size_t largest = 0;
  for (const auto &each :
       {level (divide_up (columns, coarse_bins), true), level (divide_up (columns, most_bins), false)}) {
    const auto some = rays_of (each);
    const auto width = static_cast<size_t> (each.width ());
    Bill bill;
    slice::Trials::memory (job_of (each.width (), some), 0, static_cast<double> (width), threads, bill);
    largest = std::max (largest, total (bill) + (some.size () + width) * width * sizeof (float) +
                                     static_cast<size_t> (threads) * sharpness_scratch (each.width ()));
  }
  return largest + rays.size () * sizeof (back_project::Ray);
}

} // namespace sino::find_axis
