// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/bad-pixels/finder.hpp"
#include "base/error.hpp"
#include "filters/bad-pixels/local-level.hpp"
#include "filters/flat-field/companions.hpp"
#include <cmath>

namespace sino::bad_pixels {

// Level of the beam, which may cover only a tenth of the detector; NaN if no level is a number.
static float beam_level (std::vector<float> levels)
{
  return ranked (levels.data (), std::ssize (levels), [] (int64_t numbers) { return numbers * 9 / 10; });
}

void find_bad (Map &map, const Companions &companions, double threshold, const flat_field::Looking &looking)
{
  auto [dark, white, odd] = flat_field::mean_companions (companions, looking);
  for (size_t i = 0; i < dark.size (); i++)
    white[i] -= dark[i];
  const auto level = local_level (white, map.width, map.height, looking.cpu);
  const auto beam = beam_level (level);
  if (!(beam > 0))
    fail (SINO_ERROR_BAD_FORMAT, "the flats are not brighter than the darks, so that no bad pixel can be told by them: "
                                 "are they swapped, or was the shutter closed? A mask= with find=no does without");
  const auto most = static_cast<float> (threshold);
  for (size_t i = 0; i < white.size (); i++)
    if (level[i] > 0.05f * beam && !(std::abs (white[i] - level[i]) <= most * level[i]))
      map.bad[i] = 1;
  if (const auto bad = static_cast<size_t> (map.count ()); 2 * bad > white.size ())
    fail (SINO_ERROR_BAD_FORMAT,
          "by the flats %.3g %% of the pixels are bad: there is hardly a beam in them, or threshold=%g is too little",
          100 * static_cast<double> (bad) / static_cast<double> (white.size ()), threshold);
}

size_t finding_bytes (const Companions &companions)
{
  const auto &flats = *companions.flats;
  const auto image = static_cast<size_t> (flats.rows * flats.columns) * sizeof (float);
  return 3 * image + flat_field::mean_companions_bytes (companions);
}

} // namespace sino::bad_pixels
