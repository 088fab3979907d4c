// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/bad-pixels/finder.hpp"
#include "filters/bad-pixels/local-level.hpp"
#include "kernels/flat-field/references.hpp"
#include <cmath>

namespace sino::bad_pixels {

using flat_field::groups_by_position;
using flat_field::Reduce;

static std::vector<float> mean (const Frames &frames, const Cpu &cpu, const Frames::Watch &watch)
{
  auto reduced = flat_field::reduce (frames, groups_by_position (frames, false), Reduce::mean, cpu, watch);
  return std::move (reduced.at (0).values);
}

static bool has_any (const std::shared_ptr<const Frames> &frames)
{
  return frames && frames->count > 0;
}

void find_bad (Map &map, const Companions &companions, double threshold, const Cpu &cpu, const Frames::Watch &watch)
{
  auto white = mean (*companions.flats, cpu, watch);
  if (has_any (companions.darks)) {
    const auto black = mean (*companions.darks, cpu, watch);
    for (size_t i = 0; i < white.size (); i++)
      white[i] -= black[i];
  }
  const auto level = local_level (white, map.width, map.height, cpu);
  const auto usual = [copy = level] () mutable { return median_of (copy.data (), std::ssize (copy)); }();
  const auto most = static_cast<float> (threshold);
  for (size_t i = 0; i < white.size (); i++)
    if (level[i] > 0.05f * usual && !(std::abs (white[i] - level[i]) <= most * level[i]))
      map.bad[i] = 1;
}

size_t finding_bytes (const Companions &companions)
{
  const auto &flats = *companions.flats;
  const auto image = static_cast<size_t> (flats.rows * flats.columns) * sizeof (float);
  size_t reducing = 0;
  for (const auto &frames : {companions.flats, companions.darks})
    if (has_any (frames))
      reducing =
          std::max (reducing, flat_field::reducing_bytes (*frames, groups_by_position (*frames, false), Reduce::mean));
  return 3 * image + reducing;
}

} // namespace sino::bad_pixels
