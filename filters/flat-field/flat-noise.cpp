// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/flat-field/flat-noise.hpp"
#include "kernels/flat-field/correct.hpp"
#include "kernels/flat-field/frame-noise.hpp"
#include <algorithm>

namespace sino::flat_field {

namespace {

constexpr int64_t most_frames = 16, enough_values = 8192; // of a row, in all frames
constexpr size_t enough_bytes = size_t{4} << 20;          // of frames that are read at a time

} // namespace

FlatNoise::FlatNoise (const Companions &companions, const Dim &r)
    : rows (r), lit (some_of (companions.flats)), dark (some_of (companions.darks))
{
  flats = lit.frames->count;
  bytes = static_cast<size_t> (rows.extent) * sizeof (RowNoise);
  const auto most_rows = pieces_of (*lit.frames, true, enough_bytes).most_rows ();
  for (const auto &some : {lit, dark})
    if (some.frames) {
      const auto values = most_rows * some.frames->columns * some.count;
      bytes += static_cast<size_t> (values) * (size_of (some.frames->element) + 2 * sizeof (float)) +
               some.frames->scratch_bytes;
    }
}

// More frames of a narrow detector, so that a row has values enough.
FlatNoise::Some FlatNoise::some_of (const std::shared_ptr<const Frames> &frames)
{
  if (!frames)
    return {};
  const auto enough = std::min (most_frames, 2 + enough_values / std::max<int64_t> (frames->columns, 1));
  return {frames, std::min (frames->count, enough)};
}

RowNoise FlatNoise::of_row (int64_t number, const Frames::Watch &watch) const
{
  std::call_once (once, [&] { find (watch); });
  const auto away = number - rows.first;
  const auto place = away / rows.step;
  if (place < 0 || place >= rows.extent || place * rows.step != away)
    return {};
  return found[static_cast<size_t> (place)];
}

// [frame][row][column]
std::vector<float> FlatNoise::read (const Some &some, Interval rows, const Frames::Watch &watch)
{
  if (!some.frames)
    return {};
  const auto values = some.count * rows.size () * some.frames->columns;
  std::vector<std::byte> pixels (static_cast<size_t> (values) * size_of (some.frames->element));
  some.frames->read ({0, some.count}, rows, pixels.data (), watch);
  std::vector<float> wide (static_cast<size_t> (values));
  widen (some.frames->element, pixels.data (), values, wide.data ());
  return wide;
}

void FlatNoise::find (const Frames::Watch &watch) const
{
  std::vector<RowNoise> all;
  const auto columns = lit.frames->columns;
  const auto greatest = lit.frames->greatest ();
  for (const auto &some : pieces_of (*lit.frames, true, enough_bytes).rows) {
    const auto flat = read (lit, some, watch), black = read (dark, some, watch);
    for (int64_t row = 0; row < some.size (); row++) {
      if (watch.monitor)
        watch.monitor->check ();
      const auto frames_of = [&] (const std::vector<float> &values, const Some &kind) {
        return FrameRows{values.data () + row * columns, kind.count, some.size () * columns, columns};
      };
      all.push_back (noise_of_frames (frames_of (flat, lit), frames_of (black, dark), greatest));
    }
  }
  found = std::move (all);
}

} // namespace sino::flat_field
