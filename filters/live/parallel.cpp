// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/parallel.hpp"
#include "filters/live/ring.hpp"
#include "stream/coverage.hpp"
#include <numbers>

namespace sino::live {

using std::numbers::pi;

double mean_axis (const std::vector<slice::Ray> &rays)
{
  const double first = rays.front ().origin;
  double sum = 0;
  for (const auto &ray : rays)
    sum += ray.origin - first;
  return first + 0.5 + sum / static_cast<double> (rays.size ());
}

// Where projections lie, and which of them pictures hold.
static void settle_places (const Format &in, const std::vector<slice::Ray> &rays, bool ring, Keeping &keeping,
                           Making &making)
{
  making.window = ring ? ring_of (in.geometry->angles, pi) : in.angles ();
  keeping.places = std::min (making.window + (ring ? 2 * most_at_once : 0),
                             in.angles ()); // of a ring, some are filled while pictures hold others
  for (size_t k = 0; k < rays.size (); k++) {
    const auto &ray = rays[k];
    making.sights.push_back ({.place = static_cast<int64_t> (k) % keeping.places,
                              .cos = ray.cos,
                              .sin = ray.sin,
                              .origin = ray.origin,
                              .factor = 1});
  }
  making.axis = mean_axis (rays);
}

// Halves hold values near 1: those of columns at a distance of 1, with a mean weight of 1.
static void settle_values (const Format &in, const std::vector<slice::Ray> &rays, const ParallelSettings &settings,
                           Keeping &keeping, Making &making)
{
  const bool filtered = settings.filters || !in.filtered_by.empty ();
  const double spacing = filtered ? in.geometry->pixel_size.value_or (1) : 1;
  const double before = in.filtered_by.empty () ? 1 : spacing;
  const double mean = pi / static_cast<double> (making.window);
  making.scale = static_cast<float> (mean / spacing);
  for (const auto &ray : rays) {
    const double share = settings.ring ? 1 : static_cast<double> (ray.weight) / mean;
    keeping.weights.push_back (static_cast<float> (share * before));
  }
}

std::vector<std::string> settle_parallel (const Format &in, const ParallelSettings &settings, Keeping &keeping,
                                          Making &making)
{
  slice::check_angles (in);
  check_angles_differ (in);
  const auto rays = settings.slices.rays (in);
  auto notes = settings.slices.notes (in, settings.axis_advice);
  const auto add = [&notes] (const std::vector<std::string> &some) {
    notes.insert (notes.end (), some.begin (), some.end ());
  };
  if (!settings.ring)
    add (settings.slices.check_sides (in, rays));
  add (slice::check_axis (rays, in.line (), settings.slices.region (in.line ())));
  settle_places (in, rays, settings.ring, keeping, making);
  settle_values (in, rays, settings, keeping, making);
  return notes;
}

} // namespace sino::live
